"""Rendering of the console's templates, and the links that they share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from contracts.filters import Caller
from serve.http.pages import spans
from serve.http.sessions import COOKIE

EVERYONE = ("reader", "operator", "admin")
STAFF = ("operator", "admin")
NAV = (
    ("/", "Ask", EVERYONE),
    ("/console/traces", "Traces", STAFF),
    ("/console/documents", "Documents", STAFF),
    ("/console/health", "Health", STAFF),
)
NOBODY = Caller(name="", role="nobody", groups=())


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Everything is escaped; a name that a template does not get is an error, not an empty place."""
    env = Environment(
        loader=PackageLoader("serve", "console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(page_link=page_link, image_link=image_link)
    env.filters["moment"] = moment
    env.filters["pretty"] = pretty
    return env


def html(request: Request, template: str, caller: Caller, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page for a caller."""
    return HTMLResponse(text(request, template, caller, **values), status_code=status)


def text(request: Request, template: str, caller: Caller, **values: Any) -> str:
    shared = {
        "caller": caller,
        "here": request.url.path,
        "nav": NAV,
        "signed_in": COOKIE in request.cookies,
        "error": None,
        "view": None,
    }
    return environment().get_template(template).render({**shared, **values})


def page_link(doc_id: str, page: int, table_id: str | None, rows: Sequence[int], lines: str) -> str:
    """The console's view of a page with places marked."""
    return f"/console/page/{quote(doc_id, safe='')}/{page}{_marked(table_id, rows, lines)}"


def image_link(doc_id: str, page: int, table_id: str | None, rows: Sequence[int], lines: str) -> str:
    return f"/pages/{quote(doc_id, safe='')}/{page}.png{_marked(table_id, rows, lines)}"


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def pretty(value: Any) -> str:
    """JSON to read; letters of every language stay letters."""
    return json.dumps(value, indent=1, ensure_ascii=False, default=str)


def _marked(table_id: str | None, rows: Sequence[int], lines: str) -> str:
    query = {"table": table_id or "", "rows": spans(tuple(rows)), "lines": lines}
    given = {name: value for name, value in query.items() if value}
    return f"?{urlencode(given, safe=',-')}" if given else ""
