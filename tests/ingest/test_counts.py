"""Every row arrives: counts over whole tables in the store, and look-alike files that are all found.

Kinds of faults reported of other systems: a 366-row CSV yields 99 records (Flowise#3696), of two similar workbooks
only one is found (ragflow#9505), a numeric-only table chunk is never retrieved (ragflow#10844).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import openpyxl
import pytest

from contracts.documents import RowRole
from contracts.protocols import Index, VectorQuery
from contracts.settings import Settings, load_settings
from encode.bm25 import Bm25Encoder
from ingest.pipeline import ingest
from ingest.process import Encoders
from ingest.report import IngestReport
from ingest.workers import run_here
from store.open import open_index
from tests.ingest.fakes import FakeDense


def load_with_bm25(settings: Settings) -> Encoders:
    return FakeDense(), Bm25Encoder()


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    settings, _ = load_settings({}, overrides={"data_dir": tmp_path / "data"})
    opened = open_index(settings, {"dimension": "4"}, create=True)
    yield opened
    opened.close()


def run(folder: Path, index: Index) -> IngestReport:
    settings, _ = load_settings({})
    return ingest([folder], settings, index, dense=FakeDense(), sparse=Bm25Encoder(), load=load_with_bm25, run=run_here)


def found(index: Index, question: str) -> list[str]:
    """Names of the documents that BM25 finds, best first."""
    (hits,) = index.search([VectorQuery(sparse=Bm25Encoder().encode_query(question), limit=20)])
    return list(dict.fromkeys(hit.doc_name for hit in hits))


def test_a_csv_of_366_rows_gives_366_records(tmp_path: Path, index: Index) -> None:
    days = [date(2024, 1, 1) + timedelta(days=n) for n in range(366)]
    text = "Date,Employee,Amount\n" + "".join(f"{day},E{n:04d},{1000 + n}.50\n" for n, day in enumerate(days))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "year.csv").write_text(text)
    report = run(tmp_path / "docs", index)
    assert (report.totals.tables, report.totals.rows) == (1, 366)
    (summary,) = index.table_summaries()
    table = index.table(summary.table_id)
    assert table is not None
    body = [row.cells for row in table.rows if row.role is RowRole.BODY]
    assert body == [(f"{day}", f"E{n:04d}", f"{1000 + n}.50") for n, day in enumerate(days)]
    chunks = index.chunks()
    lines = [line for chunk in chunks for line in chunk.text.splitlines()[1:]]
    assert lines == [f"| {day} | E{n:04d} | {1000 + n}.50 |" for n, day in enumerate(days)]
    assert [code for chunk in chunks for code in chunk.codes] == [f"E{n:04d}" for n in range(366)]


def test_of_two_similar_workbooks_both_are_found_and_the_one_asked_for_first(tmp_path: Path, index: Index) -> None:
    for month, count in (("April", 5), ("May", 6)):
        book = openpyxl.Workbook()
        assert book.active is not None
        book.active.append(["Emp ID", "Name", "Net"])
        for n in range(count):
            book.active.append([f"ST{n:03d}", f"Person {n}", 1000 + n])
        (tmp_path / "docs").mkdir(exist_ok=True)
        book.save(tmp_path / "docs" / f"payroll_{month}_2025.xlsx")
    assert run(tmp_path / "docs", index).totals.rows == 11
    assert found(index, "payroll April 2025")[0] == "payroll_April_2025.xlsx"
    assert found(index, "payroll May 2025")[0] == "payroll_May_2025.xlsx"
    assert set(found(index, "net pay of ST003")) == {"payroll_April_2025.xlsx", "payroll_May_2025.xlsx"}


def test_a_table_of_bare_numbers_is_found_by_the_name_of_its_file(tmp_path: Path, index: Index) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("Provident_Fund_2024", "Gratuity_2024"):
        rows = "\n".join(f"{n},{n * 7},{n * 11}" for n in range(1, 40))
        (tmp_path / "docs" / f"{name}.csv").write_text(f"1,2,3\n{rows}\n{len(name)},0,0\n")
    run(tmp_path / "docs", index)
    assert found(index, "gratuity")[0] == "Gratuity_2024.csv"
    assert found(index, "provident fund contribution")[0] == "Provident_Fund_2024.csv"


def test_a_register_without_rows_is_a_document_with_no_rows(tmp_path: Path, index: Index) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "contractors.csv").write_text("Emp ID,Name,Net\n")
    report = run(tmp_path / "docs", index)
    assert (report.exit_code, report.totals.tables, report.totals.rows) == (0, 1, 0)
    assert [summary.body_rows for summary in index.table_summaries()] == [0]
    assert found(index, "contractors") == ["contractors.csv"]
