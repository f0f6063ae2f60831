"""The console's pages: ask, a cited page, signing in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi import Path as PathParameter
from starlette.responses import RedirectResponse, Response

from contracts.answers import Answer
from contracts.documents import Document, Table
from contracts.errors import AllrowsError
from contracts.filters import Caller
from serve import pages
from serve.console.present import view
from serve.http import asking, sse
from serve.http.access import CallerDep
from serve.http.pages import NUMBERS, draw, numbers
from serve.http.pages_html import NOBODY, html, text
from serve.http.problem import Problem, kind_of, not_found
from serve.http.sessions import COOKIE, LIFETIME_S
from serve.http.state import State, StateDep

router = APIRouter(include_in_schema=False)
STATIC = {"console.css": "text/css", "console.js": "text/javascript", "icon.svg": "image/svg+xml"}
MAX_TABLES = 4
"""Tables shown whole below an answer."""


@router.get("/")
async def ask_page(request: Request, state: StateDep, caller: CallerDep) -> Response:
    return html(request, "ask.html", caller, **await _asking(state, caller, "", "", ""))


@router.post("/console/ask")
async def ask(
    request: Request,
    state: StateDep,
    caller: CallerDep,
    question: Annotated[str, Form()] = "",
    doc_type: Annotated[str, Form()] = "",
    period: Annotated[str, Form()] = "",
) -> Response:
    """With a script: events, the last one the rendered answer. Without: the whole page."""
    narrowed: dict[str, tuple[str, ...]] = {
        name: (value,) for name, value in (("doc_type", doc_type), ("period", period)) if value
    }
    streaming = "text/event-stream" in request.headers.get("accept", "")
    shared = {} if streaming else await _asking(state, caller, question, doc_type, period)
    try:
        asked = asking.make_request(state, caller, question, narrowed, request_id=request.state.request_id)
        if streaming:
            return sse.stream(_events(request, state, caller, sse.AnswerStream(state, asked)))
        answer = await asking.ask(state, asked)
    except AllrowsError as error:
        if streaming:
            raise
        return html(request, "ask.html", caller, status=error.status, **{**shared, "error": problem_of(error)})
    shown = view(answer, await answer_tables(state, caller, answer))
    return html(request, "ask.html", caller, **{**shared, "view": shown})


async def _events(request: Request, state: State, caller: Caller, running: sse.AnswerStream) -> AsyncIterator[str]:
    async for piece in running.events(last=lambda _: ""):
        yield piece
    if running.succeeded:
        answer = await running.answer()
        shown = view(answer, await answer_tables(state, caller, answer))
        yield sse.event("html", text(request, "_answer.html", caller, view=shown))


@router.get("/console/page/{doc_id}/{page}")
async def page(
    request: Request,
    doc_id: str,
    page: Annotated[int, PathParameter(ge=1, le=1_000_000)],
    state: StateDep,
    caller: CallerDep,
    table: Annotated[str | None, Query()] = None,
    rows: Annotated[str, Query(pattern=NUMBERS)] = "",
    lines: Annotated[str, Query(pattern=NUMBERS)] = "",
    part: bool = False,
) -> Response:
    """A page with its marks and links to the other pages on which the same rows stand; `part` for the dialog."""
    marked = pages.Marked(table_id=table, rows=numbers(rows), lines=numbers(lines))
    document, seen, cited = await state.reads.run(partial(_page, state, caller, doc_id, page, marked))
    template = "_page.html" if part else "page.html"
    return html(
        request, template, caller, document=document, page=page, boxes=seen.boxes, drawn_from=seen.drawn_from,
        cited=cited, table_id=table, rows=marked.rows, lines=lines,
    )  # fmt: skip


def _page(
    state: State, caller: Caller, doc_id: str, page: int, marked: pages.Marked
) -> tuple[Document, pages.PageView, list[int]]:
    seen = draw(state, caller, doc_id, page, marked)
    document = state.services.index.document(doc_id, caller.scope())
    if document is None:
        raise not_found("page")
    table = state.services.index.table(marked.table_id, caller.scope()) if marked.table_id else None
    cited = pages.pages_of(table, marked.rows) if table is not None and marked.rows else [page]
    return document, seen, cited


@router.get("/login")
async def login_page(request: Request, next: Annotated[str, Query()] = "/") -> Response:
    return html(request, "login.html", NOBODY, next=_local(next))


@router.post("/login")
async def login(
    request: Request, state: StateDep, key: Annotated[str, Form()] = "", next: Annotated[str, Form()] = "/"
) -> Response:
    """A right key gives a session; tries are limited for each address."""
    state.logins.check(request.client.host if request.client else "unknown")
    record = state.keys.find(key.strip())
    if record is None:
        return html(request, "login.html", NOBODY, status=401, next=_local(next), error="This key is not known here.")
    response = RedirectResponse(_local(next), status_code=303)
    response.set_cookie(
        COOKIE,
        state.sessions.issue(record.key_id),
        max_age=LIFETIME_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.post("/logout")
async def logout() -> Response:
    response = RedirectResponse("/login", status_code=303)
    response.delete_cookie(COOKIE)
    return response


@router.get("/static/{name}")
async def static(name: str) -> Response:
    if name not in STATIC:
        raise not_found("file")
    content = files("serve.console").joinpath(name).read_bytes()
    return Response(content, media_type=STATIC[name], headers={"cache-control": "max-age=300"})


async def answer_tables(state: State, caller: Caller, answer: Answer) -> list[Table]:
    """The tables that the answer was computed over, as far as the caller may read them; operators only."""
    if answer.computed is None or answer.pipeline is None:
        return []
    return await state.reads.run(partial(_tables, state, caller, answer.computed.plan.table_ids[:MAX_TABLES]))


def _tables(state: State, caller: Caller, table_ids: tuple[str, ...]) -> list[Table]:
    found = (state.services.index.table(t, caller.scope()) for t in table_ids)
    return [table for table in found if table is not None]


def problem_of(error: AllrowsError) -> Problem:
    kind = kind_of(error)
    return Problem(
        type=kind,
        title=kind.replace("-", " ").capitalize(),
        status=error.status,
        detail=error.message,
        remedy=error.remedy,
    )


async def _asking(state: State, caller: Caller, question: str, doc_type: str, period: str) -> dict[str, Any]:
    documents = await state.reads.run(partial(state.services.index.documents, caller.scope()))
    return {
        "question": question,
        "max_chars": state.services.settings.max_question_chars,
        "doc_types": sorted({d.doc_type for d in documents}),
        "periods": sorted({d.period for d in documents if d.period}),
        "chosen_type": doc_type,
        "chosen_period": period,
    }


def _local(target: str) -> str:
    """Only a path of this service: a sign-in never leads to another host."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"
