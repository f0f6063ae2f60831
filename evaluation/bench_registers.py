"""Synthetic registers asked end to end through extraction and computing: `make bench-registers`.

Every count, sum and filtered sum is compared with the generator's own amounts; footing must hold, and must fail once
a row is taken out of what was extracted.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from contracts.documents import ParsedDocument, RowRole
from contracts.filters import Scope
from contracts.plans import Computation
from contracts.questions import Question
from evaluation.csv_tables import DocumentIndex
from evaluation.make_registers import DEPARTMENTS, SIZES, Pay, make_registers, people
from ingest.parse import parse_file
from serve.compute import compute
from serve.lexicon import load_lexicon

REPEATS = 5
"""Warm answers timed for each question."""


def expected(register: Sequence[Pay]) -> dict[str, Decimal]:
    """Questions with the answers that the generator's amounts give."""
    department = DEPARTMENTS[0]
    there = [p for p in register if p.department == department]
    return {
        "How many employees are in the register?": Decimal(len(register)),
        "What is the total net pay?": sum((p.net for p in register), Decimal(0)),
        "What is the total basic pay?": sum((p.basic for p in register), Decimal(0)),
        f"How many people are in {department}?": Decimal(len(there)),
        f"What is the total net pay in {department}?": sum((p.net for p in there), Decimal(0)),
        "How many employees have a net pay above 1,00,000?": Decimal(sum(p.net > 100_000 for p in register)),
        "What is the highest net pay?": max(p.net for p in register),
        "What is the median basic pay?": Decimal(statistics.median(p.basic for p in register)),
    }


def ask(index: DocumentIndex, text: str) -> Computation:
    return compute(Question(text=text), index=index, scope=Scope(), candidates=(), lexicon=load_lexicon(), dense=None)


@dataclass(frozen=True)
class Warm:
    """Median seconds of a warm answer, by the clock and of the processor."""

    wall: float
    cpu: float


def check(parsed: ParsedDocument, register: Sequence[Pay]) -> tuple[list[str], Warm]:
    """What is wrong, and how long warm answers take."""
    index = DocumentIndex([parsed])
    wrong: list[str] = []
    wall: list[float] = []
    cpu: list[float] = []
    for text, value in expected(register).items():
        found = ask(index, text)
        given = found.computed.as_decimal() if found.computed is not None else None
        if given != value:
            wrong.append(f"{text} gave {given}, not {value} ({found.declined or found.text})")
        elif found.coverage is None or not found.coverage.complete or found.coverage.rows_extracted != len(register):
            wrong.append(f"{text}: coverage is not complete")
        for _ in range(REPEATS):
            start, busy = time.perf_counter(), time.process_time()
            ask(index, text)
            wall.append(time.perf_counter() - start)
            cpu.append(time.process_time() - busy)
    wrong += _footing(parsed)
    return wrong, Warm(statistics.median(wall), statistics.median(cpu))


def _footing(parsed: ParsedDocument) -> list[str]:
    holds, fails = ask(DocumentIndex([parsed]), _ADDS), ask(DocumentIndex([without_a_row(parsed)]), _ADDS)
    wrong = []
    if holds.computed is None or holds.computed.value != "yes":
        wrong.append(f"footing does not hold: {holds.text}")
    if fails.computed is None or fails.computed.value != "no" or "footing_mismatch" not in fails.marks:
        wrong.append("footing holds with a row removed")
    return wrong


_ADDS = "Does the register add up?"


def without_a_row(parsed: ParsedDocument) -> ParsedDocument:
    """The document as if its middle body row had been lost."""
    table = parsed.tables[0]
    body = [r.index for r in table.rows if r.role is RowRole.BODY]
    lost = body[len(body) // 2]
    rows = tuple(r for r in table.rows if r.index != lost)
    return parsed.model_copy(update={"tables": (table.model_copy(update={"rows": rows}), *parsed.tables[1:])})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--no-pdf", action="store_true", help="CSV only")
    options = parser.parse_args()
    bad = 0
    print(f"{'file':24} {'rows':>7} {'extract s':>10} {'warm ms':>8} {'cpu ms':>7}  result")
    with tempfile.TemporaryDirectory() as folder:
        for path in make_registers(Path(folder), options.sizes, pdf=not options.no_pdf):
            size = int(path.stem.split("_")[1])
            start = time.perf_counter()
            parsed = parse_file(path)
            extracted = time.perf_counter() - start
            wrong, warm = check(parsed, people(size))
            bad += bool(wrong)
            print(
                f"{path.name:24} {size:7} {extracted:10.2f} {warm.wall * 1000:8.1f} {warm.cpu * 1000:7.1f}  {wrong or 'all exact'}"
            )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
