"""A question over tables to a computed result with its proof, or the reason why there is none."""

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
    choose,
    context_of,
    document_groups,
    is_form_summary,
    named_stems,
    period_stems,
    relevant,
)
from serve.compute.comparing import Kind, asks_comparison, changed_column, compare, in_order, named_keys
from serve.compute.difference import asks_difference, difference, is_of_figures
from serve.compute.footing import asks_footing, foot
from serve.compute.plan import Planner
from serve.compute.planners import planner_for
from serve.compute.result import absent, computation, joined
from serve.compute.running import Trial, try_plans
from serve.compute.siblings import named_in
from serve.compute.source import TableSource
from serve.compute.splitting import refers_back, split
from serve.compute.statements import look_up
from serve.compute.steps import stepped
from serve.compute.subject import key_column, name_column
from serve.compute.verdict import verdict
from serve.compute.words import word_stems
from serve.lexicon import Lexicon


@dataclass(frozen=True)
class _Desk:
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


def compute(
    question: Question,
    *,
    index: TableSource,
    scope: Scope,
    candidates: Sequence[Candidate],
    lexicon: Lexicon | None,
    dense: DenseEncoder | None,
    threshold: float | None = None,
) -> Computation:
    """Plans the question over the tables in scope and runs the surest plan on every row of them.

    `threshold`: instead of the planners' own. `declined` says why when no plan reaches it; `absent` when the plan is clear and the thing is not
    there.
    """
    groups, why = choose(question, index, scope, candidates)
    if why is not None:
        return Computation(declined=why)
    desk = _Desk(question, index, scope, lexicon, dense, candidates, sum(len(g.summaries) for g in groups) == 1)
    if (figure := look_up(question, [s for g in groups for s in g.summaries], index, scope)) is not None:
        return figure
    groups = desk.holding_codes(relevant(question, groups, lexicon))
    special = _special(desk, groups)
    if special is not None:
        return special
    asked = [(g, False) for g in groups if not is_form_summary(g.summaries[0])] + [
        (g, True) for g in document_groups(groups)
    ]
    tried = [t for g, documents in asked if (t := _try(desk, g, documents)) is not None]
    sure = [t for t in tried if t.confidence >= (t.threshold if threshold is None else threshold)]
    if sure:
        # Of equals the documents themselves: `the amount of all invoices` is not that of their lines.
        return max(sure, key=lambda t: (round(t.confidence, 1), t.documents, t.confidence)).made(question.language)
    return _not_there(tried, candidates, question.language) or Computation(declined=_why(groups, tried))


@dataclass(frozen=True)
class _Attempt:
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


def _try(desk: _Desk, group: Group, documents: bool, text: str | None = None) -> _Attempt | None:
    planner = desk.planner(group, documents)
    if planner is None or not len(planner.view):
        return None
    named = named_in(text or desk.question.text, group.summaries, planner.holds)
    if not documents and named and len(named) < len(group.summaries):
        return _try(desk, Group(named, group.rank), documents, text)
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
    if first is None or len(parts) == 1:
        return _Attempt((first,), _speaks(planner, first)) if first is not None else None
    inherited = first.draft.plan.where if refers_back(parts[1]) else ()
    second = try_plans(planner, parts[1], context, inherited)
    if second is None:
        return None
    return _Attempt((first, second), _speaks(planner, first))


def _speaks(planner: Planner, trial: Trial) -> bool:
    words = len(trial.reading.words)
    return planner.subject.of_documents and planner.subject.document_noun(trial.reading, 0, words)


def _not_there(tried: Sequence[_Attempt], candidates: Sequence[Candidate], language: str) -> Computation | None:
    """When every plan fails only by a name or code that its table does not hold: that is the answer."""
    found = [
        t
        for a in tried
        for t in a.trials
        if t.draft.sure_without_missing >= t.planner.threshold and _provable(t, candidates)
    ]
    if not found:
        return None
    best = max(found, key=lambda t: t.draft.sure_without_missing)
    planner = best.planner
    return absent(planner.view, best.draft.missing, key_column(planner.view, planner.matcher), language)


