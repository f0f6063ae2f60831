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


def pinned_tables(computation: Computation | None) -> frozenset[str]:
    return frozenset(computation.table_ids if computation is not None and computation.computed is not None else ())
