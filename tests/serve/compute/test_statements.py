"""Look-ups in income statements and balance sheets: a line item in the column of a period."""

from __future__ import annotations

from datetime import date

import pytest

from contracts.documents import Line, RowRole, Table
from contracts.filters import Scope
from contracts.marks import Mark
from contracts.plans import Computation
from contracts.questions import Question
from serve.compute import compute
from serve.compute.statement_periods import Spell, choose_column, read_spell
from serve.lexicon import load_lexicon
from tests.serve.compute.tables import MemoryIndex, table

EVERYTHING = Scope()
INCOME = table(
    "income",
    ("", "Three Months Ended / March 31, 2024", "Three Months Ended / March 31, 2025"),
    [
        ("Net sales:", "", ""),
        ("Products", "96,388", "104,429"),
        ("Services", "20,766", "19,516"),
        ("Total net sales", "117,154", "123,945"),
        ("Cost of sales:", "", ""),
        ("Products", "60,765", "64,309"),
        ("Services", "6,057", "5,393"),
        ("Operating expenses:", "", ""),
        ("Research and development", "7,709", "6,306"),
        ("Net income (loss)", "29,998", "(4,630)"),
        ("Effective tax rate", "15.8 %", "16.0 %"),
    ],
    {0: RowRole.GROUP, 3: RowRole.SUBTOTAL, 4: RowRole.GROUP, 7: RowRole.GROUP},
)
BALANCE = table(
    "balance",
    ("", "December 31, 2024", "March 31, 2025"),
    [("Inventories", "4,946", "6,820"), ("Accounts receivable, net", "28,184", "23,752")],
)
FLOWS = table(
    "flows",
    ("", "Three Months Ended / March 31, 2024", "Three Months Ended / March 31, 2025"),
    [
        ("Changes in operating assets:", "", ""),
        ("Inventories", "(1,651)", "(1,807)"),
        ("Net income", "29,998", "(4,630)"),
    ],
    {0: RowRole.GROUP},
)
NOTE = table(
    "note",
    ("", "Three Months Ended / March 31, 2024", "Three Months Ended / March 31, 2025"),
    [("Research and development", "530", "561")],
)


def document(
    *tables: Table, name: str = "Orchid_Q1_2025.pdf", doc_id: str = "doc"
) -> list[tuple[Table, str, str, str]]:
    titles = {
        "income": "CONSOLIDATED STATEMENTS OF OPERATIONS",
        "balance": "BALANCE SHEETS",
        "flows": "STATEMENTS OF CASH FLOWS",
    }
    named = (t.model_copy(update={"doc_id": doc_id, "title": titles.get(t.table_id, "")}) for t in tables)
    return [(t, name, "report", "2025-Q1") for t in named]


def first_page(doc_id: str = "doc", company: str = "Orchid Foods Inc.") -> dict[str, tuple[Line, ...]]:
    def line(n: int, text: str) -> Line:
        return Line(page=1, line=n, text=text, x0=50, top=10.0 * n, x1=200, bottom=10.0 * n + 8)

    return {doc_id: (line(0, f"{company} (in millions, except per share data)"),)}


def ask(text: str, *tables: Table, periods: tuple[str, ...] = (), names: tuple[str, ...] = ("Orchid",)) -> Computation:
    index = MemoryIndex(*document(*(tables or (INCOME, BALANCE, FLOWS))), lines=first_page())
    question = Question(text=text, names=names, periods=periods)
    return compute(question, index=index, scope=EVERYTHING, candidates=(), lexicon=load_lexicon(), dense=None)


@pytest.mark.parametrize(
    ("text", "periods", "expected"),
    [
        ("What were Orchid's total net sales for the three months ended March 31, 2025?", (), "123,945"),
        ("What were Orchid's total net sales for the three months ended March 31, 2024?", (), "117,154"),
        ("How much did Orchid spend on research and development in Q1 2025?", ("2025-Q1",), "6,306"),
        ("What was Orchid's net income in the first quarter of 2025?", ("2025-Q1",), "(4,630)"),
        ("What were Orchid's inventories as of March 31, 2025?", (), "6,820"),
        ("What was Orchid's accounts receivable as of December 31, 2024?", (), "28,184"),
        ("What was Orchid's net sales of services for the three months ended March 31, 2025?", (), "19,516"),
    ],
)
def test_a_line_item_in_its_period(text: str, periods: tuple[str, ...], expected: str) -> None:
    found = ask(text, periods=periods)
    assert found.computed is not None, found.declined
    assert found.computed.value == expected
    assert not found.marks


