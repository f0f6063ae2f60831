"""The sample golden set's numbers, worked out a second time from the PDFs' own words.

The arithmetic reads the committed PDFs with pdfplumber's plain text and Python integers: nothing of the
product and nothing of the generator is involved.
"""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from statistics import mean, median

import pdfplumber
import pytest

import evaluation
from evaluation.golden import GoldenQuestion, load_golden

HERE = Path(evaluation.__file__).parent
GOLDEN = load_golden(HERE / "golden.yaml")
QUESTIONS = {q.id: q for q in GOLDEN.questions}
MONEY = r"([\d,]+)\.00"
ROW = re.compile(rf"^(ST\d+) (\w+ \w+) (.+?) {MONEY} {MONEY} {MONEY} {MONEY}$", re.M)


def text_of(name: str) -> str:
    (path,) = (HERE / "samples").rglob(name)
    with pdfplumber.open(path) as pdf:
        return "\n".join(page.extract_text() for page in pdf.pages)


def register(month: str) -> dict[str, tuple[str, str, int, int, int, int]]:
    rows = ROW.findall(text_of(f"Salary_Register_{month}_2025.pdf"))
    return {r[0]: (r[1], r[2], *(int(x.replace(",", "")) for x in r[3:])) for r in rows}  # type: ignore[misc]


APRIL, MARCH = register("April"), register("March")
BASIC, ALLOWANCES, DEDUCTIONS, NET = 2, 3, 4, 5


def column(month: dict[str, tuple[str, str, int, int, int, int]], n: int) -> list[int]:
    return [row[n] for row in month.values()]  # type: ignore[misc]


def test_net_pay_is_basic_plus_allowances_minus_deductions() -> None:
    for row in [*APRIL.values(), *MARCH.values()]:
        assert row[NET] == row[BASIC] + row[ALLOWANCES] - row[DEDUCTIONS]


ENGINEERS = [row[BASIC] for row in APRIL.values() if row[1] == "Software Engineer"]
NUMBERS = {
    "count-april": len(APRIL),
    "count-march": len(MARCH),
    "count-april-spanish": len(APRIL),
    "count-software-engineers": len(ENGINEERS),
    "count-basic-above": sum(b > 70_000 for b in column(APRIL, BASIC)),
    "count-net-below": sum(n < 60_000 for n in column(MARCH, NET)),
    "sum-net-april": sum(column(APRIL, NET)),
    "sum-net-march": sum(column(MARCH, NET)),
    "sum-deductions-april": sum(column(APRIL, DEDUCTIONS)),
    "sum-basic-engineers": sum(ENGINEERS),
    "average-basic-april": mean(column(APRIL, BASIC)),
    "average-net-march": round(mean(column(MARCH, NET)), 2),
    "largest-allowance-march": max(column(MARCH, ALLOWANCES)),
    "share-of-net": round(APRIL["ST001"][NET] / sum(column(APRIL, NET)) * 100, 2),
    "median-net-april": median(column(APRIL, NET)),
    "sum-of-two": APRIL["ST003"][BASIC] + APRIL["ST006"][BASIC],
    "net-pay-difference": sum(column(APRIL, NET)) - sum(column(MARCH, NET)),
    "sum-invoices": sum(
        int(re.search(rf"Total payable {MONEY}", text_of(f"INV202500{n}.pdf")).group(1).replace(",", ""))  # type: ignore[union-attr]
        for n in (1, 2, 3)
    ),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_expected_numbers(name: str) -> None:
    assert QUESTIONS[name].expect.value == Decimal(str(NUMBERS[name]))  # type: ignore[union-attr]


LISTS = {
    "list-engineers": [k for k, row in APRIL.items() if row[1] == "Software Engineer"],
    "list-deductions-above": [k for k, row in APRIL.items() if row[DEDUCTIONS] > 10_000],
    "top-three-net": sorted(APRIL, key=lambda k: -APRIL[k][NET])[:3],
    "changed-basic": [k for k in MARCH if MARCH[k][BASIC] != APRIL[k][BASIC]],
    "changed-allowances": [k for k in MARCH if MARCH[k][ALLOWANCES] != APRIL[k][ALLOWANCES]],
}


@pytest.mark.parametrize("name", LISTS)
def test_expected_lists(name: str) -> None:
    assert sorted(QUESTIONS[name].expect.items) == sorted(LISTS[name])  # type: ignore[union-attr]


def test_expected_people() -> None:
    assert QUESTIONS["highest-net-april"].rows == (max(APRIL, key=lambda k: APRIL[k][NET]),)
    assert QUESTIONS["lowest-basic-april"].rows == (min(APRIL, key=lambda k: APRIL[k][BASIC]),)
    assert QUESTIONS["joined-in-april"].rows == tuple(set(APRIL) - set(MARCH))
    assert set(MARCH) < set(APRIL)


SAID_OF_NOTHING = {"anyone-left"}
"""Answers that say that there is none: no document holds their words."""
ANSWERABLE = [q for q in GOLDEN.questions if q.answerable]


@pytest.mark.parametrize("question", ANSWERABLE, ids=[q.id for q in ANSWERABLE])
def test_rows_evidence_and_identifiers_stand_in_the_named_documents(question: GoldenQuestion) -> None:
    text = " ".join(" ".join(text_of(name) for name in question.documents).split())
    for needle in (*question.rows, *question.evidence, *question.identifiers):
        assert needle in text
    if question.expect.kind in ("lookup", "span") and question.id not in SAID_OF_NOTHING:
        parts = getattr(question.expect, "all_of", None) or (question.expect.value,)  # type: ignore[union-attr]
        assert any(option in text for part in parts for option in part.split("|"))


def test_absent_codes_stand_nowhere() -> None:
    everything = " ".join(text_of(path.name) for path in (HERE / "samples").rglob("*.pdf"))
    for needle in ("ST013", "STL/2025-26/004", "Priya", "Konark", "June 2025 salary", "bank account", "vertime"):
        assert needle not in everything


def test_the_set_asks_enough() -> None:
    kinds = [q.expect.kind for q in GOLDEN.questions]
    assert len(kinds) >= 40
    assert kinds.count("not_found") >= 12
    assert kinds.count("contradiction") >= 2
    assert sum(q.paraphrase for q in GOLDEN.questions) >= 4
