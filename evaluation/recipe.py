"""The graph of `serve` with stages left out, to see what each is worth."""

from __future__ import annotations

from contracts.evidence import AuditRecord, Candidate, Role
from contracts.marks import Mark
from contracts.questions import AskRequest
from contracts.trace import TraceRecorder
from evaluation.collect import Recipe
from serve import stages
from serve.arbitrate import Arbitration
from serve.run import Run
from serve.services import Services

VECTOR_METHODS = ("dense", "bm25")


def recipe(*, detectors: bool = True, arbiter: bool = True, compute: bool = True) -> Recipe:
    """Stages in the order of `serve.graph`; with everything on, the same run (a test compares them).

    `detectors`: outline and keywords. `arbiter`: without it every candidate is evidence, in rank order.
    `compute`: without it tables are quoted, never computed over.
    """

    def follow(request: AskRequest, services: Services) -> Run:
        run = Run(request=request, services=services, recorder=TraceRecorder())
        run = stages.dispatch(stages.narrow(stages.analyse(run)))
        run = run if detectors else _vectors_only(run)
        run = stages.fuse(stages.pick_sections(stages.retrieve(run)))
        run = stages.compute(run) if compute else run
        run = stages.arbitrate(stages.rerank(run))
        run = run if arbiter else _everything_counts(run)
        return stages.decide(stages.write_prompt(stages.compress(run)))

    return follow


def _vectors_only(run: Run) -> Run:
    assert run.dispatch is not None
    kept = tuple(m for m in run.dispatch.run if m in VECTOR_METHODS)
    return run.having(dispatch=run.dispatch.model_copy(update={"run": kept}))


def _everything_counts(run: Run) -> Run:
    run.recorder.marks.pop(Mark.CONTRADICTION, None)  # only the arbiter sees them
    return run.having(
        arbitration=Arbitration(
            candidates=tuple(_primary(run, c) for c in run.reranked),
            contradictions=(),
            audit=AuditRecord(candidates=(), methods_run=(), methods_skipped=(), skipped_reasons={}),
        )
    )


def _primary(run: Run, candidate: Candidate) -> Candidate:
    """Keeps the place that the arbiter found: quoting needs it."""
    assert run.arbitration is not None
    placed = {c.candidate_id: c for c in run.arbitration.candidates}.get(candidate.candidate_id, candidate)
    return placed.model_copy(update={"role": Role.PRIMARY, "reason": "no arbiter"})
