"""Plans tried on a view: the surest that still makes sense once its rows are seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from contracts.plans import Plan, Where
from serve.compute import cues
from serve.compute.documents import DocumentsView
from serve.compute.draft import Draft
from serve.compute.execute import Outcome, execute
from serve.compute.plan import Planner
from serve.compute.reading import Reading
from serve.compute.siblings import titles_differ
from serve.compute.view import DOCUMENT_COLUMN, PERIOD_COLUMN, ColumnView, TableView
from serve.compute.words import word_set

SOURCES = 24
"""Rows of one name up to which a look-up gives them all, each with its document and code."""
FLOOR = 0.3
"""Drafts below this are not run at all."""
CLOSE = 0.06
"""Two plans this near to each other, with different results, are an ambiguity."""
_FIGURES = ("count", "count_distinct", "sum", "avg", "min", "max", "median")
_TOGETHER = word_set("all together combined across overall both altogether every total todos todas total ambos")
_YES_OR_NO = frozenset({"is", "are", "was", "were", "does", "do", "did", "has", "have"})
_ACROSS = _TOGETHER - {"total"}
"""`Total net pay` adds rows; only these words add months as well."""


@dataclass(frozen=True)
class Trial:
    planner: Planner
    reading: Reading
    draft: Draft
    outcome: Outcome
    confidence: float
    """The draft's, less what the result makes unlikely."""


def try_plans(planner: Planner, text: str, context: frozenset[str], inherited: tuple[Where, ...] = ()) -> Trial | None:
    """The best trial of a question, None when nothing could be planned. `inherited`: conditions of its first part."""
    reading, drafts = planner.plans(text, context)
    trials = []
    for draft in drafts:
        if draft.confidence < FLOOR and draft.sure_without_missing < FLOOR:
            continue
        plan = _inherit(draft.plan, inherited)
        plan = _per_source(planner.view, plan, reading)
        outcome = execute(planner.view, plan)
        confidence = round(draft.confidence * likelihood(plan, outcome, reading, planner.subject.of_domain), 4)
        # One cell was asked for and several are given: the wording left open which.
        unclear = draft.ambiguous or (plan.op == "lookup" and isinstance(outcome.value, list))
        unclear = unclear or _counts_months_together(planner, plan) or _adds_titles(planner.view, plan, reading)
        draft = replace(draft, plan=plan, ambiguous=unclear)
        trials.append(Trial(planner, reading, draft, outcome, confidence))
    if not trials:
        return None
    trials.sort(key=lambda t: -t.confidence)
    return _contested(trials)


def _counts_months_together(planner: Planner, plan: Plan) -> bool:
    """Whether rows of several months are one count: who is in two of them is in it twice."""
    view = planner.view
    if (
        plan.op != "count"
        or plan.group_by is not None
        or isinstance(view, DocumentsView)
        or not planner.subject.of_domain
    ):
        return False
    return len({s.period for n in range(len(view.tables)) if (s := view.summary(n)) is not None}) > 1


def _adds_titles(view: TableView, plan: Plan, reading: Reading) -> bool:
    """Whether one figure is made of differently titled tables of a document, and nobody said together: the sheets of
    two plants add up, those of a draft and its final version do not."""
    if isinstance(view, DocumentsView) or plan.op not in _FIGURES or plan.group_by in (PERIOD_COLUMN, DOCUMENT_COLUMN):
        return False
    about = [s for n in range(len(view.tables)) if (s := view.summary(n)) is not None]
    return titles_differ(about) and not _ACROSS.intersection(reading.norms)


def _contested(trials: list[Trial]) -> Trial:
    best = trials[0]
    rivals = [t for t in trials[1:] if t.confidence > best.confidence - CLOSE]
    if any(_disagree(best, t) for t in rivals):
        return replace(best, confidence=round(best.confidence * 0.75, 4), draft=replace(best.draft, ambiguous=True))
    return best


def _disagree(one: Trial, other: Trial) -> bool:
    """Different results; the cell of one row and the sum over that row are the same."""
    if one.outcome.rows == other.outcome.rows and one.draft.plan.column == other.draft.plan.column:
        return len(one.outcome.rows) != 1 and str(one.outcome.value) != str(other.outcome.value)
    return str(one.outcome.value) != str(other.outcome.value)


def _inherit(plan: Plan, where: tuple[Where, ...]) -> Plan:
    more = tuple(w for w in where if w not in plan.where)
    return plan.model_copy(update={"where": (*more, *plan.where)}) if more else plan


