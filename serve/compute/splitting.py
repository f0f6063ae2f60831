"""A question that asks two things of the same rows, as two questions."""

from __future__ import annotations

import re
from itertools import pairwise

from serve.compute.reading import Reading

_AND, _ARTICLES = (
    frozenset({"and", "y", "e"}),
    frozenset({"the", "el", "la", "los", "las", "its", "his", "her", "their"}),
)
_TOGETHER = frozenset(
    {"between", "difference", "versus", "vs", "minus", "plus", "compare", "ratio", "entre", "diferencia", "both"}
)
_JOINT = re.compile(
    r"[,;?]?\s+(?:and|y)\s+(?=(?:what|how|which|who|when|where|cuánt\w+|cuant\w+|cuál\w*|cual\w*|qué|quién)\b)"
    r"|\?\s+(?=\S)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:their|its|his|her|hers|those|them|they|it|these|su|sus|ellos|ellas|esos|esas)\b", re.IGNORECASE
)


def split(text: str) -> tuple[str, ...]:
    """The parts, one for a plain question. The second one may speak of the first one's rows (`their`)."""
    parts = [p.strip() for p in _JOINT.split(text) if p and p.strip(" ?.,;")]
    return tuple(parts) if len(parts) == 2 else (text,)


def split_columns(reading: Reading) -> tuple[str, str] | None:
    """`What is the basic pay and the net pay of ST004?` as a question for each column; None for any other.

    A comparison or a word such as `between` needs both columns at once.
    """
    norms, between = reading.norms, None
    for first, second in pairwise(reading.columns):
        joint = set(norms[first.end : second.start])
        if first.best.column != second.best.column and joint & _AND and joint <= _AND | _ARTICLES:
            between = (first, second)
    if between is None or len(reading.columns) != 2 or reading.comparisons or _TOGETHER & set(norms):
        return None
    first, second = between
    start, end = reading.words[first.start].start, reading.words[second.end - 1].end
    head, tail = reading.text[:start], reading.text[end:]
    one, other = reading.phrase(first.start, first.end), reading.phrase(second.start, second.end)
    return f"{head}{one}{tail}", f"{head}{other}{tail}"


def refers_back(part: str) -> bool:
    return bool(_BACK.search(part))
