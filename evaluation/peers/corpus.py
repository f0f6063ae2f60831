"""A year of payroll to compare on: registers over two pages, invoices, the policy and the contract; seeded.

The sample corpus is too small for a comparison: with eight documents the best ten passages are all of them.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

from reportlab.platypus import Flowable

from evaluation.golden import CountExpected, Expected, GoldenQuestion, GoldenSet, LookupExpected, NumberExpected
from evaluation.make_samples import invoice, prose, register
from evaluation.sample_source import layout, texts
from evaluation.sample_source.invoices import Invoice, Item
from evaluation.sample_source.people import COMPANY, Pay

MONTHS = [
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "January",
    "February",
    "March",
]
FIRST = [
    "Aarav",
    "Diya",
    "Vihaan",
    "Ananya",
    "Kabir",
    "Meera",
    "Rohan",
    "Isha",
    "Arjun",
    "Sara",
    "Neel",
    "Tara",
    "Dev",
    "Anika",
    "Yash",
    "Riya",
    "Om",
    "Leela",
]
LAST = [
    "Sharma",
    "Patel",
    "Reddy",
    "Iyer",
    "Singh",
    "Nair",
    "Das",
    "Kulkarni",
    "Mehta",
    "Khan",
    "Joshi",
    "Bose",
    "Rao",
    "Verma",
    "Pillai",
    "Shetty",
]
ROLES = ("Software Engineer", "Accountant", "Data Analyst", "Sales Manager", "Support Engineer", "HR Executive")
BUYERS = ("Meridian Foods", "Meridian Fabrics", "Malabar Spices", "Konark Textiles", "Deccan Motors", "Nilgiri Tea")
EMPLOYEES, INVOICES = 46, 24


class Month(NamedTuple):
    name: str
    """`April 2025`"""
    file: str
    people: tuple[Pay, ...]


def make_year(folder: Path, seed: int = 11) -> GoldenSet:
    """Writes the PDFs below `folder` and returns the questions with answers from the data, not from the PDFs."""
    rng = random.Random(seed)
    months, bills = _months(rng), _invoices(rng)
    for month in months:
        _write(
            folder / "payroll" / month.file,
            f"Salary Register {month.name}",
            register(month.name, month.people, (), True),
        )
    for bill in bills:
        _write(folder / "invoices" / bill.file, f"Tax Invoice {bill.number}", invoice(bill))
    _write(folder / "policies" / "Policy.pdf", texts.POLICY_TITLE, prose(texts.POLICY_TITLE, "", texts.POLICY, False))
    contract = prose(texts.CONTRACT_TITLE, texts.CONTRACT_INTRO, texts.CONTRACT, True)
    _write(folder / "contracts" / "Contract.pdf", texts.CONTRACT_TITLE, contract)
    questions = [q for month in months for q in _about_month(month, rng)] + [q for b in bills for q in _about_bill(b)]
    return GoldenSet(name="a year of payroll", corpus=str(folder), questions=tuple(questions))


def _write(path: Path, title: str, story: list[Flowable]) -> None:
    layout.write(path, title, COMPANY, story)


def _months(rng: random.Random) -> list[Month]:
    staff = [
        Pay(
            f"ST{n:03}",
            f"{rng.choice(FIRST)} {rng.choice(LAST)}",
            rng.choice(ROLES),
            rng.randrange(28, 130) * 1000,
            0,
            0,
        )
        for n in range(1, EMPLOYEES + 13)
    ]
    months = []
    for n, name in enumerate(MONTHS):
        year = 2025 if n < 9 else 2026
        people = tuple(
            p._replace(allowances=p.basic * 3 // 10 + rng.randrange(0, 90) * 50, deductions=p.basic * 13 // 100)
            for p in staff[: EMPLOYEES + n]
        )
        months.append(Month(f"{name} {year}", f"Salary_Register_{name}_{year}.pdf", people))
    return months


def _invoices(rng: random.Random) -> list[Invoice]:
    return [
        Invoice(
            f"INV{2025000 + n}.pdf",
            f"STL/2025-26/{n:03}",
            f"{rng.randrange(1, 28):02}-Apr-2025",
            f"{rng.randrange(1, 28):02}-May-2025",
            f"{rng.choice(BUYERS)} Limited",
            "Pune 411001",
            "27AABCM4521K1Z6",
            f"PO-{rng.randrange(1000, 9999)}",
            True,
            (
                Item("Payroll software licence", "997331", 1, rng.randrange(90, 300) * 1000),
                Item("Implementation services, per day", "998313", rng.randrange(2, 12), 18_500),
                Item("On-site training, per session", "999293", rng.randrange(1, 6), 12_000),
            ),
        )
        for n in range(1, INVOICES + 1)
    ]


def _about_month(month: Month, rng: random.Random) -> list[GoldenQuestion]:
    ids = tuple(p.emp_id for p in month.people)
    one = rng.choice(month.people)
    slug = month.file.removesuffix(".pdf")
    net = sum(p.net for p in month.people)
    return [
        _question(
            f"{slug}-count",
            f"How many employees are in the {month.name} salary register?",
            CountExpected(kind="count", value=len(ids)),
            month.file,
            ids,
        ),
        _question(
            f"{slug}-net",
            f"What is the total net pay in the {month.name} salary register?",
            NumberExpected(kind="sum", value=net),
            month.file,
            ids,
        ),
        _question(
            f"{slug}-one",
            f"What is the net pay of {one.emp_id} in {month.name}?",
            LookupExpected(kind="lookup", value=layout.rupees(one.net)),
            month.file,
            (one.emp_id,),
            (layout.rupees(one.net),),
        ),
    ]


def _about_bill(bill: Invoice) -> list[GoldenQuestion]:
    total = layout.rupees(bill.total)
    return [
        _question(
            f"{bill.file.removesuffix('.pdf')}-total",
            f"What is the total of invoice {bill.number}?",
            LookupExpected(kind="lookup", value=total),
            bill.file,
            (),
            (total,),
        )
    ]


def _question(
    name: str, text: str, expect: Expected, file: str, rows: tuple[str, ...], evidence: tuple[str, ...] = ()
) -> GoldenQuestion:
    return GoldenQuestion(
        id=name, question=text, expect=expect, documents=(file,), rows=rows, identifiers=rows, evidence=evidence
    )
