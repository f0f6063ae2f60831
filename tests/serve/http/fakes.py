"""A small index in memory and an engine that answers at once, to test the service without models."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contracts.answers import Answer, Pipeline, StageRecord, Survival
from contracts.chunks import Chunk
from contracts.documents import Document, Line, Row, RowRole, Section, Table, TableSummary
from contracts.errors import StoreUnavailable
from contracts.evidence import (
    Anchor,
    AuditRecord,
    Candidate,
    CandidateView,
    Citation,
    Context,
    RetrievalResult,
    Role,
)
from contracts.filters import Match, Scope
from contracts.plans import Check, Computed, Coverage, Plan
from contracts.protocols import IndexState
from contracts.questions import AskRequest, Question
from contracts.settings import Settings
from contracts.trace import Listener, TraceRecorder
from serve.replay import ReplayReport
from serve.services import Services


def doc_id(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def make_document(name: str, *groups: str, **changes: Any) -> Document:
    return Document(doc_id=doc_id(name), name=name, source=f"upload:{name}", groups=groups, pages=2, **changes)


def make_table(document: Document, rows: int = 4) -> Table:
    """A header and `rows` body rows, 10 points high, half of them on page 2."""
    head = Row(
        index=0, cells=("Code", "Net"), page=1, line_start=1, line_end=1, bbox=(50, 100, 300, 110), role=RowRole.HEADER
    )
    half = rows // 2
    body = [
        Row(
            index=i + 1,
            cells=(f"ST{i + 1:03}", str(1000 * (i + 1))),
            page=1 if i < half else 2,
            line_start=2 + i % half,
            line_end=2 + i % half,
            bbox=(50, 110 + 10 * (i % half), 300, 120 + 10 * (i % half)),
        )
        for i in range(rows)
    ]
    return Table(
        table_id=f"table-{document.doc_id[:8]}",
        doc_id=document.doc_id,
        title="Salaries",
        columns=("Code", "Net"),
        rows=(head, *body),
        pages=(1, 2),
        source="ruled",
    )


class FakeIndex:
    """Documents with groups, one table each; honours `groups`, `doc_id`, `doc_type` and `period` of a scope."""

    version = "fake-1"

    def __init__(self, *documents: Document) -> None:
        self.held = {d.doc_id: d for d in documents}
        self.tables = {t.table_id: t for t in map(make_table, documents)}
        self.down = False

    def _sees(self, document: Document, scope: Scope) -> bool:
        for condition in scope.must:
            assert isinstance(condition, Match)
            value = getattr(document, condition.field)
            values = value if isinstance(value, tuple) else (value,)
            if not set(values) & set(condition.any_of):
                return False
        return True

    def documents(self, scope: Scope = Scope()) -> tuple[Document, ...]:
        if self.down:
            raise StoreUnavailable("Qdrant at http://qdrant cannot be reached.", "Start it.")
        return tuple(sorted((d for d in self.held.values() if self._sees(d, scope)), key=lambda d: d.name))

    def document(self, doc_id: str, scope: Scope = Scope()) -> Document | None:
        return next((d for d in self.documents(scope) if d.doc_id == doc_id), None)

    def table(self, table_id: str, scope: Scope = Scope()) -> Table | None:
        table = self.tables.get(table_id)
        return table if table is not None and self.document(table.doc_id, scope) is not None else None

    def table_summaries(self, scope: Scope = Scope()) -> tuple[TableSummary, ...]:
        found = []
        for table in self.tables.values():
            document = self.document(table.doc_id, scope)
            if document is not None:
                found.append(
                    TableSummary(
                        table_id=table.table_id,
                        doc_id=table.doc_id,
                        doc_name=document.name,
                        doc_type=document.doc_type,
                        period=document.period,
                        title=table.title,
                        columns=table.columns,
                        column_types=(),
                        body_rows=len(table.rows) - 1,
                        pages=table.pages,
                    )
                )
        return tuple(found)

    def lines(self, doc_id: str, pages: Sequence[int] | None = None, scope: Scope = Scope()) -> tuple[Line, ...]:
        if self.document(doc_id, scope) is None:
            return ()
        table = next(t for t in self.tables.values() if t.doc_id == doc_id)
        return tuple(
            Line(
                page=row.page,
                line=row.line_start,
                text=" ".join(row.cells),
                x0=row.bbox[0],
                top=row.bbox[1],
                x1=row.bbox[2],
                bottom=row.bbox[3],
                table_id=table.table_id,
                row=row.index,
            )
            for row in table.rows
            if pages is None or row.page in pages
        )

    def outline(self, doc_id: str, scope: Scope = Scope()) -> tuple[Section, ...]:
        return ()

    def delete(self, doc_id: str) -> bool:
        self.tables = {k: t for k, t in self.tables.items() if t.doc_id != doc_id}
        return self.held.pop(doc_id, None) is not None

    def add(self, document: Document) -> None:
        self.delete(document.doc_id)
        self.held[document.doc_id] = document
        table = make_table(document)
        self.tables[table.table_id] = table

    def state(self) -> IndexState:
        return IndexState(
            engine="memory",
            location="memory",
            version=self.version,
            documents=len(self.documents()),
            chunks=0,
            tables=len(self.tables),
            payload_indexes={},
        )

    def close(self) -> None:
        pass


class Ready:
    """A loaded model."""

    def get(self) -> Ready:
        return self


class FakeEngine:
    """Answers from every document in the caller's scope, like the graph: it stores the trace itself."""

    def __init__(self, index: FakeIndex, traces: Any) -> None:
        self.index = index
        self.traces = traces
        self.before_answer: Any = lambda: None

    def ask(self, request: AskRequest, listener: Listener | None = None) -> Answer:
        recorder = TraceRecorder(listener)
        for name, count in (("retrieve", 4), ("rerank", 4), ("compress", 4)):
            with recorder.stage(name, 4) as span:
                span.out(count)
        self.before_answer()
        documents = self.index.documents(request.caller.scope())
        answer = self._answer(request, documents, recorder.trace_id, tuple(recorder.stages))
        self.traces.save(answer, request.caller)
        return answer

    def retrieve(self, request: AskRequest, listener: Listener | None = None) -> tuple[RetrievalResult, AuditRecord]:
        documents = self.index.documents(request.caller.scope())
        return self._result(request, documents), _AUDIT

    def replay(self, trace_id: str, generation_only: bool) -> Any:
        return ReplayReport(trace_id=trace_id, generation_only=generation_only, same=True, before="4", after="4")

    def _answer(
        self, request: AskRequest, documents: Sequence[Document], trace_id: str, stages: tuple[StageRecord, ...]
    ) -> Answer:
        if not documents:
            return Answer(
                answer="Not found.", mode="not_found", question=request.question, not_found=True,
                not_found_reason="no_documents", trace_id=trace_id, index_version="fake-1",
            )  # fmt: skip
        result = self._result(request, documents)
        tables = [t for t in self.index.tables.values() if t.doc_id in {d.doc_id for d in documents}]
        ids = ("ST001", "ST002", "ST003", "ST004")
        return Answer(
            answer=f"4 employees in {documents[0].name}.",
            mode="computed",
            question=request.question,
            citations=tuple(c for t in tables for c in _citations(t, self.index.held[t.doc_id].name)),
            computed=Computed(
                op="count", value="4", plan=Plan(op="count", table_ids=tuple(t.table_id for t in tables)),
                sql="SELECT count(*) FROM t", rows=((tables[0].table_id, 1),),
            ),
            coverage=Coverage(
                rows_extracted=4, rows_used=4, pages=(1, 2), tables=tuple(t.table_id for t in tables),
                checks=(Check(name="footing", passed=True, column="Net", computed="10000", printed="10000"),),
            ),
            degraded=("rerank_timeout",),
            index_version="fake-1",
            trace_id=trace_id,
            pipeline=Pipeline(
                question=Question(text=request.question), stages=stages, prompt="PROMPT", retrieval=result,
                candidates=tuple(_candidate(d) for d in documents),
                survival=Survival(
                    identifiers=ids, stages={"extract": ids, "retrieve": ids, "compress": ids[:2], "prompt": ids[:2]}
                ),
            ),
        )  # fmt: skip

    def _result(self, request: AskRequest, documents: Sequence[Document]) -> RetrievalResult:
        return RetrievalResult(
            doc_id=documents[0].doc_id if documents else None,
            question=request.question,
            candidates=tuple(_view(d) for d in documents),
            methods_used=("bm25",),
            not_found=not documents,
        )


