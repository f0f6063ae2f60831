from __future__ import annotations

import pytest

from contracts.documents import Document, Line
from ingest.describe import describe, find_period, find_title, guess_language, periods_in
from ingest.manifest import UNSAID, Metadata


def lines(*texts: str, height: float = 10.0) -> list[Line]:
    return [
        Line(page=1, line=n, text=text, x0=0, top=20.0 * n, x1=100, bottom=20.0 * n + height)
        for n, text in enumerate(texts, 1)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Salary Register for April 2025", ["2025-04"]),
        ("Nómina de abril de 2025", ["2025-04"]),
        ("nómina septiembre del 2024", ["2024-09"]),
        ("APR-2025", ["2025-04"]),
        ("Dec'24", ["2024-12"]),
        ("2025 March", ["2025-03"]),
        ("2025-04", ["2025-04"]),
        ("2025-04-15", ["2025-04"]),
        ("Q1 2025", ["2025-Q1"]),
        ("2025 Q3", ["2025-Q3"]),
        ("T2 2024", ["2024-Q2"]),
        ("FY 2025-26", ["2025-26"]),
        ("FY2025-2026", ["2025-26"]),
        ("2024-2025", ["2024-25"]),
        ("April 2025 (FY 2025-26)", ["2025-04"]),
        ("April 2025 and May 2025", ["2025-04", "2025-05"]),
        ("2019-2025", []),
        ("STL/2025-26/003", []),
        ("INV2025001", []),
        ("Mar 12", []),
        ("you may 20 times", []),
    ],
)
def test_periods_are_read_in_every_usual_form(text: str, expected: list[str]) -> None:
    assert periods_in(text) == expected


@pytest.mark.parametrize(
    ("name", "texts", "expected"),
    [
        ("Salary_Register_April_2025.pdf", ["as of May 2026, month end"], "2025-04"),
        ("register.pdf", ["Salary register", "for the month of April 2025"], "2025-04"),
        ("policy 2024.pdf", [], "2024"),
        ("20250401.pdf", [], None),
        ("april and may 2025 vs june 2025.pdf", [], None),
        ("contract.pdf", ["This agreement is dated 10 January 2025"], None),
        ("invoice.pdf", ["Invoice Date 12-Apr-2025", "Due 12-May-2025"], "2025-04"),
        ("x.pdf", ["Month: April 2025", "Month: May 2025"], None),
    ],
)
def test_a_period_comes_from_the_name_then_from_lines_that_speak_of_one(
    name: str, texts: list[str], expected: str | None
) -> None:
    assert find_period(name, lines(*texts)) == expected


def test_the_title_is_the_largest_line_near_the_top() -> None:
    head = [*lines("Acme Ltd", "Address"), Line(page=1, line=3, text="Leave Policy", x0=0, top=60, x1=9, bottom=78)]
    assert find_title([*head, *lines("Body text", "more", "more")]) == "Leave Policy"
    assert find_title(lines("All lines", "are alike", "here")) == ""


def test_the_manifest_wins_and_the_rest_is_guessed() -> None:
    name = "Salary_Register_April_2025.pdf"
    document = Document(doc_id="d", name=name, source=f"/data/Nóminas 2025/{name}")
    text = lines("El total de las horas que se pagan en la nómina y los días de la empresa")
    guessed = describe(document, text, UNSAID)
    assert (guessed.doc_type, guessed.groups, guessed.period, guessed.language, guessed.title) == (
        "nóminas_2025",
        ("everyone",),
        "2025-04",
        "es",
        "Salary Register April 2025",
    )
    said = describe(document, text, Metadata(doc_type="payroll", groups=("hr",), period="2024", language="en"))
    assert (said.doc_type, said.groups, said.period, said.language) == ("payroll", ("hr",), "2024", "en")


def test_a_language_is_only_guessed_from_enough_words() -> None:
    assert guess_language(lines("The rules of the company apply to all of the staff and for the guests")) == "en"
    assert guess_language(lines("Total 123", "ST001")) is None
    assert guess_language(lines(*["E0001 e E 12.50 a o"] * 50)) is None  # codes and initials are no Portuguese


def test_an_upload_has_no_folder_to_be_named_after() -> None:
    assert describe(Document(doc_id="d", name="a.pdf", source="upload:a.pdf"), [], UNSAID).doc_type == "unknown"


@pytest.mark.parametrize(
    ("titles", "period"),
    [
        (("Salary register April 2025", "Salary register May 2025"), "2025"),
        (("Salary register December 2024", "Salary register January 2025"), None),
        (("Salary register April 2025", "Leave balances"), "2025-04"),
    ],
)
def test_a_workbook_with_a_sheet_for_each_month_is_of_no_single_month(
    titles: tuple[str, ...], period: str | None
) -> None:
    document = Document(doc_id="d", name="payroll.xlsx", source="/x/payroll.xlsx")
    assert describe(document, lines(titles[0], "ID Net", "E1 10"), UNSAID, titles).period == period
