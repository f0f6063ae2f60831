"""Tables that run over pages: one table, each row once, nothing lost at the break."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.documents import RowRole, Table
from ingest.extract import extract
from tests.ingest.make_pdf import Layout, make_pdf, table, text

HEADER = ["ID", "Name", "Department", "Net"]
WIDTHS = (60, 150, 130, 80)


def _people(first: int, last: int) -> list[list[str]]:
    return [
        [f"ST{i:03}", f"Person {i}", "Weaving" if i % 2 else "Stores", f"{i * 1000:,}.00"]
        for i in range(first, last + 1)
    ]


def _layout(grid: bool, header: bool = True) -> Layout:
    return Layout(WIDTHS, frozenset({3}), grid=grid, header=header)


def _only_table(path: Path) -> Table:
    tables = extract(path).tables
    assert len(tables) == 1
    return tables[0]


def _ids(found: Table) -> list[str]:
    return [row.cells[0] for row in found.rows if row.role is RowRole.BODY]


@pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])
@pytest.mark.parametrize("repeat", [True, False], ids=["header-repeated", "header-once"])
def test_three_pages_are_one_table(tmp_path: Path, grid: bool, repeat: bool) -> None:
    head = [HEADER] if repeat else []
    path = make_pdf(
        tmp_path / "register.pdf",
        lambda c: table(c, [HEADER, *_people(1, 12)], _layout(grid)),
        lambda c: table(c, [*head, *_people(13, 20)], _layout(grid, repeat)),
        lambda c: table(c, [*head, *_people(21, 25)], _layout(grid, repeat)),
    )
    found = _only_table(path)
    assert found.pages == (1, 2, 3)
    assert found.columns == tuple(HEADER)
    assert _ids(found) == [f"ST{i:03}" for i in range(1, 26)]
    headers = [(row.page, row.cells) for row in found.rows if row.role is RowRole.HEADER]
    assert headers == [(page, tuple(HEADER)) for page in ((1, 2, 3) if repeat else (1,))]
    assert [row.index for row in found.rows] == list(range(len(found.rows)))
    assert found.warnings == ()


@pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])
def test_running_heads_and_folios_do_not_part_a_table(tmp_path: Path, grid: bool) -> None:
    def page(number: int, rows: list[list[str]]):
        def draw(canvas) -> None:
            text(canvas, 50, 810, "Acme Textiles, salary register")
            table(canvas, [HEADER, *rows], _layout(grid))
            text(canvas, 250, 60, f"Page {number} of 2")

        return draw

    path = make_pdf(tmp_path / "r.pdf", page(1, _people(1, 6)), page(2, _people(7, 12)))
    assert _ids(_only_table(path)) == [f"ST{i:03}" for i in range(1, 13)]


@pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])
def test_a_paragraph_between_parts_two_tables(tmp_path: Path, grid: bool) -> None:
    def second(canvas) -> None:
        text(canvas, 50, 780, "The following employees joined during the year and are shown separately in this list.")
        table(canvas, [HEADER, *_people(7, 12)], _layout(grid), y=740)

    path = make_pdf(tmp_path / "r.pdf", lambda c: table(c, [HEADER, *_people(1, 6)], _layout(grid)), second)
    assert [_ids(t) for t in extract(path).tables] == [
        [f"ST{i:03}" for i in range(1, 7)],
        [f"ST{i:03}" for i in range(7, 13)],
    ]


@pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])
def test_another_header_begins_another_table(tmp_path: Path, grid: bool) -> None:
    other = ["Code", "Item", "Unit", "Price"]
    path = make_pdf(
        tmp_path / "r.pdf",
        lambda c: table(c, [HEADER, *_people(1, 6)], _layout(grid)),
        lambda c: table(
            c,
            [other, ["A1", "Yarn", "kg", "12.00"], ["A2", "Dye", "l", "3.50"], ["A3", "Card", "pc", "1.25"]],
            _layout(grid),
        ),
    )
    assert [t.columns for t in extract(path).tables] == [tuple(HEADER), tuple(other)]


CUT = [
    ["ST007", "Person 7", "Weaving, on loan to", "7,000.00"],
    ["", "", "the dyeing unit until", ""],
    ["", "", "further notice", ""],
]


@pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])
@pytest.mark.parametrize("repeat", [True, False], ids=["header-repeated", "header-once"])
def test_a_row_cut_by_the_page_break_is_one_row(tmp_path: Path, grid: bool, repeat: bool) -> None:
    head = [HEADER] if repeat else []
    path = make_pdf(
        tmp_path / "r.pdf",
        lambda c: table(c, [HEADER, *_people(1, 6), CUT[0]], _layout(grid)),
        lambda c: table(c, [*head, CUT[1], *_people(8, 12)], _layout(grid, repeat)),
    )
    found = _only_table(path)
    assert _ids(found) == [f"ST{i:03}" for i in range(1, 13)]
    row = next(r for r in found.rows if r.cells[0] == "ST007")
    assert row.cells == ("ST007", "Person 7", "Weaving, on loan to the dyeing unit until", "7,000.00")
    assert (row.page, [r.page for r in row.continued]) == (1, [2])


@pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])
def test_a_row_over_three_pages_is_one_row(tmp_path: Path, grid: bool) -> None:
    path = make_pdf(
        tmp_path / "r.pdf",
        lambda c: table(c, [HEADER, *_people(1, 6), CUT[0]], _layout(grid)),
        lambda c: table(c, [CUT[1]], _layout(grid, False)),
        lambda c: table(c, [CUT[2], *_people(8, 12)], _layout(grid, False)),
    )
    found = _only_table(path)
    row = next(r for r in found.rows if r.cells[0] == "ST007")
    assert row.cells[2] == "Weaving, on loan to the dyeing unit until further notice"
    assert [r.page for r in row.continued] == [2, 3]
    assert found.pages == (1, 2, 3)
    assert _ids(found) == [f"ST{i:03}" for i in range(1, 13)]


@pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])
def test_a_total_alone_on_the_last_page_belongs_to_the_table(tmp_path: Path, grid: bool) -> None:
    path = make_pdf(
        tmp_path / "r.pdf",
        lambda c: table(c, [HEADER, *_people(1, 6)], _layout(grid)),
        lambda c: table(c, [["", "Total", "", "21,000.00"]], _layout(grid, False)),
    )
    found = _only_table(path)
    assert (found.rows[-1].role, found.rows[-1].cells, found.rows[-1].page) == (
        RowRole.TOTAL,
        ("", "Total", "", "21,000.00"),
        2,
    )


def test_columns_that_agree_roughly_are_joined_with_a_warning(tmp_path: Path) -> None:
    """The second page is moved by 14 points: the columns overlap, their ends do not agree."""
    path = make_pdf(
        tmp_path / "r.pdf",
        lambda c: table(c, [HEADER, *_people(10, 16)], _layout(False)),
        lambda c: table(c, _people(17, 22), _layout(False, header=False), x=64),
    )
    found = _only_table(path)
    assert _ids(found) == [f"ST{i:03}" for i in range(10, 23)]
    assert [(w.code, w.page) for w in found.warnings] == [("uncertain_join", 2)]
    assert [w.code for w in extract(path).document.warnings] == ["uncertain_join"]


@pytest.mark.parametrize("size", [9, 16], ids=["as-large-as-the-rows", "larger"])
def test_a_title_over_the_first_page_only_does_not_part_the_table(tmp_path: Path, size: int) -> None:
    def first(canvas) -> None:
        text(canvas, 190, 795, "Salary Register for May 2025", size=size)
        table(canvas, [HEADER, *_people(1, 12)], _layout(False))

    path = make_pdf(tmp_path / "r.pdf", first, lambda c: table(c, [HEADER, *_people(13, 20)], _layout(False)))
    found = _only_table(path)
    assert found.pages == (1, 2)
    assert _ids(found) == [f"ST{i:03}" for i in range(1, 21)]


def test_a_large_title_close_to_the_header_is_no_heading_over_columns(tmp_path: Path) -> None:
    def draw(canvas) -> None:
        text(canvas, 190, 795, "Salary Register for May 2025", size=16)
        table(canvas, [HEADER, *_people(1, 6)], _layout(False))

    assert _only_table(make_pdf(tmp_path / "r.pdf", draw)).columns == tuple(HEADER)


def test_a_first_row_set_at_the_foot_of_its_cells_does_not_part_the_table(tmp_path: Path) -> None:
    def first(canvas) -> None:
        table(canvas, [HEADER], _layout(False))
        text(canvas, 118, 766, "Person with a long name", size=9)
        table(canvas, _people(1, 12), _layout(False, header=False), y=754)

    path = make_pdf(tmp_path / "r.pdf", first, lambda c: table(c, [HEADER, *_people(13, 20)], _layout(False)))
    found = _only_table(path)
    assert _ids(found) == [f"ST{i:03}" for i in range(1, 21)]
