"""Not found, computed, generated or quoted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from contracts.evidence import Candidate, NotFoundReason
from contracts.marks import Mark
from contracts.questions import AGGREGATES, Question
from serve.run import Run

if TYPE_CHECKING:
    from serve.not_found import NotFoundVerdict
    from serve.quote import Quoted


def judge(run: Run) -> Run:
    """Whether what was computed, or else the best quotation, can be stood by."""
    run = _quote_parts(_quote(run))
    with run.recorder.stage("judge", len(run.candidates)) as stage:
        verdict = None if run.parts else _verdict(run, run.question, run.candidates, run.quoted)
        stage.out(0 if verdict is not None else 1)
        stage.note(not_found=None if verdict is None else verdict.reason)
    return run.having(verdict=verdict)


def _verdict(
    run: Run, question: Question, candidates: Sequence[Candidate], quoted: Quoted | None
) -> NotFoundVerdict | None:
    """On the question or a part of it, which has the absent terms and the plan of its own words only."""
    from serve.not_found import judge as find_absence

    assert run.narrowed is not None
    whole = question is run.question
    terms = {k.term for k in question.keywords}
    return find_absence(
        question,
        candidates,
        absent=[a for a in run.absent if a.term in terms],
        computation=run.computation if whole or question.intent in AGGREGATES else None,
        quoted=quoted,
        documents=len(run.narrowed.documents),
        missing=run.narrowed.missing,
        scope=", ".join(f"{f} = {' or '.join(v)}" for f, v in run.request.filters.items()),
    )


def _quote_parts(run: Run) -> Run:
    """A question of two things that no plan answers: each by itself, with what the evidence says of it."""
    from serve.quote_parts import combined, quote_parts

    if not run.question.parts or run.arbitration is None:
        return run
    if run.computation is not None and run.computation.computed is not None:
        return run

    def refuse(part: Question, candidates: Sequence[Candidate], quoted: Quoted | None) -> str | None:
        verdict = _verdict(run, part, candidates, quoted)
        return None if verdict is None else verdict.text

    with run.recorder.stage("quote_parts", len(run.question.parts)) as stage:
        budget = run.services.settings.rerank_budget_ms
        parts = quote_parts(run.question, run.candidates, run.services.reranker(), budget, refuse)
        stage.out(sum(p.quoted is not None for p in parts))
        stage.note(parts=[p.told() for p in parts])
        quoted = combined(parts)
        if quoted is None:
            return run
        _mark(run, quoted)
        clashes = {c.candidate_ids: c for p in parts for c in p.contradictions}
        both = {**{c.candidate_ids: c for c in run.arbitration.contradictions}, **clashes}
        arbitration = run.arbitration.model_copy(update={"contradictions": tuple(both.values())})
    return run.having(quoted=quoted, parts=parts, arbitration=arbitration)


def _mark(run: Run, quoted: Quoted) -> None:
    for mark, holds in (
        (Mark.AMBIGUOUS_PLAN, quoted.ambiguous),
        (Mark.RERANK_TIMEOUT, quoted.timed_out),
        (Mark.CONTRADICTION, quoted.contradicted),
        (Mark.PARTLY_ANSWERED, bool(quoted.unanswered)),
    ):
        if holds:
            run.recorder.mark(mark)


def decide(run: Run) -> Run:
    """Not found, computed, generated or quoted. The judge speaks first; what code computed is never rewritten.

    Where the judge only lacks confidence in the best passage, a model may still answer from the evidence:
    what it writes is verified, so it can be wrong only in what the evidence itself says.
    """
    run = judge(run)
    proven_absent = run.verdict is not None and run.verdict.reason is not NotFoundReason.LOW_CONFIDENCE
    computed = run.computation is not None and run.computation.computed is not None
    if proven_absent or computed or run.services.model is None:
        return run
    run = _generate(run)
    answered = run.generated is not None and run.generated.text is not None
    return run.having(verdict=None) if answered else run


def _generate(run: Run) -> Run:
    from serve.llm.generate import generate

    assert run.services.model is not None and run.compressed is not None
    with run.recorder.stage("generate", len(run.prompt)) as stage:
        question = run.question
        written = generate(run.prompt, run.compressed.text, question.text, question.language, run.services.model)
        stage.out(len(written.text or ""))
        stage.note(found=written.found, problem=written.problem, usage=written.usage.model_dump())
        if written.verified is not None:
            why = f"stands nowhere in the evidence: {', '.join(written.verified.unsupported)}"
            for sentence in written.verified.removed:
                stage.drop(sentence, why)
        run.recorder.mark(*written.marks)
    return run.having(generated=written, usage=run.usage.plus(written.usage))


def _quote(run: Run) -> Run:
    """The quoted answer: what is shown without a model, and the citations of a generated one."""
    from serve.quote import quote

    if run.computation is not None and run.computation.computed is not None:
        return run
    assert run.arbitration is not None
    with run.recorder.stage("quote", len(run.candidates)) as stage:
        encoder = run.services.reranker()
        budget = run.services.settings.rerank_budget_ms
        quoted = quote(run.question, run.candidates, run.arbitration.contradictions, encoder, budget)
        stage.out(len(quoted.citations) if quoted is not None else 0)
        if quoted is not None:
            stage.note(confidence=quoted.confidence, best=quoted.best.evidence())
            _mark(run, quoted)
    return run.having(quoted=quoted)
