"""Numbers as documents spell them: to `Decimal`, back to text, and the type of a column. Never float.

Signs: `(1,234)`, `1,234-`, `−1,234`, `1,234 Dr` are negative (Cr is positive, as on a bank statement).
A lone dash or `nil` is zero. `12.5%` is 12.5. Footnote marks are not part of a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from contracts.column_types import infer_column_type, infer_column_types
from contracts.dates import parse_date
from contracts.documents import NumberStyle
from contracts.numerals import MINUS, STYLES, conforms, dissect, unify, value_of

__all__ = [
    "format_number",
    "infer_column_type",
    "infer_column_types",
    "number_tokens",
    "parse_date",
    "parse_number",
]


def parse_number(text: str, style: NumberStyle | None = None, unit: str | None = None) -> Decimal | None:
    """The value of a text that spells one number and nothing else, else None.

    With `style` (the column's) only that style is read: `1,234.56` in a column of decimal commas is None.
    Without one, `1,234` is 1234 and `1.234` is 1.234. `unit`: a unit word to accept besides the known ones.
    """
    numeral = dissect(text, unit)
    if numeral is None:
        return None
    if numeral.zero:
        return Decimal(0)
    for decimal, grouping in _readings(style):
        if conforms(numeral.core, decimal, grouping):
            value = value_of(numeral.core, decimal, grouping) * Decimal(10**numeral.scale)
            return -value if numeral.negative else value
    return None


def _readings(style: NumberStyle | None) -> Sequence[tuple[str, str]]:
    """The (decimal, grouping) marks to try. A mark that the column never showed stays open."""
    if style is None or (not style.decimal and not style.grouping):
        return STYLES
    if not style.decimal:
        return [(d, g) for d, g in STYLES if g == style.grouping]
    if not style.grouping:
        return [(d, g) for d, g in STYLES if d == style.decimal]
    return [(style.decimal, style.grouping)]


def format_number(value: Decimal, style: NumberStyle | None = None, decimals: int | None = None) -> str:
    """`value` with the style's marks and groups, exact unless `decimals` (places to show) cuts it; half goes to even.

    Without a style: `1234567.50` becomes `1,234,567.50`.
    """
    style = style or NumberStyle()
    if decimals is not None:
        value = round(value, decimals)
    sign, (whole, _, fraction) = value.is_signed() and value != 0, f"{abs(value):f}".partition(".")
    # A style with no grouping seen leaves digits as they are, as its column does.
    grouped = style.grouping.join(_groups(whole, style.indian)) if style.grouping else whole
    mark = style.decimal or ("," if style.grouping == "." else ".")
    return (MINUS if sign else "") + grouped + (mark + fraction if fraction else "")


def _groups(digits: str, indian: bool) -> list[str]:
    head, tail = digits[:-3], digits[-3:]
    size = 2 if indian else 3
    first = len(head) % size
    parts = [head[:first]] + [head[i : i + size] for i in range(first, len(head), size)]
    return [p for p in parts if p] + [tail]


_TOKEN = re.compile(
    r"\([₹$€£¥]?(?P<paren>\d+(?:[.,']\d+)*)%?\)|(?P<before>(?<![\w)])-[₹$€£¥]?)?(?P<core>\d+(?:[.,']\d+)*)(?P<after>-(?!\w))?"
)


def number_tokens(text: str) -> tuple[str, ...]:
    """Every number in a text as printed, in order, for checking that none was lost, cut or invented.

    Digits with their inner separators, signed `-` for each spelling of minus: `(1,234) −5 12-` gives `-1,234`,
    `-5`, `-12`. No token crosses a space (`1 234` is two), so a cell gives what its page's words give one by one.
    """
    return tuple(
        (MINUS if m["paren"] or m["before"] or m["after"] else "") + (m["paren"] or m["core"])
        for m in _TOKEN.finditer(unify(text).replace("’", "'"))
    )
