"""One way to ask for every door: JSON, events, OpenAI, MCP and the console."""

from __future__ import annotations

import asyncio
import time
from functools import partial

from contracts.answers import Answer
from contracts.errors import UsageError
from contracts.evidence import AuditRecord, RetrievalResult
from contracts.filters import Caller
from contracts.questions import AskRequest, Strategy
from contracts.trace import Listener
from serve.http.state import State


def make_request(
    state: State,
    caller: Caller,
    question: str,
    filters: dict[str, tuple[str, ...]] | None = None,
    strategy: Strategy | None = None,
    request_id: str = "",
) -> AskRequest:
    """The request of a caller, who is who the key says and nobody else.

    Raises:
        UsageError: an empty question, or one over the limit.
    """
    limit = state.services.settings.max_question_chars
    if not question.strip():
        raise UsageError("The question is empty.", "Write a question.")
    if len(question) > limit:
        raise UsageError(f"The question has {len(question)} characters; {limit} are allowed.", "Shorten it.")
    return AskRequest(
        question=question, filters=filters or {}, strategy=strategy, caller=caller, request_id=request_id or None
    )


def start(state: State, request: AskRequest, listener: Listener | None = None) -> asyncio.Future[Answer]:
    """Answers on the pool. The answer is logged and counted even if whoever asked has gone.

    Raises:
        Busy: at once, when the queue is full.
    """
    return state.pool.submit(partial(_answer, state, request, listener))


async def ask(state: State, request: AskRequest) -> Answer:
    """The answer, as much of it as the caller may see."""
    return await asyncio.shield(start(state, request))


async def retrieve(state: State, request: AskRequest) -> tuple[RetrievalResult, AuditRecord]:
    """What an answer would be made from."""
    return await state.pool.run(partial(_retrieve, state, request))


def for_caller(answer: Answer, caller: Caller) -> Answer:
    """Readers see the answer with its citations and coverage, not the pipeline."""
    return answer.model_copy(update={"pipeline": None}) if caller.role == "reader" else answer


def _answer(state: State, request: AskRequest, listener: Listener | None) -> Answer:
    began = time.time()
    answer = state.engine.ask(request, listener)
    state.audit.record(
        request.caller,
        "ask",
        request.question,
        {c.doc_id for c in answer.citations},
        answer.trace_id,
        request.request_id or "",
    )
    state.metrics.answer(answer)
    for tell in state.after_answer:
        tell(answer, began)
    return for_caller(answer, request.caller)


def _retrieve(state: State, request: AskRequest) -> tuple[RetrievalResult, AuditRecord]:
    result, audit = state.engine.retrieve(request)
    seen = {c.doc_id for c in result.candidates}
    state.audit.record(request.caller, "retrieve", request.question, seen, "", request.request_id or "")
    return result, audit
