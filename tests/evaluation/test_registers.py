"""Synthetic registers: known amounts, read back through extraction, every answer exact."""

from __future__ import annotations

import csv
from decimal import Decimal
from pathlib import Path

import pytest

from evaluation.bench_registers import ask, check, without_a_row
from evaluation.csv_tables import DocumentIndex
from evaluation.make_registers import make_registers, people, rupees
from ingest.parse import parse_file


def test_amounts_are_the_same_for_the_same_seed() -> None:
    assert people(5) == people(5)
    assert people(5)[0].net == people(5)[0].basic + people(5)[0].allowances - people(5)[0].deductions
    assert rupees(Decimal("456789")) == "4,56,789.00"


def test_the_total_row_is_the_sum(tmp_path: Path) -> None:
    (path,) = make_registers(tmp_path, [12], pdf=False)
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    assert len(rows) == 14
    assert rows[-1][-1] == rupees(sum((p.net for p in people(12)), Decimal(0)))


@pytest.mark.parametrize("size", [12, 1_000])
def test_every_answer_is_exact_from_csv(tmp_path: Path, size: int) -> None:
    (path,) = make_registers(tmp_path, [size], pdf=False)
    wrong, _ = check(parse_file(path), people(size))
    assert wrong == []


@pytest.mark.parametrize("size", [12, 100])
def test_every_answer_is_exact_from_pdf(tmp_path: Path, size: int) -> None:
    path = make_registers(tmp_path, [size])[1]
    parsed = parse_file(path)
    wrong, _ = check(parsed, people(size))
    assert wrong == []
    (table,) = parsed.tables
    # The header and 47 rows fit on a page.
    assert len(table.pages) == -(-(size + 1) // 47)


def test_a_lost_row_is_seen_by_footing_and_serials(tmp_path: Path) -> None:
    (path,) = make_registers(tmp_path, [12], pdf=False)
    found = ask(DocumentIndex([without_a_row(parse_file(path))]), "What is the total net pay?")
    assert found.coverage is not None
    failed = {c.name for c in found.coverage.checks if not c.passed}
    assert failed == {"footing", "serials"}
    assert {"footing_mismatch", "serial_gap"} <= set(found.marks)
    assert "the printed total says" in found.text
