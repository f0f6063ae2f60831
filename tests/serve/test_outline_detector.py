from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contracts.documents import Section
from contracts.protocols import Floats
from serve.outline_detector import find_sections, plain_title
from tests.serve.passages import asked, document

TITLES = ("2 Annual leave", "3 Sick leave", "5.1 Limitation of liability", "5.2 Insurance", "6 Expense claims")
SECTIONS = [
    (document("Policy.pdf"), Section(section_id=str(n), level=1, title=t, page=1, line=n)) for n, t in enumerate(TITLES)
]


class Angles:
    """Texts with `time` point one way, all others another."""

    name, dimension, fingerprint = "angles", 2, "angles"

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        return np.array([[1, 0] if "time" in t or "Sick" in t else [0, 1] for t in texts], dtype=np.float32), [0] * len(
            texts
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [1] * len(texts)


def test_a_title_that_is_a_name_of_the_subject_is_exact() -> None:
    hits = find_sections(asked("How many vacation days do I get?"), SECTIONS)
    assert [(h.section.title, h.exact, h.score) for h in hits] == [("2 Annual leave", True, 1.0)]
    assert hits[0].matched_keywords == ("vacation days",)


def test_the_neighbour_is_not_taken() -> None:
    assert [h.section.title for h in find_sections(asked("What is the liability cap?"), SECTIONS)] == [TITLES[2]]


def test_by_meaning_only_when_no_title_shares_words() -> None:
    by_meaning = find_sections(asked("Is there time to recover?"), SECTIONS, Angles())
    assert [(h.section.title, h.exact) for h in by_meaning] == [("3 Sick leave", False)]
    by_words = find_sections(asked("How many vacation days at a time?"), SECTIONS, Angles())
    assert [h.section.title for h in by_words] == ["2 Annual leave"]


def test_numbers_are_not_part_of_a_title() -> None:
    assert [plain_title(t) for t in ("4.1.1 Period", "Section 3: Pay", "IV. Leave", "Leave")] == [
        "Period", "Pay", "Leave", "Leave",
    ]  # fmt: skip
