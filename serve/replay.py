"""An answer given before, given again: the same evidence or the whole graph, and what differs."""

from __future__ import annotations

from typing import Any

from contracts.answers import Answer
from contracts.base import JsonValue, Record
from contracts.errors import NotFound
from contracts.filters import Caller
from contracts.questions import AskRequest
from serve.services import Services


class Difference(Record):
    field: str
    before: JsonValue
    after: JsonValue


class ReplayReport(Record):
    """`same` is about the answer itself; `differences` also name causes (settings, versions, index)."""

    trace_id: str
    generation_only: bool
    same: bool
    before: str
    after: str
    differences: tuple[Difference, ...] = ()
    new_trace_id: str | None = None
    """Of the whole-graph replay, itself stored."""


CAUSES = ("index_version", "settings", "versions", "prompt_sha256", "candidates")


def replay(
    trace_id: str, services: Services, generation_only: bool = False, caller: Caller | None = None
) -> ReplayReport:
    """Answers again. `generation_only`: from the stored evidence and prompt; else the whole graph, as the first caller.

    Raises:
        NotFound: there is no such trace for this caller.
    """
    stored = services.traces.get(trace_id, caller or Caller()) if services.traces is not None else None
    if stored is None:
        raise NotFound(f"There is no trace {trace_id}.", "`allrows traces` lists them.")
    before = stored.answer
    if generation_only:
        from serve.regenerate import regenerate

        after = regenerate(before, services)
    else:
        from serve.graph import ask

        after = ask(_request(before, stored.caller), services)
    differences = _compare(_facts(before), _facts(after))
    answered = {d.field for d in differences} - set(CAUSES)
    return ReplayReport(
        trace_id=trace_id,
        generation_only=generation_only,
        same=not answered,
        before=before.answer,
        after=after.answer,
        differences=differences,
        new_trace_id=None if generation_only else after.trace_id,
    )


def _request(answer: Answer, caller: Caller) -> AskRequest:
    pipeline = answer.pipeline
    assert pipeline is not None  # stored answers keep their pipeline
    strategy = pipeline.decisions.get("dispatch", {}).get("strategy")
    filters = {name: tuple(values) for name, values in pipeline.filters.items()}
    return AskRequest(question=answer.question, filters=filters, strategy=strategy, caller=caller)


def _facts(answer: Answer) -> dict[str, Any]:
    """What two answers are compared by; times and ids are left out."""
    pipeline = answer.pipeline
    assert pipeline is not None
    settings = {f"settings.{k}": v for k, v in pipeline.settings.items()}
    versions = {f"versions.{k}": v for k, v in pipeline.versions.items()}
    return {
        "answer": answer.answer,
        "mode": answer.mode,
        "not_found_reason": answer.not_found_reason,
        "value": answer.computed.value if answer.computed is not None else None,
        "citations": [[c.doc_name, c.page, c.line_start, c.line_end, list(c.rows)] for c in answer.citations],
        "degraded": list(answer.degraded),
        "index_version": answer.index_version,
        "prompt_sha256": pipeline.prompt_sha256,
        "candidates": [[c.candidate_id, c.role] for c in pipeline.candidates],
        **settings,
        **versions,
    }


def _compare(before: dict[str, Any], after: dict[str, Any]) -> tuple[Difference, ...]:
    return tuple(
        Difference(
            field=name.split(".")[0] if name.split(".")[0] in CAUSES else name,
            before=_shown(name, before),
            after=_shown(name, after),
        )
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    )


def _shown(name: str, facts: dict[str, Any]) -> JsonValue:
    value = facts.get(name)
    return f"{name.partition('.')[2]}={value}" if name.startswith(("settings.", "versions.")) else value
