"""Each stage: take what it needs from the run, call its one verb, record what happened, return the changed run."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.errors import UsageError
from contracts.evidence import Candidate, Method, Role
from contracts.filters import Match, Scope
from contracts.marks import Mark
from contracts.plans import Computation
from contracts.questions import Question
from serve.arbitrate import Arbitration
from serve.detect import detect, has_outline, question_vectors
from serve.prompt import build_prompt
from serve.run import Run
from serve.widen import table_chunks, widen

DETECTORS = frozenset({"outline", "keywords"})
EVIDENCE = (Role.PRIMARY, Role.SUPPORTING)
"""Roles that go on into the prompt."""
DOUBTED = 0.5
"""Confidence below which a passage is not quoted when the model, too, found no answer in it."""


def analyse(run: Run) -> Run:
    from serve.analyse import analyse as understand

    text = run.request.question.strip()
    limit = run.services.settings.max_question_chars
    if not text:
        raise UsageError("The question is empty.", "Ask something, e.g. how many employees a register lists.")
    if len(text) > limit:
        raise UsageError(f"The question has {len(text)} characters, more than {limit}.", "Shorten it.")
    index = run.services.index
    permitted = _permitted(run)
    with run.recorder.stage("analyse", 1) as stage:
        version = index.version
        documents = index.documents(permitted)
        question = understand(text, run.services.lexicon, documents)
        stage.out(1)
        stage.note(documents_in_scope=len(documents), question=question.model_dump(mode="json", exclude={"text"}))
    return run.having(question=question, permitted=permitted, documents=documents, index_version=version)


def _permitted(run: Run) -> Scope:
    scope = run.request.caller.scope()
    return scope.and_(*(Match(field=f, any_of=tuple(v)) for f, v in run.request.filters.items()))


def narrow(run: Run) -> Run:
    from serve.narrow import narrow as narrow_scope

    services = run.services
    with run.recorder.stage("narrow", len(run.documents)) as stage:
        narrowed = narrow_scope(run.question, run.documents, run.permitted, services.index, services.sparse)
        stage.out(len(narrowed.documents))
        stage.note(reasons=list(narrowed.reasons), missing=list(narrowed.missing))
        kept = {d.doc_id for d in narrowed.documents}
        for document in run.documents:
            if document.doc_id not in kept:
                stage.drop(document.name, "does not agree with what the question names")
        if narrowed.relaxed:
            run.recorder.mark(Mark.SCOPE_RELAXED)
    return run.having(narrowed=narrowed)


def dispatch(run: Run) -> Run:
    from serve.dispatch import dispatch as choose

    strategy = run.request.strategy or run.services.settings.strategy
    with run.recorder.stage("dispatch", 1) as stage:
        question = _with_divergence(run) if strategy == "dispatch" else run.question
        chosen = choose(question, strategy, has_outline=has_outline(run))
        stage.out(len(chosen.run))
        stage.note(strategy=chosen.strategy, run=list(chosen.run), reasons=chosen.reasons)
    return run.having(question=question, dispatch=chosen)


def _with_divergence(run: Run) -> Question:
    """Only the strategy that may leave embeddings out has to know, before anything is retrieved."""
    from serve.keyword_detector import absent_terms, diverges

    chunks = run.scope.and_(Match(field="granularity", any_of=(0,)))
    absent = absent_terms(run.question, run.services.index, chunks, run.services.sparse)
    return run.question.model_copy(update={"diverges": run.question.diverges or diverges(run.question, absent)})


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
        pool = merge(by_vectors, detect(run, by_vectors, chunks))
        pool = fill_missing(services.index, vectors, chunks, pool)
        found = [c.chunk for c in pool]
        absent = absent_terms(run.question, services.index, chunks, services.sparse, found)
        stage.out(len(pool))
        stage.note(
            found_by={m: sum(m in c.methods for c in pool) for m in run.dispatch.run},
            absent=[str(a) for a in absent],
        )
    return run.having(pool=pool, vectors=vectors, absent=absent)


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
            sizes,
            limit=settings.umg_candidates,
            keep=settings.top_k_retrieve,
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


def compute(run: Run) -> Run:
    from serve.compute import compute as calculate

    assert run.narrowed is not None
    services = run.services
    with run.recorder.stage("compute", len(run.fused)) as stage:
        if run.narrowed.missing:
            stage.note(declined="; ".join(run.narrowed.missing))
            return run
        computation = calculate(
            run.question,
            index=services.index,
            scope=run.scope,
            candidates=run.fused,
            lexicon=services.lexicon,
            dense=services.dense.get(),
        )
        stage.out(len(computation.table_ids))
        stage.note(**_about(computation))
        run.recorder.mark(*computation.marks)
    return run.having(computation=computation, fused=_with_tables(run, computation))


def _about(computation: Computation) -> dict[str, object]:
    computed = computation.computed
    if computed is None:
        return {"declined": computation.declined, "absent": computation.absent}
    return {
        "plan": computed.plan.model_dump(mode="json"),
        "sql": computed.sql,
        "value": computed.value,
        "rows": len(computed.rows),
        "tables": list(computation.table_ids),
    }


def _with_tables(run: Run, computation: Computation) -> tuple[Candidate, ...]:
    """The pool with the tables a plan reads, should retrieval not have found them."""
    present = {c.chunk.table_id for c in run.fused}
    names = {d.doc_id: d for d in run.documents}
    added = [
        Candidate(
            candidate_id=chunk.chunk_id,
            chunk=chunk,
            doc_name=names[chunk.doc_id].name,
            doc_type=names[chunk.doc_id].doc_type,
            period=names[chunk.doc_id].period,
            methods=("table",),
        )
        for table_id in computation.table_ids
        if table_id not in present
        for chunk in table_chunks(run.services.index, table_id, run.permitted)
    ]
    return (*run.fused, *added)


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
            pinned=_pinned(run.computation),
        )
        stage.out(len(result.kept))
        for item in result.dropped:
            stage.drop(item.item, item.reason, item.detail)
        if result.timed_out:
            run.recorder.mark(Mark.RERANK_TIMEOUT)
        if settings.rerank and encoder is None:
            run.recorder.mark(Mark.RERANK_UNAVAILABLE)
    return run.having(reranked=result.kept)


def _pinned(computation: Computation | None) -> frozenset[str]:
    return frozenset(computation.table_ids if computation is not None and computation.computed is not None else ())


def arbitrate(run: Run) -> Run:
    assert run.dispatch is not None
    kept = {c.candidate_id for c in run.reranked}
    detected = [c for c in run.fused if c.candidate_id not in kept and not DETECTORS.isdisjoint(c.methods)]
    limit = run.services.settings.arbiter_max_candidates
    candidates = (*run.reranked, *detected)
    with run.recorder.stage("arbitrate", len(candidates)) as stage:
        for left in candidates[limit:]:
            stage.drop(left.candidate_id, f"more than {limit} candidates", left.doc_name)
        run, result = _roles(run, candidates[: max(limit, len(run.reranked))])
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


def _roles(run: Run, candidates: Sequence[Candidate]) -> tuple[Run, Arbitration]:
    """By the model when one is set and wanted, else (or when it fails) by rules."""
    from serve.arbitrate import arbitrate as by_rules

    assert run.dispatch is not None
    model, wanted = run.services.model, run.services.settings.arbiter
    if wanted == "rules" or (model is None and wanted == "auto"):
        return run, by_rules(run.question, candidates, run.dispatch)
    if model is None:
        run.recorder.mark(Mark.ARBITER_FALLBACK)
        return run, by_rules(run.question, candidates, run.dispatch)
    from serve.llm.arbitrate import arbitrate as by_model

    result = by_model(run.question, candidates, run.dispatch, model)
    if result.fallback:
        run.recorder.mark(Mark.ARBITER_FALLBACK)
    return run.having(usage=run.usage.plus(result.usage)), result.arbitration


def compress(run: Run) -> Run:
    from compression.compress import compress as fit

    settings = run.services.settings
    pinned = _pinned(run.computation)
    evidence = [c for c in run.candidates if c.role in EVIDENCE]
    if pinned:  # the tables that were computed over come first and whole
        evidence.sort(key=lambda c: c.chunk.table_id not in pinned)
    with run.recorder.stage("compress", len(evidence)) as stage:
        compressed = fit(
            run.question,
            [c.chunk for c in evidence],
            settings.max_context_chars,
            threshold=settings.sentence_threshold,
            rows_as_sentences=settings.compress_rows_as_sentences,
        )
        stage.out(len({unit.chunk_id for unit in compressed.kept}))
        stage.note(chars_before=compressed.chars_before, chars_after=compressed.chars_after)
        for item in compressed.dropped:
            stage.drop(item.item, item.reason, item.detail)
        if compressed.tables_truncated:
            run.recorder.mark(Mark.TABLE_TRUNCATED)
        if compressed.prose_dropped_for_budget and not pinned:
            run.recorder.mark(Mark.CONTEXT_TRUNCATED)
    return run.having(compressed=compressed)


def write_prompt(run: Run) -> Run:
    assert run.compressed is not None
    with run.recorder.stage("prompt", run.compressed.chars_after) as stage:
        prompt = build_prompt(run.question.text, run.compressed.text, run.computation)
        stage.out(len(prompt))
    return run.having(prompt=prompt)


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
    """Not found, computed, generated or quoted. The judge speaks first; what code computed is never rewritten."""
    run = judge(run)
    if run.verdict is not None or (run.computation is not None and run.computation.computed is not None):
        return run
    return _generate(run) if run.services.model is not None else run


def _generate(run: Run) -> Run:
    from serve.llm.generate import generate

    assert run.services.model is not None and run.compressed is not None
    with run.recorder.stage("generate", len(run.prompt)) as stage:
        question = run.question
        written = generate(run.prompt, run.compressed.text, question.text, question.language, run.services.model)
        stage.out(len(written.text or ""))
        stage.note(found=written.found, problem=written.problem, usage=written.usage.model_dump())
        for sentence in written.verified.removed if written.verified is not None else ():
            stage.drop(sentence, f"stands nowhere in the evidence: {', '.join(written.verified.unsupported)}")
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
        quoted = quote(run.question, run.candidates, run.arbitration.contradictions, encoder)
        stage.out(len(quoted.citations) if quoted is not None else 0)
        if quoted is not None:
            stage.note(confidence=quoted.confidence, best=quoted.best.evidence())
    return run.having(quoted=quoted)
