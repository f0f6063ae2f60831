"""What asking one golden question gave: the records that every metric reads."""

from __future__ import annotations

from contracts.answers import Answer, Survival
from contracts.base import Record
from evaluation.golden import GoldenQuestion


class CitedRow(Record):
    doc_name: str
    table_id: str
    row: int
    cells: tuple[str, ...]


class Judgement(Record):
    correct: bool
    reason: str
    """Why it counts as wrong; "" when correct."""
    wrong_unmarked: bool
    """Wrong, not "not found", and without a mark that would have warned the reader."""


class Evidence(Record):
    """Where the texts that prove the answer are, and what of them got how far."""

    relevant: tuple[str, ...] = ()
    """Ids of the chunks that hold at least one of the question's needles, in its documents."""
    ranked: tuple[str, ...] = ()
    """Ids of the retrieved chunks, best first, before the reranker."""
    needles: int = 0
    in_prompt: int = 0
    """Needles that stand in the prompt."""


class Outcome(Record):
    question: GoldenQuestion
    answer: Answer
    ms: float
    judgement: Judgement
    survival: Survival = Survival()
    """Of the golden set's own identifiers, not of those the product chose to watch."""
    announced: tuple[str, ...] = ()
    """Identifiers that compression had to leave out and that the prompt names as left out (`table_truncated`)."""
    evidence: Evidence = Evidence()
    cited_rows: tuple[CitedRow, ...] = ()
    error: str | None = None
    """An error instead of an answer; counted as wrong and unmarked."""


def silent_losses(outcome: Outcome) -> dict[str, str]:
    """Identifier to the first stage without it, as far as the answer does not say so itself."""
    return {i: stage for i, stage in outcome.survival.first_drop().items() if i not in outcome.announced}


class Metric(Record):
    """One figure of a report."""

    name: str
    value: float | None
    """None when no question bears on it."""
    n: int
    """Questions (or other units) it is computed over."""
    unit: str = ""
    """`""` for a share in [0, 1], `ms`, `tokens`, `currency`."""
    better: str = "higher"
    """`higher`, `lower` or `neither`."""
    low: float | None = None
    high: float | None = None
    """95 % bootstrap interval, where there are enough questions."""
    parts: dict[str, float] = {}
    """The same figure by kind, stage or k."""
    note: str = ""
