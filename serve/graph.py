"""A question to an answer: the recipe. Stage order appears here and nowhere else in this package."""

from __future__ import annotations

from contracts.answers import Answer
from contracts.evidence import AuditRecord, RetrievalResult
from contracts.questions import AskRequest
from contracts.trace import Listener, TraceRecorder
from serve import stages
from serve.answer import compose
from serve.run import Run
from serve.services import Services


def ask(request: AskRequest, services: Services, listener: Listener | None = None) -> Answer:
    """The answer with its proof and its whole pipeline; its trace is stored when a trace store is open.

    `listener` is called with each stage's record as it finishes.

    Raises:
        UsageError: the question is empty or too long; FilterError: a filter outside the schema.
        StoreUnavailable: the engine cannot be reached.
    """
    run = follow(request, services, listener)
    answer = compose(run)
    if services.traces is not None:
        services.traces.save(answer, request.caller)
    return answer


def follow(request: AskRequest, services: Services, listener: Listener | None = None) -> Run:
    """Every stage up to the decision, with what each one handed on; evaluation looks into it."""
    run = _find(request, services, listener)
    run = stages.compress(run)
    run = stages.write_prompt(run)
    return stages.decide(run)


def retrieve(
    request: AskRequest, services: Services, listener: Listener | None = None
) -> tuple[RetrievalResult, AuditRecord]:
    """What `ask` would answer from, without answering."""
    run = stages.judge(_find(request, services, listener))
    assert run.arbitration is not None
    return run.retrieval_result(), run.arbitration.audit


def _find(request: AskRequest, services: Services, listener: Listener | None) -> Run:
    run = Run(request=request, services=services, recorder=TraceRecorder(listener))
    run = stages.analyse(run)
    run = stages.narrow(run)
    run = stages.dispatch(run)
    run = stages.retrieve(run)
    run = stages.pick_sections(run)
    run = stages.fuse(run)
    run = stages.compute(run)
    run = stages.rerank(run)
    return stages.arbitrate(run)
