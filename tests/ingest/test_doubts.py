"""Numbers are proven against the page, and what cannot be trusted is named."""

from __future__ import annotations

from pathlib import Path

from contracts.documents import ColumnKind, ColumnType, Row
from ingest.draw import draw_html
from ingest.extract import extract
from ingest.layout import Word
from ingest.tables.build import build_table
from ingest.tables.doubts import find_doubts
from ingest.tables.draft import DraftRow, DraftTable
from ingest.tables.proof import PageNumbers
from tests.ingest.make_pdf import Layout, make_pdf, table

ROWS = [["ID", "Net"], ["E1", "1,200.00"], ["E2", "(90.00)"], ["E3", "310.50"]]


def _word(text: str) -> Word:
    return Word(text, 0, 0, 10, 10, baseline=9, size=9)


def test_a_number_is_proven_as_often_as_it_is_printed() -> None:
    numbers = PageNumbers([_word("E1"), _word("1,200.00"), _word("(90.00)")])
    assert numbers.unproven(("E1", "1,200.00")) == ()
    assert numbers.unproven(("", "1,200.00")) == (1,)  # printed once, used twice


def test_a_lost_sign_a_cut_or_an_invented_number_is_not_proven() -> None:
    for cell in ("90.00", "(9.00)", "(90.0)", "190.00"):
        assert PageNumbers([_word("(90.00)")]).unproven((cell,)) == (0,)


def test_unproven_cells_reach_the_table_with_a_warning() -> None:
    rows = (
        DraftRow(("ID", "Net"), 1, 1, 1, (0, 0, 1, 1), header=True),
        DraftRow(("E1", "100"), 1, 2, 2, (0, 0, 1, 1), unproven=(1,)),
        DraftRow(("E2", "200"), 1, 3, 3, (0, 0, 1, 1)),
    )
    built = build_table("d" * 64, 1, DraftTable((1,), ("ID", "Net"), rows, ((0, 1), (2, 3)), "ruled"))
    assert built.unproven == ((1, 1),)
    assert [(w.code, w.table_id) for w in built.warnings] == [("unproven_number", built.table_id)]


def test_two_numbers_in_a_cell_of_a_number_column_are_named() -> None:
    cells = [("E1", "10"), ("E2", "20 30"), ("E3", "40")]
    rows = [Row(index=i, cells=c, page=1, line_start=1, line_end=1, bbox=(0, 0, 1, 1)) for i, c in enumerate(cells)]
    types = (ColumnType(kind=ColumnKind.CODE), ColumnType(kind=ColumnKind.NUMBER))
    found = list(find_doubts(("ID", "Net"), types, rows, ()))
    assert [w.code for w in found] == ["ragged_row"]
    assert "row 1, column “Net”" in found[0].message


def test_real_tables_are_proven_to_the_last_number(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "r.pdf", lambda c: table(c, ROWS, Layout((60, 80), frozenset({1}), grid=True)))
    parsed = extract(path)
    assert parsed.tables[0].unproven == ()
    assert parsed.tables[0].orphans == ()


def test_the_drawing_shows_each_row_once(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "r.pdf", lambda c: table(c, ROWS, Layout((60, 80), frozenset({1}), grid=True)))
    draw_html(path, extract(path), tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert page.count("<rect class=row") == len(ROWS)
    assert page.count("data:image/jpeg;base64,") == 1
    assert "Net: (90.00)" in page
    assert "http" not in page.replace("http://www.w3.org", "")
