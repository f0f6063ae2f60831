"""What questions say, phrase by phrase: comparisons, columns, cells, two questions in one."""

from __future__ import annotations

from decimal import Decimal

import pytest

from serve.compute.columns import ColumnMatcher
from serve.compute.comparisons import find_comparisons
from serve.compute.footing import asks_footing
from serve.compute.reading import Reader
from serve.compute.splitting import split
from serve.compute.values import CellIndex
from serve.compute.view import GROUP_COLUMN, TableView
from serve.compute.words import norms, ordinal, words_of
from serve.lexicon import load_lexicon
from tests.serve.compute.tables import JUNE, REGISTER, MemoryIndex, ask, register, table
from tests.serve.compute.test_checks import ROLES, SUBTOTALS


@pytest.mark.parametrize(
    ("text", "op", "numbers"),
    [
        ("earning more than 50,000", "gt", ["50000"]),
        ("at least two medals", "ge", ["2"]),
        ("no more than 2500 seats", "le", ["2500"]),
        ("under 5 lakh", "lt", ["500000"]),
        ("30 or more points", "ge", ["30"]),
        ("between 10 and 20", "between", ["10", "20"]),
        ("más de 1.500,50 euros", "gt", ["1500.50"]),
        ("from 1986 to 1996", "between", ["1986", "1996"]),
        ("the 2000 - 2005 seasons", "between", ["2000", "2005"]),
        ("placed below 8th", "lt", ["8"]),
    ],
)
def test_comparisons_of_numbers(text: str, op: str, numbers: list[str]) -> None:
    (found,) = find_comparisons(words_of(text), text)
    assert found.op == op
    assert [o.number for o in found.operands] == [Decimal(n) for n in numbers]


def test_comparisons_of_days() -> None:
    text = "joined before July 6, 2004"
    (found,) = find_comparisons(words_of(text), text)
    assert (found.op, found.operands[0].first.isoformat() if found.operands[0].first else "") == ("lt", "2004-07-06")
    text = "after May 2010"
    (found,) = find_comparisons(words_of(text), text)
    assert found.operands[0].last is not None
    assert found.operands[0].last.isoformat() == "2010-05-31"


def test_before_a_name_is_no_comparison_with_a_number() -> None:
    assert find_comparisons(words_of("what comes before 5 pounds"), "what comes before 5 pounds") == ()


def test_words() -> None:
    assert norms("Elton John's 3rd álbum, 1,234.50") == ("elton", "john", "3rd", "album", "1,234.50")
    assert (ordinal("3rd"), ordinal("third"), ordinal("three")) == (3, 3, None)


def reader(view: TableView) -> Reader:
    return Reader(view, ColumnMatcher(view, load_lexicon(), None), CellIndex(view))


def test_columns_by_header_lexicon_and_part() -> None:
    view = TableView((register("june", JUNE, None),), {})
    reading = reader(view).read("take home of the staff by dept and basic")
    names = [REGISTER[s.best.column] for s in reading.columns]
    assert names == ["Net Pay", "Department", "Basic"]


def test_a_header_is_not_lost_to_a_longer_phrase() -> None:
    view = TableView((table("t", ("Invoice Date", "Due Date"), [("1 May 2025", "2 May 2025")]),), {})
    reading = reader(view).read("the due date of invoice 7")
    assert view.columns[reading.columns[0].best.column].name == "Due Date"


def test_cells_whole_listed_and_inside() -> None:
    rows = [("Hard (i)", "Rao, Asha"), ("Hard", "Asha Rao"), ("Hardwood court", "x")]
    view = TableView((table("t", ("Surface", "Who"), rows),), {})
    index = CellIndex(view)
    assert index.whole(("hard",)) == {0: (0, 1)}
    assert index.inside(("asha", "rao")) == {1: (1,)}


def test_two_questions_in_one() -> None:
    assert split("How many are in Weaving, and what is their pay?") == ("How many are in Weaving", "what is their pay?")
    assert split("How many are in Weaving and Dyeing?") == ("How many are in Weaving and Dyeing?",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Does the June register add up?", True),
        ("Do the totals match?", True),
        ("¿Cuadra el registro?", True),
        ("What does the net pay add up to?", False),
        ("What is the total net pay?", False),
    ],
)
def test_footing_is_asked(text: str, expected: bool) -> None:
    assert asks_footing(text) is expected


def test_group_rows_become_a_column() -> None:
    view = TableView((table("t", ("Name", "Pay"), SUBTOTALS, ROLES),), {})
    group = view.column(GROUP_COLUMN)
    assert group is not None
    assert group.texts == ["Weaving", "Weaving", "Dyeing"]


def test_one_stem_two_headers() -> None:
    view = TableView((table("t", ("Wins", "Winnings"), [("3", "$100"), ("4", "$200")]),), {})
    reading = reader(view).read("how many winnings")
    assert view.columns[reading.columns[0].best.column].name == "Winnings"


@pytest.mark.parametrize(
    ("text", "expected"), [("How many employees are in Stores?", "1"), ("How many employees are there?", "5")]
)
def test_a_cell_that_names_the_folder_too_chooses_rows(text: str, expected: str) -> None:
    found = ask(MemoryIndex((register("june", JUNE, None), "june.csv", "stores", "2025-06")), text)
    assert found.computed is not None, found.declined
    assert found.computed.value == expected
