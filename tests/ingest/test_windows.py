from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.chunks import Chunk
from contracts.documents import Document, Line, ParsedDocument, Row, RowRole, Section, Table
from ingest.table_chunk import chunk_tables
from ingest.windows import find_parent, larger_sizes, make_windows, plan_group

SIZES = (2, 4, 8, 16, 32)


def line(text: str, number: int, section: str | None = None, table: str | None = None, page: int = 1) -> Line:
    top = 20.0 * number
    return Line(
        page=page, line=number, text=text, x0=0, top=top, x1=100, bottom=top + 18, section_id=section, table_id=table
    )


def document(lines: list[Line], outline: tuple[Section, ...] = (), tables: tuple[Table, ...] = ()) -> ParsedDocument:
    about = Document(doc_id="d" * 64, name="Travel_Policy.pdf", source="/p.pdf", title="Travel Policy")
    return ParsedDocument(document=about, lines=tuple(lines), outline=outline, tables=tables)


def sections() -> ParsedDocument:
    """Nine sentences in `Hotels`, two in `Meals`."""
    hotels = [line("Hotels", 1, "s1")] + [line(f"Hotel rule {n} holds.", n + 1, "s1") for n in range(1, 9)]
    meals = [line("Meals are paid. Ask for ST001 first.", 10, "s2")]
    outline = (
        Section(section_id="s1", level=1, title="Hotels", page=1, line=1),
        Section(section_id="s2", level=1, title="Meals", page=1, line=10),
    )
    return document([*hotels, *meals], outline)


def register(rows: int) -> ParsedDocument:
    body = [
        Row(index=n, cells=(f"ST{n:03d}", str(n)), page=1, line_start=n + 1, line_end=n + 1, bbox=(0, 0, 1, 1))
        for n in range(1, rows + 1)
    ]
    head = Row(index=0, cells=("Id", "Net"), page=1, line_start=1, line_end=1, bbox=(0, 0, 1, 1), role=RowRole.HEADER)
    table = Table(
        table_id="t1", doc_id="d" * 64, title="Register", columns=("Id", "Net"), rows=(head, *body), pages=(1,),
        source="ruled",
    )  # fmt: skip
    return document([], tables=(table,))


def of_size(windows: list[Chunk], size: int) -> list[Chunk]:
    return [w for w in windows if w.granularity == size]


@pytest.mark.parametrize(
    ("units", "sizes", "plan"),
    [
        (0, (2, 4), []),
        (1, (2, 4, 8), [(2, 0, 1)]),
        (1, (4, 8), [(4, 0, 1)]),
        (3, (2, 4, 8), [(2, 0, 2), (2, 1, 3), (4, 0, 3)]),
        (5, (4,), [(4, 0, 4), (4, 1, 5)]),
        (9, (8, 16), [(8, 0, 8), (8, 1, 9), (16, 0, 9)]),
        (13, (8,), [(8, 0, 8), (8, 4, 12), (8, 5, 13)]),
    ],
)
def test_plans_by_hand(units: int, sizes: tuple[int, ...], plan: list[tuple[int, int, int]]) -> None:
    assert plan_group(units, sizes) == plan


@given(st.integers(1, 200), st.sets(st.integers(1, 40), min_size=1))
def test_the_smallest_size_covers_every_unit_and_none_is_larger_than_asked(units: int, sizes: set[int]) -> None:
    plan = plan_group(units, sorted(sizes))
    covered = {i for size, start, end in plan if size == min(sizes) for i in range(start, end)}
    assert covered == set(range(units))
    assert all(0 < end - start <= size for size, start, end in plan)
    assert len(set(plan)) == len(plan)


@given(st.integers(3, 200))
def test_windows_of_2_and_4_have_a_parent_that_holds_them(units: int) -> None:
    planned = set(plan_group(units, SIZES))
    for size, start, end in planned:
        parent = find_parent(units, size, start, end)
        if size >= 8 or size >= units or (size == 4 and units <= 4):
            assert parent is None
            continue
        assert parent is not None
        top, begin = parent
        assert (top, begin, min(begin + top, units)) in planned
        assert begin <= start
        assert end <= begin + top


