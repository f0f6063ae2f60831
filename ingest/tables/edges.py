"""Drawn rules, cleaned: snapped to common positions, broken and dotted ones joined."""

from __future__ import annotations

from collections.abc import Iterable

from ingest.layout import PageContent, Rule

SNAP = 2.0
"""Points. Rules this near on their axis are one rule."""
_JOIN = 3.5
"""Points. A break up to this long, as between the dots of a dotted rule, does not end it."""
_SHORT = 5.0
"""Points. What is shorter after joining is a mark, not a rule."""


def clean_edges(page: PageContent) -> tuple[list[Rule], list[Rule]]:
    """Horizontal and vertical rules of the page.

    The borders of coloured areas are not among them: shading follows lines of text and groups of rows as often as
    cells, and on the competition documents taking it for rules lost 4 rows in 100 and gained none.
    """
    return merge_rules(page.horizontal), merge_rules(page.vertical)


def merge_rules(rules: Iterable[Rule]) -> list[Rule]:
    """Rules of one axis, sorted by position; those that touch on the same line are one."""
    merged: list[Rule] = []
    for group in _clusters(sorted(rules)):
        at = sum(r.at for r in group) / len(group)
        start, end = None, 0.0
        for rule in sorted(group, key=lambda r: r.start):
            if start is None:
                start, end = rule.start, rule.end
            elif rule.start <= end + _JOIN:
                end = max(end, rule.end)
            else:
                merged.append(Rule(at, start, end))
                start, end = rule.start, rule.end
        if start is not None:
            merged.append(Rule(at, start, end))
    return [r for r in merged if r.end - r.start >= _SHORT]


def _clusters(rules: list[Rule]) -> list[list[Rule]]:
    groups: list[list[Rule]] = []
    for rule in rules:
        if groups and rule.at - groups[-1][0].at <= SNAP:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    return groups
