"""What compression works on and what it hands back."""

from __future__ import annotations

from typing import Literal

from contracts.base import Record
from contracts.evidence import DroppedItem


class Unit(Record):
    """The smallest thing that is kept or dropped: a sentence of prose, or a whole table row."""

    kind: Literal["sentence", "row"]
    chunk_id: str
    doc_id: str
    text: str
    page: int
    line_start: int
    line_end: int
    section_title: str = ""
    table_id: str | None = None
    row: int | None = None
    """`Row.index`, where the chunk tells it."""
    order: tuple[int, ...] = ()
    """Where it stands in its document; compares within one document only."""
    score: float = 1.0
    """Share of the question's terms that the sentence covers, in [0, 1]; rows are not scored."""
    reason: str = ""


class TruncatedTable(Record):
    """A table whose rows did not all fit: its first `rows_kept` are in the text."""

    table_id: str
    rows_kept: int
    rows_left_out: tuple[int, ...]
    """Places among the table's rows, from 0, the header not counted."""


class Compressed(Record):
    """The evidence as it goes into the prompt, and the account of how it came about. Sizes are characters."""

    text: str
    kept: tuple[Unit, ...]
    dropped: tuple[DroppedItem, ...] = ()
    tables_truncated: tuple[TruncatedTable, ...] = ()
    prose_dropped_for_budget: int = 0
    """Sentences that passed the threshold and did not fit."""
    suspicious: int = 0
    """Sentences left out because they give orders to a machine."""
    chars_before: int = 0
    chars_after: int = 0
    budget: int = 0
