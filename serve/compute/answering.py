"""A question over tables to a computed result with its proof, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.evidence import Candidate
from contracts.filters import Scope
from contracts.plans import Computation
from contracts.protocols import DenseEncoder
from contracts.questions import Question
from serve.compute.attempts import Attempt, Desk, attempt
from serve.compute.choose import (
    CONSIDERED,
    Group,
    choose,
    is_form_summary,
    relevant,
)
from serve.compute.document_groups import document_groups
from serve.compute.result import absent
from serve.compute.running import Trial
from serve.compute.source import TableSource
from serve.compute.statements import look_up
from serve.compute.subject import key_column
from serve.compute.whole_tables import answer_whole
from serve.lexicon import Lexicon


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
    desk = Desk(question, index, scope, lexicon, dense, candidates, sum(len(g.summaries) for g in groups) == 1)
    if (figure := look_up(question, [s for g in groups for s in g.summaries], index, scope)) is not None:
        return figure
    held = desk.holding_codes(groups)
    groups = relevant(question, held[:CONSIDERED], lexicon)
    special = answer_whole(desk, groups)
    if special is not None:
        return special
    asked = [(g, False) for g in groups if not is_form_summary(g.summaries[0])] + [
        (g, True) for g in document_groups(held, question, () if question.codes else index.documents(scope))
    ]
    tried = [t for g, documents in asked if (t := attempt(desk, g, documents)) is not None]
    sure = [t for t in tried if t.confidence >= (t.threshold if threshold is None else threshold)]
    if sure:
        # Of equals the documents themselves: `the amount of all invoices` is not that of their lines.
        return max(sure, key=lambda t: (round(t.confidence, 1), t.documents, t.confidence)).made(question.language)
    return _not_there(tried, candidates, question.language) or Computation(declined=_why(groups, tried))


def _not_there(tried: Sequence[Attempt], candidates: Sequence[Candidate], language: str) -> Computation | None:
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


def _why(groups: Sequence[Group], tried: Sequence[Attempt]) -> str:
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