def _provable(trial: Trial, candidates: Sequence[Candidate]) -> bool:
    """A code is in a table or not. A name is missing only where the lexicon knows what the columns hold, the question
    names the column that it wants, and nothing else that was found speaks of the name (a contract's Provider)."""
    missing = trial.draft.missing
    if not missing or any(c.isdigit() for c in missing):
        return bool(missing)
    said = " ".join(missing.casefold().split())
    elsewhere = any(said in " ".join(c.chunk.text.casefold().split()) for c in candidates)
    return trial.planner.subject.of_domain and not elsewhere and _names_what_it_wants(trial)


def _names_what_it_wants(trial: Trial) -> bool:
    column = trial.draft.plan.column
    named = {trial.planner.view.columns[s.best.column].name for s in trial.reading.columns}
    return trial.draft.plan.op not in ("lookup", "list", "top") or column in named


def _why(groups: Sequence[Group], tried: Sequence[_Attempt]) -> str:
    """The nearest plan and what kept it from being run, with the columns there are."""
    if not tried:
        return f"no column answers it; there are: {_columns(groups)}"
    best = max(tried, key=lambda t: t.confidence)
    trial = min(best.trials, key=lambda t: t.confidence)
    columns = ", ".join(c.name for c in trial.planner.view.columns if not c.made)
    notes = "; ".join(trial.draft.notes[:4]) or "the result did not fit the question"
    return f"{notes} (columns: {columns})"


def _columns(groups: Sequence[Group]) -> str:
    shown = [g.summaries[0] for g in groups[:3]]
    mixed = [c for s in shown for c, t in zip(s.columns, s.column_types, strict=False) if t.mixed]
    names = "; ".join(" | ".join(s.columns) for s in shown) or "no tables"
    return names + (f"; {', '.join(mixed)} mixes number styles and is not computed with" if mixed else "")


def _special(desk: _Desk, groups: Sequence[Group]) -> Computation | None:
    """Questions about whole tables: do they add up, and how do two of them differ."""
    language = desk.question.language
    if asks_footing(desk.question.text) and groups:
        planners = [p for g in groups if (p := desk.planner(g)) is not None and len(p.view)]
        return foot([p.view for p in planners], language) if planners else None
    if (plain := asks_difference(desk.question.text)) is not None:
        whole = [a for g in groups if (a := _try(desk, g, False, plain)) is not None and a.confidence >= a.threshold]
        made = (difference(a.made(language), language) for a in sorted(whole, key=lambda a: -a.confidence))
        if (result := next((m for m in made if m is not None), None)) is not None:
            return result
    if (result := _stepped(desk, groups)) is not None:
        return result
    kind = None if is_of_figures(desk.question.text) else asks_comparison(desk.question.text)
    for group in groups:
        if kind is None or len({s.period for s in group.summaries}) < 2:
            continue
        found = _compared(desk, group, kind)
        if found is not None:
            return found
    return None


def _stepped(desk: _Desk, groups: Sequence[Group]) -> Computation | None:
    """The surest answer to a question that takes two steps, or yes or no."""
    text, language, found = desk.question.text, desk.question.language, []
    for group in groups:
        planner = desk.planner(group)
        if planner is None or not len(planner.view):
            continue

        def ask(part: str, group: Group = group) -> Trial | None:
            tried = _try(desk, group, False, part)
            sure = tried is not None and len(tried.trials) == 1 and tried.confidence >= tried.threshold
            return tried.trials[0] if tried is not None and sure else None

        made = stepped(planner, text, ask, language) or verdict(planner, text, ask)
        found += [made] if made is not None else []
    return max(found, key=lambda c: c.confidence, default=None)


def _compared(desk: _Desk, group: Group, kind: Kind) -> Computation | None:
    pair = in_order(desk.question, group, kind)
    if pair is None:
        return None
    first, second = (desk.planner(Group((s,), group.rank)) for s in pair)
    if first is None or second is None:
        return None
    key = key_column(first.view, first.matcher) or name_column(first.view, first.matcher)
    if key is None or second.view.column(key.name) is None:
        return None
    column = changed_column(first, desk.question.text) if kind == "changed" else None
    only = named_keys((first, second), desk.question.text, key.name)
    # `When did ST005 join?` asks for a cell of that row, not for who is in one table alone.
    if (column is None) == (kind == "changed") or (only and kind != "changed"):
        return None
    return compare(first.view, second.view, key.name, column, kind, desk.question.language, only)
