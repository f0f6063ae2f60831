"""What goes when the budget is short: prose first, then rows from the end of the worst-ranked table."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from compression.assemble import assemble
from compression.records import TruncatedTable, Unit
from compression.units import TableBlock


def fit_prose(
    sentences: Sequence[Unit], blocks: Sequence[TableBlock], documents: Sequence[str], budget: int
) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """The sentences that fit beside the whole tables, and those that do not; lowest coverage goes first.

    Of two equal ones the later in rank order goes.
    """
    kept = list(sentences)
    squeezed: list[Unit] = []
    while kept and len(assemble(blocks, kept, (), documents)) > budget:
        worst = min(range(len(kept)), key=lambda i: (kept[i].score, -i))
        squeezed.append(kept.pop(worst))
    return tuple(kept), tuple(squeezed)


def fit_rows(
    blocks: Sequence[TableBlock], documents: Sequence[str], budget: int
) -> tuple[tuple[TableBlock, ...], tuple[TruncatedTable, ...]]:
    """As many rows as fit, from the first of the best-ranked table on, and what each table lost."""

    def fits(count: int) -> bool:
        shown, lost = _first_rows(blocks, count)
        return len(assemble(shown, (), lost, documents)) <= budget

    # A table that is whole needs no note, so whole tables first, then what fits of the next one.
    ends = list(accumulate((len(b.rows) for b in blocks), initial=0))
    whole = max((i for i, end in enumerate(ends) if fits(end)), default=0)
    if whole == len(blocks):
        return tuple(blocks), ()
    beyond = range(ends[whole] + 1, ends[whole + 1])
    return _first_rows(blocks, ends[whole] + bisect_left(beyond, True, key=lambda count: not fits(count)))


def _first_rows(blocks: Sequence[TableBlock], count: int) -> tuple[tuple[TableBlock, ...], tuple[TruncatedTable, ...]]:
    shown: list[TableBlock] = []
    lost: list[TruncatedTable] = []
    for block in blocks:
        rows = block.rows[:count]
        count -= len(rows)
        shown.append(block.model_copy(update={"rows": rows}))
        if len(rows) < len(block.rows):
            left_out = tuple(range(len(rows), len(block.rows)))
            lost.append(TruncatedTable(table_id=block.table_id, rows_kept=len(rows), rows_left_out=left_out))
    return tuple(shown), tuple(lost)
