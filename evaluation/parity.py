"""The same index and the same questions on two engines: a table of every difference.

The live index is copied to the other engine under a name of its own, so that nothing is embedded twice
and nothing of the other engine's is touched; the copy is dropped at the end.
"""

from __future__ import annotations

import math
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from contracts.answers import Answer
from contracts.base import JsonValue, Record
from contracts.errors import AllrowsError, IndexMismatch
from contracts.filters import Match, Scope
from contracts.protocols import Index
from contracts.questions import AskRequest
from contracts.settings import Settings
from serve.graph import ask
from serve.services import Services
from store.admin import remove
from store.archive import export_index, import_index
from store.engine import Where
from store.open import catalogue_of, open_index
from store.schema import INDEXED

TOLERANCE = 1e-5
"""Of a score: engines differ in the last bits of a float32, and scores are rounded to 6 decimals."""
FUSED = " fused"
UNHURRIED_MS = 600_000.0
"""The rerank budget during a comparison: a slow moment is no difference between engines."""


class Difference(Record):
    """`subject` is a question or a check of the index; `what` is the part that differs."""

    subject: str
    what: str
    here: str
    there: str


class ParityReport(Record):
    here: str
    there: str
    questions: int
    checks: int
    differences: tuple[Difference, ...]


OpenHere = Callable[[], Services]


def run(
    open_here: OpenHere, settings: Settings, other: Settings, requests: Sequence[AskRequest], strict: bool = False
) -> ParityReport:
    """Asks `requests` of the index of `settings` and of its copy on the engine of `other`.

    `open_here` opens the services over the index of `settings`. `strict` also sends the other engine a
    filter on a field without an index, which it must refuse.

    Raises:
        IndexError_: there is no whole index to compare.
        StoreUnavailable: one of the engines cannot be reached.
    """
    with copied(settings, other) as there_settings:
        services = open_here()
        there_index = open_index(there_settings, {}, create=False)
        try:
            here = replace(services, settings=_unhurried(settings), traces=None)
            there = replace(here, index=there_index)
            found = [*compare_index(here.index, there_index), *_refusals(there_settings, strict)]
            for request in requests:
                found += compare_answers(request.question, _answer(request, here), _answer(request, there))
            places = here.index.state().location, there_index.state().location
        finally:
            there_index.close()
            services.close()
    return ParityReport(
        here=places[0],
        there=places[1],
        questions=len(requests),
        checks=len(_CHECKS) + len(INDEXED) + strict,
        differences=tuple(found),
    )


@contextmanager
def copied(settings: Settings, other: Settings) -> Iterator[Settings]:
    """The settings of a copy of the live index on the other engine; it is dropped at the end."""
    there = other.model_copy(update={"collection": f"{settings.collection}-parity-{secrets.token_hex(4)}"})
    with tempfile.TemporaryDirectory(prefix="allrows-parity-") as folder:
        path = Path(folder) / "index.allrows"
        export_index(settings, path)
        import_index(there, path)
    try:
        yield there
    finally:
        remove(there)


def compare_index(here: Index, there: Index) -> list[Difference]:
    """Documents, tables and chunks, and for each filter field the chunks it leaves."""
    found = []
    for name, read in _CHECKS.items():
        found += _differ("index", name, read(here), read(there))
    for field, value in _filter_values(here).items():
        scope = Scope(must=(Match(field=field, any_of=(value,)),))
        found += _differ("index", f"chunks with {field}={value}", here.count_chunks(scope), there.count_chunks(scope))
    return found


def compare_answers(question: str, here: Answer | str, there: Answer | str) -> list[Difference]:
    """Everything that a person or an operator would see, scores within the tolerance."""
    if isinstance(here, str) or isinstance(there, str):
        return _differ(
            question, "error", here if isinstance(here, str) else "", there if isinstance(there, str) else ""
        )
    found = []
    seen_here, seen_there = _seen(here), _seen(there)
    for what, value in seen_here.items():
        found += _differ(question, what, value, seen_there[what])
    scores_here, scores_there = _scores(here), _scores(there)
    stretched = TOLERANCE * _stretch(here)
    for name in sorted(scores_here.keys() & scores_there.keys()):
        allowed = stretched if name.endswith(FUSED) else TOLERANCE
        if not math.isclose(scores_here[name], scores_there[name], abs_tol=allowed, rel_tol=TOLERANCE):
            found += _differ(question, f"score {name}", scores_here[name], scores_there[name])
    return found


