"""The cross-encoder's order, then a role and a reason for each candidate."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.evidence import Candidate, Role
from contracts.marks import Mark
from serve.arbitrate import Arbitration
from serve.run import Run
from serve.stages.calculate import pinned_tables

DETECTORS = frozenset({"outline", "keywords", "amendments", "outline_model"})
EVIDENCE = (Role.PRIMARY, Role.SUPPORTING)
"""Roles that go on into the prompt."""


def rerank(run: Run) -> Run:
    from serve.rerank import rerank as reorder

    settings, services = run.services.settings, run.services
    with run.recorder.stage("rerank", len(run.fused)) as stage:
        encoder = services.reranker()
        result = reorder(
            run.question.text,
            run.fused,
            encoder,
            read=settings.top_k_before_rerank,
            keep=settings.top_k_after_rerank,
            budget_ms=settings.rerank_budget_ms,
            pinned=pinned_tables(run.computation),
        )
        stage.out(len(result.kept))
        for item in result.dropped:
            stage.drop(item.item, item.reason, item.detail)
        if result.timed_out:
            run.recorder.mark(Mark.RERANK_TIMEOUT)
        if settings.rerank and encoder is None:
            run.recorder.mark(Mark.RERANK_UNAVAILABLE)
    return run.having(reranked=result.kept)


def arbitrate(run: Run) -> Run:
    assert run.dispatch is not None
    kept = {c.candidate_id for c in run.reranked}
    detected = [c for c in run.fused if c.candidate_id not in kept and not DETECTORS.isdisjoint(c.methods)]
    settings = run.services.settings
    pinned = pinned_tables(run.computation)
    computed = [c for c in run.reranked if c.chunk.table_id in pinned]
    others = [c for c in (*run.reranked, *detected) if c.chunk.table_id not in pinned]
    with run.recorder.stage("arbitrate", len(computed) + len(others)) as stage:
        judged, cut = _cut(others, settings.arbiter_max_candidates, settings.rrf_k)
        for left in cut:
            why = f"not among the best {settings.arbiter_max_candidates} by reciprocal rank"
            stage.drop(left.candidate_id, why, left.doc_name)
        run, result = _roles(run, judged, with_model=not pinned)
        result = _with_computed(run, result, computed)
        used = [c for c in result.candidates if c.role in EVIDENCE]
        stage.out(len(used))
        for candidate in result.candidates:
            if candidate.role not in EVIDENCE:
                stage.drop(candidate.candidate_id, f"{candidate.role}: {candidate.reason}", candidate.doc_name)
        stage.note(
            arbiter=result.audit.arbiter,
            why=result.audit.arbiter_reason,
            roles={r: sum(c.role == r for c in result.candidates) for r in Role},
            contradictions=[c.explanation for c in result.contradictions],
        )
        if result.contradictions:
            run.recorder.mark(Mark.CONTRADICTION)
    return run.having(arbitration=result)


def _cut(candidates: Sequence[Candidate], limit: int, rrf_k: int) -> tuple[list[Candidate], list[Candidate]]:
    """The best `limit` by reciprocal rank over all methods, in the order they came, and the rest."""
    from serve.fuse import fuse_by_rank

    best = {c.candidate_id for c in fuse_by_rank(candidates, rrf_k).candidates[:limit]}
    kept = [c for c in candidates if c.candidate_id in best]
    return kept, [c for c in candidates if c.candidate_id not in best]


def _with_computed(run: Run, result: Arbitration, computed: Sequence[Candidate]) -> Arbitration:
    """An answer stands on the tables it is computed over: they are primary by rule, whatever their number,
    and no model is asked about them."""
    from serve.arbitrate import arbitrate as by_rules

    if not computed:
        return result
    assert run.dispatch is not None
    own = by_rules(run.question, computed, run.dispatch)
    update = {"role": Role.PRIMARY}
    candidates = (*(c.model_copy(update=update) for c in own.candidates), *result.candidates)
    audit = result.audit.model_copy(update={"candidates": own.audit.candidates + result.audit.candidates})
    return result.model_copy(update={"candidates": candidates, "audit": audit})


def _roles(run: Run, candidates: Sequence[Candidate], with_model: bool) -> tuple[Run, Arbitration]:
    """By the model when one is set and wanted, else (or when it fails) by rules. What stands beside a computed answer
    is no matter for a model: the answer would only wait for it."""
    from serve.arbitrate import arbitrate as by_rules

    assert run.dispatch is not None
    model, wanted = run.services.model, run.services.settings.arbiter
    if not with_model or wanted == "rules" or (model is None and wanted == "auto"):
        return run, by_rules(run.question, candidates, run.dispatch)
    if model is None:
        run.recorder.mark(Mark.ARBITER_FALLBACK)
        return run, by_rules(run.question, candidates, run.dispatch)
    from serve.llm.arbitrate import arbitrate as by_model

    result = by_model(run.question, candidates, run.dispatch, model)
    if result.fallback:
        run.recorder.mark(Mark.ARBITER_FALLBACK)
    return run.having(usage=run.usage.plus(result.usage)), result.arbitration
