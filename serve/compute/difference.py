"""`The difference between April's and March's total net pay`: one figure for each of two periods, and their distance."""

from __future__ import annotations

import re
from decimal import Decimal

from contracts.numbers import format_number
from contracts.plans import Computation

_CUE = re.compile(
    r"\b(?:the\s+)?(?:difference|change|increase|decrease|rise|drop|diferencia)\s+(?:between|in|of|entre|en|de)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"\b(?:total|sum|average|mean|median|highest|lowest|number|how many|promedio|suma|media)\b", re.IGNORECASE
)


_RISE = re.compile(
    r"^\s*by how much (?:did|has|have)\b(?P<rest>.*)\b(?:rise|risen|increased?|grow|grown|fall|fallen|drop|dropped|"
    r"decreased?|changed?|gone? (?:up|down))\b",
    re.IGNORECASE,
)


def asks_difference(text: str) -> str | None:
    """The question without the words that ask for a difference, None when it asks for none between figures."""
    if (risen := _RISE.match(text)) is not None:
        return "What is" + risen["rest"] + re.sub(r"\b(?:from|to|between|and)\b", "", text[risen.end() :])
    if not _CUE.search(text) or not _FIGURE.search(text):
        return None
    return re.sub(r"\b(?:and|y)\b", "", _CUE.sub("", text))


def is_of_figures(text: str) -> bool:
    """Whether totals, averages or the like are compared: a list of rows that differ is then no answer."""
    return asks_difference(text) is not None and bool(_FIGURE.search(text))


def difference(whole: Computation, language: str) -> Computation | None:
    """The later figure less the earlier one, when `whole` gave exactly two; None otherwise."""
    computed = whole.computed
    if computed is None or len(computed.groups) != 2 or computed.plan.group_by is None:
        return None
    (_, before), (_, after) = computed.groups
    value = Decimal(str(after)) - Decimal(str(before))
    said = format_number(value, None, max(0, -int(value.as_tuple().exponent)))
    text = f"Diferencia: {said}." if language == "es" else f"Difference: {said}."
    return whole.model_copy(
        update={"computed": computed.model_copy(update={"value": f"{value:f}"}), "text": f"{text} {whole.text}"}
    )
