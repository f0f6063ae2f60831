"""Tables of Markdown as drawn tables: bars are rules, so that an empty cell stays a cell and its row a row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.layout import Rule, Word

_DELIMITER = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
"""The line below the header, `|---|---:|`."""
_BAR = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)")
"""Signs for bold, italics and code."""
_CHARACTER, _LINE, _SIZE = 6.0, 12.0, 10.0
"""Points: the width of a character, the height of a line, the font size; as `ingest.plain` sets text."""


@dataclass(frozen=True, slots=True)
class BarTable:
    """A table in the lines `start` to `end` (exclusive) of its page, set anew in columns."""

    start: int
    end: int
    words: tuple[Word, ...]
    horizontal: tuple[Rule, ...]
    vertical: tuple[Rule, ...]


def find_bar_tables(lines: Sequence[str]) -> Iterator[BarTable]:
    """The tables among a page's lines: a line with bars, a line of dashes under it, and the lines with bars below."""
    i = 0
    while i + 1 < len(lines):
        header = _cells(lines[i])
        if "|" not in lines[i] or not _is_delimiter(lines[i + 1], len(header)):
            i += 1
            continue
        end = i + 2
        while end < len(lines) and "|" in lines[end] and lines[end].strip():
            end += 1
        yield _table(i, end, [header, [], *(_cells(line) for line in lines[i + 2 : end])])
        i = end


def _is_delimiter(line: str, columns: int) -> bool:
    return "-" in line and bool(_DELIMITER.match(line)) and len(_cells(line)) == columns


def _cells(line: str) -> list[str]:
    plain = line.strip().removeprefix("|")
    if plain.endswith("|") and not plain.endswith("\\|"):
        plain = plain[:-1]
    return [_MARKS.sub("", cell).replace("\\|", "|").strip() for cell in _BAR.split(plain)]


def _table(start: int, end: int, rows: Sequence[Sequence[str]]) -> BarTable:
    """`rows`: one for each line, the delimiter's without cells."""
    columns = max(map(len, rows))
    widths = [max((len(r[c]) for r in rows if c < len(r)), default=0) + 2 for c in range(columns)]
    edges = [_CHARACTER * sum(widths[:c]) for c in range(columns + 1)]
    words = [
        _word(match, edges[c], start + n)
        for n, row in enumerate(rows)
        for c, cell in enumerate(row)
        for match in re.finditer(r"\S+", cell)
    ]
    top, bottom = start * _LINE, end * _LINE
    between = [top, *(line * _LINE for line in range(start + 2, end + 1))]
    return BarTable(
        start,
        end,
        tuple(words),
        tuple(Rule(at, edges[0], edges[-1]) for at in between),
        tuple(Rule(at, top, bottom) for at in edges),
    )


def _word(match: re.Match[str], left: float, row: int) -> Word:
    top = row * _LINE
    x0, x1 = left + (match.start() + 1) * _CHARACTER, left + (match.end() + 1) * _CHARACTER
    return Word(match.group(), x0, top + 1, x1, top + 11, baseline=top + 9, size=_SIZE)
