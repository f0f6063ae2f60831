"""A question that asks two things of the same rows, as two questions."""

from __future__ import annotations

import re

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


def refers_back(part: str) -> bool:
    return bool(_BACK.search(part))
