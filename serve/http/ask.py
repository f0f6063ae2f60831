"""`/ask` and `/retrieve`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from contracts.answers import Answer
from contracts.evidence import AuditRecord, RetrievalResult
from contracts.questions import Strategy
from serve.http import asking, sse
from serve.http.access import CallerDep
from serve.http.problem import problems
from serve.http.state import StateDep

router = APIRouter()


class AskBody(BaseModel):
    """A question, and what the search is narrowed to."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"question": "How many employees are in the April 2025 salary register?"},
                {"question": "Total net pay", "filters": {"doc_type": ["salary_register"]}, "strategy": "hybrid"},
            ]
        },
    )

    question: str = Field(min_length=1)
    filters: dict[str, list[str]] = Field({}, description="field of the payload schema to its allowed values")
    strategy: Strategy | None = Field(None, description="another strategy than the configured one")

    def narrowed(self) -> dict[str, tuple[str, ...]]:
        return {field: tuple(values) for field, values in self.filters.items()}


class Retrieved(BaseModel):
    """What an answer would be made from, and how it was found."""

    result: RetrievalResult
    audit: AuditRecord


_EVENTS: dict[str, Any] = {
    "description": "The answer; with `Accept: text/event-stream` the events `stage`, `token` and `answer`.",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}


@router.post("/ask", response_model=Answer, responses={200: _EVENTS, **problems()}, summary="Ask a question")
async def ask(
    body: AskBody,
    request: Request,
    state: StateDep,
    caller: CallerDep,
    accept: Annotated[str, Header(description="`text/event-stream` for events")] = "application/json",
) -> Response:
    """The answer with its citations, coverage and marks; operators get the pipeline too."""
    asked = asking.make_request(state, caller, body.question, body.narrowed(), body.strategy, request.state.request_id)
    if "text/event-stream" in accept:
        return sse.stream(sse.AnswerStream(state, asked).events())
    answer = await asking.ask(state, asked)
    return Response(answer.model_dump_json(), media_type="application/json")


@router.post("/retrieve", response_model=Retrieved, responses=problems(), summary="Retrieve without answering")
async def retrieve(body: AskBody, request: Request, state: StateDep, caller: CallerDep) -> Response:
    """The RetrievalResult and the audit record beside it."""
    asked = asking.make_request(state, caller, body.question, body.narrowed(), body.strategy, request.state.request_id)
    result, audit = await asking.retrieve(state, asked)
    found = Retrieved.model_construct(result=result, audit=audit)
    return Response(found.model_dump_json(), media_type="application/json")
