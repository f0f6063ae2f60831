from __future__ import annotations

import pytest

from contracts.documents import Line
from ingest.headings import recover_headings


def document(*items: str | tuple[str, float], table: str | None = None) -> list[Line]:
    """Lines of height 10, or of the height given."""
    texts = [item if isinstance(item, tuple) else (item, 10.0) for item in items]
    return [
        Line(page=1, line=n, text=text, x0=0, top=30.0 * n, x1=99, bottom=30.0 * n + height, table_id=table)
        for n, (text, height) in enumerate(texts, 1)
    ]


def titles(lines: list[Line]) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in recover_headings(lines)]


def test_larger_lines_are_headings_by_size() -> None:
    body = "Body text that is long enough to be the commonest height of the page"
    lines = document(("Leave Policy", 20.0), body, ("Annual leave", 14.0), body, ("Sick leave", 14.0), body)
    assert titles(lines) == [(1, "Leave Policy"), (2, "Annual leave"), (2, "Sick leave")]


def test_numbers_below_a_title_are_one_level_down() -> None:
    body = "Body text that is long enough to be the commonest height of the page"
    lines = document(
        ("Leave Policy", 20.0), body, "1. Annual leave", body, "1.1 Carry over", body, "2. Sick leave", body
    )
    assert titles(lines) == [(1, "Leave Policy"), (2, "1. Annual leave"), (3, "1.1 Carry over"), (2, "2. Sick leave")]


@pytest.mark.parametrize(
    "heading",
    ["1. Scope", "3) Leave", "A. General", "Section 4: Leave", "Annex B", "Artículo 5 Vacaciones", "CLAUSE 7 - FEES"],
)
def test_numbered_and_named_headings(heading: str) -> None:
    assert [title for _, title in titles(document("Some text.", heading, "More text."))] == [heading]


def test_a_large_heading_over_two_lines_is_one() -> None:
    body = "Body text that is long enough to be the commonest height of the page"
    assert titles(document(("Salary and benefits", 18.0), ("of all employees", 18.0), body, body)) == [
        (1, "Salary and benefits of all employees")
    ]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(("Bring:", "1. Passport", "2. Visa", "3. Tickets", "Then go."), id="items of a list"),
        pytest.param(("1. Scope ........ 3", "Text.", "2. Leave . . . . 5"), id="table of contents"),
        pytest.param(("1. The employee must submit the form to", "his manager.", "End."), id="wrapped sentence"),
        pytest.param(("1. Employees get leave.", "Text."), id="sentence"),
        pytest.param(("5 Tower Road", "31 December 2025", "Text."), id="address and date"),
        pytest.param(("Section 4 of the Act applies here", "Text."), id="reference"),
        pytest.param(("2. leave of absence", "Text."), id="lower case"),
        pytest.param(("1.50 2.50", "Text."), id="numbers"),
    ],
)
def test_what_only_looks_like_a_heading_is_none(lines: tuple[str, ...]) -> None:
    assert titles(document(*lines)) == []


def test_lines_of_tables_are_never_headings() -> None:
    assert titles(document("1. Basic", ("Total", 20.0), "2. Net", table="t")) == []


def test_size_says_nothing_where_much_of_the_text_is_large() -> None:
    lines = document(*[("Large text", 20.0) if n % 2 else ("small text here", 10.0) for n in range(12)])
    assert titles(lines) == []


def test_no_lines_no_headings() -> None:
    assert recover_headings([]) == []
