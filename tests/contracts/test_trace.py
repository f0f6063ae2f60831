import pytest

from contracts.answers import Survival
from contracts.trace import TraceRecorder


def test_stage_records_counts_drops_and_calls_the_listener():
    seen = []
    recorder = TraceRecorder(seen.append)
    with recorder.stage("rerank", 5) as stage:
        stage.out(3)
        stage.drop("c4", "below the cut")
    assert [(s.name, s.count_in, s.count_out) for s in seen] == [("rerank", 5, 3)]
    assert seen[0].dropped[0].reason == "below the cut"
    assert seen == recorder.stages


def test_a_failing_stage_is_recorded_and_still_fails():
    recorder = TraceRecorder()
    with pytest.raises(ValueError), recorder.stage("fuse", 2):
        raise ValueError("no scores")
    assert recorder.stages[0].detail == {"error": "ValueError: no scores"}


def test_marks_are_kept_once_in_order():
    recorder = TraceRecorder()
    recorder.mark("b", "a")
    recorder.mark("b")
    assert list(recorder.marks) == ["b", "a"]


def test_first_drop_names_the_stage():
    survival = Survival(
        identifiers=("ST001", "ST002"),
        stages={"extract": ("ST001", "ST002"), "compress": ("ST001",), "prompt": ("ST001",)},
    )
    assert survival.first_drop() == {"ST002": "compress"}
