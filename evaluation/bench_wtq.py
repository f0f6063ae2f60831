"""Questions over 488 web tables through the planner, without a language model: `make bench-wtq`.

Reads `questions.tsv` and `csv/` of a WikiTableQuestions folder, given by argument or as `wtq` in ALLROWS_BENCH_DATA.
Prints how many were answered, how many of those right, the precision-coverage curve, and why the rest was declined.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from contracts.filters import Scope
from contracts.numbers import parse_date, parse_number
from contracts.plans import Computation
from contracts.questions import Question
from evaluation.csv_tables import DocumentIndex, read_document
from serve.compute import compute
from serve.compute.plan import CONFIDENT
from serve.lexicon import load_lexicon

HOW_MANY = "how many"


@dataclass(frozen=True)
class Item:
    """One question with its table and the values it is answered by."""

    id: str
    text: str
    table: Path
    targets: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    item: Item
    confidence: float
    right: bool
    given: tuple[str, ...]
    declined: str


def load_items(folder: Path) -> list[Item]:
    """The questions of a folder in the data set's own escaping (`\\n`, `\\p`, `\\\\`)."""
    with (folder / "questions.tsv").open(encoding="utf-8") as lines:
        next(lines)
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [Item(r[0], _plain(r[1]), folder / r[2], tuple(_plain(t) for t in r[3].split("|"))) for r in rows]


def _plain(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\p", "|").replace("\\\\", "\\")


def normalise(text: str) -> str:
    """As the data set's evaluator does: no accents, one kind of quote and dash, no footnotes, lower case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    plain = re.sub(r"[‘’´`]", "'", plain)
    plain = re.sub(r"[“”]", '"', plain)
    plain = re.sub(r"[‐‑‒–—−]", "-", plain)
    while True:
        before = plain
        plain = re.sub(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$", "", plain.strip())
        plain = re.sub(r"(?<!^)( \([^)]*\))*$", "", plain.strip())
        plain = re.sub(r'^"([^"]*)"$', r"\1", plain.strip())
        if plain == before:
            break
    return re.sub(r"\s+", " ", plain.removesuffix(".")).lower().strip()


def same(given: str, target: str) -> bool:
    """Equal as text, as number or as day."""
    if normalise(given) == normalise(target):
        return True
    one, two = parse_number(given), parse_number(target)
    if one is not None and two is not None:
        return abs(one - two) < Decimal("0.000001")
    first, second = parse_date(given), parse_date(target)
    return first is not None and first == second


def is_right(given: Sequence[str], targets: Sequence[str]) -> bool:
    """Every target given and nothing else."""
    return len(given) == len(targets) and all(any(same(g, t) for g in given) for t in targets)


def values(computation: Computation) -> tuple[str, ...]:
    computed = computation.computed
    if computed is None or computed.value is None:
        return ()
    found: Any = computed.value
    return tuple(str(v) for v in (found if isinstance(found, list) else [found]))


def run(items: Iterable[Item]) -> list[Outcome]:
    """Each question against its table alone, every plan run whatever its confidence."""
    indexes: dict[Path, DocumentIndex] = {}
    outcomes = []
    for item in items:
        if item.table not in indexes:
            indexes[item.table] = DocumentIndex([read_document(item.table)])
        found = compute(
            Question(text=item.text),
            index=indexes[item.table],
            scope=Scope(),
            candidates=(),
            lexicon=load_lexicon(),
            dense=None,
            threshold=0.0,
        )
        given = values(found)
        confidence = found.confidence if given else 0.0
        right = bool(given) and is_right(given, item.targets)
        outcomes.append(Outcome(item, confidence, right, given, found.declined or found.text))
    return outcomes


KINDS: tuple[tuple[str, str], ...] = (
    ("runs of rows (consecutive, in a row, streak)", r"consecutive|in a row|streak"),
    ("differences of two cells", r"difference|how many more|how much (?:more|older|longer)|how many years after"),
    ("yes or no", r"^(?:is|are|was|were|did|does|do|has|have|true|can)\b"),
    ("one of the named (A or B)", r"\bor\b"),
    ("the row before or after", r"\b(?:before|after|next|previous|above|below|follow\w*)\b"),
    ("like, besides or other than a row", r"\b(?:same|besides|other than|another|except)\b"),
    ("extremes and ranks", r"\b(?:most|least|first|last|highest|lowest|best|longest|largest|fewest|top)\b"),
    ("counts with conditions it could not place", r"how many|number of"),
    ("look-ups of other wordings", r""),
)
"""What declined questions ask for; the first that fits."""


def kind_of(text: str) -> str:
    return next(name for name, pattern in KINDS if re.search(pattern, text))


def report(outcomes: Sequence[Outcome], title: str) -> None:
    """Answered and right at the planner's threshold, then the curve."""
    answered = [o for o in outcomes if o.confidence >= CONFIDENT]
    right = sum(o.right for o in answered)
    print(f"{title}: {len(answered)} of {len(outcomes)} answered ({_share(len(answered), len(outcomes))}), ", end="")
    print(f"{right} right ({_share(right, len(answered))})")


def curve(outcomes: Sequence[Outcome]) -> None:
    print(f"{'threshold':>9} {'answered':>9} {'coverage':>9} {'precision':>9}")
    for threshold in (0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3):
        answered = [o for o in outcomes if o.confidence >= threshold]
        right = sum(o.right for o in answered)
        coverage, precision = _share(len(answered), len(outcomes)), _share(right, len(answered))
        print(f"{threshold:9.2f} {len(answered):9} {coverage:>9} {precision:>9}")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    base = os.environ.get("ALLROWS_BENCH_DATA")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(base) / "wtq" if base else None)
    parser.add_argument("--wrong", action="store_true", help="list the wrong answers")
    options = parser.parse_args()
    if options.folder is None or not (options.folder / "questions.tsv").is_file():
        print("no questions.tsv: give the data set's folder, or set ALLROWS_BENCH_DATA to the folder above it")
        return 2
    start = time.perf_counter()
    outcomes = run(load_items(options.folder))
    print(f"{len(outcomes)} questions in {time.perf_counter() - start:.0f} s, no language model")
    report(outcomes, "all")
    report([o for o in outcomes if HOW_MANY in o.item.text], "how many")
    report(outcomes[::2], "tuning half (every second question)")
    report(outcomes[1::2], "checking half")
    curve(outcomes)
    declined = [o for o in outcomes if o.confidence < CONFIDENT]
    print(f"declined: {len(declined)}")
    for kind, count in Counter(kind_of(o.item.text) for o in declined).most_common():
        print(f"{count:5}  {kind}")
    for o in outcomes if options.wrong else ():
        if o.confidence >= CONFIDENT and not o.right:
            print(f"{o.item.id}: {o.item.text} gave {'|'.join(o.given)}, not {'|'.join(o.item.targets)} ({o.declined})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
