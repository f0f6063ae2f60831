"""Which identifiers are still there after each stage: the first drop is a bug, even if the answer is right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from contracts.answers import Survival

_EDGE = r"[A-Za-z0-9]"


def survive(identifiers: Sequence[str], stages: Mapping[str, Iterable[str]]) -> Survival:
    """`stages` maps a stage to the texts that are in its output, in pipeline order.

    An identifier is present when it stands in a text as a word of its own: `ST1` is not present in `ST12`.
    """
    unique = tuple(dict.fromkeys(identifiers))
    return Survival(
        identifiers=unique,
        stages={stage: _present(unique, "\n".join(texts)) for stage, texts in stages.items()},
    )


def _present(identifiers: Sequence[str], text: str) -> tuple[str, ...]:
    folded = text.casefold()
    words = set(folded.split())
    return tuple(i for i in identifiers if i.casefold() in words or _stands_in(i.casefold(), folded))


def _stands_in(identifier: str, text: str) -> bool:
    if identifier not in text:
        return False
    return re.search(rf"(?<!{_EDGE}){re.escape(identifier)}(?!{_EDGE})", text) is not None
