"""What retrieval finds and what is decided about it."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from contracts.base import BBox, JsonValue, Record
from contracts.chunks import Chunk

Method = Literal["dense", "bm25", "outline", "keywords", "amendments", "outline_model", "umg", "table"]
"""`amendments`: of a document that changes another one; `outline_model`: the language model picked the section from a
very long outline; `table`: the plan of an aggregate question reads the table the chunk belongs to."""


class Score(Record):
    """One detector's view of a candidate."""

    raw: float
    normalised: float
    """Min-max over the pool, in [0, 1]."""
    rank: int | None = None
    """1-based rank in the method's own list; None when the score was fetched for the union."""


class Role(StrEnum):
    PRIMARY = "primary"
    SUPPORTING = "supporting"
    TANGENTIAL = "tangential"
    DISCARDED = "discarded"


class Anchor(Record):
    """The narrow place that matched."""

    page: int
    line_start: int
    line_end: int
    section_id: str | None = None
    table_id: str | None = None
    rows: tuple[int, ...] = ()


class Context(Record):
    """The wider window that is passed on; its range contains the anchor's."""

    page_start: int
    line_start: int
    page_end: int
    line_end: int


class Candidate(Record):
    """A chunk with everything that is known of it so far. Stages return changed copies."""

    candidate_id: str
    """The chunk's id."""
    chunk: Chunk
    doc_name: str
    doc_type: str
    period: str | None = None
    scores: dict[str, Score] = {}
    """By method."""
    methods: tuple[Method, ...] = ()
    """Methods that found it by themselves, in order of discovery."""
    matched_keywords: tuple[str, ...] = ()
    fused: float = 0.0
    rerank_logit: float | None = None
    rerank_score: float | None = None
    """Sigmoid of the logit."""
    role: Role | None = None
    reason: str = ""
    anchor: Anchor | None = None
    context: Context | None = None


class CandidateView(Record):
    """A candidate as the one JSON between retrieval and generation shows it."""

    candidate_id: str
    doc_id: str
    doc_name: str
    anchor: Anchor
    context: Context
    snippet: str
    text: str
    methods: tuple[Method, ...]
    matched_keywords: tuple[str, ...]
    section_title: str
    role: Role
    reason: str


class NotFoundReason(StrEnum):
    NO_DOCUMENTS = "no_documents"
    NO_KEYWORD_MATCH = "no_keyword_match"
    LOW_CONFIDENCE = "low_confidence"
    NOT_IN_EVIDENCE = "not_in_evidence"


class Contradiction(Record):
    """Two candidates that say different things of one subject."""

    candidate_ids: tuple[str, ...]
    explanation: str


class RetrievalResult(Record):
    """Everything generation may use, primary candidates first."""

    doc_id: str | None
    """The document of the first primary candidate."""
    question: str
    candidates: tuple[CandidateView, ...]
    methods_used: tuple[Method, ...]
    not_found: bool = False
    not_found_reason: NotFoundReason | None = None
    confidence: float = 0.0
    contradictions: tuple[Contradiction, ...] = ()


class CandidateAudit(Record):
    candidate_id: str
    methods_that_found_it: tuple[Method, ...]
    rank_per_method: dict[str, int]
    structural_context: str
    role: Role | None
    reason: str


class AuditRecord(Record):
    candidates: tuple[CandidateAudit, ...]
    methods_run: tuple[Method, ...]
    methods_skipped: tuple[Method, ...]
    skipped_reasons: dict[str, str]
    arbiter: Literal["model", "rules"] = "rules"
    arbiter_reason: str = ""


class Dispatch(Record):
    """Which methods run, and why the others do not."""

    strategy: str
    run: tuple[Method, ...]
    reasons: dict[str, str]
    """Method to why it runs or is skipped."""

    def considered(self, method: Method, reason: str, *, runs: bool = False) -> Dispatch:
        """With one more method decided on."""
        run = (*self.run, method) if runs else self.run
        return self.model_copy(update={"run": run, "reasons": {**self.reasons, method: reason}})

    @property
    def skipped(self) -> tuple[Method, ...]:
        every: tuple[Method, ...] = ("dense", "bm25", "outline", "keywords")
        more: tuple[Method, ...] = ("amendments", "outline_model")
        asked = tuple(m for m in more if m in self.reasons)
        return tuple(m for m in (*every, *asked) if m not in self.run)


class Citation(Record):
    """A place in a document that the answer stands on."""

    doc_id: str
    doc_name: str
    page: int
    line_start: int
    line_end: int
    section_title: str = ""
    table_id: str | None = None
    rows: tuple[int, ...] = ()
    """`Row.index` of the rows on this page."""
    bboxes: tuple[BBox, ...] = ()
    """One for each row, or one for the lines."""
    quote: str = ""


class DroppedItem(Record):
    """Something that a stage left out."""

    item: str
    reason: str
    detail: JsonValue = None
