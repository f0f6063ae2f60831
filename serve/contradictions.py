"""Two passages that say different things of one subject, and which of them holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from compression.terms import content_stems, fold
from contracts.base import Record
from contracts.chunks import SECTION_PATH, Chunk
from contracts.evidence import Candidate, Contradiction
from contracts.questions import AGGREGATES, Intent, Question
from serve.anchor import best_sentences
from serve.answer_content import answer_values
from serve.matching import focus_of, matched, own_titles

AMENDS = re.compile(
    r"\b(?:(?:is|are|shall be|stands?|hereby) (?:\w+ )?(?:amended|replaced|substituted|revised|superseded|deleted|modified)"
    r"|amendment|amends|addendum|supersedes|shall (?:now )?read|in place of"
    r"|se sustituye|(?:queda|quedan) (?:modificad|sustituid)\w+|modificacion|adenda|deroga)\b"
)
"""Words of a text that changes another, folded."""
_CLAUSE = re.compile(r"\b(?:clause|section|article|paragraph|clausula|articulo|seccion|apartado)\s+(\d+(?:\.\d+)*)")
_NUMBER = re.compile(r"^\s*(?:\w+\s+)?(\d+(?:\.\d+)*)[.)]?\s")
_CHANGES = re.compile(
    r"\b(?:amendments?|addend\w+|adendas?|modificacion\w*)\b[^.?]*\b(?:chang|amend(?!ment)|alter|modif|replac|say|state|do\b|cambi|dice)"
    r"|\b(?:chang|alter|modif|replac|cambi)\w*\b[^.?]*\b(?:amendments?|addend\w+|adendas?|modificacion\w*)\b"
)
"""A question about what amendments change, folded."""
_ITSELF = re.compile(r"\b(?:amend(?:s|ment|ments|ing|ed)?|addend\w+|adendas?|modificacion\w*)\b")
_LISTED = re.compile(r"^\s*(\d+(?:\.\d+)+)[.)]?\s")
ALIKE = 0.4
"""Share of their words that two clauses of one document have in common when they rule the same matter."""


_CONDITION = re.compile(
    r"\b(?:after|before|during|until|unless|except|if|while|following|tras|antes|durante|hasta|salvo|si|despues)\b"
)
"""Words that say when a statement holds, folded."""


class Statement(Record):
    """What one candidate says about the subject."""

    candidate: Candidate
    sentence: str
    values: tuple[str, ...]
    amends: bool


def find_contradictions(question: Question, candidates: Sequence[Candidate]) -> tuple[Contradiction, ...]:
    """Pairs of candidates with different values for the same subject; an amendment is named as the one that holds.

    Where there are no two values to compare, a clause is contradicted when an amendment replaces it by number.
    """
    if question.intent in AGGREGATES - {Intent.LOOKUP}:
        return ()  # rows are not contradicted by clauses
    statements = _statements(question, candidates)
    found = [
        Contradiction(candidate_ids=(a.candidate.candidate_id, b.candidate.candidate_id), explanation=_explain(a, b))
        for a, b in combinations(statements, 2)
        if _same_matter(question, a, b) and not _normal(a) & _normal(b)
    ]
    valued = {s.candidate.candidate_id for s in statements}
    found += [c for c in _replacements(question, candidates) if not valued.issuperset(c.candidate_ids)]
    return _of_one_family(found, {c.candidate_id: c for c in candidates})


def _of_one_family(found: Sequence[Contradiction], by_id: Mapping[str, Candidate]) -> tuple[Contradiction, ...]:
    """Clause 4.1 stands in every contract of a form. Where several documents could be meant by an amendment, it is
    those whose names share most with its own (`Borealis` in both)."""
    kinship: dict[str, int] = {}
    for item in found:
        a, b = (by_id[i] for i in item.candidate_ids)
        for one in (a, b):
            kinship[one.chunk.doc_id] = max(kinship.get(one.chunk.doc_id, 0), _kinship(a, b))
    return tuple(c for c in found if _kinship(*(by_id[i] for i in c.candidate_ids)) >= _best(c, by_id, kinship))


def _best(item: Contradiction, by_id: Mapping[str, Candidate], kinship: Mapping[str, int]) -> int:
    """The kinship of the nearest relative that the amending document has among all pairs found."""
    amending = [by_id[i].chunk.doc_id for i in item.candidate_ids if is_amendment(by_id[i])]
    return max((kinship[doc_id] for doc_id in amending), default=0)


def _kinship(a: Candidate, b: Candidate) -> int:
    """Words that the names of two documents (and their titles, which a chunk's prefix tells) have in common."""
    one, two = (set(content_stems(f"{_spoken(c.doc_name)} {c.chunk.prefix}")) for c in (a, b))
    return len(one & two)


def _spoken(name: str) -> str:
    return re.sub(r"[_.-]+", " ", name)


def _statements(question: Question, candidates: Sequence[Candidate]) -> list[Statement]:
    """What the candidates say, where the answer is a value that can be compared."""
    if question.answer_type in ("text", "person", "code"):
        return []
    return [s for c in candidates if c.chunk.kind != "table" and (s := _statement(question, c))]


def _replacements(question: Question, candidates: Sequence[Candidate]) -> Iterator[Contradiction]:
    prose = [c for c in candidates if c.chunk.kind != "table"]
    for amending in (c for c in prose if is_amendment(c)):
        for old in prose:
            text = f"{own_titles(old.chunk)}\n{old.chunk.text}"
            if replaces(amending, old) and _names_subject(question, text):
                yield Contradiction(
                    candidate_ids=(amending.candidate_id, old.candidate_id),
                    explanation=f"{amending.doc_name} page {amending.chunk.page_start} replaces "
                    f"{old.doc_name} page {old.chunk.page_start} ({own_titles(old.chunk)}) and holds",
                )


def replaces(amending: Candidate, old: Candidate) -> bool:
    """The one cites a clause by its number to change it, the other is that clause, in another document."""
    if amending.chunk.doc_id == old.chunk.doc_id or "table" in (amending.chunk.kind, old.chunk.kind):
        return False
    cited = set(_CLAUSE.findall(fold(amending.chunk.text)))
    return bool(cited & _numbers(old.chunk)) and is_amendment(amending)


def is_amendment(candidate: Candidate) -> bool:
    """The document's name or the passage itself says that it changes another text."""
    return bool(AMENDS.search(fold(f"{candidate.doc_name.replace('_', ' ')} {candidate.chunk.text}")))


def asks_changes(question: Question) -> bool:
    """`What does the amendment change?`: no subject of its own, the amendments' statements are the answer."""
    subjects = [k for k in question.keywords if k.subject and k.concept != "amendment_of_terms"]
    return not subjects and bool(_CHANGES.search(fold(question.text)))


def says_change(text: str) -> bool:
    """`Clause 4.1.1 is replaced: …`: it names the clause and that it changes."""
    folded = fold(text)
    return bool(AMENDS.search(folded) and _CLAUSE.search(folded))


def is_recital(question: Question, candidate: Candidate, text: str) -> bool:
    """`This amendment is made on …`: an amending document speaks of itself, and the question does not ask for it."""
    name = fold(candidate.doc_name.replace("_", " "))
    if not AMENDS.search(name) or _ITSELF.search(fold(question.text)):
        return False
    return bool(_ITSELF.search(fold(text))) and not says_change(text)


def _statement(question: Question, candidate: Candidate) -> Statement | None:
    """The candidate's best sentence with a value, where it or its titles name what the question is about."""
    titles = own_titles(candidate.chunk)
    for unit in best_sentences(question, candidate)[:3]:
        values = answer_values(unit.text, question.answer_type)
        if values and _names_subject(question, f"{titles}\n{unit.text}"):
            return Statement(candidate=candidate, sentence=unit.text, values=values, amends=is_amendment(candidate))
    return None


def _names_subject(question: Question, text: str) -> bool:
    subject = [k for k in focus_of(question) if k.kind not in ("entity", "doc_type")]
    return bool(subject) and {k.term for k in subject} <= {k.term for k in matched(question, text)}


def _same_matter(question: Question, a: Statement, b: Statement) -> bool:
    """One amends the other, or both are clauses of one document in nearly the same words."""
    if a.amends != b.amends:
        amending, amended = (a, b) if a.amends else (b, a)
        cited = set(_CLAUSE.findall(fold(amending.candidate.chunk.text)))
        return not cited or bool(cited & _numbers(amended.candidate.chunk))
    if a.candidate.chunk.doc_id != b.candidate.chunk.doc_id or a.sentence == b.sentence:
        return False
    if _conditions(a) != _conditions(b):
        return False  # during probation and after it: both hold, each in its time
    shared = {t for t in _titles(a.candidate.chunk) if t in _titles(b.candidate.chunk)}
    own = [" ".join(t for t in _titles(s.candidate.chunk) if t not in shared) for s in (a, b)]
    named = all(_names_subject(question, f"{o}\n{s.sentence}") for o, s in zip(own, (a, b), strict=True))
    return named and alike_words(a.sentence, b.sentence) >= ALIKE


def _conditions(found: Statement) -> set[str]:
    return set(_CONDITION.findall(fold(found.sentence)))


def _numbers(chunk: Chunk) -> set[str]:
    """Numbers of the clauses that the chunk stands in or holds: `4.1.1`, `4.1`, `4`."""
    in_text = (m[1] for line in chunk.text.splitlines() if (m := _LISTED.match(line)))
    return {m[1] for t in _titles(chunk) if (m := _NUMBER.match(t))} | set(in_text)


def _titles(chunk: Chunk) -> list[str]:
    return own_titles(chunk).split(SECTION_PATH)


def alike_words(a: str, b: str) -> float:
    """Share of their words, function words and numbers aside, that two sentences have in common."""
    one, two = ({s for s in content_stems(text) if not s[0].isdigit()} for text in (a, b))
    return len(one & two) / len(one | two) if one | two else 0.0


def _normal(found: Statement) -> set[str]:
    return {re.sub(r"\W+", " ", v).strip() for v in found.values}


def _explain(a: Statement, b: Statement) -> str:
    said = f"{_place(a)} says {', '.join(a.values)}; {_place(b)} says {', '.join(b.values)}"
    if a.amends == b.amends:
        return f"{said}; neither says that it replaces the other"
    return f"{said}; {(a if a.amends else b).candidate.doc_name} amends the other and holds"


def _place(found: Statement) -> str:
    titles = own_titles(found.candidate.chunk)
    where = f" ({titles})" if titles else ""
    return f"{found.candidate.doc_name} page {found.candidate.chunk.page_start}{where}"
