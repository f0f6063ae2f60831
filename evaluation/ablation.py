"""Ablation and sweeps: the same questions under other configurations, from one index wherever that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from contracts.errors import UsageError
from contracts.settings import Settings, load_settings
from evaluation.collect import Progress, collect
from evaluation.golden import GoldenSet
from evaluation.metrics import measure
from evaluation.recipe import recipe
from evaluation.report import Variant
from serve.services import Services

INDEX_SETTINGS = frozenset({"chunk_size", "chunk_overlap", "granularities", "dense_model", "quantization"})
"""A change of these needs an index of its own; every other one is a matter of asking."""
OpenFor = Callable[[Settings], AbstractContextManager[Services]]
"""Opens services over an index made with the given settings."""


@dataclass(frozen=True)
class Step:
    """One configuration to try."""

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    detectors: bool = True
    arbiter: bool = True
    compute: bool = True


STEPS = (
    Step("dense only", {"strategy": "dense", "rerank": False}, detectors=False, arbiter=False),
    Step("BM25 only", {"strategy": "bm25", "rerank": False}, detectors=False, arbiter=False),
    Step("hybrid", {"rerank": False}, detectors=False, arbiter=False),
    Step("+ rerank", {"rerank": True}, detectors=False, arbiter=False),
    Step("+ outline and keywords", {"rerank": True}, arbiter=False),
    Step("+ arbiter", {"rerank": True}),
    Step("+ dispatcher", {"rerank": True, "strategy": "dispatch"}),
    Step("without computing", {"rerank": True}, compute=False),
    Step("rows as sentences (before)", {"rerank": True, "compress_rows_as_sentences": True}),
)


def ablate(
    golden: GoldenSet, services: Services, steps: Sequence[Step] = STEPS, progress: Progress | None = None
) -> tuple[Variant, ...]:
    """Every step over the index that is open."""
    settings = services.settings
    return tuple(
        _try(step, golden, replace(services, settings=settings.model_copy(update=dict(step.changes))), progress)
        for step in steps
    )


def sweep(
    golden: GoldenSet, services: Services, name: str, values: Sequence[str], open_for: OpenFor
) -> tuple[Variant, ...]:
    """The setting `name` at each of `values`. Another index is made only when the setting shapes one.

    Raises:
        UsageError, ConfigError: no such setting, or a value that it cannot take.
    """
    if name not in Settings.model_fields:
        raise UsageError(f"--sweep: there is no setting {name}.", "`allrows doctor` lists every setting.")
    variants = []
    for value in values:
        changed = _changed(services.settings, name, value)
        step = Step(f"{name}={value}", {name: value})
        if name in INDEX_SETTINGS:
            with open_for(changed) as other:
                variants.append(_try(step, golden, other))
        else:
            variants.append(_try(step, golden, replace(services, settings=changed)))
    return tuple(variants)


def _changed(settings: Settings, name: str, value: str) -> Settings:
    """Validated like any configuration. One fusion weight moves the other; a smaller overlap follows a smaller chunk."""
    given: dict[str, Any] = {f: v for f, v in settings if v != Settings.model_fields[f].default}
    changes: dict[str, Any] = {name: tuple(value.split("+")) if name == "granularities" else value}
    if name in ("weight_dense", "weight_bm25"):
        other = "weight_bm25" if name == "weight_dense" else "weight_dense"
        changes[other] = round(1 - float(value), 6)
    if name == "chunk_size":
        changes["max_context_chars"] = max(settings.max_context_chars, int(value) * settings.top_k_after_rerank)
        changes["chunk_overlap"] = min(settings.chunk_overlap, int(value) // 6)
    if name == "top_k_after_rerank":
        changes["top_k_before_rerank"] = max(settings.top_k_before_rerank, int(value))
        changes["max_context_chars"] = max(settings.max_context_chars, settings.chunk_size * int(value))
    return load_settings(environ={}, overrides={**given, **changes})[0]


def _try(step: Step, golden: GoldenSet, services: Services, progress: Progress | None = None) -> Variant:
    cross = services.cross_encoder if services.settings.rerank else None
    run = recipe(detectors=step.detectors, arbiter=step.arbiter, compute=step.compute)
    outcomes = collect(golden, replace(services, cross_encoder=cross), progress, recipe=run)
    return Variant(
        name=step.name,
        changes=dict(step.changes),
        metrics=measure(outcomes),
        wrong=tuple(o.question.id for o in outcomes if not o.judgement.correct),
    )


@contextmanager
def reopened(paths: Sequence[Path], settings: Settings, services: Services, folder: Path) -> Iterator[Services]:
    """Services over another index of the same files. Texts that were embedded before are not embedded again."""
    from evaluation.corpus import ingested
    from evaluation.embedcache import CachedDense

    cached = CachedDense(services.dense.get(), folder / "vectors.npz")
    key = "-".join(f"{n}={getattr(settings, n)}" for n in sorted(INDEX_SETTINGS)).replace("/", "_")
    with ingested(list(paths), settings, folder / key, dense=cached) as other:
        yield other
    cached.save()
