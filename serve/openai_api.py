"""The OpenAI-compatible door: any chat client gets answers with their citations.

A chat's earlier turns are not evidence and are not searched: the last message of the user is the question.
What a chat window cannot show as structure (citations, coverage, marks) is written below the answer, and is
there as structure too, in the field `allrows`.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from contracts.answers import Answer
from contracts.errors import UsageError
from contracts.evidence import Citation
from contracts.marks import MEANING

MODEL = "allrows"


class ContentPart(BaseModel):
    model_config = ConfigDict(extra="allow")
    type: str
    text: str = ""


class Message(BaseModel):
    """A message of a chat; only text is read."""

    model_config = ConfigDict(extra="allow")
    role: str
    content: str | list[ContentPart] | None = None

    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class ChatBody(BaseModel):
    """A chat completion's request. Sampling options are taken and have no effect: answers are deterministic."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [{"model": MODEL, "messages": [{"role": "user", "content": "Total net pay in April 2025?"}]}]
        },
    )
    model: str = MODEL
    messages: list[Message]
    stream: bool | None = False


class Choice(BaseModel):
    index: int = 0
    message: dict[str, str]
    finish_reason: Literal["stop"] = "stop"


class Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


class ChatCompletion(BaseModel):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: Usage
    allrows: Answer


class ModelCard(BaseModel):
    id: str = MODEL
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "allrows"


class ModelList(BaseModel):
    object: Literal["list"] = "list"
    data: list[ModelCard] = [ModelCard()]


def question_of(body: ChatBody) -> str:
    """The last message of the user.

    Raises:
        UsageError: there is none.
    """
    for message in reversed(body.messages):
        if message.role == "user":
            return message.text()
    raise UsageError("There is no message of the role user.", "Send the question as the last message.")


def completion(answer: Answer, model: str) -> ChatCompletion:
    """The answer as a chat completion. `usage` counts the tokens of the language model, 0 without one."""
    text = f"{answer.answer}{footnotes(answer)}"
    return ChatCompletion(
        id=f"chatcmpl-{answer.trace_id}",
        created=int(time.time()),
        model=model,
        choices=[Choice(message={"role": "assistant", "content": text})],
        usage=usage(answer),
        allrows=answer,
    )


async def chunks(answer: Answer, model: str, pieces: list[str]) -> AsyncIterator[str]:
    """The answer as a stream of chat completion chunks."""
    head: dict[str, Any] = {
        "id": f"chatcmpl-{answer.trace_id}",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": model,
    }

    def chunk(delta: dict[str, str], finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return f"data: {json.dumps({**head, 'choices': [choice], **more}, ensure_ascii=False)}\n\n"

    yield chunk({"role": "assistant", "content": ""})
    for piece in [*pieces, footnotes(answer)]:
        if piece:
            yield chunk({"content": piece})
    yield chunk({}, "stop", usage=usage(answer).model_dump(), allrows=answer.model_dump(mode="json"))
    yield "data: [DONE]\n\n"


def footnotes(answer: Answer) -> str:
    """Coverage, sources and marks in words; "" when there is nothing to add."""
    parts = []
    coverage = answer.coverage
    if coverage is not None:
        footed = [c for c in coverage.checks if c.name == "footing"]
        text = f"Rows used: {coverage.rows_used} of {coverage.rows_extracted}"
        if footed:
            text += f"; footing agrees in {sum(c.passed for c in footed)} of {len(footed)} columns"
        parts.append(f"{text}.")
    if answer.citations:
        places = dict.fromkeys(place(c) for c in answer.citations)
        parts.append("Sources:\n" + "\n".join(f"{n}. {text}" for n, text in enumerate(places, start=1)))
    known = {str(mark): text for mark, text in MEANING.items()}
    parts += [f"Note ({mark}): {known.get(mark, mark)}." for mark in answer.degraded]
    return "".join(f"\n\n{part}" for part in parts)


def place(citation: Citation) -> str:
    """Where a citation stands, in words."""
    text = f"{citation.doc_name}, page {citation.page}"
    if citation.rows:
        rows = f"row {citation.rows[0]}" if len(citation.rows) == 1 else f"{len(citation.rows)} rows"
        return f"{text}, {rows} (lines {citation.line_start}–{citation.line_end})"
    if citation.line_start != citation.line_end:
        return f"{text}, lines {citation.line_start}–{citation.line_end}"
    return f"{text}, line {citation.line_start}"


def usage(answer: Answer) -> Usage:
    tokens = answer.pipeline.tokens if answer.pipeline else {}
    spent = tokens.get("prompt_tokens", 0), tokens.get("completion_tokens", 0)
    return Usage(prompt_tokens=spent[0], completion_tokens=spent[1], total_tokens=sum(spent))
