"""A question over tables to a computed result with its proof, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.evidence import Candidate
from contracts.filters import Scope
from contracts.plans import Computation
from contracts.protocols import DenseEncoder, Index
from contracts.questions import Question
from serve.compute.choose import Group, choose, context_of, period_stems, relevant
from serve.compute.comparing import Kind, asks_comparison, changed_column, compare, in_order
from serve.compute.footing import asks_footing, foot
from serve.compute.plan import CONFIDENT, Planner
from serve.compute.planners import planner_for
from serve.compute.result import absent, computation, joined
from serve.compute.running import Trial, try_plans
from serve.compute.splitting import refers_back, split
from serve.compute.subject import key_column, name_column
from serve.lexicon import Lexicon


@dataclass(frozen=True)
class _Desk:
    """What every step needs."""

    question: Question
    index: Index
    scope: Scope
    lexicon: Lexicon | None
    dense: DenseEncoder | None
    alone: bool
    """One table is in scope: it was given with the question."""

    def planner(self, group: Group) -> Planner | None:
        return planner_for(group, self.index, self.scope, self.lexicon, self.dense, self.alone)


def compute(
    question: Question,
    *,
    index: Index,
    scope: Scope,
    candidates: Sequence[Candidate],
    lexicon: Lexicon | None,
    dense: DenseEncoder | None,
) -> Computation:
    """Plans the question over the tables in scope and runs the surest plan on every row of them.

    `declined` says why when no plan is sure enough; `absent` when the plan is clear and the thing is not there.
    """
    groups, why = choose(question, index, scope, candidates)
    if why is not None:
        return Computation(declined=why)
    desk = _Desk(question, index, scope, lexicon, dense, sum(len(g.summaries) for g in groups) == 1)
    groups = relevant(question, groups, lexicon)
    special = _special(desk, groups)
    if special is not None:
        return special
    tried = [t for g in groups if (t := _try(desk, g)) is not None]
    sure = [t for t in tried if t.confidence >= CONFIDENT]
    if sure:
        return max(sure, key=lambda t: t.confidence).made(question.language)
    return _not_there(tried, question.language) or Computation(declined=_why(tried))


@dataclass(frozen=True)
class _Attempt:
    """The trials of all parts of the question on one view."""

    trials: tuple[Trial, ...]

    @property
    def confidence(self) -> float:
        return min(t.confidence for t in self.trials)

    def made(self, language: str) -> Computation:
        parts = [computation(t, language) for t in self.trials]
        if len(parts) > 1 and all(p.computed is not None for p in parts):
            return joined(parts)
        return parts[0]


def _try(desk: _Desk, group: Group) -> _Attempt | None:
    planner = desk.planner(group)
    if planner is None or not len(planner.view):
        return None
    context = context_of(group.summaries) | period_stems(desk.question.periods)
    parts = split(desk.question.text)
    first = try_plans(planner, parts[0], context)
    if first is None or len(parts) == 1:
        return _Attempt((first,)) if first is not None else None
    inherited = first.draft.plan.where if refers_back(parts[1]) else ()
    second = try_plans(planner, parts[1], context, inherited)
    if second is None:
        return None
    return _Attempt((first, second))


def _not_there(tried: Sequence[_Attempt], language: str) -> Computation | None:
    """When every plan fails only by a name or code that its table does not hold: that is the answer."""
    found = [t for a in tried for t in a.trials if t.draft.missing and t.draft.sure_without_missing >= CONFIDENT]
    if not found:
        return None
    best = max(found, key=lambda t: t.draft.sure_without_missing)
    planner = best.planner
    return absent(planner.view, best.draft.missing, key_column(planner.view, planner.matcher), language)


def _why(tried: Sequence[_Attempt]) -> str:
    """The nearest plan and what kept it from being run, with the columns there are."""
    if not tried:
        return "no table in scope has what the question names"
    best = max(tried, key=lambda t: t.confidence)
    trial = min(best.trials, key=lambda t: t.confidence)
    columns = ", ".join(c.name for c in trial.planner.view.columns if not c.made)
    notes = "; ".join(trial.draft.notes[:4]) or "the result did not fit the question"
    return f"{notes} (columns: {columns})"


def _special(desk: _Desk, groups: Sequence[Group]) -> Computation | None:
    """Questions about whole tables: do they add up, and how do two of them differ."""
    language = desk.question.language
    if asks_footing(desk.question.text) and groups:
        planner = desk.planner(_best_footed(groups))
        return foot(planner.view, language) if planner is not None else None
    kind = asks_comparison(desk.question.text)
    for group in groups if kind is not None else ():
        if len({s.period for s in group.summaries}) < 2:
            continue
        found = _compared(desk, group, kind)  # type: ignore[arg-type]
        if found is not None:
            return found
    return None


def _best_footed(groups: Sequence[Group]) -> Group:
    """The group that retrieval found first; of equals the one with the most rows."""
    return min(groups, key=lambda g: (g.rank, -sum(s.body_rows for s in g.summaries)))


def _compared(desk: _Desk, group: Group, kind: Kind) -> Computation | None:
    pair = in_order(desk.question, group, kind)
    if pair is None:
        return None
    planners = [desk.planner(Group((s,), group.rank)) for s in pair]
    if any(p is None for p in planners):
        return None
    first, second = planners
    assert first is not None and second is not None
    key = key_column(first.view, first.matcher) or name_column(first.view, first.matcher)
    if key is None or second.view.column(key.name) is None:
        return None
    column = changed_column(first, desk.question.text) if kind == "changed" else None
    if kind == "changed" and column is None:
        return None
    return compare(first.view, second.view, key.name, column, kind, desk.question.language)