_AUDIT = AuditRecord(candidates=(), methods_run=("bm25",), methods_skipped=(), skipped_reasons={})


def _citations(table: Table, name: str) -> list[Citation]:
    return [
        Citation(
            doc_id=table.doc_id, doc_name=name, page=page, line_start=2, line_end=3, table_id=table.table_id,
            rows=tuple(r.index for r in table.rows if r.page == page and r.role == RowRole.BODY),
            bboxes=tuple(r.bbox for r in table.rows if r.page == page and r.role == RowRole.BODY),
        )
        for page in table.pages
    ]  # fmt: skip


def _chunk(document: Document) -> Chunk:
    return Chunk(
        chunk_id=f"chunk-{document.doc_id[:8]}", doc_id=document.doc_id, kind="prose", text=f"Text of {document.name}",
        ordinal=0, page_start=1, page_end=1, line_start=1, line_end=2,
    )  # fmt: skip


def _candidate(document: Document) -> Candidate:
    return Candidate(
        candidate_id=f"chunk-{document.doc_id[:8]}", chunk=_chunk(document), doc_name=document.name,
        doc_type=document.doc_type, methods=("bm25",), role=Role.PRIMARY,
    )  # fmt: skip


def _view(document: Document) -> CandidateView:
    return CandidateView(
        candidate_id=f"chunk-{document.doc_id[:8]}", doc_id=document.doc_id, doc_name=document.name,
        anchor=Anchor(page=1, line_start=1, line_end=2),
        context=Context(page_start=1, line_start=1, page_end=1, line_end=3),
        snippet="", text=f"Text of {document.name}", methods=("bm25",), matched_keywords=(), section_title="",
        role=Role.PRIMARY, reason="",
    )  # fmt: skip


def make_services(folder: Path, index: FakeIndex, **settings: Any) -> Services:
    return Services(
        settings=Settings(data_dir=folder, **settings),
        index=index,  # type: ignore[arg-type]
        dense=Ready(),  # type: ignore[arg-type]
        sparse=None,  # type: ignore[arg-type]
        cross_encoder=None,
        lexicon=None,  # type: ignore[arg-type]
    )
