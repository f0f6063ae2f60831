"""`/documents`: list, look into, upload, delete."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from pydantic import BaseModel
from starlette.responses import Response

from contracts.documents import Section, Table, TableSummary
from contracts.errors import AccessDenied, UsageError
from contracts.filters import Caller
from serve.http import library
from serve.http.access import CallerDep
from serve.http.jobs import JobView
from serve.http.problem import not_found, problems
from serve.http.state import StateDep
from serve.library import DocumentView

router = APIRouter()
NAME = r"^[\w .,&+()-]{1,80}$"


class DocumentDetail(BaseModel):
    document: DocumentView
    outline: list[Section]
    tables: list[TableSummary]


@router.get("/documents", responses=problems(), summary="Documents that the caller may read")
async def list_documents(
    state: StateDep,
    caller: CallerDep,
    doc_type: Annotated[str | None, Query()] = None,
    period: Annotated[str | None, Query()] = None,
) -> list[DocumentView]:
    """Sorted by name."""
    found = await state.reads.run(partial(library.documents, state.services.index, caller, doc_type, period))
    return [DocumentView.of(d, caller) for d in found]


@router.get("/documents/{doc_id}", responses=problems(404), summary="One document with its outline and tables")
async def one_document(doc_id: str, state: StateDep, caller: CallerDep) -> DocumentDetail:
    found = await state.reads.run(partial(library.contents, state.services.index, caller, doc_id))
    if found is None:
        raise not_found("document")
    document, outline, tables = found
    return DocumentDetail(document=DocumentView.of(document, caller), outline=list(outline), tables=list(tables))


@router.get(
    "/documents/{doc_id}/tables/{table_id}", responses=problems(404), response_model=Table, summary="A whole table"
)
async def one_table(doc_id: str, table_id: str, state: StateDep, caller: CallerDep) -> Response:
    """Every row in document order, with its role and place."""
    table = await state.reads.run(partial(state.services.index.table, table_id, caller.scope()))
    if table is None or table.doc_id != doc_id:
        raise not_found("table")
    return Response(table.model_dump_json(), media_type="application/json")


@router.post(
    "/documents", status_code=202, responses=problems(413), summary="Upload a document; the work goes on as a job"
)
async def upload(
    request: Request,
    state: StateDep,
    caller: CallerDep,
    file: Annotated[UploadFile, File(description="one PDF, workbook, CSV or text file")],
    groups: Annotated[str, Form(description="who may read it, separated by commas; unset: the caller's own")] = "",
    doc_type: Annotated[str, Form(pattern=rf"^$|{NAME}")] = "",
    period: Annotated[
        str, Form(pattern=r"^$|^\d{4}(-(\d{2}|Q[1-4]))?$", description="2025-04, 2025, 2025-26, 2025-Q1")
    ] = "",
) -> JobView:
    """The same bytes twice are the same document. The job is kept before this answers, so a restart resumes it."""
    wanted = _groups(groups, caller)
    if not state.jobs.accepts:
        raise UsageError("This server was started without ingestion.", "Start it with `allrows serve`.")
    upload = library.Upload(
        stream=file.file, name=file.filename or "", groups=wanted, doc_type=doc_type or None, period=period or None
    )
    job = await state.reads.run(partial(library.accept, state, caller, upload, request.state.request_id))
    return JobView.of(job)


@router.delete(
    "/documents/{doc_id}", status_code=204, responses=problems(404), summary="Remove a document, or one's access"
)
async def delete(doc_id: str, request: Request, state: StateDep, caller: CallerDep) -> Response:
    """The document goes when no other group reads it; else the caller's groups lose it, by a job."""
    if not await state.reads.run(partial(library.remove, state, caller, doc_id, request.state.request_id)):
        raise not_found("document")
    return Response(status_code=204)


def _groups(text: str, caller: Caller) -> tuple[str, ...]:
    """The groups asked for, or the caller's own.

    Raises:
        UsageError: none given by someone who belongs to none. AccessDenied: groups of others.
    """
    asked = tuple(dict.fromkeys(g.strip() for g in text.split(",") if g.strip()))
    wanted = asked or caller.groups or ("everyone",)
    if not all(g.isprintable() and len(g) <= 80 for g in wanted):
        raise UsageError("A group's name has at most 80 printable characters.", "payroll would work.")
    if caller.groups is not None and not set(wanted) <= set(caller.groups):
        raise AccessDenied("A document can be given to one's own groups only.", f"Yours: {', '.join(caller.groups)}.")
    return wanted
