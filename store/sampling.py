"""A few chunks from all over a collection, with their vectors."""

from __future__ import annotations

from itertools import islice

from contracts.filters import Match
from store.engine import Engine, Point, Where, where
from store.schema import CHUNK_KINDS


def sample_chunks(engine: Engine, count: int) -> list[Point]:
    """Ids are hashes of places, so those that come first in their order are from all over."""
    chunks = where(Match(field="kind", any_of=CHUNK_KINDS))
    ids = tuple(p.id for p in islice(engine.scroll(chunks, fields=("kind",)), count))
    return [p for p in engine.scroll(Where(ids=ids), vectors=True) if p.dense is not None]
