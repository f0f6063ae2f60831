"""The outline: which section every line belongs to.

From the PDF's own outline, each entry placed on the line that carries its title; where there is none, from headings
recovered from the page (and marked so).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from contracts.documents import Line, ParsedDocument, Section, Table
from ingest.headings import Heading, markdown_headings, recover_headings
from ingest.pdf import Bookmark

_NO_FIT = 3


def add_outline(parsed: ParsedDocument, bookmarks: Sequence[Bookmark]) -> ParsedDocument:
    """`parsed` with its outline, and a `section_id` on every line and table below a heading.

    An outline that extraction found (the sheets of a workbook) is kept.
    """
    if parsed.outline:
        return _assigned(parsed, parsed.outline)
    own = markdown_headings(parsed.lines) if _is_markdown(parsed) else _placed(bookmarks, parsed.lines)
    recovered = [] if len(own) > 1 else recover_headings(parsed.lines)
    headings = recovered if len(recovered) > len(own) else own
    return _assigned(parsed, _sections(parsed.document.doc_id, headings, recovered=headings is not own))


def _is_markdown(parsed: ParsedDocument) -> bool:
    return parsed.document.name.lower().endswith(".md")


def _placed(bookmarks: Sequence[Bookmark], lines: Sequence[Line]) -> list[Heading]:
    """Every bookmark on its line, in document order; one that leads nowhere and whose title is not found is dropped."""
    pages: dict[int, list[Line]] = {}
    for line in lines:
        pages.setdefault(line.page, []).append(line)
    placed = []
    for mark in bookmarks:
        title = " ".join(mark.title.split())
        candidates = pages.get(mark.page, []) if mark.page else lines
        at = _matching(title, candidates) or _nearest(mark, candidates)
        if title and (at or mark.page):
            placed.append(Heading(mark.level, title, at.page if at else mark.page, at.line if at else 1))
    return sorted(placed, key=lambda heading: (heading.page, heading.line))


def _plain(text: str) -> str:
    """Letters and digits without the number in front, which only one of title and line may have."""
    plain = re.sub(r"[\W_]+", "", text.casefold())
    return re.sub(r"^\d+", "", plain) or plain


def _matching(title: str, lines: Sequence[Line]) -> Line | None:
    """The line that is the title, else begins with it, else holds its beginning with the rest on the next lines."""
    wanted = _plain(title)
    if not wanted:
        return None
    plain = [_plain(line.text) for line in lines]
    best = min(range(len(lines)), key=lambda at: (_misfit(plain, at, wanted), at), default=None)
    return lines[best] if best is not None and _misfit(plain, best, wanted) < _NO_FIT else None


def _misfit(plain: Sequence[str], at: int, wanted: str) -> int:
    """0 for the title itself, more the less the line is it."""
    text = plain[at]
    if text == wanted:
        return 0
    if text.startswith(wanted):
        return 1
    goes_on = text and wanted.startswith(text) and "".join(plain[at : at + 3]).startswith(wanted)
    return 2 if goes_on else _NO_FIT


def _nearest(mark: Bookmark, lines: Sequence[Line]) -> Line | None:
    """The first line at or below the place that the bookmark names, else the first of its page."""
    if not mark.page or not lines:
        return None
    below = [line for line in lines if mark.top is not None and line.bottom > mark.top]
    return below[0] if below else lines[0]


def _sections(doc_id: str, headings: Sequence[Heading], recovered: bool) -> tuple[Section, ...]:
    sections: list[Section] = []
    open_: list[Section] = []
    for number, heading in enumerate(headings, 1):
        while open_ and open_[-1].level >= heading.level:
            open_.pop()
        section = Section(
            section_id=f"{doc_id[:16]}-s{number}",
            level=heading.level,
            title=heading.title[:300],
            page=heading.page,
            line=heading.line,
            parent=open_[-1].section_id if open_ else None,
            recovered=recovered,
        )
        sections.append(section)
        open_.append(section)
    return tuple(sections)


def _assigned(parsed: ParsedDocument, sections: Sequence[Section]) -> ParsedDocument:
    if not sections:
        return parsed
    places = [(section.page, section.line) for section in sections]

    def section_at(page: int, line: int) -> str | None:
        index = bisect_right(places, (page, line)) - 1
        return sections[index].section_id if index >= 0 else None

    lines = tuple(
        line if line.section_id else line.model_copy(update={"section_id": section_at(line.page, line.line)})
        for line in parsed.lines
    )
    tables = tuple(_table_assigned(table, section_at(*_start(table))) for table in parsed.tables)
    return parsed.model_copy(update={"outline": tuple(sections), "lines": lines, "tables": tables})


def _start(table: Table) -> tuple[int, int]:
    if table.rows:
        return table.rows[0].page, table.rows[0].line_start
    return (table.pages[0] if table.pages else 1), 1


def _table_assigned(table: Table, section_id: str | None) -> Table:
    return table if table.section_id else table.model_copy(update={"section_id": section_id})
