"""One question against one group of tables: its parts, each with the surest plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from contracts.evidence import Candidate
from contracts.filters import Match, Scope
from contracts.plans import Computation
from contracts.protocols import DenseEncoder
from contracts.questions import Question
from serve.compute.choose import (
    Group,
    context_of,
    named_stems,
    period_stems,
)
from serve.compute.plan import Planner
from serve.compute.planners import planner_for
from serve.compute.result import computation, joined
from serve.compute.running import Trial, try_plans
from serve.compute.siblings import named_in
from serve.compute.source import TableSource
from serve.compute.splitting import refers_back, split, split_columns
from serve.compute.words import word_stems
from serve.lexicon import Lexicon


@dataclass(frozen=True)
class Desk:
    """What every step needs."""

    question: Question
    index: TableSource
    scope: Scope
    lexicon: Lexicon | None
    dense: DenseEncoder | None
    candidates: Sequence[Candidate]
    alone: bool
    """One table is in scope: it was given with the question."""

    def planner(self, group: Group, documents: bool = False) -> Planner | None:
        return planner_for(group, self.index, self.scope, self.lexicon, self.dense, self.alone, documents)

    @cached_property
    def code_documents(self) -> Mapping[str, frozenset[str]]:
        """The question's codes to the documents that hold them."""
        found = {}
        for code in self.question.codes:
            chunks = self.index.chunks(self.scope.and_(Match(field="codes", any_of=(code,))))
            found[code] = frozenset(c.doc_id for c in chunks)
        return found

    def holding_codes(self, groups: Sequence[Group]) -> tuple[Group, ...]:
        """Groups cut down to the documents that hold every code that any document here holds."""
        held = [documents for documents in self.code_documents.values() if documents]
        if not held:
            return tuple(groups)
        wanted = frozenset.intersection(*held)
        cut = (Group(tuple(s for s in g.summaries if s.doc_id in wanted), g.rank) for g in groups)
        return tuple(g for g in cut if g.summaries) or tuple(groups)

    def codes_elsewhere(self, group: Group, planner: Planner) -> frozenset[str]:
        """Stems of codes that the group's documents hold outside this view's cells: they chose it, no more."""
        documents = {s.doc_id for s in group.summaries}
        codes = (c for c, held in self.code_documents.items() if held and documents <= held)
        outside = (c for c in codes if not planner.reader.cells.whole(word_stems(c)))
        return frozenset(s for c in outside for s in word_stems(c))


@dataclass(frozen=True)
class Attempt:
    """The trials of all parts of the question on one view."""

    trials: tuple[Trial, ...]
    documents: bool
    """The trials' rows are documents, and the question names their kind."""

    @property
    def confidence(self) -> float:
        return min(t.confidence for t in self.trials)

    @property
    def threshold(self) -> float:
        return max(t.planner.threshold for t in self.trials)

    def made(self, language: str) -> Computation:
        parts = [computation(t, language) for t in self.trials]
        whole = joined(parts) if len(parts) > 1 and all(p.computed is not None for p in parts) else parts[0]
        return whole.model_copy(update={"confidence": self.confidence})


def attempt(desk: Desk, group: Group, documents: bool, text: str | None = None) -> Attempt | None:
    planner = desk.planner(group, documents)
    if planner is None or not len(planner.view):
        return None
    named = named_in(text or desk.question.text, group.summaries, planner.holds)
    if not documents and named and len(named) < len(group.summaries):
        return attempt(desk, Group(named, group.rank), documents, text)
    context = (
        context_of(group.summaries)
        | period_stems([s.period for s in group.summaries if s.period])
        | planner.subject.kinds
    )
    # A name that cells hold (the HR of `HR Executive`) is about rows, not about where the table comes from.
    outside = [n for n in desk.question.names if (s := word_stems(n)) and not planner.reader.cells.inside(s)]
    context |= named_stems(outside, group.summaries, desk.candidates)
    context |= desk.codes_elsewhere(group, planner)
    parts = split(text or desk.question.text)
    first = try_plans(planner, parts[0], context)
    if first is not None and len(parts) == 1 and first.confidence < planner.threshold:
        parts = split_columns(first.reading) or parts
        first = try_plans(planner, parts[0], context) if len(parts) > 1 else first
    if first is None or len(parts) == 1:
        return Attempt((first,), _speaks(planner, first)) if first is not None else None
    inherited = first.draft.plan.where if refers_back(parts[1]) else ()
    second = try_plans(planner, parts[1], context, inherited)
    if second is None:
        return None
    return Attempt((first, second), _speaks(planner, first))


def _speaks(planner: Planner, trial: Trial) -> bool:
    words = len(trial.reading.words)
    return planner.subject.of_documents and planner.subject.document_noun(trial.reading, 0, words)
