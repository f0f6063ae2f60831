"""`/pages`: a page as a picture with the used rows marked."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from contracts.errors import UsageError
from contracts.filters import Caller
from serve import pages
from serve.http import library
from serve.http.access import CallerDep
from serve.http.problem import not_found, problems
from serve.http.state import State, StateDep

router = APIRouter()
NUMBERS = r"^$|^\d{1,7}(-\d{1,7})?(,\d{1,7}(-\d{1,7})?)*$"
MAX_NUMBERS = 20_000
_PNG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get(
    "/pages/{doc_id}/{page}.png",
    responses={**_PNG, **problems(404)},
    response_class=Response,
    summary="A page's picture",
)
async def page_image(
    doc_id: str,
    page: Annotated[int, Path(ge=1, le=1_000_000)],
    state: StateDep,
    caller: CallerDep,
    table: Annotated[str | None, Query(description="the table whose rows are marked")] = None,
    rows: Annotated[str, Query(pattern=NUMBERS, description="row indexes, e.g. 1-12,15")] = "",
    lines: Annotated[str, Query(pattern=NUMBERS, description="lines of the page, e.g. 3-5")] = "",
) -> Response:
    """PNG; `allrows-drawn-from` says whether it was drawn from the file or from the stored lines."""
    marked = pages.Marked(table_id=table, rows=numbers(rows), lines=numbers(lines))
    view = await state.reads.run(partial(draw, state, caller, doc_id, page, marked))
    headers = {"allrows-drawn-from": view.drawn_from, "cache-control": "private, max-age=300"}
    return Response(view.png, media_type="image/png", headers=headers)


def draw(state: State, caller: Caller, doc_id: str, page: int, marked: pages.Marked) -> pages.PageView:
    """The page if the caller may read its document.

    Raises:
        NotFound: no such document for this caller, or no such page.
        UsageError: rows without the table they are of, when the document has several.
    """
    scope = caller.scope()
    document = state.services.index.document(doc_id, scope)
    if document is None:
        raise not_found("page")
    if marked.rows and marked.table_id is None:
        marked = marked.model_copy(update={"table_id": _only_table(state, caller, doc_id, page)})
    view = pages.render(document, page, marked, state.services.index, scope, state.files.find(document))
    if view is None:
        raise not_found("page")
    return view


def _only_table(state: State, caller: Caller, doc_id: str, page: int) -> str:
    found = library.contents(state.services.index, caller, doc_id)
    tables = [t.table_id for t in found[2] if page in t.pages] if found else []
    if len(tables) != 1:
        raise UsageError(f"The page has {len(tables)} tables.", "Say which: table=TABLE_ID")
    return tables[0]


def numbers(text: str) -> tuple[int, ...]:
    """`1-3,7` → (1, 2, 3, 7).

    Raises:
        UsageError: more numbers than any page has.
    """
    spans = [(int(first), int(last or first)) for first, last in re.findall(r"(\d+)(?:-(\d+))?", text)]
    if sum(max(0, last - first + 1) for first, last in spans) > MAX_NUMBERS:
        raise UsageError(f"More than {MAX_NUMBERS} rows or lines.", "Ask for those of one page.")
    return tuple(n for first, last in spans for n in range(first, last + 1))


def spans(values: tuple[int, ...]) -> str:
    """(1, 2, 3, 7) → `1-3,7`."""
    parts: list[list[int]] = []
    for value in sorted(set(values)):
        if parts and value == parts[-1][1] + 1:
            parts[-1][1] = value
        else:
            parts.append([value, value])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