def test_the_unit_is_said_with_amounts_and_not_with_rates() -> None:
    amount = ask("What were Orchid's total net sales for the three months ended March 31, 2025?")
    assert "(in millions, except per share data)" in amount.text
    rate = ask("What was Orchid's effective tax rate for the three months ended March 31, 2025?")
    assert "16.0 %" in rate.text
    assert "millions" not in rate.text


def test_the_row_is_cited() -> None:
    found = ask("What were Orchid's total net sales for the three months ended March 31, 2025?")
    assert [(c.table_id, c.rows) for c in found.citations] == [("income", (4,))]
    assert found.coverage is not None
    assert (found.coverage.rows_used, found.coverage.rows_extracted) == (1, 11)


@pytest.mark.parametrize(
    "text",
    [
        "What were Orchid's products for the three months ended March 31, 2025?",  # of net sales or of cost of sales
        "What were Orchid's total net sales in Europe for the three months ended March 31, 2025?",
        "What were Maple's total net sales for the three months ended March 31, 2025?",
        "What were Orchid's total net sales for the nine months ended March 31, 2025?",
        "What were Orchid's total net sales for the three months ended June 30, 2025?",
        "List Orchid's services for the three months ended March 31, 2025",
        "What were Orchid's total net sales in 2025?",  # a quarter is no year
    ],
)
def test_what_no_row_and_column_say_is_not_looked_up(text: str) -> None:
    names = ("Maple",) if "Maple" in text else ("Orchid",)
    assert ask(text, periods=("2025",) if "in 2025" in text else (), names=names).computed is None


def test_without_a_period_the_latest_is_given_and_marked() -> None:
    found = ask("What are Orchid's total net sales?")
    assert found.computed is not None
    assert found.computed.value == "123,945"
    assert Mark.AMBIGUOUS_PLAN in found.marks


def test_the_statement_counts_before_a_note_that_breaks_it_down() -> None:
    text = "What was Orchid's research and development for the three months ended March 31, 2025?"
    found = ask(text, INCOME, NOTE)
    assert found.computed is not None
    assert (found.computed.value, found.marks) == ("6,306", ("ambiguous_plan",))


def test_two_companies_and_none_named() -> None:
    other = [
        (t.model_copy(update={"table_id": f"{t.table_id}2"}), *rest)
        for t, *rest in document(INCOME, doc_id="doc2", name="Maple.pdf")
    ]
    index = MemoryIndex(*document(INCOME), *other, lines=first_page() | first_page("doc2", "Maple Ltd."))
    text = "What were total net sales for the three months ended March 31, 2025?"
    found = compute(
        Question(text=text), index=index, scope=EVERYTHING, candidates=(), lexicon=load_lexicon(), dense=None
    )
    assert found.computed is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Three Months Ended / December 31, 2022", Spell((date(2022, 12, 31),), 3)),
        ("the nine months ended 31st December 2022", Spell((date(2022, 12, 31),), 9)),
        ("13 weeks ended Dec. 31, 2022", Spell((date(2022, 12, 31),), 3)),
        ("Year Ended December 31, 2021", Spell((date(2021, 12, 31),), 12)),
        ("as of October 30, 2022", Spell((date(2022, 10, 30),), None, (), True)),
        ("2022", Spell((), None, (2022,))),
        ("% Change", Spell()),
    ],
)
def test_periods_of_headers(text: str, expected: Spell) -> None:
    assert read_spell(text) == expected


def test_a_fiscal_quarter_is_that_of_the_document() -> None:
    """The first quarter of 2023 of a company whose year ends in September ends in December 2022."""
    spells = [
        Spell(),
        read_spell("Three Months Ended December 31, 2022"),
        read_spell("Three Months Ended December 25, 2021"),
    ]
    chosen = choose_column(spells, read_spell("in the first quarter of 2023"), ("2023-Q1",), "2023-Q1")
    assert chosen is not None
    assert (chosen.column, chosen.assumed) == (1, False)
    assert choose_column(spells, read_spell("in Q2 2023"), ("2023-Q2",), "2023-Q1") is None
