"""Questions over 488 web tables through the planner, without a language model: `make bench-wtq`.

Reads `questions.tsv` and `csv/` of a WikiTableQuestions folder, given by argument or as `wtq` in ALLROWS_BENCH_DATA.
Prints how many were answered, how many of those right, the precision-coverage curve, and why the rest was declined.
"""

from __future__ import annotations

import re
import unicodedata
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
    lexicon = load_lexicon()
    tables: dict[Path, DocumentIndex] = {}
    outcomes = []
    for item in items:
        if item.table not in tables:
            tables[item.table] = DocumentIndex([read_document(item.table)])
        index = tables[item.table]
        computation = compute(
            Question(text=item.text),
            index=index,
            scope=Scope(),
            candidates=(),
            lexicon=lexicon,
            dense=None,
            threshold=0.0,
        )
        given = values(computation)
        outcomes.append(
            Outcome(
                item,
                computation.confidence if given else 0.0,
                bool(given) and is_right(given, item.targets),
                given,
                computation.declined or computation.text,
            )
        )
    return outcomes
