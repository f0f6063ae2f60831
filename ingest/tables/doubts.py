"""What in a table should be looked at before its numbers are trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contracts.documents import ColumnKind, ColumnType, DocumentWarning, Row, RowRole
from contracts.numbers import number_tokens, parse_number

_NAMED = 3
"""Places that a warning names; the rest is counted."""


def find_doubts(
    columns: Sequence[str], types: Sequence[ColumnType], rows: Sequence[Row], unproven: Sequence[tuple[int, int]]
) -> Iterator[DocumentWarning]:
    """Warnings about unproven numbers, cells that hold two numbers, and columns of mixed style."""
    if unproven:
        places = ", ".join(f"row {row}, {_name(columns, c)}" for row, c in unproven[:_NAMED])
        yield _warn(
            rows,
            "unproven_number",
            f"{len(unproven)} cells hold a number that is not printed there ({places}); they are never summed.",
        )
    twice = [(row.index, c) for row in rows if row.role is RowRole.BODY for c in _doubled(row, types)]
    if twice:
        places = ", ".join(f"row {row}, {_name(columns, c)}" for row, c in twice[:_NAMED])
        yield _warn(
            rows,
            "ragged_row",
            f"{len(twice)} cells of number columns hold more than one number ({places}). Compare with the page.",
        )
    for c, kind in enumerate(types):
        if kind.mixed:
            yield _warn(
                rows,
                "mixed_numbers",
                f"{_name(columns, c)} mixes ways of writing numbers; none of its doubtful values is guessed.",
            )


def _doubled(row: Row, types: Sequence[ColumnType]) -> list[int]:
    numeric = (ColumnKind.NUMBER, ColumnKind.PERCENT)
    return [
        c
        for c, (cell, kind) in enumerate(zip(row.cells, types, strict=True))
        if kind.kind in numeric and parse_number(cell) is None and len(number_tokens(cell)) > 1
    ]


def _name(columns: Sequence[str], column: int) -> str:
    return f"column “{columns[column]}”" if columns[column] else f"column {column + 1}"


def _warn(rows: Sequence[Row], code: str, message: str) -> DocumentWarning:
    return DocumentWarning(code=code, message=message, page=rows[0].page)
