"""The pool: one for all methods, fused, with every table completed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from contracts.evidence import Candidate, Method
from contracts.filters import Match, Scope
from contracts.marks import Mark
from serve.detect import detect, question_vectors
from serve.dispatch import READS_SECTIONS
from serve.run import Run
from serve.widen import widen

if TYPE_CHECKING:
    from serve.llm.sections import Picks


def retrieve(run: Run) -> Run:
    from serve.keyword_detector import absent_terms
    from serve.retrieve import fill_missing, merge, search

    assert run.dispatch is not None
    if "umg" in run.dispatch.run:
        return _retrieve_windows(run)
    services = run.services
    chunks = run.scope.and_(Match(field="granularity", any_of=(0,)))
    with run.recorder.stage("retrieve", services.index.count_chunks(chunks)) as stage:
        vectors = question_vectors(run)
        by_vectors = search(services.index, vectors, chunks, services.settings.top_k_retrieve)
        run, amended = _amendments(run, chunks)
        pool = merge(by_vectors, (*detect(run, by_vectors, chunks), *amended))
        pool = fill_missing(services.index, vectors, chunks, pool)
        found = [c.chunk for c in pool]
        absent = absent_terms(run.question, services.index, chunks, services.sparse, found)
        stage.out(len(pool))
        stage.note(
            found_by=_found_by(run, pool),
            absent=[str(a) for a in absent],
        )
    return run.having(pool=pool, vectors=vectors, absent=absent)


def _found_by(run: Run, pool: Sequence[Candidate]) -> dict[str, int]:
    assert run.dispatch is not None
    return {m: sum(m in c.methods for c in pool) for m in run.dispatch.run}


def _amendments(run: Run, chunks: Scope) -> tuple[Run, tuple[Candidate, ...]]:
    """Where passages are read, those of amending documents join whatever the strategy's rules chose."""
    from serve.amendment_detector import amending, find_amendments

    assert run.dispatch is not None and run.narrowed is not None
    if run.dispatch.strategy not in ("hybrid", "dispatch") or run.question.intent not in READS_SECTIONS:
        return run, ()
    documents = amending(run.narrowed.documents)
    if not documents:
        return run, ()
    services = run.services
    found = find_amendments(run.question, documents, services.index, chunks, services.sparse)
    why = f"{len(documents)} document(s) in scope amend another"
    return run.having(dispatch=run.dispatch.considered("amendments", why, runs=True)), found


def pick_sections(run: Run) -> Run:
    """With a language model, sections that it picks from very long outlines join the pool; else nothing happens."""
    assert run.dispatch is not None
    services, settings = run.services, run.services.settings
    if services.model is None or settings.arbiter == "rules" or "outline" not in run.dispatch.run:
        return run
    from serve.llm.sections import pick_sections as pick
    from serve.long_outlines import long_outlines, passages_of
    from serve.retrieve import fill_missing, merge

    outlines = long_outlines(run)
    if not outlines:
        why = f"no outline in scope has more than {settings.outline_call_sections} sections"
        return run.having(dispatch=run.dispatch.considered("outline_model", why))
    with run.recorder.stage("pick_sections", sum(len(sections) for _, sections in outlines)) as stage:
        picks = pick(run.question, outlines, services.model)
        found = passages_of(run, picks.picked, outlines)
        chunks = run.scope.and_(Match(field="granularity", any_of=(0,)))
        pool = fill_missing(services.index, run.vectors, chunks, merge(run.pool, found))
        stage.out(len(picks.picked))
        stage.note(**_about(picks), passages=len(found))
        for number in picks.refused:
            stage.drop(number, "no such section")
        if picks.problem:
            run.recorder.mark(Mark.OUTLINE_FALLBACK)
    why = f"an outline in scope has more than {settings.outline_call_sections} sections"
    ran = run.dispatch.considered("outline_model", why, runs=True)
    return run.having(pool=pool, dispatch=ran, usage=run.usage.plus(picks.usage))


def _about(picks: Picks) -> dict[str, object]:
    return {
        "listed": picks.listed,
        "picked": [f"{p.document.name}: {p.section.title}" for p in picks.picked],
        "problem": picks.problem,
        "usage": picks.usage.model_dump(),
    }


def _retrieve_windows(run: Run) -> Run:
    from serve.keyword_detector import absent_terms
    from serve.umg_retrieve import retrieve_umg, sizes_in

    assert run.narrowed is not None
    services, settings = run.services, run.services.settings
    sizes = sizes_in(run.narrowed.documents, settings.granularities)
    without = [d.name for d in run.narrowed.documents if not set(sizes) <= set(d.granularities)]
    windows = run.scope.and_(Match(field="granularity", any_of=sizes)) if sizes else run.scope
    with run.recorder.stage("retrieve", services.index.count_chunks(windows)) as stage:
        vectors = question_vectors(run)
        pool = retrieve_umg(
            services.index,
            vectors,
            run.scope,
            run.narrowed.documents,
            sizes,
            limit=settings.umg_candidates,
            keep=settings.top_k_retrieve,
            places=services.windows,
            parents=(run.request.strategy or settings.strategy) == "umgp",
        )
        chunks = run.scope.and_(Match(field="granularity", any_of=(0,)))
        found = [c.chunk for c in pool.candidates]
        absent = absent_terms(run.question, services.index, chunks, services.sparse, found)
        stage.out(len(pool.candidates))
        stage.note(pairs=pool.detail(), without_windows=without, absent=[str(a) for a in absent])
        for item in pool.skipped:
            stage.drop(item.item, item.reason, item.detail)
        if pool.uniform or any(p.degenerate for p in pool.pairs):
            run.recorder.mark(Mark.UMG_DEGENERATE)
        if without:
            run.recorder.mark(Mark.STALE_INDEX)
    return run.having(pool=pool.candidates, absent=absent, weights=pool.weights())


def fuse(run: Run) -> Run:
    from serve.fuse import Fused, fuse_by_rank
    from serve.fuse import fuse as weigh

    settings = run.services.settings
    weights: dict[Method, float] = {"dense": settings.weight_dense, "bm25": settings.weight_bm25}
    used = {m: w for m, w in weights.items() if m in run.vectors}
    strategy = run.request.strategy or settings.strategy
    with run.recorder.stage("fuse", len(run.pool)) as stage:
        if strategy in ("umg", "umgp"):  # the pool is the mixture's, best first
            fused = Fused(candidates=run.pool, weights=run.weights)
        else:
            fused = weigh(run.pool, used) if used and strategy != "rrf" else fuse_by_rank(run.pool, settings.rrf_k)
        whole = widen(run.services.index, fused.candidates, run.permitted)
        stage.out(len(whole))
        stage.note(weights=fused.weights, degenerate=fused.degenerate, widened=len(whole) - len(fused.candidates))
        if fused.degenerate:
            run.recorder.mark(Mark.FUSION_DEGENERATE)
    return run.having(fused=whole, weights=fused.weights)
