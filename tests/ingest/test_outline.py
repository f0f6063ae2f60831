from __future__ import annotations

from collections.abc import Sequence

from contracts.documents import Document, Line, ParsedDocument, Row, Section, Table
from ingest.outline import add_outline
from ingest.pdf import Bookmark


def lines(page: int, *texts: str, height: float = 10.0) -> list[Line]:
    return [
        Line(page=page, line=n, text=text, x0=0, top=20.0 * n, x1=100, bottom=20.0 * n + height)
        for n, text in enumerate(texts, 1)
    ]


def outline(text: Sequence[Line], bookmarks: Sequence[Bookmark] = (), tables: Sequence[Table] = ()) -> ParsedDocument:
    document = Document(doc_id="d" * 64, name="n", source="s")
    return add_outline(
        ParsedDocument(document=document, lines=tuple(text), outline=(), tables=tuple(tables)), bookmarks
    )


def places(parsed: ParsedDocument) -> list[tuple[int, str, int, int]]:
    return [(s.level, s.title, s.page, s.line) for s in parsed.outline]


def test_bookmarks_are_placed_on_the_line_that_carries_their_title() -> None:
    text = lines(1, "Contract", "1. Services", "Text.") + lines(2, "more", "2 Fees and", "payment", "Text.", "FEES")
    found = outline(
        text,
        [Bookmark(1, "1. Services", 1, None), Bookmark(2, "Fees and payment", 2, None), Bookmark(3, "Fees", 2, None)],
    )
    assert places(found) == [(1, "1. Services", 1, 2), (2, "Fees and payment", 2, 2), (3, "Fees", 2, 5)]
    by_title = {s.title: s for s in found.outline}
    assert by_title["Fees and payment"].parent == by_title["1. Services"].section_id
    assert by_title["Fees"].parent == by_title["Fees and payment"].section_id
    assert not any(s.recovered for s in found.outline)
    assert next(n.section_id for n in found.lines if n.page == 1) is None


def test_a_line_belongs_to_the_last_heading_at_or_above_it() -> None:
    text = lines(1, "A", "text", "B", "text") + lines(2, "text")
    found = outline(text, [Bookmark(1, "A", 1, None), Bookmark(1, "B", 1, None)])
    a, b = (s.section_id for s in found.outline)
    assert [n.section_id for n in found.lines] == [a, a, b, b, b]


def test_a_bookmark_whose_title_is_not_printed_stands_where_it_points() -> None:
    found = outline(lines(1, "x", "y", "z"), [Bookmark(1, "Part one", 1, 45.0), Bookmark(1, "Part two", 1, None)])
    assert [(t, n) for _, t, _, n in places(found)] == [("Part two", 1), ("Part one", 2)]


def test_a_bookmark_that_leads_nowhere_is_found_by_its_title_or_dropped() -> None:
    text = lines(1, "Intro", "text") + lines(2, "Terms", "text")
    marks = [Bookmark(1, "Intro", 1, None), Bookmark(1, "Terms", 0, None), Bookmark(1, "Nowhere", 0, None)]
    assert places(outline(text, marks)) == [(1, "Intro", 1, 1), (1, "Terms", 2, 1)]


def test_tables_get_the_section_they_start_in() -> None:
    row = Row(index=0, cells=("1",), page=1, line_start=2, line_end=2, bbox=(0, 0, 1, 1))
    table = Table(table_id="t", doc_id="d", columns=("n",), rows=(row,), pages=(1,), source="ruled")
    found = outline(
        lines(1, "Pay", "1", "Notes"), [Bookmark(1, "Pay", 1, None), Bookmark(1, "Notes", 1, None)], [table]
    )
    assert found.tables[0].section_id == found.outline[0].section_id


def test_an_outline_that_extraction_found_is_kept() -> None:
    section = Section(section_id="sheet1", level=1, title="April", page=1, line=1)
    document = Document(doc_id="d" * 64, name="n", source="s")
    parsed = ParsedDocument(document=document, lines=tuple(lines(1, "x")), outline=(section,), tables=())
    found = add_outline(parsed, [])
    assert found.outline == (section,) and found.lines[0].section_id == "sheet1"


def test_without_bookmarks_headings_are_recovered_and_marked() -> None:
    text = lines(1, "1. Scope", "Applies to all staff.", "2. Leave", "Twenty days.", "2.1 Carry over", "Five days.")
    found = outline(text)
    assert places(found) == [(1, "1. Scope", 1, 1), (1, "2. Leave", 1, 3), (2, "2.1 Carry over", 1, 5)]
    assert all(s.recovered for s in found.outline)


def test_a_single_bookmark_gives_way_to_recovered_headings() -> None:
    text = lines(1, "report.doc", "1. Scope", "Text goes here.", "2. Leave", "Twenty days.")
    assert len(outline(text, [Bookmark(1, "report.doc", 1, None)]).outline) == 2


def test_markdown_says_its_headings_itself() -> None:
    document = Document(doc_id="d" * 64, name="policy.md", source="s")
    text = lines(1, "# Leave policy", "Twenty days.", "## Sick leave ##", "#hashtag", "# ")
    found = add_outline(ParsedDocument(document=document, lines=tuple(text), outline=(), tables=()), [])
    assert places(found) == [(1, "Leave policy", 1, 1), (2, "Sick leave", 1, 3)]
    assert not any(s.recovered for s in found.outline)
