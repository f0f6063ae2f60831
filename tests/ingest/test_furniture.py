from __future__ import annotations

from contracts.documents import Line
from ingest.furniture import find_furniture


def page(number: int, *texts: str, table: str | None = None) -> list[Line]:
    return [
        Line(page=number, line=n, text=text, x0=0, top=20.0 * n, x1=9, bottom=20.0 * n + 10, table_id=table)
        for n, text in enumerate(texts, 1)
    ]


def test_repeats_of_headers_and_footers_are_found_but_not_their_first() -> None:
    lines = [n for p in (1, 2, 3) for n in page(p, "Acme Payroll", f"Text {chr(96 + p)} here", f"Page {p} of 3")]
    assert find_furniture(lines) == {(2, 1), (3, 1), (2, 3), (3, 3)}


def test_two_pages_prove_nothing() -> None:
    assert find_furniture(page(1, "Acme", "a") + page(2, "Acme", "b")) == set()


def test_the_same_words_at_another_height_are_text() -> None:
    lines = page(1, "Nil", "a") + page(2, "b", "Nil") + page(3, "c", "d", "Nil")
    assert find_furniture(lines) == set()


def test_rows_that_repeat_on_every_page_are_no_furniture() -> None:
    lines = [n for p in (1, 2, 3) for n in page(p, "1 Basic 100", table="t")]
    assert find_furniture(lines) == set()


def test_the_middle_of_a_page_is_never_furniture() -> None:
    lines = [
        n for p in (1, 2, 3) for n in page(p, *[f"line {chr(96 + p)}{k}" if k != 5 else "Same" for k in range(11)])
    ]
    assert find_furniture(lines) == set()
