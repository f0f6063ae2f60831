"""`/v1`: models and chat completions."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from serve import openai_api
from serve.http import asking, sse
from serve.http.access import CallerDep
from serve.http.problem import problems
from serve.http.state import StateDep

router = APIRouter()
_EVENTS: dict[str, Any] = {
    "description": "The completion; with `stream` chunks as server-sent events.",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}


@router.get("/v1/models", responses=problems(), summary="Models")
async def models(caller: CallerDep) -> openai_api.ModelList:
    """One: the service itself."""
    return openai_api.ModelList()


@router.post(
    "/v1/chat/completions",
    response_model=openai_api.ChatCompletion,
    responses={200: _EVENTS, **problems()},
    summary="Ask as a chat client does",
)
async def chat(body: openai_api.ChatBody, request: Request, state: StateDep, caller: CallerDep) -> Response:
    """The last message of the user is the question; the answer's sources stand below it."""
    question = openai_api.question_of(body)
    asked = asking.make_request(state, caller, question, request_id=request.state.request_id)
    answer = await asking.ask(state, asked)
    if body.stream:
        return sse.stream(openai_api.chunks(answer, body.model, sse.words(answer.answer)))
    return Response(openai_api.completion(answer, body.model).model_dump_json(), media_type="application/json")
