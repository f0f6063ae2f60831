"""What code computes over whole tables; its tables join the pool."""

from __future__ import annotations

from contracts.evidence import Candidate
from contracts.plans import Computation
from serve.run import Run
from serve.widen import table_chunks


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
    """The pool with the tables a plan reads: those that retrieval found are named as such, the others are added."""
    read = pinned_tables(computation)
    pool = tuple(_read_by_plan(c) if c.chunk.table_id in read else c for c in run.fused)
    present = {c.chunk.table_id for c in run.fused}
    documents = {d.doc_id: d for d in run.documents}
    added = [
        Candidate(
            candidate_id=chunk.chunk_id,
            chunk=chunk,
            doc_name=documents[chunk.doc_id].name,
            doc_type=documents[chunk.doc_id].doc_type,
            period=documents[chunk.doc_id].period,
            methods=("table",),
        )
        for table_id in computation.table_ids
        if table_id in read and table_id not in present
        for chunk in table_chunks(run.services.index, table_id, run.permitted)
    ]
    return (*pool, *added)


def _read_by_plan(candidate: Candidate) -> Candidate:
    return candidate.model_copy(update={"methods": tuple(dict.fromkeys((*candidate.methods, "table")))})


def pinned_tables(computation: Computation | None) -> frozenset[str]:
    return frozenset(computation.table_ids if computation is not None and computation.computed is not None else ())
