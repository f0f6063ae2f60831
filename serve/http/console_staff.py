"""The console's pages for operators: traces, documents, health."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from contracts.documents import Document, Section, Table
from contracts.errors import AllrowsError, UsageError
from contracts.filters import Caller
from contracts.marks import Mark
from serve.console.present import MODES, differences, view
from serve.http import library
from serve.http.access import CallerDep
from serve.http.console import answer_tables
from serve.http.health import readiness
from serve.http.jobs import JobView
from serve.http.pages_html import html
from serve.http.problem import not_found
from serve.http.state import State, StateDep
from serve.http.traces import FilterDep, find, replay
from serve.library import DocumentView
from serve.tracestore import StoredTrace, TraceFilter

T = TypeVar("T")
router = APIRouter(include_in_schema=False)
RECENT = 500
MAX_TABLES = 50
MAX_JOBS = 10


@router.get("/console/traces")
async def traces_page(request: Request, state: StateDep, caller: CallerDep, filters: FilterDep) -> Response:
    one_more = filters.model_copy(update={"limit": filters.limit + 1})
    found = await state.reads.run(partial(state.traces.list, one_more, caller))
    documents = await state.reads.run(partial(state.services.index.documents, caller.scope()))
    narrowed = {k: v for k, v in request.query_params.items() if v and k != "offset"}
    return html(
        request, "traces.html", caller, traces=found[: filters.limit], more=len(found) > filters.limit,
        filters=filters, marks=[str(m) for m in Mark], modes=MODES, documents=documents, query=urlencode(narrowed), asked=request.query_params,
        newer=urlencode({**narrowed, "offset": max(0, filters.offset - filters.limit)}),
        older=urlencode({**narrowed, "offset": filters.offset + filters.limit}),
    )  # fmt: skip


@router.get("/console/traces/{trace_id}")
async def trace_page(request: Request, trace_id: str, state: StateDep, caller: CallerDep) -> Response:
    return html(request, "trace.html", caller, **await _trace(state, caller, trace_id))


@router.post("/console/traces/{trace_id}/replay")
async def replay_page(
    request: Request,
    trace_id: str,
    state: StateDep,
    caller: CallerDep,
    generation_only: Annotated[bool, Form()] = True,
) -> Response:
    """The report alone for a script, else the trace's page with it."""
    report = await replay(state, trace_id, caller, generation_only, request.state.request_id)
    if request.headers.get("accept", "").startswith("text/x-part"):
        return html(request, "_replay.html", caller, report=report.model_dump(mode="json"))
    return html(
        request, "trace.html", caller, **await _trace(state, caller, trace_id), report=report.model_dump(mode="json")
    )


@router.get("/console/compare")
async def compare_page(
    request: Request, state: StateDep, caller: CallerDep, id: Annotated[tuple[str, ...], Query()] = ()
) -> Response:
    """Two answers and every leaf in which they differ."""
    if len(id) != 2:
        raise UsageError("Two answers can be compared.", "Tick two of the list.")
    traces = [await find(state, trace_id, caller) for trace_id in id]
    sides = [{"trace": t, "view": view(t.answer)} for t in traces]
    left, right = map(_comparable, traces)
    return html(request, "compare.html", caller, sides=sides, differing=differences(left, right))


@router.get("/console/documents")
async def documents_page(request: Request, state: StateDep, caller: CallerDep) -> Response:
    documents = await state.reads.run(partial(state.services.index.documents, caller.scope()))
    jobs = await state.reads.run(partial(state.jobs.store.list, caller, MAX_JOBS))
    return html(
        request, "documents.html", caller, documents=[DocumentView.of(d, caller) for d in documents],
        doc_types=sorted({d.doc_type for d in documents}), jobs=[JobView.of(j) for j in jobs],
    )  # fmt: skip


@router.get("/console/documents/{doc_id}")
async def document_page(request: Request, doc_id: str, state: StateDep, caller: CallerDep) -> Response:
    found = await state.reads.run(partial(_document, state, caller, doc_id))
    if found is None:
        raise not_found("document")
    document, outline, tables = found
    return html(
        request, "document.html", caller, document=DocumentView.of(document, caller), outline=outline, tables=tables
    )


@router.get("/console/health")
async def health_page(request: Request, state: StateDep, caller: CallerDep) -> Response:
    """What works; counts of the whole index only for those who may see the whole index. With the store away the page
    says so and shows what is left: it is read when something is wrong."""
    index = state.services.index
    recent = await _if_there(state, partial(state.traces.list, TraceFilter(limit=RECENT), caller))
    documents = await _if_there(state, partial(index.documents, caller.scope()))
    settings, model = state.services.settings, state.services.model
    return html(
        request, "health.html", caller, not_ready=await readiness(state),
        index=await _if_there(state, index.state) if caller.groups is None else None,
        documents=None if documents is None else len(documents),
        inside=state.pool.inside, outside=state.pool.outside, workers=settings.workers, queue=settings.queue_limit,
        jobs_waiting=state.jobs.waiting, model=settings.openai_model, rest=model.rest_s() if model is not None else 0.0,
        recent=len(recent or ()), mark_counts=Counter(m for t in recent or () for m in t.marks).most_common(),
    )  # fmt: skip


async def _if_there(state: State, read: Callable[[], T]) -> T | None:
    try:
        return await state.reads.run(read)
    except AllrowsError:
        return None


async def _trace(state: State, caller: Caller, trace_id: str) -> dict[str, Any]:
    trace = await find(state, trace_id, caller)
    return {"trace": trace, "view": view(trace.answer, await answer_tables(state, caller, trace.answer))}


def _document(state: State, caller: Caller, doc_id: str) -> tuple[Document, tuple[Section, ...], list[Table]] | None:
    found = library.contents(state.services.index, caller, doc_id)
    if found is None:
        return None
    document, outline, summaries = found
    tables = (state.services.index.table(s.table_id, caller.scope()) for s in summaries[:MAX_TABLES])
    return document, outline, [t for t in tables if t is not None]


def _comparable(trace: StoredTrace) -> dict[str, Any]:
    """What is worth comparing: no ids, no times, no texts of candidates."""
    answer = trace.answer.model_dump(
        mode="json",
        include={"answer", "mode", "question", "not_found_reason", "confidence", "degraded", "index_version"},
    )
    answer["degraded"] = ", ".join(answer["degraded"])
    if trace.answer.coverage is not None:
        answer["coverage"] = trace.answer.coverage.model_dump(mode="json", include={"rows_used", "rows_extracted"})
    pipeline = trace.answer.pipeline
    if pipeline is None:
        return answer
    answer["candidates"] = {
        f"{c.doc_name} p. {c.chunk.page_start} {c.candidate_id[:8]}": f"{c.fused:.3f} {c.role.value if c.role else ''}"
        for c in pipeline.candidates
    }
    return {
        **answer,
        "prompt": pipeline.prompt_sha256[:12],
        "retrieved": pipeline.retrieved,
        "after rerank": pipeline.after_rerank,
        "characters in the prompt": pipeline.chars_after_compression,
        "settings": pipeline.settings,
        "versions": pipeline.versions,
        "weights": pipeline.weights,
    }
