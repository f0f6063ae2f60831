"""Which documents a trace shows something of, and who may therefore see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from contracts.answers import Answer
from contracts.filters import Caller
from contracts.protocols import Index

Groups = tuple[str, ...]
_TABLE_FIELDS = frozenset({"table_id", "table_ids", "tables"})


def documents_in(answer: Answer, caller: Caller, index: Index) -> dict[str, Groups]:
    """Id of every document that the answer or its pipeline names, with the groups it has now.

    The whole record is walked, free-form details of stages and decisions included, so that a stage that
    starts to name documents in a new place is covered: by id, by name or by table.
    """
    held = index.documents(caller.scope())
    by_id, by_name = {d.doc_id: d for d in held}, {d.name: d for d in held}
    found: dict[str, Groups] = {}
    tables: set[str] = set()
    for field, text in _strings(answer.model_dump(mode="json"), ""):
        document = by_id.get(text) or by_name.get(text)
        if document is not None:
            found[document.doc_id] = document.groups
        elif field in _TABLE_FIELDS:
            tables.add(text)
    for table_id in sorted(tables):
        table = index.table(table_id)
        document = index.document(table.doc_id) if table is not None else None
        if document is not None:
            found[document.doc_id] = document.groups
    return found


class Readable:
    """What one reader may see of the traces of others; made for one request, because groups change."""

    def __init__(self, reader: Caller, index: Index) -> None:
        self._reader = reader
        self._index = index
        self._visible: frozenset[str] | None = None
        self._covered: dict[Groups | None, bool] = {}
        self._known: dict[str, bool] = {}

    def __call__(self, owner: Caller, documents: Mapping[str, Groups]) -> bool:
        """Whether the reader may see a trace of `owner` that names `documents` (id to groups when it was saved).

        A trace counts what was searched and tells what somebody asked. So the reader must be able to read
        every document that the owner's question went over, and every one that the trace names; one that is
        gone counts with the groups it had.
        """
        if self._reader.groups is None:
            return True
        if not documents and self._reader.name != owner.name and not self._has_groups_of(owner):
            return False
        return self._covers(owner) and all(self._reads(d, groups) for d, groups in documents.items())

    def _has_groups_of(self, owner: Caller) -> bool:
        return owner.groups is not None and set(owner.groups) <= set(self._reader.groups or ())

    def _covers(self, owner: Caller) -> bool:
        if owner.groups not in self._covered:
            searched = {d.doc_id for d in self._index.documents(owner.scope())}
            self._covered[owner.groups] = self._has_groups_of(owner) or searched <= self._visible_ids()
        return self._covered[owner.groups]

    def _visible_ids(self) -> frozenset[str]:
        if self._visible is None:
            self._visible = frozenset(d.doc_id for d in self._index.documents(self._reader.scope()))
        return self._visible

    def _reads(self, doc_id: str, groups: Groups) -> bool:
        if doc_id not in self._known:
            self._known[doc_id] = doc_id in self._visible_ids() or (
                self._index.document(doc_id) is None and bool(set(groups) & set(self._reader.groups or ()))
            )
        return self._known[doc_id]


def _strings(value: Any, field: str) -> Iterator[tuple[str, str]]:
    """(name of the nearest field, text) of every text in a JSON value, keys of mappings included."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield "", key
            yield from _strings(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, field)
