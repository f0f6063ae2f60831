from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from compression.compress import compress
from contracts.questions import Keyword, Question
from tests.compression.chunks import HEADER, employee, prose, table

COUNT = Question(text="How many employees are in the register?", keywords=(Keyword(term="employees"),))
LEAVE = Question(
    text="How many days of annual leave?",
    keywords=(Keyword(term="annual leave", expansions=("vacation",)), Keyword(term="days")),
)
POLICY = (
    "Every employee has 24 days of annual leave.\nThe canteen opens at noon.\nVacation is requested from the manager."
)


def test_twelve_employees_stay_twelve() -> None:
    rows = [employee(n) for n in range(1, 13)]
    result = compress(COUNT, [table(rows)], 5000, threshold=0.3)
    assert result.text == "\n".join([HEADER, *rows])
    assert [unit.row for unit in result.kept] == list(range(1, 13))
    assert result.dropped == () and result.tables_truncated == ()


def test_rows_as_sentences_reproduces_the_fault() -> None:
    rows = [employee(n) for n in range(1, 13)]
    result = compress(COUNT, [table(rows)], 5000, threshold=0.3, rows_as_sentences=True)
    assert sum(f"ST{n:03}" in result.text for n in range(1, 13)) == 5
    assert len(result.dropped) == 7


def test_sentences_below_the_threshold_go_and_say_why() -> None:
    result = compress(LEAVE, [prose(POLICY)], 5000, threshold=0.3)
    assert result.text == "Every employee has 24 days of annual leave. Vacation is requested from the manager."
    assert [(d.item, d.detail["lines"]) for d in result.dropped] == [("The canteen opens at noon.", [2, 2])]
    assert "threshold 0.3" in result.dropped[0].reason
    assert [(u.line_start, u.line_end) for u in result.kept] == [(1, 1), (3, 3)]


def test_a_title_names_what_its_sentences_leave_out() -> None:
    chunk = prose("It is 24 per year.", section="2 Annual leave")
    assert compress(LEAVE, [chunk], 5000, threshold=0.3).text == "2 Annual leave\nIt is 24 per year."


def test_without_any_match_the_best_chunk_stays() -> None:
    found = prose("Fathers may stay at home for two weeks.", chunk_id="a")
    other = prose("The canteen opens at noon.", chunk_id="b", line=9)
    result = compress(LEAVE, [found, other], 5000, threshold=0.3)
    assert result.text == "Fathers may stay at home for two weeks."


def test_chunks_of_one_table_are_merged_in_document_order_with_one_header() -> None:
    first = table([employee(1), employee(2)], chunk_id="a")
    second = table([employee(3), employee(4)], first=3, chunk_id="b")
    result = compress(COUNT, [second, first, second], 5000, threshold=0.3)
    assert result.text == "\n".join([HEADER, *(employee(n) for n in (1, 2, 3, 4))])


def test_a_table_without_column_names_keeps_its_first_row() -> None:
    rows = ["| Invoice No. | A-1 |", "| Due Date | 12 May |"]
    result = compress(COUNT, [table(rows, header="")], 5000, threshold=0.3)
    assert result.text == "\n".join(rows)
    assert [unit.row for unit in result.kept] == [1, 2]


def test_bands_of_a_wide_table_keep_their_own_columns() -> None:
    left = table(["| ST001 | 1 |"], chunk_id="a", header="| Id | January |")
    right = table(["| ST001 | 2 |"], chunk_id="b", header="| Id | February |")
    text = compress(COUNT, [left, right], 5000, threshold=0.3).text
    assert "| Id | January |\n| ST001 | 1 |" in text and "| Id | February |\n| ST001 | 2 |" in text


def test_prose_pays_before_rows() -> None:
    rows = [employee(n) for n in range(1, 4)]
    whole = "\n".join([HEADER, *rows])
    result = compress(LEAVE, [prose(POLICY), table(rows)], len(whole), threshold=0.0)
    assert result.text == whole
    assert result.prose_dropped_for_budget == 3
    assert result.tables_truncated == ()


def test_rows_that_do_not_fit_are_named_in_the_text() -> None:
    rows = [employee(n) for n in range(1, 41)]
    result = compress(COUNT, [table(rows)], 600, threshold=0.3)
    shown = sum(row in result.text for row in rows)
    assert 0 < shown < 40 and len(result.text) <= 600
    assert result.text.endswith(f"[rows {shown + 1} to 40 of this table left out ({40 - shown} rows): they do not fit]")
    assert result.tables_truncated[0].rows_left_out == tuple(range(shown, 40))
    assert len(result.dropped) == 40 - shown


def test_a_table_without_room_for_any_row_is_named() -> None:
    first = table([employee(n) for n in range(1, 5)], chunk_id="a")
    second = table([employee(n) for n in range(5, 30)], chunk_id="b", table_id="t2", line=40)
    result = compress(COUNT, [first, second], 230, threshold=0.3)
    assert result.text.startswith("\n".join([HEADER, *(employee(n) for n in range(1, 5))]))
    assert result.text.endswith("[1 more table(s) with 25 rows left out: they do not fit]")


def test_documents_keep_their_order() -> None:
    late = prose("Vacation days lapse in June.", chunk_id="a", doc_id="x", line=30)
    early = prose("Vacation days are 24.", chunk_id="b", doc_id="x", line=3)
    other = prose("Vacation days are 30.", chunk_id="c", doc_id="y", line=1)
    text = compress(LEAVE, [late, other, early], 5000, threshold=0.3).text
    assert text == "Vacation days are 24. Vacation days lapse in June.\n\nVacation days are 30."


def test_an_overlap_is_not_said_twice() -> None:
    one = prose("Vacation days are 24. Vacation days lapse.", chunk_id="a", line=1)
    two = prose("Vacation days lapse. Vacation days are paid.", chunk_id="b", line=2)
    text = compress(LEAVE, [one, two], 5000, threshold=0.3).text
    assert text == "Vacation days are 24. Vacation days lapse. Vacation days are paid."


@settings(max_examples=60, deadline=None)
@given(
    count=st.integers(1, 60),
    cuts=st.sets(st.integers(1, 59)),
    budget=st.integers(100, 4000),
    order=st.randoms(use_true_random=False),
)
def test_no_row_is_lost_unmarked_and_none_moves(count: int, cuts: set[int], budget: int, order: object) -> None:
    rows = [employee(n) for n in range(1, count + 1)]
    edges = [0, *sorted(c for c in cuts if c < count), count]
    chunks = [table(rows[a:b], first=a + 1, chunk_id=f"c{a}") for a, b in pairwise(edges) if a < b]
    order.shuffle(chunks)  # type: ignore[attr-defined]
    result = compress(COUNT, chunks, budget, threshold=0.3)
    shown = [line for line in result.text.splitlines() if line.startswith("| ST")]
    left_out = sum(len(t.rows_left_out) for t in result.tables_truncated)
    assert shown == rows[: len(shown)]
    assert len(shown) + left_out == count
    assert left_out == 0 or str(left_out) in result.text.splitlines()[-1]
    assert len(result.text) <= budget
    if left_out == 0:
        assert result.tables_truncated == ()
