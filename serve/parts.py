"""A question that asks two things, as two questions: each is answered, or said not to be found."""

from __future__ import annotations

import re
from collections.abc import Callable

from contracts.questions import Intent, Question

_JOINT = re.compile(
    r"[,;?]*\s+(?:and|y)\s+"
    r"(?=(?:(?:within|until|since|by|on|in|at|for|to|from|under|with|en|de|a|por|para|con|desde|hasta)\s+)?"
    r"(?:what|how|which|who|whom|when|where|cu[aá]nt\w+|cu[aá]l\w*|qu[eé]|qui[eé]n\w*|cu[aá]ndo|d[oó]nde)\b)|\?\s+(?=\S)",
    re.IGNORECASE,
)
_ASKED = r"(?:what|which|cu[aá]l(?:es)?|how much)(?:\s+(?:is|are|was|were|es|son|era))?"
_TWO_THINGS = re.compile(
    rf"^(?P<ask>\W*{_ASKED}\s+(?:the|el|la|los|las)\s+)(?P<one>[^,;?]+?)\s+(?:and|y)\s+(?:the|el|la|los|las)\s+(?P<two>[^,;?]+)\W*$",
    re.IGNORECASE,
)


def parts_of(question: Question, understand: Callable[[str], Question]) -> tuple[Question, ...]:
    """The two questions, each understood by itself; empty for a plain question.

    What only one of them names (a code, a company, a month) holds for both. Two nouns (`the fee and the cap`) are
    two questions when each is a concept of its own; a half without keywords (`and why?`) is none.
    """
    if question.intent is Intent.SUMMARIZATION:
        return ()
    joint = [text for text in _JOINT.split(question.text) if text.strip(" ?.,;")]
    texts = joint if len(joint) == 2 else _two_things(question.text)
    parts = [understand(text) for text in texts]
    if len(parts) != 2 or not all(p.keywords for p in parts) or (len(joint) != 2 and not _apart(*parts)):
        return ()
    return tuple(
        p.model_copy(
            update={
                "codes": p.codes or question.codes,
                "names": p.names or question.names,
                "periods": p.periods or question.periods,
            }
        )
        for p in parts
    )


def _two_things(text: str) -> tuple[str, ...]:
    match = _TWO_THINGS.match(text.strip())
    return (f"{match['ask']}{match['one']}?", f"{match['ask']}{match['two']}?") if match else ()


def _apart(one: Question, two: Question) -> bool:
    concepts = [{k.concept for k in q.keywords if k.kind in ("topic", "column")} for q in (one, two)]
    return bool(concepts[0] and concepts[1]) and not concepts[0] & concepts[1]
