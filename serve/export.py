"""Traces in the forms that people take along: a worksheet, and candidates for a golden set."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from contracts.base import JsonValue, Record
from serve.sheet import write_sheets
from serve.tracestore import StoredTrace

COLUMNS = (
    "time (UTC)", "caller", "question", "answer", "mode", "confidence", "rows used", "rows extracted", "complete",
    "marks", "citations", "verdicts", "index version", "trace",
)  # fmt: skip


class GoldenCandidate(Record):
    """A judged answer; a person turns it into a golden question."""

    question: str
    answer: str
    value: JsonValue
    """The computed value, None when nothing was computed."""
    mode: str
    verdict: Literal["right", "wrong"]
    why: tuple[str, ...]
    documents: tuple[str, ...]
    """Names of the cited documents."""
    trace_id: str


def to_xlsx(traces: Sequence[StoredTrace]) -> bytes:
    """One line for each answer. Text is written as text: a question that starts with `=` is no formula."""
    return write_sheets({"Answers": [COLUMNS, *map(_line, traces)]})


def golden_candidates(traces: Sequence[StoredTrace]) -> list[GoldenCandidate]:
    """`wrong` wins over `right` when people disagree: a person has to look."""
    found = []
    for trace in traces:
        if not trace.feedback:
            continue
        answer = trace.answer
        found.append(
            GoldenCandidate(
                question=answer.question,
                answer=answer.answer,
                value=answer.computed.value if answer.computed else None,
                mode=answer.mode,
                verdict="wrong" if any(f.verdict == "wrong" for f in trace.feedback) else "right",
                why=tuple(f.why for f in trace.feedback if f.why),
                documents=tuple(dict.fromkeys(c.doc_name for c in answer.citations)),
                trace_id=trace.trace_id,
            )
        )
    return found


def _line(trace: StoredTrace) -> tuple[str | float | int | bool | None, ...]:
    answer, coverage = trace.answer, trace.answer.coverage
    return (
        datetime.fromtimestamp(trace.created_at, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        trace.caller.name,
        answer.question,
        answer.answer,
        answer.mode,
        answer.confidence,
        coverage.rows_used if coverage else None,
        coverage.rows_extracted if coverage else None,
        coverage.complete if coverage else None,
        ", ".join(answer.degraded),
        "; ".join(f"{c.doc_name} p. {c.page}" for c in answer.citations),
        ", ".join(f"{f.caller}: {f.verdict}" for f in trace.feedback),
        answer.index_version,
        trace.trace_id,
    )