_CHECKS: dict[str, Callable[[Index], JsonValue]] = {
    "documents": lambda index: [d.model_dump(mode="json") for d in index.documents()],
    "tables": lambda index: [index.table(t.table_id) for t in index.table_summaries()],
    "chunks": lambda index: [c.model_dump(mode="json") for c in index.chunks()],
    "settings it was made with": lambda index: dict(index.settings_in_force()),
}


def _filter_values(index: Index) -> dict[str, str | int]:
    """One value for each filter field that occurs in the index."""
    documents, chunks = index.documents(), index.chunks()
    seen: dict[str, str | int] = {}
    for document in documents:
        for field in ("doc_id", "name", "source", "doc_type", "period", "language"):
            value = getattr(document, field)
            if value is not None:
                seen.setdefault(field, value)
        seen.setdefault("groups", document.groups[0] if document.groups else "")
    for chunk in chunks:
        for field in ("kind", "granularity", "table_id", "section_id", "page_start"):
            value = getattr(chunk, field)
            if value is not None:
                seen.setdefault(field, value)
        if chunk.codes:
            seen.setdefault("codes", chunk.codes[0])
    return seen


def _refusals(settings: Settings, strict: bool) -> list[Difference]:
    """A filter without an index must be refused by the engine itself, not only by our schema."""
    if not strict:
        return []
    catalogue = catalogue_of(settings)
    try:
        catalogue.lookup(settings.collection).count(Where(Scope(must=(Match(field="no_such_field", any_of=("x",)),))))
    except IndexMismatch:
        return []
    finally:
        catalogue.close()
    return [Difference(subject="index", what="filter without an index", here="refused", there="answered")]


def _answer(request: AskRequest, services: Services) -> Answer | str:
    try:
        return ask(request, services)
    except AllrowsError as error:
        return f"{type(error).__name__}: {error}"


def _seen(answer: Answer) -> dict[str, JsonValue]:
    pipeline = answer.pipeline
    return {
        "answer": answer.answer,
        "mode": answer.mode,
        "not found": answer.not_found_reason,
        "computed": answer.computed.model_dump(mode="json") if answer.computed else None,
        "citations": [(c.doc_name, c.page, c.line_start, c.line_end, c.rows) for c in answer.citations],
        "marks": sorted(answer.degraded),
        "candidates": [c.candidate_id for c in pipeline.candidates] if pipeline else [],
        "prompt": pipeline.prompt_sha256 if pipeline else "",
    }


def _scores(answer: Answer) -> dict[str, float]:
    candidates = answer.pipeline.candidates if answer.pipeline else ()
    scores = {f"{c.candidate_id} {m}": s.raw for c in candidates for m, s in c.scores.items()}
    return scores | {f"{c.candidate_id}{FUSED}": c.fused for c in candidates}


def _stretch(answer: Answer) -> float:
    """How many times min-max enlarges a difference of raw scores: 1 / (highest − lowest raw score of the pool).

    The pool's range is told by any two of its candidates: that of their raw over that of their normalised scores.
    """
    candidates = answer.pipeline.candidates if answer.pipeline else ()
    largest = 1.0
    for method in {m for c in candidates for m in c.scores}:
        scores = sorted((c.scores[method] for c in candidates if method in c.scores), key=lambda s: s.normalised)
        raw, normalised = scores[-1].raw - scores[0].raw, scores[-1].normalised - scores[0].normalised
        if raw > 0 and normalised > 0:
            largest = max(largest, normalised / raw)
    return largest


def _differ(subject: str, what: str, here: JsonValue, there: JsonValue) -> list[Difference]:
    if here == there:
        return []
    return [Difference(subject=subject, what=what, here=_short(here), there=_short(there))]


def _short(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 200 else text[:197] + "…"


def _unhurried(settings: Settings) -> Settings:
    return settings.model_copy(update={"rerank_budget_ms": UNHURRIED_MS})
