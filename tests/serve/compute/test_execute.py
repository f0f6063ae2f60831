"""Plans run by DuckDB against the same plans worked out in Python."""

from __future__ import annotations

import statistics
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.plans import Plan, Where
from serve.compute.execute import execute
from serve.compute.view import TableView
from tests.serve.compute.tables import table

ROWS = (
    ("Oslo", "T4", "1994-95", "12 March 1998", "1:05.20", "10"),
    ("Bergen", "1", "1995-96", "3 May 2001", "58.90", "20"),
    ("Oslo", "3rd", "1996-97", "1 June 2003", "1:01.00", "30"),
    ("Voss", "4th", "1997-98", "9 July 2003", "2:00.00", ""),
)
HEADER = ("City", "Place", "Season", "Date", "Time", "Pay")


def view() -> TableView:
    return TableView((table("t", HEADER, ROWS),), {})


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        (Where(column="City", op="eq", values=("Oslo",)), (0, 2)),
        (Where(column="City", op="eq", values=("oslo", "VOSS")), (0, 2, 3)),
        (Where(column="City", op="ne", values=("Oslo",)), (1, 3)),
        (Where(column="City", op="contains", values=("erg",)), (1,)),
        (Where(column="Place", op="eq", values=("4",)), (0, 3)),
        (Where(column="Place", op="le", values=("3",)), (1, 2)),
        (Where(column="Season", op="eq", values=("1995",)), (1,)),
        (Where(column="Season", op="gt", values=("1995",)), (2, 3)),
        (Where(column="Date", op="eq", values=("2003",)), (2, 3)),
        (Where(column="Date", op="lt", values=("2001-05-03",)), (0,)),
        (Where(column="Date", op="between", values=("2001-01-01", "2003-06-30")), (1, 2)),
        (Where(column="Time", op="lt", values=("61.5",)), (1, 2)),
        (Where(column="Pay", op="ge", values=("20",)), (1, 2)),
        (Where(column="Pay", op="eq", values=("20.00",)), (1,)),
        (Where(column="Pay", op="ne", values=("20",)), (0, 2, 3)),
        (Where(column="Pay", op="empty"), (3,)),
        (Where(column="Pay", op="not_empty"), (0, 1, 2)),
    ],
)
def test_conditions(where: Where, rows: tuple[int, ...]) -> None:
    assert execute(view(), Plan(op="count", where=(where,))).rows == rows


def test_first_last_and_neighbours() -> None:
    assert execute(view(), Plan(op="lookup", column="City", order="asc", limit=1)).value == "Oslo"
    assert execute(view(), Plan(op="lookup", column="City", order="desc", limit=1)).value == "Voss"
    bergen = (Where(column="City", op="eq", values=("Bergen",)),)
    assert execute(view(), Plan(op="lookup", column="Place", where=bergen, offset=1)).value == "3rd"
    assert execute(view(), Plan(op="lookup", column="Place", where=bergen, offset=-1)).value == "T4"


def test_ties_are_all_given() -> None:
    rows = [("a", "5"), ("b", "7"), ("c", "7")]
    tied = TableView((table("t", ("Name", "Points"), rows),), {})
    assert execute(tied, Plan(op="top", column="Name", by="Points", order="desc", limit=1)).value == ["b", "c"]
    assert execute(tied, Plan(op="top", column="Name", by="Points", order="asc", limit=1)).value == "a"


def test_the_largest_group() -> None:
    found = execute(view(), Plan(op="top", group_by="City", order="desc", limit=1))
    assert (found.value, found.groups) == ("Oslo", (("Oslo", 2),))


def test_sql_is_what_was_run() -> None:
    plan = Plan(op="sum", column="Pay", where=(Where(column="City", op="eq", values=("Oslo",)),))
    found = execute(view(), plan)
    assert found.sql == """SELECT sum("Pay") FROM body WHERE "City" IN ('Oslo')"""
    assert found.value == 40


def test_names_with_quotes_are_safe() -> None:
    rows = [("O'Neil", "1"), ("x'); DROP TABLE body; --", "2")]
    quoted = TableView((table("t", ('Na"me', "Pay"), rows),), {})
    where = (Where(column='Na"me', op="eq", values=("x'); DROP TABLE body; --",)),)
    assert execute(quoted, Plan(op="sum", column="Pay", where=where)).value == 2


AMOUNTS = st.decimals(min_value=-(10**9), max_value=10**9, places=2)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), AMOUNTS), min_size=1, max_size=30))
def test_aggregates_are_exact(rows: list[tuple[str, Decimal]]) -> None:
    made = TableView((table("t", ("Group", "Amount"), [(g, f"{v:.2f}") for g, v in rows]),), {})
    values = [v for _, v in rows]
    assert execute(made, Plan(op="sum", column="Amount")).value == sum(values, Decimal(0))
    assert execute(made, Plan(op="median", column="Amount")).value == statistics.median(values)
    assert execute(made, Plan(op="min", column="Amount")).value == min(values)
    assert execute(made, Plan(op="avg", column="Amount")).value == pytest.approx(sum(values) / len(values))
    only = (Where(column="Group", op="eq", values=("a",)),)
    assert execute(made, Plan(op="count", where=only)).value == sum(g == "a" for g, _ in rows)
    grouped = execute(made, Plan(op="sum", column="Amount", group_by="Group")).groups
    assert dict(grouped) == {g: sum(v for h, v in rows if h == g) for g, _ in rows}
