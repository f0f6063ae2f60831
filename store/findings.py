"""What an index holds and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from contracts.base import JsonValue
from contracts.filters import Match
from contracts.protocols import IndexState
from store.engine import Engine, Facts, where
from store.schema import CHUNK_KINDS, DOCUMENT, GRID, INDEXED, PUBLISHING, SCHEMA_VERSION
from store.view import View

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
    if facts.detail.get("idf_corpus") is False:
        found.append(
            Problem(
                "engine",
                "idf",
                "this server is older than 1.19: BM25 counts deleted chunks and windows until it optimises",
            )
        )
    return found


def content_problems(engine: Engine, view: View) -> list[Problem]:
    """Half-published documents, points without a document, documents without all their points."""
    expected = {
        p.payload["doc_id"]: (p.payload["points"], p.payload["name"][0])
        for p in engine.scroll(where(_kind(DOCUMENT)), fields=("doc_id", "points", "name"))
    }
    actual = _points_per_document(engine, len(expected))
    found = []
    for point in engine.scroll(where(_kind(PUBLISHING))):
        found.append(Problem("half", point.id, f"half-published: {point.payload['body']}"))
    for doc_id in sorted(actual.keys() - expected.keys() - set(view.hidden)):
        found.append(Problem("orphan", doc_id, f"{actual[doc_id]} points of {doc_id} belong to no document"))
    for doc_id, (points, name) in sorted(expected.items()):
        if actual.get(doc_id, 0) != points and doc_id not in view.hidden:
            found.append(
                Problem("incomplete", doc_id, f"{name}: {actual.get(doc_id, 0)} of its {points} points are there")
            )
    return found


def inspect(engine: Engine, view: View) -> IndexState:
    facts = engine.facts()
    problems = schema_problems(facts) + content_problems(engine, view)
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
