"""Periods as text: `2025-04` a month, `2025-Q1` a quarter, `2025` a year, `2025-26` a fiscal year (April to March).

The fiscal year of India, the United Kingdom's payroll and many companies; a calendar year is written `2025`.
`2025-12` is December: a second part of 01 to 12 is always a month, so the fiscal years 2000-01 to 2011-12
cannot be written this way.
"""

from __future__ import annotations

import re

_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])\Z")
_QUARTER = re.compile(r"(\d{4})-Q([1-4])\Z")
_FISCAL = re.compile(r"(\d{4})-(\d{2})\Z")
_YEAR = re.compile(r"(\d{4})\Z")


def months(period: str) -> frozenset[tuple[int, int]]:
    """The (year, month) pairs of a period; empty when it is not one."""
    if m := _MONTH.match(period):
        return frozenset({(int(m[1]), int(m[2]))})
    if m := _QUARTER.match(period):
        first = 3 * (int(m[2]) - 1) + 1
        return frozenset((int(m[1]), first + i) for i in range(3))
    if (m := _FISCAL.match(period)) and int(m[2]) == (int(m[1]) + 1) % 100:
        year = int(m[1])
        return frozenset({(year, k) for k in range(4, 13)} | {(year + 1, k) for k in range(1, 4)})
    if m := _YEAR.match(period):
        return frozenset((int(m[1]), k) for k in range(1, 13))
    return frozenset()


def covers(outer: str, inner: str) -> bool:
    """Whether every month of `inner` lies in `outer`; two equal texts cover each other."""
    inside = months(inner)
    return outer == inner or (bool(inside) and inside <= months(outer))
