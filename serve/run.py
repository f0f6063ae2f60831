"""The state of one question on its way to an answer. Stages return a changed copy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from contracts.chunks import SparseVector
from contracts.documents import Document
from contracts.evidence import Candidate, CandidateView, Dispatch, Method, NotFoundReason, RetrievalResult
from contracts.filters import Scope
from contracts.plans import Computation
from contracts.questions import AskRequest, Question
from contracts.trace import TraceRecorder
from serve.llm.client import Usage

if TYPE_CHECKING:
    from compression.records import Compressed
    from serve.arbitrate import Arbitration
    from serve.keyword_detector import AbsentTerm
    from serve.llm.generate import Generated
    from serve.narrow import Narrowed
    from serve.not_found import NotFoundVerdict
    from serve.quote import Quoted
    from serve.quote_parts import PartAnswer
    from serve.services import Services

SNIPPET_LINES = 5
NOT_FOUND_CONFIDENCE = {
    NotFoundReason.NO_DOCUMENTS: 1.0,
    NotFoundReason.NO_KEYWORD_MATCH: 0.9,
    NotFoundReason.NOT_IN_EVIDENCE: 0.7,
    NotFoundReason.LOW_CONFIDENCE: 0.3,
}
"""How sure "not found" is: proven by the scope, proven by words, judged from the evidence, undecided."""


@dataclass(frozen=True)
class Run:
    """Filled from top to bottom; a field is set once its stage has run."""

    request: AskRequest
    services: Services
    recorder: TraceRecorder
    index_version: str = ""
    permitted: Scope = field(default_factory=Scope)
    """What the caller's groups and filters allow."""
    documents: tuple[Document, ...] = ()
    question: Question = field(default_factory=lambda: Question(text=""))
    narrowed: Narrowed | None = None
    dispatch: Dispatch | None = None
    vectors: dict[Method, tuple[float, ...] | SparseVector] = field(default_factory=dict)
    absent: tuple[AbsentTerm, ...] = ()
    """Terms of the question that occur nowhere in scope (`serve.keyword_detector`)."""
    pool: tuple[Candidate, ...] = ()
    fused: tuple[Candidate, ...] = ()
    """The pool best first, each table completed."""
    weights: dict[str, float] = field(default_factory=dict)
    computation: Computation | None = None
    reranked: tuple[Candidate, ...] = ()
    arbitration: Arbitration | None = None
    compressed: Compressed | None = None
    prompt: str = ""
    verdict: NotFoundVerdict | None = None
    quoted: Quoted | None = None
    parts: tuple[PartAnswer, ...] = ()
    """Of a question of two things, of which at least one is quoted; `quoted` combines them."""
    generated: Generated | None = None
    usage: Usage = field(default_factory=Usage)
    """Of all calls to the language model."""

    def having(self, **changes: Any) -> Run:
        return replace(self, **changes)

    @property
    def scope(self) -> Scope:
        return self.narrowed.scope if self.narrowed is not None else self.permitted

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The arbitrated candidates, primary first."""
        return self.arbitration.candidates if self.arbitration is not None else self.reranked

    def retrieval_result(self) -> RetrievalResult:
        """The one JSON between retrieval and generation."""
        views = tuple(_view(c) for c in self.candidates if c.anchor and c.context and c.role)
        methods = dict.fromkeys(m for c in self.candidates for m in c.methods)
        verdict = self.verdict
        return RetrievalResult(
            doc_id=views[0].doc_id if views else None,
            question=self.question.text,
            candidates=views,
            methods_used=tuple(methods),
            not_found=verdict is not None,
            not_found_reason=verdict.reason if verdict is not None else None,
            confidence=self.confidence(),
            contradictions=self.arbitration.contradictions if self.arbitration is not None else (),
        )

    def confidence(self) -> float:
        """Of the answer that this run leads to; see docs/retrieval.md for what it is computed from."""
        if self.verdict is not None:
            return NOT_FOUND_CONFIDENCE[self.verdict.reason]
        if self.computation is not None and self.computation.computed is not None:
            checks = self.computation.coverage.checks if self.computation.coverage is not None else ()
            return 1.0 if all(c.passed for c in checks) else 0.6
        return self.quoted.confidence if self.quoted is not None else 0.0


def _view(candidate: Candidate) -> CandidateView:
    assert candidate.anchor is not None and candidate.context is not None and candidate.role is not None
    chunk = candidate.chunk
    return CandidateView(
        candidate_id=candidate.candidate_id,
        doc_id=chunk.doc_id,
        doc_name=candidate.doc_name,
        anchor=candidate.anchor,
        context=candidate.context,
        snippet="\n".join(chunk.text.splitlines()[:SNIPPET_LINES]),
        text=chunk.text,
        methods=candidate.methods,
        matched_keywords=candidate.matched_keywords,
        section_title=chunk.section_title,
        role=candidate.role,
        reason=candidate.reason,
    )
