"""The index as ingestion and answering see it (`contracts.protocols.Index`), on any engine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from contracts.chunks import Chunk, EmbeddedChunk
from contracts.documents import Document, Line, ParsedDocument, Section, Table, TableSummary
from contracts.errors import IndexError_
from contracts.filters import Match, Scope
from contracts.protocols import Hit, IndexState, VectorQuery
from store import layout
from store.engine import Catalogue, Engine, Found, Point, Search, Where
from store.findings import Problem, content_problems, inspect
from store.memo import Memo
from store.publish import Publisher
from store.ranking import ranked
from store.schema import CHUNK_KINDS, DOCUMENT, GRID, OUTLINE, PAGE, ROWS, checked, for_documents, values_of
from store.tuning import IDF_CORPUS_POINTS
from store.view import View, read_view

T = TypeVar("T")
PATIENCE = 10


class StoreIndex:
    """Reads follow the alias: when a rebuild becomes live, the next read is from it.

    Conditions on fields that only chunks have (codes, granularity, …) narrow chunks and searches;
    documents, lines and outlines are narrowed by the fields of documents.
    """

    def __init__(self, catalogue: Catalogue, alias: str) -> None:
        self._catalogue = catalogue
        self._alias = alias
        self._engine: Engine = catalogue.lookup(alias)
        self._publisher: Publisher | None = None
        self._follow = threading.Lock()
        self._counted = ("", 0)
        self._examined: tuple[View, list[Problem]] | None = None
        self._documents = Memo(DOCUMENT, layout.read_document, ("body",))
        self._grids = Memo(GRID, layout.read_summary, ("table_id", "section_id", "brief"))
        self._now()

    @property
    def version(self) -> str:
        return self._now()[1].version

    def settings_in_force(self) -> Mapping[str, str]:
        return self._now()[1].fingerprints

    def search(self, queries: Sequence[VectorQuery]) -> list[list[Hit]]:
        """Without a condition on `granularity` or `kind`, and without ids, only whole chunks are searched.

        A BM25 list holds only chunks that share a token with the query; the others score 0.

        Raises:
            FilterError: a condition on a field that the schema does not let filter.
        """
        return [[_hit(one) for one in hits] for hits in self._found(queries)]

    def rank(self, queries: Sequence[VectorQuery]) -> list[dict[str, float]]:
        return [{one.id: one.score for one in found} for found in self._found(queries, payload=False)]

    def documents(self, scope: Scope = Scope()) -> tuple[Document, ...]:
        narrowed = for_documents(checked(scope))
        found = self._steady(lambda engine, view: self._documents.admitted(engine, view, narrowed))
        return tuple(sorted(found, key=lambda d: (d.name, d.doc_id)))

    def document(self, doc_id: str, scope: Scope = Scope()) -> Document | None:
        narrowed = for_documents(checked(scope)).and_(_kind(DOCUMENT), _of(doc_id))
        found = [layout.read_document(p.payload) for p in self._points(narrowed)]
        return found[0] if found else None

    def table_summaries(self, scope: Scope = Scope()) -> tuple[TableSummary, ...]:
        narrowed = for_documents(checked(scope), "table_id", "section_id")
        found = self._steady(lambda engine, view: self._grids.admitted(engine, view, narrowed))
        return tuple(sorted(found, key=lambda t: (t.doc_name, t.doc_id, t.pages, t.table_id)))

    def table(self, table_id: str, scope: Scope = Scope()) -> Table | None:
        this = Match(field="table_id", any_of=(table_id,))
        return layout.read_table(self._points(for_documents(checked(scope)).and_(this, _kind(GRID, ROWS))))

    def lines(self, doc_id: str, pages: Sequence[int] | None = None, scope: Scope = Scope()) -> tuple[Line, ...]:
        narrowed = for_documents(checked(scope)).and_(_kind(PAGE), _of(doc_id))
        if pages is not None:
            narrowed = narrowed.and_(Match(field="page_start", any_of=tuple(dict.fromkeys(pages))))
        return layout.read_lines(self._points(narrowed))

    def outline(self, doc_id: str, scope: Scope = Scope()) -> tuple[Section, ...]:
        narrowed = for_documents(checked(scope)).and_(_kind(OUTLINE), _of(doc_id))
        return layout.read_outline(self._points(narrowed))

    def chunks(self, scope: Scope = Scope(), ids: Sequence[str] | None = None) -> tuple[Chunk, ...]:
        """Without ids and without a condition on `granularity` or `kind`: whole chunks, no windows."""
        wanted = None if ids is None else tuple(dict.fromkeys(ids))
        points = self._points(_chunk_scope(scope, wanted), wanted, fields=("body",))
        found = [layout.read_chunk(point.payload) for point in points]
        return tuple(sorted(found, key=lambda c: (c.doc_id, c.granularity, c.ordinal, c.chunk_id)))

    def count_chunks(self, scope: Scope = Scope()) -> int:
        narrowed = _chunk_scope(scope, None)
        return self._steady(lambda engine, view: engine.count(view.visible(narrowed)))

    def state(self) -> IndexState:
        """The points are examined once for each version: readiness probes ask for the state all the time."""
        engine, view = self._now()
        if self._examined is None or self._examined[0] != view:
            self._examined = (view, content_problems(engine, view))
        return inspect(engine, view, self._examined[1])

    def put(self, parsed: ParsedDocument, chunks: Sequence[EmbeddedChunk]) -> None:
        self._writer().put(parsed, chunks)

    def add_chunks(self, doc_id: str, chunks: Sequence[EmbeddedChunk], granularities: Sequence[int] = ()) -> None:
        self._writer().add_chunks(doc_id, chunks, granularities)

    def delete(self, doc_id: str) -> bool:
        return self._writer().delete(doc_id)

    def repair(self) -> list[str]:
        """Finishes what a crash left half published; one line for each thing done."""
        return self._writer().repair()

    def finish(self) -> None:
        """Raises `IndexError_` when a document has not all of its points."""
        engine, view = self._now(patient=True)
        engine = engine.patient()
        engine.finish()
        wrong = [p.text for p in content_problems(engine, view) if p.trouble != "half"]
        if wrong:
            raise IndexError_(f"The index is not whole: {'; '.join(wrong)}.", "`allrows doctor --fix`, then ingest.")

    def close(self) -> None:
        self._catalogue.close()

    def _now(self, patient: bool = False) -> tuple[Engine, View]:
        """Control points are read by the alias, the rest by the collection that they name."""
        door = self._catalogue.lookup(self._alias)
        view = read_view(door.patient() if patient else door)
        with self._follow:
            if view.collection != self._engine.collection:
                self._engine = self._catalogue.open(view.collection)
                self._publisher = None
            return self._engine, view

    def _steady(self, read: Callable[[Engine, View], T]) -> T:
        """The result of a read during which nothing was published.

        A publication in its middle could show half of the old document; then it is read again. Under
        an unbroken stream of publications the last of `PATIENCE` reads is taken.
        """
        engine, view = self._now()
        for _ in range(PATIENCE):
            result = read(engine, view)
            engine, after = self._now()
            if after == view:
                break
            view = after
        return result

    def _found(self, queries: Sequence[VectorQuery], payload: bool = True) -> list[list[Found]]:
        def read(engine: Engine, view: View) -> list[list[Found]]:
            bounded = self._size(engine, view) <= IDF_CORPUS_POINTS
            return ranked(engine, [replace(_search(query, view, bounded), payload=payload) for query in queries])

        return self._steady(read)

    def _size(self, engine: Engine, view: View) -> int:
        """Points in the collection, counted once for each version."""
        if self._counted[0] != view.version:
            self._counted = (view.version, engine.count(Where()))
        return self._counted[1]

    def _writer(self) -> Publisher:
        self._now(patient=True)
        with self._follow:
            if self._publisher is None:
                self._publisher = Publisher(self._engine)
            return self._publisher

    def _points(
        self, scope: Scope, ids: tuple[str, ...] | None = None, fields: Sequence[str] | None = None
    ) -> list[Point]:
        return self._steady(lambda engine, view: list(engine.scroll(view.visible(scope, ids), fields=fields)))


def _search(query: VectorQuery, view: View, bounded: bool) -> Search:
    scope = _chunk_scope(query.scope, query.ids)
    # Counted within the reader's groups: over all of them a score would tell whether others' documents hold a word.
    shared = [c for c in scope.must if isinstance(c, Match) and c.field in ("granularity", "groups")]
    limited = any(c.field == "groups" for c in shared)
    return Search(
        where=view.visible(scope, query.ids),
        limit=query.limit,
        dense=query.dense,
        sparse=query.sparse,
        exact=query.exact,
        corpus=Where(Scope(must=tuple(shared))) if (bounded or limited) and query.sparse is not None else None,
    )


def _chunk_scope(scope: Scope, ids: Sequence[str] | None) -> Scope:
    """Chunks in scope; windows only when granularity, kind or ids ask for them."""
    narrowed = checked(scope)
    chosen = ids is not None or values_of(narrowed, "granularity") or values_of(narrowed, "kind")
    if not chosen:
        narrowed = narrowed.and_(Match(field="granularity", any_of=(0,)))
    return narrowed.and_(_kind(*CHUNK_KINDS))


def _hit(found: Found) -> Hit:
    payload = found.payload
    return Hit(
        chunk=layout.read_chunk(payload),
        score=found.score,
        doc_name=payload["name"][0],
        doc_type=payload["doc_type"],
        period=payload.get("period"),
    )


def _kind(*kinds: str) -> Match:
    return Match(field="kind", any_of=kinds)


def _of(doc_id: str) -> Match:
    return Match(field="doc_id", any_of=(doc_id,))
