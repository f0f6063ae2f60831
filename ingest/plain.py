"""Plain text → pages of words, as if printed in a font of fixed width: tables made with spaces are found like any other,
and the bars of Markdown tables are their rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ingest.layout import PageContent, Word
from ingest.markdown import find_bar_tables
from ingest.spreadsheet import decode_text

_CHARACTER, _LINE, _SIZE = 6.0, 12.0, 10.0
"""Points: the width of a character, the height of a line, the font size."""
_LINES = 1_000
"""Lines of a page at most; a form feed ends one earlier."""


def read_plain(path: Path) -> Iterator[PageContent]:
    """The pages of a text file.

    Raises:
        InputError: the file is no text.
    """
    text, _ = decode_text(path, path.read_bytes())
    number = 0
    for sheet in text.split("\f"):
        lines = sheet.expandtabs(8).splitlines()
        for start in range(0, len(lines), _LINES):
            number += 1
            yield _page(number, lines[start : start + _LINES], bars=path.suffix.lower() == ".md")


def _page(number: int, lines: list[str], bars: bool) -> PageContent:
    """`bars`: tables are written with bars, as in Markdown."""
    tables = list(find_bar_tables(lines)) if bars else []
    set_anew = {row for table in tables for row in range(table.start, table.end)}
    free = ((row, line) for row, line in enumerate(lines) if row not in set_anew)
    loose = [_word(match, row) for row, line in free for match in re.finditer(r"\S+", line)]
    words = sorted((*loose, *(w for t in tables for w in t.words)), key=lambda w: (w.top, w.x0))
    width = max((w.x1 for w in words), default=_CHARACTER)
    return PageContent(
        number,
        width,
        _LINE * len(lines),
        tuple(words),
        horizontal=tuple(r for t in tables for r in t.horizontal),
        vertical=tuple(r for t in tables for r in t.vertical),
    )


def _word(match: re.Match[str], row: int) -> Word:
    top = row * _LINE
    x0, x1 = match.start() * _CHARACTER, match.end() * _CHARACTER
    return Word(match.group(), x0, top + 1, x1, top + 11, baseline=top + 9, size=_SIZE)
