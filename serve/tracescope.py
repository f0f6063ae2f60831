"""Which documents a trace shows something of, and who may therefore see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from contracts.answers import Answer
from contracts.filters import Caller
from contracts.protocols import Index

_TABLE_FIELDS = frozenset({"table_id", "table_ids", "tables"})


def documents_in(answer: Answer, index: Index) -> dict[str, tuple[str, ...]]:
    """Id of every document that the answer or its pipeline names, with the groups it has now.

    The whole record is walked, free-form details of stages and decisions included, so that a stage that
    starts to name documents in a new place is covered.
    """
    ids: set[str] = set()
    tables: set[str] = set()
    for field, value in _strings(answer.model_dump(mode="json"), ""):
        if field == "doc_id":
            ids.add(value)
        elif field in _TABLE_FIELDS:
            tables.add(value)
        if len(value) == 64:  # a SHA-256, the form of a document's id
            ids.add(value)
    ids |= {table.doc_id for t in sorted(tables) if (table := index.table(t)) is not None}
    found = {i: index.document(i) for i in sorted(ids)}
    return {i: document.groups for i, document in found.items() if document is not None}


def may_read(reader: Caller, owner: Caller, documents: Mapping[str, tuple[str, ...]], index: Index) -> bool:
    """Whether `reader` may see a trace of `owner` that shows `documents` (id to groups when it was saved).

    Every document must be readable now; one that is gone counts with the groups it had. A trace without any
    document still tells what somebody asked, so it needs all the groups of the person who asked.
    """
    if reader.groups is None:
        return True
    if not documents:
        return reader.name == owner.name or (owner.groups is not None and set(owner.groups) <= set(reader.groups))
    return all(_readable(doc_id, groups, reader, index) for doc_id, groups in documents.items())


def _readable(doc_id: str, groups: tuple[str, ...], reader: Caller, index: Index) -> bool:
    if index.document(doc_id, reader.scope()) is not None:
        return True
    return index.document(doc_id) is None and bool(set(groups) & set(reader.groups or ()))


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
