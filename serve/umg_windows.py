"""Where windows stand, kept in memory once read: a question finds hundreds to choose twenty.

Only places are kept (ids, ranges, tokens), never text, and only for ids that the engine just gave for the caller's
own scope. A new index version empties it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from itertools import islice

from contracts.chunks import Chunk
from contracts.filters import Scope
from contracts.protocols import Index
from serve.umg import Window

MOST = 100_000
"""Windows kept, about 40 MB; past it the oldest half is let go."""
DOCUMENT_FIELDS = frozenset({"doc_id", "name", "source", "doc_type", "groups", "period", "language"})
"""With conditions on these alone, a window's parent is in scope whenever the window is."""


class WindowPlaces:
    """One per process; safe to share between threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._version = ""
        self._known: dict[str, Window] = {}

    def read(self, index: Index, scope: Scope, ids: Iterable[str]) -> dict[str, Window]:
        """The windows of `ids` that are in `scope`; `ids` come from a search in that scope, or are their parents."""
        wanted = list(dict.fromkeys(ids))
        if not all(c.field in DOCUMENT_FIELDS for c in (*scope.must, *scope.must_not)):
            return _from_engine(index, scope, wanted)
        with self._lock:
            if self._version != index.version:
                self._version, self._known = index.version, {}
            found = {i: self._known[i] for i in wanted if i in self._known}
        new = _from_engine(index, scope, [i for i in wanted if i not in found])
        with self._lock:
            if len(self._known) + len(new) > self._most:
                self._known = dict(islice(self._known.items(), len(self._known) // 2, None))
            self._known.update(new)
        return found | new


def _from_engine(index: Index, scope: Scope, ids: list[str]) -> dict[str, Window]:
    return {chunk.chunk_id: window_of(chunk) for chunk in (index.chunks(scope, ids) if ids else ())}


def window_of(chunk: Chunk) -> Window:
    return Window(
        id=chunk.chunk_id,
        doc_id=chunk.doc_id,
        granularity=chunk.granularity,
        start=-1 if chunk.sentence_start is None else chunk.sentence_start,
        end=-1 if chunk.sentence_end is None else chunk.sentence_end,
        tokens=chunk.tokens,
        parent_id=chunk.parent_id,
        rows=chunk.table_id is not None,
    )
