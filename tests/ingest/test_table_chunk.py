from __future__ import annotations

import itertools
from collections.abc import Sequence

from contracts.chunks import Chunk
from contracts.documents import ColumnKind, ColumnType, Document, ParsedDocument, Region, Row, RowRole, Section, Table
from ingest.table_chunk import bands, chunk_tables, row_line, wide_table_warnings


def row(index: int, cells: Sequence[str], role: RowRole = RowRole.BODY, page: int = 1) -> Row:
    return Row(
        index=index,
        cells=tuple(cells),
        page=page,
        line_start=index + 1,
        line_end=index + 1,
        bbox=(0, 0, 1, 1),
        role=role,
    )


def table(columns: Sequence[str], rows: Sequence[Row], title: str = "", types: Sequence[ColumnType] = ()) -> Table:
    return Table(
        table_id="t1",
        doc_id="d" * 64,
        title=title,
        columns=tuple(columns),
        column_types=tuple(types),
        rows=tuple(rows),
        pages=tuple(sorted({r.page for r in rows})),
        source="ruled",
    )


def parsed(one: Table, outline: Sequence[Section] = ()) -> ParsedDocument:
    document = Document(doc_id="d" * 64, name="reg.pdf", source="/reg.pdf", title="Salary Register", period="2025-04")
    return ParsedDocument(document=document, lines=(), outline=tuple(outline), tables=(one,))


def chunks(one: Table, size: int = 1200) -> list[Chunk]:
    return list(chunk_tables(parsed(one), size))


def register(count: int) -> Table:
    rows = [row(0, ("Id", "Net"), RowRole.HEADER)]
    rows += [row(n, (f"ST{n:03d}", f"{n},000.00")) for n in range(1, count + 1)]
    return table(("Id", "Net"), rows, title="Register")


def test_every_chunk_repeats_the_header_and_holds_whole_rows() -> None:
    found = chunks(register(100), size=200)
    assert len(found) > 5
    assert all(c.text.splitlines()[0] == "| Id | Net |" for c in found)
    assert all(len(c.text) <= 200 for c in found)
    body = [text for c in found for text in c.text.splitlines()[1:]]
    assert body == [f"| ST{n:03d} | {n},000.00 |" for n in range(1, 101)]


def test_row_spans_join_without_gap_or_overlap() -> None:
    found = chunks(register(100), size=200)
    assert next(c.row_start for c in found) == 1
    assert [c.row_end for c in found][-1] == 100
    assert all(b.row_start == a.row_end + 1 for a, b in itertools.pairwise(found) if a.row_end)


def test_the_caption_is_in_the_prefix_and_never_among_the_rows() -> None:
    one = register(100).model_copy(update={"title": "Annexure A"})
    found = chunks(one, size=200)
    assert all("Annexure A" in c.prefix and "Annexure A" not in c.text for c in found)


def test_a_numeric_chunk_is_searched_with_the_names_of_its_document_section_and_period() -> None:
    section = Section(section_id="s", level=1, title="Deductions", page=1, line=1)
    one = table(("", ""), [row(n, (str(n), "12.50")) for n in range(5)]).model_copy(update={"section_id": "s"})
    (found,) = chunk_tables(parsed(one, [section]), 1200)
    assert found.text.splitlines()[0] == "| 0 | 12.50 |"  # no column names, so no header line
    assert found.searched_text.startswith("Salary Register")
    for name in ("April 2025", "Deductions"):
        assert name in found.searched_text


def test_repeated_header_rows_inside_are_left_out_and_totals_are_kept() -> None:
    rows = [
        row(0, ("Id", "Net"), RowRole.HEADER),
        row(1, ("A", "1")),
        row(2, ("Id", "Net"), RowRole.HEADER, page=2),
        row(3, ("Sales", ""), RowRole.GROUP, page=2),
        row(4, ("B", "2"), page=2),
        row(5, ("Total", "3"), RowRole.TOTAL, page=2),
    ]
    (found,) = chunks(table(("Id", "Net"), rows))
    assert found.text.splitlines() == ["| Id | Net |", "| A | 1 |", "| Sales |  |", "| B | 2 |", "| Total | 3 |"]
    assert (found.row_start, found.row_end, found.page_start, found.page_end) == (1, 5, 1, 2)


def test_a_row_longer_than_a_chunk_stays_whole() -> None:
    rows = [row(0, ("A", "short")), row(1, ("B", "long " * 500)), row(2, ("C", "short"))]
    found = chunks(table(("Id", "Note"), rows), size=300)
    assert [(c.row_start, c.row_end) for c in found] == [(0, 0), (1, 1), (2, 2)]
    assert found[1].text.count("long") == 500


def test_a_row_cut_by_a_page_break_ends_on_the_next_page() -> None:
    broken = row(1, ("A", "1")).model_copy(
        update={"continued": (Region(page=2, line_start=1, line_end=3, bbox=(0, 0, 1, 1)),)}
    )
    (found,) = chunks(table(("Id", "Net"), [broken]))
    assert (found.page_start, found.page_end, found.line_end) == (1, 2, 3)


def test_a_cell_can_not_break_its_row() -> None:
    assert row_line(("a|b", "two\nlines", "")) == "| a¦b | two lines |  |"


def test_a_sheet_of_3000_columns_is_cut_into_bands_that_hold_every_cell() -> None:
    names = [f"Component {n}" for n in range(3000)]
    rows = [row(n, [f"E{n}" if c == 0 else f"v{n}x{c}" for c in range(3000)]) for n in range(3)]
    one = table(names, rows, types=[ColumnType(kind=ColumnKind.CODE)])
    found = chunks(one, size=1200)
    assert max(len(c.text) for c in found) <= 1200
    assert all(text.startswith(("| Component 0 |", "| E")) for c in found for text in c.text.splitlines())
    cells = {cell for c in found for text in c.text.splitlines()[1:] for cell in text.strip("| ").split(" | ")}
    assert cells == {cell for r in rows for cell in r.cells}
    assert len({c.chunk_id for c in found}) == len(found)
    (warning,) = wide_table_warnings([one], 1200)
    assert warning.code == "wide_table" and "3000 columns" in warning.message


def test_one_endless_column_name_does_not_fill_every_chunk() -> None:
    rows = [row(n, (str(n),)) for n in range(50)]
    found = chunks(table(("N" * 50_000,), rows), size=500)
    assert sum(len(c.text) for c in found) < 2_000


def test_bands_keep_the_column_that_names_a_row() -> None:
    names = ["S.No.", "Employee", *[f"Component number {n}" for n in range(200)]]
    types = [ColumnType(kind=ColumnKind.NUMBER), ColumnType(kind=ColumnKind.CODE)]
    found = bands(table(names, [row(0, ["1"] * 202)], types=types), 1200)
    assert all(band[0] == 1 for band in found)
    assert sorted(c for band in found for c in band[1:]) == [0, *range(2, 202)]
    assert list(wide_table_warnings([register(3)], 1200)) == []


def test_a_table_of_a_header_only_is_still_found() -> None:
    (found,) = chunks(table(("Id", "Net"), [row(0, ("Id", "Net"), RowRole.HEADER)]))
    assert (found.text, found.row_start, found.row_end, found.line_start) == ("| Id | Net |", None, None, 1)
