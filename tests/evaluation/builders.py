"""Small answers and outcomes for the tests of judging and measuring."""

from __future__ import annotations

from typing import Any

from contracts.answers import Answer, Pipeline, StageRecord, Survival
from contracts.evidence import Citation
from contracts.plans import Computed, Plan
from contracts.questions import Question
from evaluation.golden import GoldenQuestion
from evaluation.judge import judge
from evaluation.outcomes import CitedRow, Evidence, Outcome


def golden(expect: dict[str, Any], text: str = "How many?", **fields: Any) -> GoldenQuestion:
    data = {"id": "q", "question": text, "expect": expect, "documents": ["a.pdf"], **fields}
    return GoldenQuestion.model_validate(data)


def quoted(text: str, **fields: Any) -> Answer:
    return Answer(answer=text, mode="quoted", **fields)


def computed(text: str, value: str, unit: str | None = None, **fields: Any) -> Answer:
    result = Computed(op="sum", value=value, unit=unit, plan=Plan(op="sum"))
    return Answer(answer=text, mode="computed", computed=result, **fields)


def refused(**fields: Any) -> Answer:
    return Answer(answer="Not found.", mode="not_found", not_found=True, **fields)


def citing(*names: str) -> tuple[Citation, ...]:
    return tuple(Citation(doc_id=n, doc_name=n, page=1, line_start=1, line_end=1) for n in names)


def pipeline(before: int = 0, after: int = 0, stages: dict[str, float] | None = None, **fields: Any) -> Pipeline:
    records = tuple(StageRecord(name=n, ms=ms, count_in=1, count_out=1) for n, ms in (stages or {}).items())
    return Pipeline(
        question=Question(text="?"),
        chars_before_compression=before,
        chars_after_compression=after,
        stages=records,
        **fields,
    )


def outcome(question: GoldenQuestion, answer: Answer, name: str = "q", **fields: Any) -> Outcome:
    question = question.model_copy(update={"id": name})
    return Outcome(
        question=question, answer=answer, ms=fields.pop("ms", 10.0), judgement=judge(question, answer), **fields
    )


def row(*cells: str, doc: str = "a.pdf", index: int = 0) -> CitedRow:
    return CitedRow(doc_name=doc, table_id="t", row=index, cells=cells)


__all__ = ["CitedRow", "Evidence", "Survival"]
