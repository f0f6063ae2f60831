"""Questions about whole tables: do they add up, how do two of them differ, what takes two steps."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.plans import Computation
from serve.compute.attempts import Desk, attempt
from serve.compute.choose import (
    Group,
)
from serve.compute.comparing import compare
from serve.compute.comparison_wording import Kind, asks_comparison, changed_column, in_order, named_keys
from serve.compute.difference import asks_difference, difference, is_of_figures
from serve.compute.footing import asks_footing, foot
from serve.compute.running import Trial
from serve.compute.steps import stepped
from serve.compute.subject import key_column, name_column
from serve.compute.verdict import verdict


def answer_whole(desk: Desk, groups: Sequence[Group]) -> Computation | None:
    """Questions about whole tables: do they add up, and how do two of them differ."""
    language = desk.question.language
    if asks_footing(desk.question.text) and groups:
        planners = [p for g in groups if (p := desk.planner(g)) is not None and len(p.view)]
        return foot([p.view for p in planners], language) if planners else None
    if (plain := asks_difference(desk.question.text)) is not None:
        whole = [a for g in groups if (a := attempt(desk, g, False, plain)) is not None and a.confidence >= a.threshold]
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


def _stepped(desk: Desk, groups: Sequence[Group]) -> Computation | None:
    """The surest answer to a question that takes two steps, or yes or no."""
    text, language, found = desk.question.text, desk.question.language, []
    for group in groups:
        planner = desk.planner(group)
        if planner is None or not len(planner.view):
            continue

        def ask(part: str, group: Group = group) -> Trial | None:
            tried = attempt(desk, group, False, part)
            sure = tried is not None and len(tried.trials) == 1 and tried.confidence >= tried.threshold
            return tried.trials[0] if tried is not None and sure else None

        made = stepped(planner, text, ask, language) or verdict(planner, text, ask)
        found += [made] if made is not None else []
    return max(found, key=lambda c: c.confidence, default=None)


def _compared(desk: Desk, group: Group, kind: Kind) -> Computation | None:
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
