"""RFC 9457 problem details: the one shape of every error, whatever raised it."""

from __future__ import annotations

import logging
import re
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from contracts.errors import AllrowsError, NotAuthenticated, NotFound, ServiceError, UsageError

log = logging.getLogger("allrows.http")
MEDIA_TYPE = "application/problem+json"


class FieldProblem(BaseModel):
    field: str
    message: str


class OpenAIError(BaseModel):
    """What clients of the OpenAI API read."""

    message: str
    type: str
    code: str


class Problem(BaseModel):
    """RFC 9457, with what to do about it."""

    type: str = Field(examples=["urn:allrows:problem:busy"])
    title: str
    status: int
    detail: str
    remedy: str = ""
    request_id: str = ""
    errors: list[FieldProblem] = []
    error: OpenAIError | None = None


def problem_response(
    request: Request,
    status: int,
    kind: str,
    detail: str,
    remedy: str = "",
    errors: list[FieldProblem] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    body = Problem(
        type=f"urn:allrows:problem:{kind}",
        title=kind.replace("-", " ").capitalize(),
        status=status,
        detail=detail,
        remedy=remedy,
        request_id=getattr(request.state, "request_id", ""),
        errors=errors or [],
        error=OpenAIError(message=f"{detail} {remedy}".strip(), type=kind, code=kind)
        if request.url.path.startswith("/v1/")
        else None,
    )
    if _is_page(request):
        return _page(request, body, headers)
    content = body.model_dump(mode="json", exclude_none=True)
    return JSONResponse(content, status_code=status, media_type=MEDIA_TYPE, headers=headers)


def _is_page(request: Request) -> bool:
    """A person looks at it in the console, and no script asked for it."""
    path = request.url.path
    return (path == "/" or path.startswith("/console")) and "text/html" in request.headers.get("accept", "")


def _page(request: Request, body: Problem, headers: dict[str, str] | None) -> Response:
    from serve.http.pages_html import NOBODY, html

    if body.status == 401:
        target = request.url.path if request.method == "GET" else "/"
        return RedirectResponse(f"/login?{urlencode({'next': target})}", status_code=303)
    caller = getattr(request.state, "caller", NOBODY)
    response = html(request, "problem.html", caller, status=body.status, error=body)
    response.headers.update(headers or {})
    return response


def kind_of(error: BaseException) -> str:
    """`FilterError` → `filter-error`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__.rstrip("_")).lower()


def install(app: FastAPI) -> None:
    """Every exception leaves the service as a problem; those that nobody expects are caught by the envelope."""
    app.add_exception_handler(AllrowsError, _ours)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _validation)


def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, AllrowsError)
    headers = {}
    if isinstance(error, ServiceError) and error.retry_after:
        headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, NotAuthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    if error.status >= 500:
        log.warning("%s: %s", type(error).__name__, error.message)
    return problem_response(request, error.status, kind_of(error), error.message, error.remedy, headers=headers)


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = {404: "not-found", 405: "method-not-allowed", 400: "bad-request"}.get(error.status_code, "http-error")
    detail = "There is no such address." if error.status_code == 404 else str(error.detail)
    headers = dict(error.headers) if error.headers else None
    return problem_response(request, error.status_code, kind, detail, headers=headers)


def _validation(request: Request, error: Exception) -> Response:
    """The wrong fields by name; what was sent is not repeated, it may hold a secret."""
    assert isinstance(error, RequestValidationError)
    errors = [
        FieldProblem(field=".".join(str(part) for part in item["loc"]), message=str(item["msg"]))
        for item in error.errors()
    ]
    return problem_response(
        request, 422, "invalid-request", "The request is not what this address takes.", errors=errors
    )


def unexpected(request: Request, error: Exception) -> Response:
    """The stack goes to the log under the request id; the caller gets the id only."""
    log.error("request %s failed", getattr(request.state, "request_id", ""), exc_info=error)
    return problem_response(
        request, 500, "internal-error", "Something went wrong inside.", "Give the request id to the operator."
    )


def not_found(what: str) -> NotFound:
    """The same words whether it does not exist or may not be seen."""
    return NotFound(f"There is no such {what}.", "Check the id.")


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route, for the OpenAPI document."""
    every = {401, 403, 422, 429, 500, 503, *statuses}
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {s: {"description": "Problem details", "content": content} for s in sorted(every)}


__all__ = ["Problem", "UsageError", "install", "not_found", "problem_response", "problems"]
