"""Questions from a JSONL stream, one answer for each line, in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from contracts.base import JsonValue, Record
from contracts.errors import AllrowsError, DependencyError, UsageError
from contracts.questions import AskRequest
from serve.graph import ask
from serve.services import Services


class BatchLine(Record):
    id: str | int
    question: str
    filters: dict[str, str | tuple[str, ...]] = {}


def answer_lines(lines: Iterable[str], services: Services) -> Iterator[dict[str, JsonValue]]:
    """Answers as JSON objects with their `id`. A line that cannot be answered gives `{"id", "error"}`
    and the rest goes on; an unreachable dependency ends the batch."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _answer(line, number, services)


def _answer(line: str, number: int, services: Services) -> dict[str, JsonValue]:
    identity: JsonValue = None
    try:
        raw = json.loads(line)
        identity = raw.get("id") if isinstance(raw, dict) else None
        item = BatchLine.model_validate(raw)
        filters = {f: (v,) if isinstance(v, str) else v for f, v in item.filters.items()}
        answer = ask(AskRequest(question=item.question, filters=filters), services)
    except DependencyError:
        raise
    except (json.JSONDecodeError, ValidationError) as error:
        problem = UsageError(f"line {number}: {error}", 'Each line is {"id": …, "question": …, "filters": {…}}.')
        return {"id": identity, "error": str(problem)}
    except AllrowsError as error:
        return {"id": identity, "error": f"line {number}: {error}"}
    return {"id": identity, **answer.model_dump(mode="json")}
