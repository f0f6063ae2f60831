from serve.survival import survive


def test_presence_is_by_word_not_by_substring():
    survival = survive(["ST1", "ST12"], {"prompt": ["row: ST12, 4,500"]})
    assert survival.stages["prompt"] == ("ST12",)


def test_codes_with_separators_inside_punctuation():
    survival = survive(["STL/2025-26/003"], {"retrieve": ["Invoice (STL/2025-26/003)."], "prompt": ["nothing"]})
    assert survival.stages == {"retrieve": ("STL/2025-26/003",), "prompt": ()}
    assert survival.first_drop() == {"STL/2025-26/003": "prompt"}
