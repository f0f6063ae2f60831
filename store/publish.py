"""Putting a document in place of another so that readers see the old one or the new one, whole.

The order, for a document X that replaces Y at one source:

    1. publishing point: X hidden           readers see Y
    2. write X, check its count             readers see Y
    3. publishing point: Y hidden, version  readers see X   (one write)
    4. delete Y                             readers see X
    5. delete the publishing point

A crash anywhere leaves a state from which the same `put` goes on: 1 and 2 are repeated with the same
ids, 4 and 5 are finished.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from contracts.chunks import EmbeddedChunk
from contracts.documents import Document, ParsedDocument
from contracts.errors import IndexError_
from contracts.filters import Match
from store.engine import Engine, Point, Where, where
from store.layout import (
    batches,
    chunk_points,
    content_points,
    digest,
    document_point,
    metadata,
    point_id,
    read_copies,
    with_granularities,
    with_metadata,
)
from store.schema import DOCUMENT, PUBLISHING
from store.view import publishing_point, read_view, state_point


class Publisher:
    """The one writer of a collection in this process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.patient()
        self._one = threading.RLock()

    def put(self, parsed: ParsedDocument, chunks: Sequence[EmbeddedChunk]) -> None:
        """Raises `IndexError_` when the index does not hold what was written."""
        document = parsed.document
        with self._one:
            begun = self._settle(document)
            stored = self._stored(document.doc_id)
            copies = self._copies(stored, document)
            content = content_points(parsed, chunks)
            mark = digest(content)
            if stored is None or stored.payload["digest"] != mark or self._count(document.doc_id) != _points(stored):
                self._write(document, with_metadata(content, copies), copies, mark, hide=stored is None)
            elif read_copies(stored.payload) != tuple(copies):
                self._relabel(copies, stored)
            elif not begun and not self._others(document):
                return  # repeating changes nothing, not even the version
            self._switch(document)

    def add_chunks(self, doc_id: str, chunks: Sequence[EmbeddedChunk], granularities: Sequence[int] = ()) -> None:
        with self._one:
            stored = self._stored(doc_id)
            if stored is None:
                raise IndexError_(f"There is no document {doc_id}.", "`allrows ingest` it first.")
            copies = with_granularities(read_copies(stored.payload), granularities)
            for batch in batches(with_metadata(chunk_points(chunks), copies)):
                self._engine.upsert(batch)
            head = document_point(copies, self._count(doc_id), stored.payload["digest"])
            self._engine.upsert([head, self._next_state()])

    def delete(self, doc_id: str) -> bool:
        with self._one:
            if self._stored(doc_id) is None:
                return False
            self._retire(doc_id, (doc_id,))
            return True

    def repair(self) -> list[str]:
        """Finishes or undoes what a crash left half done; says what it did, one line each."""
        with self._one:
            done = []
            for point in self._engine.scroll(where(Match(field="kind", any_of=(PUBLISHING,)))):
                for doc_id in point.payload["hidden"]:
                    self._purge(doc_id)
                    done.append(f"removed the half-published document {doc_id} ({point.payload['body']})")
                self._engine.delete(Where(ids=(point.id,)))
            return done

    def purge(self, doc_id: str) -> None:
        """Removes points that no document owns."""
        with self._one:
            self._purge(doc_id)

    def _write(
        self, document: Document, content: list[Point], copies: Sequence[Document], mark: str, hide: bool
    ) -> None:
        doc_id = document.doc_id
        if hide:
            self._engine.upsert([publishing_point(document.source, (doc_id,), f"writing {document.source}")])
        for batch in batches(content):
            self._engine.upsert(batch)
        expected = len({p.id for p in content}) + 1
        self._engine.upsert([document_point(copies, expected, mark)])
        found = self._count(doc_id)
        if found > expected:
            self._drop_strays(doc_id, {p.id for p in content} | {point_id(DOCUMENT, doc_id)})
            found = self._count(doc_id)
        if found != expected:
            raise IndexError_(
                f"{document.name}: {found} of its {expected} points are in the index.", "Ingest it again."
            )

    def _switch(self, document: Document) -> None:
        """Steps 3 to 5: the documents that only this source had go; shared ones lose the source."""
        gone = []
        for old in self._others(document):
            rest = [c for c in read_copies(old.payload) if c.source != document.source]
            if rest:
                self._relabel(rest, old)
            else:
                gone.append(old.payload["doc_id"])
        self._retire(document.source, tuple(gone))

    def _retire(self, key: str, gone: tuple[str, ...]) -> None:
        self._engine.upsert([publishing_point(key, gone, f"replacing at {key}"), self._next_state()])
        for doc_id in gone:
            self._purge(doc_id)
        self._engine.delete(Where(ids=(point_id(PUBLISHING, key),)))

    def _settle(self, document: Document) -> bool:
        """Clears what a crashed publication left for this source or this content.

        True when this very publication had begun: its publishing point still stands.
        """
        begun = False
        for point in self._engine.scroll(where(Match(field="kind", any_of=(PUBLISHING,)))):
            hidden = point.payload["hidden"]
            mine = point.id == point_id(PUBLISHING, document.source)
            if mine and document.doc_id in hidden:
                begun = True
            elif mine or document.doc_id in hidden:
                for doc_id in hidden:
                    self._purge(doc_id)
                self._engine.delete(Where(ids=(point.id,)))
        return begun

    def _relabel(self, copies: Sequence[Document], stored: Point) -> None:
        """The same content at other sources, or with other groups: only the metadata changes."""
        doc_id = copies[0].doc_id
        self._engine.set_payload(_of(doc_id), metadata(copies))
        self._engine.upsert([document_point(copies, _points(stored), stored.payload["digest"])])

    def _copies(self, stored: Point | None, document: Document) -> list[Document]:
        known = [] if stored is None else [c for c in read_copies(stored.payload) if c.source != document.source]
        return sorted([*known, document], key=lambda d: d.source)

    def _others(self, document: Document) -> list[Point]:
        """Other documents at this document's source."""
        at_source = where(Match(field="kind", any_of=(DOCUMENT,)), Match(field="source", any_of=(document.source,)))
        return [p for p in self._engine.scroll(at_source) if p.payload["doc_id"] != document.doc_id]

    def _stored(self, doc_id: str) -> Point | None:
        found = self._engine.retrieve([point_id(DOCUMENT, doc_id)])
        return found[0] if found else None

    def _count(self, doc_id: str) -> int:
        return self._engine.count(_of(doc_id))

    def _purge(self, doc_id: str) -> None:
        self._engine.delete(_of(doc_id))

    def _drop_strays(self, doc_id: str, expected: set[str]) -> None:
        strays = tuple(p.id for p in self._engine.scroll(_of(doc_id), fields=("kind",)) if p.id not in expected)
        self._engine.delete(Where(ids=strays))

    def _next_state(self) -> Point:
        view = read_view(self._engine)
        return state_point(self._engine.collection, view.fingerprints)


def _of(doc_id: str) -> Where:
    return where(Match(field="doc_id", any_of=(doc_id,)))


def _points(stored: Point) -> int:
    return int(stored.payload["points"])
