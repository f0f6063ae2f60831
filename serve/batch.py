"""Questions from a JSONL stream, one answer for each line, in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from pydantic import ValidationError

from contracts.answers import Answer
from contracts.base import JsonValue, Record
from contracts.errors import AllrowsError, DependencyError, UsageError
from contracts.questions import AskRequest

Ask = Callable[[AskRequest], Answer]
"""Answers in this process, or through a server that holds the index."""


class BatchLine(Record):
    id: str | int
    question: str
    filters: dict[str, str | tuple[str, ...]] = {}


def answer_lines(lines: Iterable[str], ask: Ask) -> Iterator[dict[str, JsonValue]]:
    """Answers as JSON objects with their `id`. A line that cannot be answered gives `{"id", "error"}`
    and the rest goes on; an unreachable dependency ends the batch."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _answer(line, number, ask)


def _answer(line: str, number: int, ask: Ask) -> dict[str, JsonValue]:
    identity: JsonValue = None
    try:
        raw = json.loads(line)
        identity = raw.get("id") if isinstance(raw, dict) else None
        item = BatchLine.model_validate(raw)
        filters = {f: (v,) if isinstance(v, str) else v for f, v in item.filters.items()}
        answer = ask(AskRequest(question=item.question, filters=filters))
    except DependencyError:
        raise
    except (json.JSONDecodeError, ValidationError) as error:
        problem = UsageError(f"line {number}: {error}", 'Each line is {"id": …, "question": …, "filters": {…}}.')
        return {"id": identity, "error": str(problem)}
    except AllrowsError as error:
        return {"id": identity, "error": f"line {number}: {error}"}
    return {"id": identity, **answer.model_dump(mode="json")}
