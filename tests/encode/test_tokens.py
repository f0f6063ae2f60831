from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from encode.tokens import find_codes, fold_word, tokenise


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Policies, policy's, POLICY", ["policy"] * 3),
        ("el número y los Números", ["numero", "numero"]),
        ("totales mensuales, pensiones", ["total", "mensual", "pension"]),
        ("taxes tax bonuses bonus batches", ["tax", "tax", "bonus", "bonus", "batch"]),
        ("gross basis status sales", ["gross", "basis", "status", "sale"]),
        ("the of is de la el", []),
        ("what does it do, quiénes cuántos", []),
        ("full-time Full Time", ["full", "time", "full", "time"]),
        ("U.S. S.A.", ["us", "sa"]),
        ("ＳＴ００１", ["st001"]),  # full-width letters of a scanned form
        ("वेतन कर्मचारी", ["वेतन", "कर्मचारी"]),  # vowel signs are parts of the word
        ("employee’s don't", ["employee", "dont"]),
    ],
)
def test_words(text: str, tokens: list[str]) -> None:
    assert tokenise(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("STL/2025-26/003", ["stl/2025-26/003", "2025-26", "stl", "2025", "26", "003"]),
        ("RULE-A002", ["rule-a002", "rulea002", "rule", "a002"]),
        ("ST-001", ["st-001", "st001", "st", "001"]),
        ("ST001s", ["st001s"]),  # nothing is folded off a code
        ("2025-04-01", ["2025-04-01", "2025", "04", "01"]),
        ("31.03.2026", ["31.03.2026", "31", "03", "2026"]),
    ],
)
def test_codes_and_dates_stay_whole_and_in_parts(text: str, tokens: list[str]) -> None:
    assert tokenise(text) == tokens


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("45,000.00", "45000"),
        ("45000", "45000"),
        ("₹45,000", "45000"),
        ("(45,000)", "45000"),
        ("4,56,789.00", "456789"),
        ("1.234,56", "1234.56"),
        ("1,234.50", "1234.5"),
        ("1'234.50", "1234.5"),
        ("12.5%", "12.5"),
        ("1,5", "1.5"),
        ("0.125", "0.125"),
    ],
)
def test_numbers_have_one_form(text: str, token: str) -> None:
    assert tokenise(text) == [token]


def test_a_number_that_may_be_either_gives_both_readings() -> None:
    assert tokenise("1.234") == ["1.234", "1234"]


def test_currency_glued_to_the_amount() -> None:
    assert tokenise("Rs.45,000.00") == ["rs", "45000"]


CODES = [
    "ST001", "st001", "RULE-A002", "STL/2025-26/003", "INV2025001", "INV-001", "inv-001", "27AAACS1234A1Z5",
    "ABCDE1234F", "2025-26/003", "001/2025-26", "SEC_12", "PO#4711", "A01", "12-3456-789",
]  # fmt: skip
NOT_CODES = [
    "2025-26", "2024/25", "2025-04-01", "01/04/2025", "31.03.2026", "31-Mar-2026", "Apr-25", "April-2025", "2026",
    "FY2025-26", "FY25", "Q1", "Q1-2025", "2025-Q1", "H1", "45,000.00", "1.2.3", "18.5%", "INR45", "Rs500", "1/2",
    "24/7", "10-15", "12-month", "3-year-old", "under-18", "Covid-19", "5th", "2nd-floor", "30days", "10km", "9am",
    "24x7", "mid-5th", "post-30days", "and/or", "full-time", "salary", "hr2@example.com", "https://x.example/a1b2", "",
]  # fmt: skip


@pytest.mark.parametrize("text", CODES)
def test_code(text: str) -> None:
    assert find_codes(f"What about {text}, and why?") == (text.upper(),)


@pytest.mark.parametrize("text", NOT_CODES)
def test_not_a_code(text: str) -> None:
    assert find_codes(f"What about {text}, and why?") == ()


def test_codes_come_once_in_order() -> None:
    assert find_codes("ST002 and st001; ST002.") == ("ST002", "ST001")


@given(st.sampled_from(CODES), st.sampled_from(["{}", "({})", "see {}.", "“{}”", "{}, {}", "{}:"]))
def test_a_code_finds_itself_whatever_stands_around_it(code: str, frame: str) -> None:
    assert set(tokenise(code)) <= set(tokenise(frame.format(code, code)))


@given(st.integers(1, 10**9).filter(lambda n: n >= 1000))
def test_grouping_does_not_matter(number: int) -> None:
    assert tokenise(f"{number:,}.00") == tokenise(str(number)) == [str(number)]


@given(st.text(max_size=60))
def test_case_does_not_matter(text: str) -> None:
    assert tokenise(text) == tokenise(text.casefold())


@pytest.mark.parametrize("unit", ["x", "a-", "1,", "a.", "1.1", "a@", "'a", "1a"])
def test_hostile_repetition_is_read_once(unit: str) -> None:
    """Quadratic patterns would take minutes here and run into the test's time limit."""
    text = unit * (400_000 // len(unit))
    assert isinstance(tokenise(text), list)
    assert isinstance(find_codes(text), tuple)


PARTS = st.sampled_from(
    ["a", "AB", "mid", "7", "2025", "5th", "30days", "ST001", "x9", "é", "-", "/", ".", "_", "#", "@"]
)


@given(st.lists(PARTS, max_size=8).map("".join) | st.text(max_size=40))
def test_any_text_can_be_read(text: str) -> None:
    """`mid-5th` once stopped an ingestion: letters and a quantity, but no number."""
    assert all(code == code.upper() for code in find_codes(text))
    assert all(token and not token.isspace() for token in tokenise(text))


def test_folding_is_stable() -> None:
    words = ["policies", "taxes", "bonuses", "invoices", "pensiones", "totales", "proveedores", "salaries"]
    assert [fold_word(fold_word(w)) for w in words] == [fold_word(w) for w in words]
