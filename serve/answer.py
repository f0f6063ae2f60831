"""The run becomes an Answer with its citations, marks, survival and pipeline."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterable

from contracts.answers import Answer, Pipeline, Survival
from contracts.documents import RowRole, Table
from contracts.evidence import Candidate, Citation, Role
from contracts.marks import Mark
from serve.prompt import sha256
from serve.run import Run
from serve.survival import survive
from serve.widen import table_chunks

OF_WHAT_IS_SAID = (Mark.TABLE_TRUNCATED, Mark.CONTEXT_TRUNCATED, Mark.AMBIGUOUS_PLAN)
"""Marks on a prompt or a reading, which say nothing when neither was used."""
HIDDEN_TEXT = "hidden_text"
"""Code of the warning that extraction gives for text no reader can see."""
MODELS = ("qdrant-edge-py", "qdrant-client", "onnxruntime", "duckdb", "pypdfium2")


def compose(run: Run) -> Answer:
    """The answer in the one mode that holds: not found, computed, quoted or generated."""
    survival = _survival(run)
    if _lost_in_silence(run, survival):
        run.recorder.mark(Mark.SURVIVAL_DROP)
    answer = _core(run)
    _mark_suspicious(run, answer)
    return answer.model_copy(
        update={
            "question": run.request.question,
            "confidence": run.confidence(),
            "degraded": _marks(run),
            "index_version": run.index_version,
            "trace_id": run.recorder.trace_id,
            "pipeline": _pipeline(run, survival),
        }
    )


def _core(run: Run) -> Answer:
    if run.verdict is not None:
        return Answer(
            answer=run.verdict.text,
            mode="not_found",
            not_found=True,
            not_found_reason=run.verdict.reason,
            searched=run.verdict.searched,
            coverage=run.computation.coverage if run.computation is not None else None,
        )
    computation = run.computation
    if computation is not None and computation.computed is not None:
        return Answer(
            answer=computation.text,
            mode="computed",
            citations=computation.citations,
            computed=computation.computed,
            coverage=computation.coverage,
        )
    if run.generated is not None and run.generated.text is not None:
        return Answer(answer=run.generated.text, mode="generated", citations=_evidence(run))
    assert run.quoted is not None  # the judge refuses a run that has neither
    return Answer(answer=run.quoted.text, mode="quoted", citations=run.quoted.citations)


def _marks(run: Run) -> tuple[str, ...]:
    """Without a model nobody reads the prompt of a not-found answer: that it was cut says nothing about it."""
    unread = run.verdict is not None and run.generated is None
    written = run.generated is not None and run.generated.text is not None
    empty = {
        *(OF_WHAT_IS_SAID if unread else ()),
        *(() if _contradicted(run) else (Mark.CONTRADICTION,)),
        *((Mark.PARTLY_ANSWERED,) if written else ()),
    }
    return tuple(m for m in run.recorder.marks if m not in empty)


def _contradicted(run: Run) -> bool:
    """Whether the answer stands on a passage that another one contradicts: rows and "not found" do not, and a
    quotation only where its own clause is concerned. A model has read them all."""
    if run.verdict is not None or (run.computation is not None and run.computation.computed is not None):
        return False
    if run.generated is not None and run.generated.text is not None:
        return True
    return run.quoted is not None and run.quoted.contradicted


def _evidence(run: Run) -> tuple[Citation, ...]:
    """What a generated answer stands on: the quoted sentences, or the places that the primary candidates matched."""
    if run.quoted is not None:
        return run.quoted.citations
    return tuple(
        Citation(
            doc_id=c.chunk.doc_id,
            doc_name=c.doc_name,
            page=c.anchor.page,
            line_start=c.anchor.line_start,
            line_end=c.anchor.line_end,
            section_title=c.chunk.section_title,
            table_id=c.anchor.table_id,
            rows=c.anchor.rows,
        )
        for c in run.candidates
        if c.role is Role.PRIMARY and c.anchor is not None
    )


def _mark_suspicious(run: Run, answer: Answer) -> None:
    """Hidden text never enters the evidence; that a cited document tries is something to know."""
    cited = {c.doc_id for c in answer.citations}
    if any(w.code == HIDDEN_TEXT for d in run.documents if d.doc_id in cited for w in d.warnings):
        run.recorder.mark(Mark.SUSPICIOUS_TEXT)


def _lost_in_silence(run: Run, survival: Survival) -> bool:
    """Rows that the prompt itself names as left out are marked `table_truncated`; any other loss is a drop."""
    truncated = run.compressed is not None and bool(run.compressed.tables_truncated)
    return any(not (truncated and stage == "compression") for stage in survival.first_drop().values())


def _survival(run: Run) -> Survival:
    tables = _tables(run)
    keys = [key for table in tables for key in _keys(run, table)]
    codes = [c for c in run.question.codes if any(c in cand.chunk.codes for cand in run.fused)]
    if not keys and not codes:
        return Survival()
    stages: dict[str, Iterable[str]] = {}
    if keys:
        stages["extraction"] = [" ".join(row.cells) for table in tables for row in table.rows] + codes
        stages["chunks"] = [
            c.text for t in tables for c in table_chunks(run.services.index, t.table_id, run.permitted)
        ] + codes
    stages["retrieval"] = _texts(run.fused)
    stages["rerank"] = _texts(run.reranked)
    stages["compression"] = [run.compressed.text if run.compressed is not None else ""]
    stages["prompt"] = [run.prompt]
    return survive([*keys, *codes], stages)


def _tables(run: Run) -> list[Table]:
    if run.computation is None or run.computation.computed is None:
        return []
    found = (run.services.index.table(t, run.permitted) for t in run.computation.table_ids)
    return [table for table in found if table is not None]


def _keys(run: Run, table: Table) -> list[str]:
    """Values of the column that identifies the rows, in the rows that the coverage speaks of."""
    coverage = run.computation.coverage if run.computation is not None else None
    column = coverage.key_column if coverage is not None else None
    if column is None or column not in table.columns:
        return []
    at = table.columns.index(column)
    return [row.cells[at] for row in table.rows if row.role is RowRole.BODY and row.cells[at].strip()]


def _texts(candidates: Iterable[Candidate]) -> list[str]:
    return [c.chunk.text for c in candidates]


def _pipeline(run: Run, survival: Survival) -> Pipeline:
    compressed = run.compressed
    return Pipeline(
        question=run.question,
        retrieved=len(run.pool),
        after_rerank=len(run.reranked),
        chars_before_compression=compressed.chars_before if compressed is not None else 0,
        chars_after_compression=compressed.chars_after if compressed is not None else 0,
        stages=tuple(run.recorder.stages),
        candidates=run.candidates,
        decisions={
            "dispatch": run.dispatch.model_dump(mode="json") if run.dispatch is not None else {},
            "narrowed": list(run.narrowed.reasons) if run.narrowed is not None else [],
            "parts": [p.told() for p in run.parts],
            "declined": run.computation.declined if run.computation is not None else None,
            "compression": compressed.model_dump(mode="json", exclude={"text"}) if compressed is not None else {},
        },
        filters={name: list(values) for name, values in run.request.filters.items()},
        weights=run.weights,
        survival=survival,
        audit=run.arbitration.audit if run.arbitration is not None else None,
        retrieval=run.retrieval_result(),
        prompt=run.prompt,
        prompt_sha256=sha256(run.prompt) if run.prompt else "",
        settings=run.services.settings.public(),
        tokens=run.usage.model_dump(),
        cost=run.usage.cost(run.services.settings),
        versions={"allrows": importlib.metadata.version("allrows"), **_versions()},
    )


def _versions() -> dict[str, str]:
    return {name: importlib.metadata.version(name) for name in MODELS}
