"""Not found, computed, generated or quoted."""

from __future__ import annotations

from contracts.evidence import NotFoundReason
from contracts.marks import Mark
from serve.run import Run


def judge(run: Run) -> Run:
    """Whether what was computed, or else the best quotation, can be stood by."""
    from serve.not_found import judge as find_absence

    run = _quote(run)
    assert run.narrowed is not None
    with run.recorder.stage("judge", len(run.candidates)) as stage:
        verdict = find_absence(
            run.question,
            run.candidates,
            absent=run.absent,
            computation=run.computation,
            quoted=run.quoted,
            documents=len(run.narrowed.documents),
            missing=run.narrowed.missing,
            scope=", ".join(f"{f} = {' or '.join(v)}" for f, v in run.request.filters.items()),
        )
        stage.out(0 if verdict is not None else 1)
        stage.note(not_found=None if verdict is None else verdict.reason)
    return run.having(verdict=verdict)


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
            if quoted.ambiguous:
                run.recorder.mark(Mark.AMBIGUOUS_PLAN)
            if quoted.timed_out:
                run.recorder.mark(Mark.RERANK_TIMEOUT)
    return run.having(quoted=quoted)
