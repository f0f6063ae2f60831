"""Numbers in every spelling of the design, by hand-worked values; round trips by hypothesis."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.documents import ColumnKind, NumberStyle
from contracts.numbers import (
    format_number,
    infer_column_type,
    infer_column_types,
    number_tokens,
    parse_date,
    parse_number,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4,56,789.00", "456789.00"),
        ("1.234,56", "1234.56"),
        ("(1,234)", "-1234"),
        ("1,234-", "-1234"),
        ("−1,234", "-1234"),
        ("- 5", "-5"),
        ("₹ 4,56,789.00", "456789.00"),
        ("$1,234", "1234"),
        ("($1,234)", "-1234"),
        ("$(1,234)", "-1234"),
        ("€1.234,50-", "-1234.50"),
        ("£ 12", "12"),
        ("Rs. 5,000/-", "5000"),
        ("Rs 500", "500"),
        ("12 EUR", "12"),
        ("12.5%", "12.5"),
        ("(12.5)%", "-12.5"),
        ("1,234.00 Dr", "-1234.00"),
        ("1,234.00 Cr", "1234.00"),
        ("-", "0"),
        ("—", "0"),
        ("₹ -", "0"),
        ("Nil", "0"),
        ("CHF 1'234.50", "1234.50"),
        ("1’234.50", "1234.50"),
        ("1\u00a0234,50", "1234.50"),
        ("1\u2009234", "1234"),
        ("1,234*", "1234"),
        ("1,234 [1]", "1234"),
        ("1,234²", "1234"),
        ("500 (a)", "500"),
        ("30 days", "30"),
        ("5 lakh", "500000"),
        ("1.5 crore", "15000000"),
        (".5", "0.5"),
        ("0,123", "0.123"),
        ("1,23", "1.23"),
        ("1234,567", "1234.567"),
        ("1.234", "1.234"),
        ("1.234.567", "1234567"),
        ("007", "7"),
        ("1.", "1"),
    ],
)
def test_spellings(text: str, value: str) -> None:
    assert parse_number(text) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n/a",
        "ST001",
        "12 apples",
        "2025-26",
        "01/02/2025",
        "12,34,5",
        "1,234,56",
        "-(5)",
        "--5",
        "$5 €",
        "1-2",
        "²",
    ],
)
def test_not_one_number(text: str) -> None:
    assert parse_number(text) is None


def test_decimals_are_never_floats() -> None:
    assert str(parse_number("0.10")) == "0.10"
    assert parse_number("12345678901234567890.01") == Decimal("12345678901234567890.01")


def test_a_style_reads_only_itself() -> None:
    comma = NumberStyle(decimal=",", grouping=".")
    assert parse_number("1.234", comma) == 1234
    assert parse_number("1.234,5", comma) == Decimal("1234.5")
    assert parse_number("1,234.56", comma) is None


def test_a_unit_that_is_told_is_read() -> None:
    assert parse_number("12 bales") is None
    assert parse_number("12 bales", unit="bales") == 12


@pytest.mark.parametrize(
    ("value", "style", "text"),
    [
        ("456789.00", NumberStyle(indian=True), "4,56,789.00"),
        ("10000000", NumberStyle(indian=True), "1,00,00,000"),
        ("999", NumberStyle(indian=True), "999"),
        ("-1234567.5", NumberStyle(decimal=",", grouping="."), "-1.234.567,5"),
        ("1234.50", NumberStyle(grouping="'"), "1'234.50"),
        ("1234", NumberStyle(decimal=".", grouping=""), "1234"),
        ("0", NumberStyle(), "0"),
    ],
)
def test_format(value: str, style: NumberStyle, text: str) -> None:
    assert format_number(Decimal(value), style) == text


def test_format_with_decimals_rounds_half_to_even() -> None:
    assert format_number(Decimal("2.345"), None, 2) == "2.34"
    assert format_number(Decimal("5"), None, 2) == "5.00"


STYLES = st.sampled_from(
    [
        NumberStyle(decimal=d, grouping=g, indian=i)  # type: ignore[arg-type]
        for d, g in ((".", ","), (",", "."), (".", "'"), (",", " "), (".", " "))
        for i in (False, True)
    ]
)
VALUES = st.decimals(min_value=-(10**12), max_value=10**12, places=2)


@given(VALUES, STYLES)
def test_what_is_formatted_is_parsed_back(value: Decimal, style: NumberStyle) -> None:
    assert parse_number(format_number(value, style), style) == value


@given(st.lists(VALUES, min_size=1, max_size=8), STYLES)
def test_a_column_of_two_decimals_keeps_every_value(values: list[Decimal], style: NumberStyle) -> None:
    cells = [format_number(v, style) for v in values]
    found = infer_column_type(cells)
    assert found.kind is ColumnKind.NUMBER
    assert not found.mixed
    assert [parse_number(c, found.style) for c in cells] == values


@given(VALUES, STYLES)
def test_a_number_alone_is_never_misread(value: Decimal, style: NumberStyle) -> None:
    # Two decimals leave no doubt about the mark, whatever the style.
    assert parse_number(format_number(value, style)) == value


@pytest.mark.parametrize(
    ("cells", "kind", "mixed"),
    [
        (["1,234", "5.678"], ColumnKind.NUMBER, True),
        (["12,5", "12.5"], ColumnKind.NUMBER, True),
        (["1,234.50", "1.234,50"], ColumnKind.NUMBER, True),
        (["$5", "€5"], ColumnKind.NUMBER, True),
        (["10%", "5"], ColumnKind.NUMBER, True),
        (["6,120", "2,148", "1,1024", "3,135", "4,100", "5,600"], ColumnKind.NUMBER, True),
        (["13/04/2025", "05/16/2025"], ColumnKind.DATE, True),
        (["1.234", "12,5"], ColumnKind.NUMBER, False),
        (["1,5", "2,25", "3,125"], ColumnKind.NUMBER, False),
        (["4,56,789.00", "1,234"], ColumnKind.NUMBER, False),
        (["$ 5", "6"], ColumnKind.NUMBER, False),
        (["1", "2", "-"], ColumnKind.NUMBER, False),
        (["10%", "12.5%"], ColumnKind.PERCENT, False),
        (["ST001", "ST002"], ColumnKind.CODE, False),
        (["001", "002"], ColumnKind.CODE, False),
        (["2025-26", "2024-25"], ColumnKind.CODE, False),
        (["a", "b"], ColumnKind.TEXT, False),
        (["13/04/2025", "05/06/2025"], ColumnKind.DATE, False),
        (["1 Jan 2024", "2 Feb 2024"], ColumnKind.DATE, False),
        (["", "-"], ColumnKind.TEXT, False),
    ],
)
def test_column_types(cells: list[str], kind: ColumnKind, mixed: bool) -> None:
    found = infer_column_type(cells)
    assert (found.kind, found.mixed) == (kind, mixed)


def test_units_of_a_column() -> None:
    assert infer_column_type(["₹ 1,00,000", "₹ 5,000"]).unit == "INR"
    assert infer_column_type(["5 bales", "6 bales"]).unit == "bales"
    assert infer_column_type(["Rs. 5", "7"]).unit == "INR"


def test_a_mixed_column_has_no_style_to_parse_with() -> None:
    assert infer_column_type(["1,234.50", "1.234,50"]).style is None


def test_an_open_column_follows_its_table() -> None:
    first, second = infer_column_types([["1.234", "2.345"], ["1.234,50", "2,00"]])
    assert parse_number("1.234", first.style) == 1234
    assert parse_number("1.234,50", second.style) == Decimal("1234.50")
    assert parse_number("1.234", infer_column_type(["1.234", "2.345"]).style) == Decimal("1.234")


def test_the_order_of_days_is_told_by_one_cell() -> None:
    assert infer_column_type(["13/04/2025", "05/06/2025"]).style == NumberStyle(
        decimal="", grouping="", date_order="dmy"
    )
    unclear = infer_column_type(["03/04/2025", "05/06/2025"]).style
    assert unclear is not None
    assert unclear.date_order == ""


def test_number_tokens() -> None:
    text = "Net (1,234) −5 12- 01-04-2025 4,56,789.00 ST-001 $-5 12.5% 1 234 (₹500)"
    assert number_tokens(text) == (
        ("-1,234", "-5", "-12", "01", "04", "2025", "4,56,789.00", "001", "-5", "12.5", "1", "234", "-500")
    )


@given(st.lists(st.sampled_from(["(1,234)", "−5", "12-", "₹", "Rs.", "4,56,789.00", "a", "7%", "ST-1"]), max_size=6))
def test_tokens_of_a_text_are_those_of_its_words(words: list[str]) -> None:
    assert number_tokens(" ".join(words)) == tuple(t for w in words for t in number_tokens(w))


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2025-04-30", "", date(2025, 4, 30)),
        ("30/04/2025", "", date(2025, 4, 30)),
        ("04/30/2025", "", date(2025, 4, 30)),
        ("03/04/2025", "dmy", date(2025, 4, 3)),
        ("03/04/2025", "mdy", date(2025, 3, 4)),
        ("03/04/2025", "", None),
        ("04/04/2025", "", date(2025, 4, 4)),
        ("30-Apr-25", "", date(2025, 4, 30)),
        ("April 30, 2025", "", date(2025, 4, 30)),
        ("30 de abril de 2025", "", date(2025, 4, 30)),
        ("30th April 2025", "", date(2025, 4, 30)),
        ("31/04/2025", "", None),
        ("April 2025", "", None),
        ("13-Apr-75", "", date(1975, 4, 13)),
    ],
)
def test_dates(text: str, order: str, day: date | None) -> None:
    assert parse_date(text, order) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("31 December 2022", date(2022, 12, 31)),  # its first two letters are no Spanish `de`
        ("31 de diciembre de 2022", date(2022, 12, 31)),
        ("01-Dec-2025", date(2025, 12, 1)),
    ],
)
def test_december(text: str, day: date) -> None:
    assert parse_date(text) == day
