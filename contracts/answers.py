"""The answer and its proof."""

from __future__ import annotations

from typing import Literal

from contracts.base import JsonValue, Record
from contracts.evidence import AuditRecord, Candidate, Citation, DroppedItem, NotFoundReason, RetrievalResult
from contracts.plans import Computed, Coverage
from contracts.questions import Question


class StageRecord(Record):
    """What one stage did."""

    name: str
    ms: float
    count_in: int
    count_out: int
    dropped: tuple[DroppedItem, ...] = ()
    detail: dict[str, JsonValue] = {}


class Survival(Record):
    """Which identifiers are still there after each stage."""

    identifiers: tuple[str, ...] = ()
    stages: dict[str, tuple[str, ...]] = {}
    """Stage name to the identifiers present in its output, in pipeline order."""

    def first_drop(self) -> dict[str, str]:
        """Identifier to the first stage at which it is missing, in time linear in the identifiers: a register has
        10,000 of them."""
        stages = {stage: frozenset(present) for stage, present in self.stages.items()}
        missing = {i: next((s for s, present in stages.items() if i not in present), None) for i in self.identifiers}
        return {i: stage for i, stage in missing.items() if stage is not None}


class Pipeline(Record):
    """Everything an operator needs to see why the answer is what it is."""

    question: Question
    retrieved: int = 0
    after_rerank: int = 0
    chars_before_compression: int = 0
    chars_after_compression: int = 0
    stages: tuple[StageRecord, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    scores: dict[str, JsonValue] = {}
    decisions: dict[str, JsonValue] = {}
    filters: dict[str, JsonValue] = {}
    weights: dict[str, float] = {}
    survival: Survival = Survival()
    audit: AuditRecord | None = None
    retrieval: RetrievalResult | None = None
    prompt: str = ""
    prompt_sha256: str = ""
    settings: dict[str, JsonValue] = {}
    versions: dict[str, str] = {}
    tokens: dict[str, int] = {}
    cost: float = 0.0
    """In the currency of the price table in the settings; 0 without a model."""


class Answer(Record):
    answer: str
    mode: Literal["computed", "quoted", "generated", "not_found"]
    question: str = ""
    not_found: bool = False
    not_found_reason: NotFoundReason | None = None
    searched: str = ""
    """What was searched, when nothing was found."""
    confidence: float = 0.0
    citations: tuple[Citation, ...] = ()
    computed: Computed | None = None
    coverage: Coverage | None = None
    degraded: tuple[str, ...] = ()
    """Marks, see `contracts.marks`."""
    index_version: str = ""
    trace_id: str = ""
    pipeline: Pipeline | None = None
    """None for readers."""
