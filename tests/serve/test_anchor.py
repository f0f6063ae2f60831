from __future__ import annotations

from serve.anchor import place
from tests.serve.passages import asked, passage

TEXT = "\n".join(
    [
        "Leave is requested in the portal.",
        "The canteen opens at noon.",
        "Fathers receive 15 days of paternity leave.",
        "The library is on the second floor.",
        "Parking is free.",
        "Bicycles are welcome.",
    ]
)
POLICY = passage(TEXT, "4 Parental leave", line=10)


def test_the_anchor_is_the_sentence_and_the_context_a_few_lines() -> None:
    placed = place(asked("How long is paternity leave?"), POLICY)
    assert placed.anchor is not None and placed.context is not None
    assert (placed.anchor.line_start, placed.anchor.line_end) == (12, 12)
    assert (placed.context.line_start, placed.context.line_end) == (10, 14)


def test_a_paragraph_or_section_is_the_whole_chunk() -> None:
    placed = place(asked("What are the rules of paternity leave?"), POLICY)
    assert placed.context is not None and (placed.context.line_start, placed.context.line_end) == (10, 15)


def test_the_context_contains_the_anchor() -> None:
    for text in ("How long is paternity leave?", "Bicycles?", "?", "Summarise it"):
        placed = place(asked(text), POLICY)
        assert placed.anchor is not None and placed.context is not None
        assert (
            placed.context.line_start <= placed.anchor.line_start <= placed.anchor.line_end <= placed.context.line_end
        )


def test_rows_that_hold_the_code_are_the_anchor() -> None:
    table = passage("| Id | Net |\n| ST001 | 1 |\n| ST002 | 2 |", kind="table")
    table = table.model_copy(update={"chunk": table.chunk.model_copy(update={"row_start": 1, "row_end": 2})})
    placed = place(asked("What is the net pay of ST002?"), table)
    assert placed.anchor is not None and placed.anchor.rows == (2,)
