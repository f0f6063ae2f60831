"""Synthetic salary registers of any length, as PDF and CSV: `python -m evaluation.make_registers FOLDER [ROWS …]`.

Every amount is drawn from a seeded generator, so the right answers are known without reading the files back.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from contracts.documents import NumberStyle
from contracts.numbers import format_number

SIZES = (12, 100, 1_000, 10_000)
HEADER = ("S.No.", "Emp ID", "Name", "Department", "Basic", "Allowances", "Deductions", "Net Pay")
DEPARTMENTS = ("Weaving", "Dyeing", "Spinning", "Stores", "Accounts", "Packing", "Maintenance")
_FIRST = ("Asha", "Vikram", "Meena", "Ravi", "Sunil", "Leela", "Imran", "Gopal", "Anita", "Kiran", "Farah")
_LAST = ("Rao", "Shah", "Iyer", "Kumar", "Das", "Nair", "Khan", "Verma", "Joshi", "Patel", "Ali", "Sen", "Jain")
_INDIAN = NumberStyle(indian=True)

_WIDTHS = (34, 52, 92, 74, 72, 66, 66, 76)
"""Column widths in points."""
_LEFT, _TOP, _ROW, _BOTTOM = 32, 780, 15, 50
_NUMBERS_FROM = 4
"""Index of the first right-aligned column."""


@dataclass(frozen=True)
class Pay:
    """One employee; amounts in rupees and paise."""

    emp_id: str
    name: str
    department: str
    basic: Decimal
    allowances: Decimal
    deductions: Decimal

    @property
    def net(self) -> Decimal:
        return self.basic + self.allowances - self.deductions

    @property
    def amounts(self) -> tuple[Decimal, ...]:
        return (self.basic, self.allowances, self.deductions, self.net)


def people(rows: int, seed: int = 2025) -> list[Pay]:
    """`rows` employees with ids E00001 onwards; the same for the same seed."""
    draw = random.Random(seed)

    def paise(low: int, high: int) -> Decimal:
        return Decimal(draw.randrange(low * 100, high * 100)) / 100

    return [
        Pay(
            emp_id=f"E{n:05d}",
            name=f"{draw.choice(_FIRST)} {draw.choice(_LAST)}",
            department=draw.choice(DEPARTMENTS),
            basic=paise(18_000, 2_50_000),
            allowances=paise(1_000, 60_000),
            deductions=paise(500, 12_000),
        )
        for n in range(1, rows + 1)
    ]


def cells(register: Sequence[Pay]) -> Iterator[tuple[str, ...]]:
    """Body rows, then the total row, as printed."""
    for n, p in enumerate(register, start=1):
        yield (str(n), p.emp_id, p.name, p.department, *map(rupees, p.amounts))
    totals = [sum(column, Decimal(0)) for column in zip(*(p.amounts for p in register), strict=True)]
    yield ("", "", "Total", "", *map(rupees, totals))


def rupees(value: Decimal) -> str:
    """`4,56,789.00`."""
    return format_number(value, _INDIAN, 2)


def write_csv(path: Path, register: Sequence[Pay]) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([HEADER, *cells(register)])


def write_pdf(path: Path, register: Sequence[Pay], title: str) -> None:
    """A ruled table over as many pages as it needs, its header on each. Needs reportlab (the `dev` extra)."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), pagesize=(595, 842), invariant=True)
    canvas.setTitle(title)
    top = _page(canvas, title)
    for row in cells(register):
        if top - _ROW < _BOTTOM:
            canvas.showPage()
            top = _page(canvas, "")
        top = _draw_row(canvas, row, top, bold=row[2] == "Total")
    canvas.save()


def _page(canvas: object, title: str) -> float:
    """Title and header of a page; the top of its first row."""
    if title:
        canvas.setFont("Helvetica-Bold", 12)  # type: ignore[attr-defined]
        canvas.drawString(_LEFT, _TOP + 20, title)  # type: ignore[attr-defined]
    return _draw_row(canvas, HEADER, _TOP, bold=True)


def _draw_row(canvas: object, row: Sequence[str], top: float, bold: bool) -> float:
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", 8)  # type: ignore[attr-defined]
    left = float(_LEFT)
    for column, (text, width) in enumerate(zip(row, _WIDTHS, strict=True)):
        canvas.rect(left, top - _ROW, width, _ROW)  # type: ignore[attr-defined]
        if column >= _NUMBERS_FROM:
            canvas.drawRightString(left + width - 4, top - _ROW + 4.5, text)  # type: ignore[attr-defined]
        else:
            canvas.drawString(left + 4, top - _ROW + 4.5, text)  # type: ignore[attr-defined]
        left += width
    return top - _ROW


def make_registers(folder: Path, sizes: Sequence[int] = SIZES, pdf: bool = True) -> list[Path]:
    """One CSV (and PDF) for each size; the paths in the order made."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for size in sizes:
        register = people(size)
        made.append(folder / f"register_{size}.csv")
        write_csv(made[-1], register)
        if pdf:
            made.append(folder / f"register_{size}.pdf")
            write_pdf(made[-1], register, f"Salary Register of {size} employees")
    return made


def main() -> None:
    folder, *sizes = sys.argv[1:] or ["registers"]
    for path in make_registers(Path(folder), [int(s) for s in sizes] or SIZES):
        print(path)


if __name__ == "__main__":
    main()
