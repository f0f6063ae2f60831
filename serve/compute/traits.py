"""What filters share: a condition with the words it came from, and what kind of column a column is."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.plans import Where
from serve.compute import cues
from serve.compute.conditions import rank_of
from serve.compute.draft import Builder
from serve.compute.reading import ColumnSpan
from serve.compute.view import ColumnView


@dataclass(frozen=True)
class Condition:
    """A condition and the words it came from. `rank` and `year` conditions are by value of a text column."""

    where: Where
    start: int
    end: int


def is_identifier(b: Builder, column: ColumnView) -> bool:
    """Whether the numbers name rows (serial, rank, id) rather than measure something."""
    stems = set(column.stems)
    return bool(stems & (cues.RANKS | {"no", "id", "serial", "sr", "sl", "number", "#", "cod"})) or column.name == "#"


def noun_behind(b: Builder, span: ColumnSpan) -> None:
    """`10 gold medals` with a column Gold: the noun only says what is measured."""
    i = span.end
    plain = i < len(b.reading.words) and b.reading.norms[i] not in cues.FUNCTION | cues.BLOCKERS | cues.NEGATIONS
    if plain and i not in b.reading.held:
        b.use(range(i, i + 1))


def holds_ranks(column: ColumnView) -> bool:
    """Whether most filled cells have a rank or a small number as a word (`T4`, `4th`, `Round 4`)."""
    filled = [t for t in column.tokens if t]
    return bool(filled) and sum(any(rank_of(n) is not None for n in t) for t in filled) >= 0.6 * len(filled)


def column_has_days(column: ColumnView) -> bool:
    filled = [i for i in range(len(column.texts)) if not column.empty(i)]
    return bool(filled) and sum(column.dates[i] is not None for i in filled) >= 0.9 * len(filled)