def _per_source(view: TableView, plan: Plan, reading: Reading) -> Plan:
    """One figure for each period (or document): months are not added up unless the question says so."""
    if plan.group_by is not None or plan.op not in _FIGURES:
        return plan
    if isinstance(view, DocumentsView) or len(view.tables) < 2 or _ACROSS.intersection(reading.norms):
        return plan
    periods = {s.period for n in range(len(view.tables)) if (s := view.summary(n)) is not None}
    documents = {t.doc_id for t in view.tables}
    sources = {(t.doc_id, s.period if (s := view.summary(n)) else None) for n, t in enumerate(view.tables)}
    # Two companies' registers of one month are two figures; so are two months' sheets of one workbook.
    each = len(periods) > 1 and None not in periods and len(periods) == len(sources)
    by = PERIOD_COLUMN if each else DOCUMENT_COLUMN
    return plan.model_copy(update={"group_by": by}) if each or len(documents) > 1 else plan


def _wants_yes_or_no(reading: Reading) -> bool:
    """`Is X the highest?` wants no figure; `does X or Y have more?` wants one of the two."""
    return reading.norms[0] in _YES_OR_NO and "or" not in reading.norms


def likelihood(plan: Plan, outcome: Outcome, reading: Reading, of_domain: bool) -> float:
    """What the result says of the reading: a look-up that finds many things, or nothing, was probably not meant."""
    value = outcome.value
    if plan.op == "lookup":
        if isinstance(value, list):
            return 0.9 if of_domain and _each_is_told(plan, reading.view, outcome) else 0.6 if len(value) <= 2 else 0.4
        # An empty cell in the row that was found is an answer; no such row is probably a misreading.
        return 1.0 if value is not None or outcome.matched else 0.7
    if plan.op in ("top", *_FIGURES[2:]) and _wants_yes_or_no(reading):
        return 0.3
    if plan.op == "top":
        return 1.0 if value is not None and (not isinstance(value, list) or plan.limit != 1) else 0.8
    if plan.op == "list":
        return 1.0 if value is not None else 0.6
    if plan.op in ("count", "count_distinct") and plan.group_by is None:
        if value == 1 and _names_a_row(reading.view, plan, only_codes=of_domain):
            return 0.5
        return 1.0 if value or of_domain else 0.85 if len(plan.where) < 2 else 0.5
    if plan.op == "sum" and plan.column and not plan.where and _hides_total(reading.view.column(plan.column), value):
        return 0.3
    adding = (_TOGETHER | cues.SPENDING).intersection(reading.norms)
    if plan.op == "sum" and len(outcome.rows) > 1 and plan.where and not adding:
        return 0.8
    if plan.op == "sum" and not outcome.matched and cues.SPENDING.intersection(reading.norms):
        return 1.0  # nothing was spent on it
    return 1.0 if value is not None else 0.5


def _each_is_told(plan: Plan, view: TableView, outcome: Outcome) -> bool:
    """Whether the rows are one named thing in several documents, or namesakes: each is then given with its source."""
    names = [c for w in plan.where if w.op == "eq" and len(w.values) == 1 and (c := view.column(w.column))]
    return bool(names) and len(outcome.rows) <= SOURCES and any(_singles_out(view, c, outcome.rows) for c in names)


def _singles_out(view: TableView, column: ColumnView, rows: Sequence[int]) -> bool:
    """Whether the cells name who or what a row is: hardly any other row of its table has them."""
    if column.numeric or column.made:
        return False
    each = Counter(view.rows[r].table for r in rows)
    sizes = Counter(b.table for b in view.rows)
    return all(n == 1 or n * 10 <= sizes[t] for t, n in each.items())


def _names_a_row(view: TableView, plan: Plan, only_codes: bool) -> bool:
    """Whether the one condition is the name of a row: counting what was singled out is seldom the question."""
    if [w.op for w in plan.where] != ["eq"]:
        return False
    column = view.column(plan.where[0].column)
    if column is None or (only_codes and column.type.kind != "code"):
        return False
    texts = [t.strip() for t in column.texts if t.strip()]
    return bool(texts) and len(set(texts)) >= 0.95 * len(texts)


def _hides_total(column: ColumnView | None, total: object) -> bool:
    """Whether one body row is the sum of all the others: a total that nothing labels as one."""
    if column is None or not isinstance(total, Decimal) or len(column.numbers) < 3:
        return False
    return total != 0 and any(v is not None and v * 2 == total for v in column.numbers)
