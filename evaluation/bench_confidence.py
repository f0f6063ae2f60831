"""Whether confidence means something: the share of right answers by confidence, on the sample corpus's prose.

    make bench-confidence
    python -m evaluation.bench_confidence

Asks `prose_questions.yaml`. A quotation is right when it holds what the question's entry says; for a question that the
corpus does not answer, any quotation is wrong. Every quotation is counted, also those that the threshold withholds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import yaml

from contracts.answers import Answer
from contracts.base import Record
from contracts.questions import AskRequest
from contracts.settings import load_settings
from evaluation.corpus import SAMPLES, ingested
from serve.graph import ask

QUESTIONS = Path(__file__).with_name("prose_questions.yaml")
BINS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 1.0)


class Quotation(Record):
    question: str
    confidence: float
    """Before any threshold."""
    subject: bool
    right: bool
    withheld: bool


class Tally(Record):
    quotations: tuple[Quotation, ...]
    answered_right: int
    answered_wrong: int
    refused_right: int
    refused_wrong: int


def main() -> None:
    content = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    expected: dict[str, str | None] = {**content["answerable"], **dict.fromkeys(content["absent"])}
    settings = load_settings(environ={})[0].model_copy(update={"rerank_budget_ms": 60_000.0})
    with tempfile.TemporaryDirectory() as folder, ingested([SAMPLES], settings, Path(folder)) as services:
        answers = {text: ask(AskRequest(question=text), services) for text in expected}
    report(tally(answers, expected))


def tally(answers: dict[str, Answer], expected: dict[str, str | None]) -> Tally:
    """Counts what was answered and refused, rightly and wrongly."""
    right = {q: needle is not None and needle in a.answer for q, a in answers.items() for needle in (expected[q],)}
    answered = [q for q, a in answers.items() if not a.not_found]
    refused = [q for q, a in answers.items() if a.not_found]
    return Tally(
        quotations=tuple(_quotations(answers, expected)),
        answered_right=sum(right[q] for q in answered),
        answered_wrong=sum(not right[q] for q in answered),
        refused_right=sum(expected[q] is None for q in refused),
        refused_wrong=sum(expected[q] is not None for q in refused),
    )


def _quotations(answers: dict[str, Answer], expected: dict[str, str | None]) -> Iterator[Quotation]:
    for question, answer in answers.items():
        assert answer.pipeline is not None
        stage = next((s for s in answer.pipeline.stages if s.name == "quote"), None)
        best = stage.detail.get("best") if stage is not None else None
        if stage is None or not best:
            continue
        needle = expected[question]
        # A withheld quotation of an answerable question is counted as right: its sentence is not in the answer.
        right = needle is not None and (answer.not_found or needle in answer.answer)
        yield Quotation(
            question=question,
            confidence=stage.detail["confidence"],
            subject=bool(best["subject"]),
            right=right,
            withheld=answer.not_found,
        )


def report(result: Tally) -> None:
    print(f"answered: {result.answered_right} right, {result.answered_wrong} wrong; ", end="")
    print(f"refused: {result.refused_right} rightly, {result.refused_wrong} wrongly\n")
    print("confidence   quotations   right   share")
    for low, high in pairwise(BINS):
        inside = [q for q in result.quotations if low <= q.confidence < high or q.confidence == high == 1.0]
        if inside:
            right = sum(q.right for q in inside)
            print(f"{low:.1f} to {high:.1f} {len(inside):12d} {right:7d} {right / len(inside):7.2f}")
    for q in sorted((q for q in result.quotations if not q.right and not q.withheld), key=lambda q: -q.confidence):
        print(f"wrong, {q.confidence:.2f}: {q.question}")
    print(f"\nsubject named: {_share(result.quotations, True)}; not named: {_share(result.quotations, False)}")


def _share(quotations: Sequence[Quotation], subject: bool) -> str:
    chosen = [q for q in quotations if q.subject is subject]
    return f"{sum(q.right for q in chosen)} of {len(chosen)} right"


if __name__ == "__main__":
    main()
