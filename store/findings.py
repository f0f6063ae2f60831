"""What an index holds and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from contracts.base import JsonValue
from contracts.filters import Match
from contracts.protocols import IndexState
from store.engine import Engine, Facts, where
from store.layout import point_id
from store.schema import CHUNK_KINDS, DOCUMENT, GRID, INDEXED, PUBLISHING, SCHEMA_VERSION
from store.view import View, read_view

Trouble = Literal["index", "schema", "half", "orphan", "incomplete", "engine", "alias", "leftover", "unfinished"]


@dataclass(frozen=True, slots=True)
class Problem:
    """`subject` is what it is about: a field, a document."""

    trouble: Trouble
    subject: str
    text: str


def schema_problems(facts: Facts) -> list[Problem]:
    """The declared schema against what the engine itself reports."""
    found = [
        Problem("index", name, f"payload index on `{name}` is {facts.indexes.get(name, 'missing')}, not {kind}")
        for name, kind in INDEXED.items()
        if facts.indexes.get(name) != kind
    ]
    if facts.distance != "cosine":
        found.append(Problem("schema", "dense", f"distance of the dense vectors is {facts.distance}, not cosine"))
    if not facts.idf:
        found.append(Problem("schema", "bm25", "the bm25 vectors have no IDF modifier"))
    if facts.detail.get("strict") is False:
        found.append(Problem("engine", "strict", "strict mode is off: a filter without index would pass unseen"))
    if lower := facts.detail.get("too_strict"):
        found.append(Problem("engine", "limits", f"strict mode refuses what allrows asks: {', '.join(lower)}"))
    return found


def content_problems(engine: Engine, view: View) -> list[Problem]:
    """Half-published documents, points without a document, documents without all their points.

    Another process may be publishing meanwhile, so whatever looks wrong is looked at once more by itself.
    """
    expected = {
        p.payload["doc_id"]: p.payload["points"]
        for p in engine.scroll(where(_kind(DOCUMENT)), fields=("doc_id", "points"))
    }
    actual = _points_per_document(engine, len(expected))
    doubtful = {d for d in expected.keys() | actual.keys() if expected.get(d) != actual.get(d)} - set(view.hidden)
    half = [
        Problem("half", point.id, f"half-published: {point.payload['body']}")
        for point in engine.scroll(where(_kind(PUBLISHING)))
    ]
    return half + [p for doc_id in sorted(doubtful) for p in _looked_at(engine, doc_id)]


def _looked_at(engine: Engine, doc_id: str) -> list[Problem]:
    there = engine.count(where(Match(field="doc_id", any_of=(doc_id,))))
    stored = engine.retrieve([point_id(DOCUMENT, doc_id)])
    if doc_id in read_view(engine).hidden or there == 0:
        return []
    if not stored:
        return [Problem("orphan", doc_id, f"{there} points of {doc_id} belong to no document")]
    name, points = stored[0].payload["name"][0], stored[0].payload["points"]
    return (
        [Problem("incomplete", doc_id, f"{name}: {there} of its {points} points are there")] if there != points else []
    )


def inspect(engine: Engine, view: View, content: Sequence[Problem]) -> IndexState:
    """The state with what stands against answering from it: `content` and the schema's problems.

    A document that is being published is no problem of a running service; `allrows doctor` tells it.
    """
    facts = engine.facts()
    problems = [p for p in (*schema_problems(facts), *content) if p.trouble != "half"]
    if view.schema != SCHEMA_VERSION:
        problems.append(Problem("schema", "version", f"schema version is {view.schema}, not {SCHEMA_VERSION}"))
    detail: dict[str, JsonValue] = {"collection": view.collection, "made_with": dict(view.fingerprints), **facts.detail}
    return IndexState(
        engine=engine.kind,
        location=engine.location,
        version=view.version,
        documents=engine.count(view.visible(where(_kind(DOCUMENT)).scope)),
        chunks=engine.count(view.visible(where(_kind(*CHUNK_KINDS)).scope)),
        tables=engine.count(view.visible(where(_kind(GRID)).scope)),
        payload_indexes=dict(sorted(facts.indexes.items())),
        problems=tuple(p.text for p in problems),
        detail=detail,
    )


def _points_per_document(engine: Engine, documents: int) -> Mapping[str, int]:
    """Doubles the number of values asked for until all fit."""
    limit = documents * 2 + 1000
    while True:
        counts = engine.facet("doc_id", where(), limit)
        if len(counts) < limit:
            return counts
        limit *= 2


def _kind(*kinds: str) -> Match:
    return Match(field="kind", any_of=kinds)
