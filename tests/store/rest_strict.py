"""Strict mode as a Qdrant server checks it: the same rules, the same order, the same words.

Source: qdrant/qdrant, `lib/collection/src/operations/verification` (requests of counts, facets, scrolls, queries and
updates), and `lib/storage/src/content_manager/errors.rs`, by which a refusal is a bad request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from qdrant_client import models


class Refused(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True)
class Asked:
    """What strict mode looks at in a request."""

    read: models.Filter | None = None
    updated: models.Filter | None = None
    limit: int | None = None
    exact: bool = False
    params: models.SearchParams | None = None
    upserted: int | None = None


def verify(strict: Mapping[str, Any], indexed: Collection[str], asked: Asked) -> None:
    """Raises `Refused` when strict mode is on and does not let the request pass."""
    if not strict.get("enabled"):
        return
    _bounded("upsert limit", asked.upserted, strict.get("upsert_max_batchsize"))
    _bounded("limit", asked.limit, strict.get("max_query_limit"))
    _filtered(strict, indexed, asked.read, "unindexed_filtering_retrieve")
    _filtered(strict, indexed, asked.updated, "unindexed_filtering_update")
    _exact(strict, asked.exact)
    if params := asked.params:
        quantization = params.quantization
        oversampling = quantization.oversampling if quantization else None
        _bounded("oversampling", oversampling, strict.get("search_max_oversampling"))
        _bounded("hnsw_ef", params.hnsw_ef, strict.get("search_max_hnsw_ef"))
        corpus = params.idf.corpus if isinstance(params.idf, models.IdfCorpusParams) else None
        _filtered(strict, indexed, corpus, "unindexed_filtering_retrieve")
        _exact(strict, bool(params.exact))


def _bounded(name: str, value: float | None, most: float | None) -> None:
    if value is not None and most is not None and value > most:
        raise _refusal(
            f'Limit exceeded {value} > {most} for "{name}"', f'Reduce the "{name}" parameter to or below {most}.'
        )


def _exact(strict: Mapping[str, Any], exact: bool) -> None:
    if exact and strict.get("search_allow_exact") is False:
        raise _refusal("Exact search disabled!", "Set exact=false.")


def _filtered(strict: Mapping[str, Any], indexed: Collection[str], given: models.Filter | None, rule: str) -> None:
    conditions = [] if given is None else list(_conditions(given.model_dump(exclude_none=True)))
    most = strict.get("filter_max_conditions")
    if most is not None and len(conditions) > most:
        raise _refusal(
            f"Filter condition limit reached ({len(conditions)} > {most})",
            "Reduce the amount of conditions of your filter.",
        )
    largest, most = max(map(_size, conditions), default=0), strict.get("condition_max_size")
    if most is not None and largest > most:
        raise _refusal(f"Condition size limit reached ({largest} > {most})", "Reduce the size of your condition.")
    for condition in conditions:
        if strict.get(rule) is False and "key" in condition and condition["key"] not in indexed:
            raise _refusal(
                f'Index required but not found for "{condition["key"]}" of one of the following types: [keyword]',
                "Create an index for this key or use a different filter.",
            )


def _conditions(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for clause in ("must", "should", "must_not"):
        for condition in part.get(clause, ()):
            nested = any(name in condition for name in ("must", "should", "must_not"))
            yield from _conditions(condition) if nested else [condition]


def _size(condition: Mapping[str, Any]) -> int:
    """Values of a list, ids of a list, else 1."""
    match = condition.get("match", {})
    return len(condition.get("has_id", match.get("any", match.get("except", [0]))))


def _refusal(text: str, remedy: str) -> Refused:
    return Refused(400, f"Bad request: {text}. Help: {remedy}")
