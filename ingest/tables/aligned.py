"""Tables without drawn columns: gaps that stand one above the other over several lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ingest.layout import Word
from ingest.lines import TextLine

_GAP = 0.9
"""Of the font size: the narrowest space that may part two columns of one line."""


class Segment(NamedTuple):
    """Words of a line that stand together."""

    x0: float
    x1: float
    words: tuple[Word, ...]


@dataclass(frozen=True)
class Block:
    """Lines that may form a table, with their segments."""

    lines: tuple[TextLine, ...]


def split_segments(line: TextLine, gap: float = _GAP) -> list[Segment]:
    """The line cut at every space wider than `gap` of the font size."""
    runs: list[list[Word]] = []
    for word in line:
        if runs and word.x0 - max(w.x1 for w in runs[-1]) <= gap * min(word.size, runs[-1][-1].size):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [Segment(run[0].x0, max(w.x1 for w in run), tuple(run)) for run in runs]


def find_blocks(lines: list[TextLine]) -> list[Block]:
    blocks: list[list[TextLine]] = []
    run: list[TextLine] = []
    for line in lines:
        if len(split_segments(line)) >= 2:
            run.append(line)
        else:
            blocks.append(run)
            run = []
    blocks.append(run)
    return [Block(tuple(b)) for b in blocks if len(b) >= 3]


def find_columns(block: Block) -> tuple[float, ...]:
    """Column borders in the middle of the gaps that no segment of the block crosses."""
    spans = sorted((s.x0, s.x1) for line in block.lines for s in split_segments(line))
    covered: list[list[float]] = []
    for x0, x1 in spans:
        if covered and x0 <= covered[-1][1]:
            covered[-1][1] = max(covered[-1][1], x1)
        else:
            covered.append([x0, x1])
    inner = [(a[1] + b[0]) / 2 for a, b in zip(covered, covered[1:], strict=False)]
    return (covered[0][0], *inner, covered[-1][1])
