"""Table extraction against the ICDAR 2013 competition's ground truth, and the integrity of every number.

    python -m evaluation.bench_tables FOLDER [FOLDER …]

A folder of PDFs with `NAME-str.xml` beside them is scored; in any other the numbers alone are checked. The numbers of a
page are read a second time by another library (pdfplumber, from the `dev` extra): a number in a cell that it does not
see there is named. Exit code 1 when a target is missed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from contracts.base import Record
from contracts.documents import ParsedDocument
from contracts.numbers import number_tokens
from evaluation.table_truth import Agreement, compare_page, read_truth
from ingest.extract import extract

TARGETS = {"row recall": 0.97, "row precision": 0.95, "adjacency F1": 0.93}
MOST_SECONDS = 0.3
"""Of one core, for a page."""


class Outcome(Record):
    """What one document gave."""

    name: str
    pages: int
    seconds: float
    agreement: Agreement | None
    numbers: int
    foreign: tuple[str, ...]
    """`page 3: 1,234` for each number of a cell that the second reader does not see on that page."""


def measure(path: Path) -> Outcome:
    start = time.process_time()
    parsed = extract(path)
    seconds = time.process_time() - start
    truth = path.with_name(f"{path.stem}-str.xml")
    numbers, foreign = check_numbers(path, parsed)
    return Outcome(
        name=path.name,
        pages=parsed.document.pages,
        seconds=seconds,
        agreement=_score(parsed, truth) if truth.is_file() else None,
        numbers=numbers,
        foreign=foreign,
    )


def _score(parsed: ParsedDocument, truth: Path) -> Agreement:
    regions = defaultdict(list)
    for region in read_truth(truth):
        regions[region.page].append(region)
    total = Agreement()
    for page in range(1, parsed.document.pages + 1):
        grids = [[row.cells for row in table.rows if row.page == page] for table in parsed.tables]
        total += compare_page(regions[page], [grid for grid in grids if grid])
    return total


def check_numbers(path: Path, parsed: ParsedDocument) -> tuple[int, tuple[str, ...]]:
    """How many numbers the tables hold, and those that the other library does not read on their page."""
    import pdfplumber

    held: dict[int, Counter[str]] = defaultdict(Counter)
    for row in (row for table in parsed.tables for row in table.rows if not row.continued):
        held[row.page].update(token for cell in row.cells for token in number_tokens(cell))
    foreign: list[str] = []
    with pdfplumber.open(path) as pdf:
        for page, tokens in sorted(held.items()):
            words = pdf.pages[page - 1].extract_words(x_tolerance_ratio=0.15)
            seen = Counter(token for word in words for token in number_tokens(word["text"]))
            foreign += [f"page {page}: {token}" for token in (tokens - seen)]
            pdf.pages[page - 1].close()
    return sum(c.total() for c in held.values()), tuple(foreign)


def report(outcomes: Sequence[Outcome]) -> bool:
    """Prints the table; whether every target is met."""
    print(f"{'document':28} pages  rows  recall  precision  adjacency  s/page  numbers  not seen by the other reader")
    for outcome in outcomes:
        print(_line(outcome.name, [outcome]))
        for number in outcome.foreign:
            print(f"    {number}")
    print(_line("all", outcomes))
    scored = [o.agreement for o in outcomes if o.agreement is not None]
    if not scored:
        return True
    total = sum(scored, Agreement())
    found = {"row recall": total.recall, "row precision": total.precision, "adjacency F1": total.adjacency}
    missed = [f"{name} {found[name]:.3f} < {target}" for name, target in TARGETS.items() if found[name] < target]
    speed = sum(o.seconds for o in outcomes) / sum(o.pages for o in outcomes)
    missed += [f"{speed:.2f} s a page > {MOST_SECONDS}"] * (speed > MOST_SECONDS)
    print("targets met" if not missed else "missed: " + "; ".join(missed))
    return not missed


def _line(name: str, outcomes: Sequence[Outcome]) -> str:
    pages = sum(o.pages for o in outcomes)
    total = sum((o.agreement for o in outcomes if o.agreement is not None), Agreement())
    scores = f"{total.recall:7.1%}  {total.precision:9.1%}  {total.adjacency:9.3f}" if total.true_rows else f"{'-':>29}"
    seconds = sum(o.seconds for o in outcomes) / max(pages, 1)
    numbers, foreign = sum(o.numbers for o in outcomes), sum(len(o.foreign) for o in outcomes)
    return f"{name[:28]:28} {pages:5} {total.true_rows:5} {scores}  {seconds:6.3f}  {numbers:7}  {foreign}"


def main(folders: Sequence[str]) -> int:
    files = [path for folder in folders for path in sorted(Path(folder).glob("**/*.pdf"))]
    if not files:
        print("Give a folder of PDFs: make bench-tables TABLES=folder (or set ALLROWS_BENCH_DATA).", file=sys.stderr)
        return 2
    return 0 if report([measure(path) for path in files]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