def test_windows_stay_in_their_section_and_are_numbered_over_the_document() -> None:
    windows = make_windows(sections(), SIZES, 1200)
    assert {(w.granularity, w.sentence_start, w.sentence_end) for w in windows if w.section_id == "s2"} == {(2, 9, 10)}
    assert [(w.sentence_start, w.sentence_end) for w in of_size(windows, 4)] == [(0, 3), (2, 5), (4, 7), (5, 8)]
    assert [(w.sentence_start, w.sentence_end) for w in of_size(windows, 16)] == [(0, 8)]
    assert of_size(windows, 32) == []
    assert [w.ordinal for w in of_size(windows, 2)] == list(range(9))


def test_text_place_prefix_and_codes() -> None:
    windows = make_windows(sections(), SIZES, 1200)
    first, last = of_size(windows, 2)[0], of_size(windows, 2)[-1]
    assert first.text == "Hotels\nHotel rule 1 holds."
    assert (first.page_start, first.line_start, first.page_end, first.line_end) == (1, 1, 1, 2)
    assert first.prefix == "Travel Policy"  # its own title is said by the text
    assert of_size(windows, 2)[1].prefix == "Travel Policy · Hotels"
    assert last.text == "Meals are paid. Ask for ST001 first."
    assert last.codes == ("ST001",)
    assert last.kind == "window"


def test_a_window_of_a_whole_section_stands_for_every_larger_size() -> None:
    windows = make_windows(sections(), (2, 4, 8, 16, 24), 1200)
    whole = {w.section_id: (w.granularity, w.stands_for) for w in windows if w.stands_for}
    assert whole == {"s1": (16, (24, 32, 64)), "s2": (2, (4, 8, 16, 24, 32, 64))}


@given(st.integers(1, 80), st.sets(st.sampled_from((1, 2, 3, 4, 8, 16, 32)), min_size=1))
def test_every_size_sees_every_unit(units: int, chosen: set[int]) -> None:
    sizes = sorted(chosen)
    plan = plan_group(units, sizes)
    for size in sizes:
        seen = [(s, e) for own, s, e in plan if own == size or (e - s == units and size in larger_sizes(own, sizes))]
        assert {i for s, e in seen for i in range(s, e)} == set(range(units))


def test_parents_are_ids_of_windows_made() -> None:
    windows = make_windows(sections(), SIZES, 1200)
    by_id = {w.chunk_id: w for w in windows}
    assert len(by_id) == len(windows)
    for window in (*of_size(windows, 2)[:8], *of_size(windows, 4)):
        parent = by_id[window.parent_id or ""]
        assert parent.granularity == 8
        assert (parent.sentence_start or 0) <= (window.sentence_start or 0)
        assert (parent.sentence_end or 0) >= (window.sentence_end or 0)


def test_tables_are_windows_of_whole_rows_under_their_header() -> None:
    windows = make_windows(register(5), (2, 4), 1200)
    assert of_size(windows, 2)[1].text == "| Id | Net |\n| ST002 | 2 |\n| ST003 | 3 |"
    assert [(w.row_start, w.row_end) for w in of_size(windows, 4)] == [(1, 4), (2, 5)]
    assert {w.table_id for w in windows} == {"t1"}
    assert all("Register" in w.prefix for w in windows)


def test_the_parent_of_rows_is_the_table_chunk_with_the_first_of_them() -> None:
    parsed = register(60)
    chunks = list(chunk_tables(parsed, 200))
    assert len(chunks) > 3
    for window in make_windows(parsed, SIZES, 200):
        (parent,) = (c for c in chunks if (c.row_start or 0) <= (window.row_start or 0) <= (c.row_end or 0))
        assert window.parent_id == parent.chunk_id


def test_other_sizes_do_not_change_windows_that_are_there() -> None:
    alone = {w.chunk_id: w for w in make_windows(sections(), (2, 4), 1200)}
    all_sizes = {w.chunk_id: w for w in make_windows(sections(), SIZES, 1200)}
    assert all(all_sizes[i] == window for i, window in alone.items() if not window.stands_for)
    assert all(all_sizes[i].text == window.text for i, window in alone.items())


def test_spanish_abbreviations_do_not_cut() -> None:
    parsed = document([line("El Sr. Pérez paga según el art. 5 del acuerdo. Nadie más paga.", 1)])
    spanish = parsed.model_copy(update={"document": parsed.document.model_copy(update={"language": "es"})})
    assert [(w.sentence_start, w.sentence_end) for w in make_windows(spanish, (2,), 1200)] == [(0, 1)]


def test_nothing_to_read() -> None:
    assert make_windows(document([]), SIZES, 1200) == []
