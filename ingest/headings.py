"""Headings of a document without an outline of its own, from numbers and font sizes.

Better none than a wrong one: a false heading cuts a sentence in two, a missed one only widens a section. So lists,
tables of contents, addresses and wrapped sentences are told apart from headings by what stands around them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from contracts.documents import Line

_LARGER = 1.18
"""Height of a heading's line over the body's; smaller differences are bold or superscripts."""
_MANY = 0.3
"""When more of the text than this share is "larger", size says nothing in this document."""
_MOST = 120
"""Characters of a heading."""

_NUMBERED = re.compile(r"((?:\d{1,2}\.){1,4}\d{0,2}|\d{1,2}\)|[A-Z]\.)\s+(?=[^\W\d_])(.+)")
_NAMED = re.compile(
    r"(?i:section|article|chapter|part|annex|annexure|appendix|schedule|clause|exhibit"
    r"|artículo|articulo|capítulo|capitulo|sección|seccion|anexo|cláusula|clausula|título|titulo)"
    r"\s+(?:\d{1,3}(?:\.\d{1,2})*|[IVXLC]{1,6}|[A-Z])\b[.:)]?(?:\s*[-–—:]\s*|\s+(?=[A-ZÁÉÍÓÚÑ])|$).*"
)
_LEADERS = re.compile(r"(?:\.{3,}|…|(?:\s\.){3,})\s*\d*$|\s{3,}\d+$")
_NUMERIC = re.compile(r"\d[\d.,]*")


class Heading(NamedTuple):
    level: int
    title: str
    page: int
    line: int


class _Found(NamedTuple):
    at: int
    """Index in the list of lines."""
    depth: int
    """Parts of its number; 0 without a number."""
    height: float


def markdown_headings(lines: Sequence[Line]) -> list[Heading]:
    """Headings that a Markdown file marks with `#`."""
    found = ((line, re.fullmatch(r"(#{1,6})\s+(.*?)[\s#]*", line.text.strip())) for line in lines)
    return [Heading(len(m[1]), m[2], line.page, line.line) for line, m in found if m and m[2]]


def recover_headings(lines: Sequence[Line]) -> list[Heading]:
    """Headings in document order. `lines` are the whole document's; lines of tables are never headings."""
    body = _body_height(lines)
    larger = {i for i, line in enumerate(lines) if body and _height(line) > _LARGER * body and _may_be(line)}
    if sum(len(lines[i].text) for i in larger) > _MANY * sum(len(line.text) for line in lines):
        larger = set()
    found = [f for i in range(len(lines)) if (f := _find(lines, i, i in larger))]
    found = [f for f in found if f.at in larger or not _in_list(lines, found, f)]
    return _levelled(lines, _joined(lines, found))


def _height(line: Line) -> float:
    return round(line.bottom - line.top, 1)


def _body_height(lines: Sequence[Line]) -> float:
    """The height in which most characters are set."""
    heights: Counter[float] = Counter()
    for line in lines:
        if line.table_id is None:
            heights[_height(line)] += len(line.text)
    return heights.most_common(1)[0][0] if heights else 0.0


def _may_be(line: Line) -> bool:
    text = line.text.strip()
    return (
        line.table_id is None
        and 2 <= len(text) <= _MOST
        and any(c.isalpha() for c in text)
        and not text.endswith((".", ";", ","))
        and not _LEADERS.search(text)
        and len(_NUMERIC.findall(text)) <= 4
    )


def _find(lines: Sequence[Line], index: int, larger: bool) -> _Found | None:
    line = lines[index]
    text = line.text.strip()
    if not _may_be(line):
        return None
    numbered = _NUMBERED.fullmatch(text)
    depth = len([p for p in re.split(r"[.)]", numbered[1]) if p]) if numbered else int(bool(_NAMED.fullmatch(text)))
    if larger:
        return _Found(index, depth, _height(line))
    if depth == 0 or (numbered and not numbered[2][0].isupper()) or len(text.split()) > 12:
        return None
    return None if _goes_on(lines, index) else _Found(index, depth, _height(line))


def _goes_on(lines: Sequence[Line], index: int) -> bool:
    """The next line continues the sentence."""
    following = lines[index + 1].text.lstrip() if index + 1 < len(lines) else ""
    return bool(following) and following[0].islower()


def _in_list(lines: Sequence[Line], found: Sequence[_Found], one: _Found) -> bool:
    """A neighbour has a number of the same depth and nothing stands between: items of a list."""
    return any(other.depth == one.depth and abs(other.at - one.at) == 1 for other in found)


def _joined(lines: Sequence[Line], found: Sequence[_Found]) -> list[tuple[_Found, str]]:
    """A large heading that runs over several lines is one heading."""
    joined: list[tuple[_Found, str]] = []
    last = -2
    for one in found:
        text = lines[one.at].text.strip()
        follows = joined and one.at == last + 1 and one.depth == 0
        if follows and one.height == joined[-1][0].height and lines[one.at].page == lines[last].page:
            joined[-1] = (joined[-1][0], f"{joined[-1][1]} {text}")
        else:
            joined.append((one, text))
        last = one.at
    return joined


def _levelled(lines: Sequence[Line], found: Sequence[tuple[_Found, str]]) -> list[Heading]:
    """Unnumbered headings by size, the largest at level 1; numbered ones by depth, below those before them."""
    sizes = sorted({one.height for one, _ in found if one.depth == 0}, reverse=True)
    top = max((one.height for one, _ in found if one.depth == 1), default=0.0)
    above = sum(size > top for size in sizes)
    headings = []
    for one, title in found:
        level = above + one.depth if one.depth else sizes.index(one.height) + 1
        line = lines[one.at]
        headings.append(Heading(level, title, line.page, line.line))
    return headings
