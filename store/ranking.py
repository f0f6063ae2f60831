"""Best first, and the same order everywhere: among equal scores the smaller id comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from store.engine import Engine, Found, Search

SLACK = 8
"""Asked for beyond the limit, to see whether the last place is shared."""
MOST = 4096
"""A tie longer than this is cut by the engine's own order."""
DECIMALS = 6
"""Engines differ in the last bits of a float32; scores equal to this many decimals are equal."""


def ranked(engine: Engine, searches: Sequence[Search]) -> list[list[Found]]:
    """The results of one batch, each cut to its search's limit; a shared last place is asked for again."""
    results: list[list[Found]] = [[] for _ in searches]
    asked = {i: s.limit + SLACK for i, s in enumerate(searches)}
    while asked:
        order = list(asked)
        answers = engine.search([replace(searches[i], limit=asked[i]) for i in order])
        again = {}
        for i, found in zip(order, answers, strict=True):
            hits = sorted((_rounded(f) for f in found), key=lambda f: (-f.score, f.id))
            results[i] = hits[: searches[i].limit]
            if _last_place_open(hits, searches[i].limit, asked[i]):
                again[i] = min(asked[i] * 4, MOST)
        asked = again
    return results


def _last_place_open(hits: list[Found], limit: int, asked: int) -> bool:
    full = len(hits) >= asked and asked < MOST
    return full and hits[-1].score == hits[limit - 1].score


def _rounded(found: Found) -> Found:
    return Found(found.id, round(found.score, DECIMALS), found.payload)
