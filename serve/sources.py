"""The document that a question asks to be read: `What does the handbook say about …` is answered by no other kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from compression.terms import fold, words
from contracts.evidence import Candidate
from contracts.questions import Question
from serve.contradictions import AMENDS, says_change

_SPEAKS = re.compile(
    r"\b(?:does|do|did)\s+(?:the|our|this|that|these|your)\s+(?P<asked>(?:[\w'’-]+\s+){1,4}?)"
    r"(?:says?|state|mention|provide|specify|tell|contain|require|rule|chang|alter|modif|replac|amend)"
    r"|\baccording to\s+(?:the|our|this|that)\s+(?P<told>(?:[\w'’-]+\s*){1,4})"
    r"|\b(?:dice|establece|indica|menciona|cambia|modifica)\s+(?:el|la|los|las|nuestr[oa]|este|esta)\s+"
    r"(?P<dicho>(?:[\w'’-]+\s*){1,4})"
    r"|\bsegun\s+(?:el|la|los|las)\s+(?P<segun>(?:[\w'’-]+\s*){1,4})"
)
"""Where a question names its source, folded; the named group is what it calls it."""


def of_source(question: Question, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of the kind of document that the question asks to be read: amendments, or documents of a type
    that its wording names. All of them when it names no source."""
    found = _SPEAKS.search(fold(question.text))
    named = next((text for text in found.groups() if text), "") if found else ""
    if AMENDS.search(named):
        return [c for c in candidates if AMENDS.search(_name(c)) or says_change(c.chunk.text)]
    if any(k.kind == "doc_type" and set(words(k.term)) <= set(words(named)) for k in question.keywords):
        return [c for c in candidates if not question.doc_types or c.doc_type in question.doc_types]
    return list(candidates)


def _name(candidate: Candidate) -> str:
    return fold(f"{candidate.doc_name.replace('_', ' ')} {candidate.chunk.prefix.split(' · ', 1)[0]}")
