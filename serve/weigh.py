"""How well each sentence of the evidence answers: by words, by content of the asked kind, by the cross-encoder.

The cross-encoder reads single sentences here. On whole passages it finds the right paragraph; on sentences it
finds the right clause in it, and in prose (never in tables) a low score of the best one means something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compression.instructions import addresses_machine
from compression.records import Unit
from compression.terms import contains_phrase, content_stems, stems, words
from compression.units import sentences_of
from contracts.base import JsonValue, Record
from contracts.evidence import Candidate, Role
from contracts.protocols import CrossEncoder
from contracts.questions import Keyword, Question
from serve.answer_content import answer_values
from serve.contradictions import asks_changes, is_recital, says_change
from serve.dispatch import READS_SECTIONS
from serve.matching import focus_of, matched, own_titles, phrases_of
from serve.others import others_of
from serve.sources import of_source

READ = 8
"""Sentences that the cross-encoder reads; the others are clearly behind by words."""
READS = "en"
"""The cross-encoder's language; its logits on another tell nothing."""
FAR = -6.0
"""Logit below which a sentence is far from an answer."""
READS_AS_ANSWER = 0.0
"""Logit from which prose counts as an answer although the words of the question are not in it."""
CONCEPT, WORD, PLACE = 2.0, 1.0, 0.5
"""Weights in the coverage of a concept, of any other word, and of what only says where to look (`the contract`)."""
BY_PASSAGE = 0.25
"""Share of the passage's logit in a sentence's; a clause is understood by what stands around it."""
BY_COVERAGE, BY_SUBJECT, BY_CONTENT, BY_NEARNESS, BY_NAME = 4.0, 2.0, 2.0, 1.5, 1.0
"""What full coverage, the whole subject, content of the asked kind, its standing next to the subject, and a name of
the question are worth, in logits."""
BY_LABEL = BY_CHANGE = 8.0
"""What `Buyer: …` is worth to a question for the buyer, and a named change to one for the changes."""


class Weighed(Record):
    unit: Unit
    candidate: Candidate
    covered: tuple[str, ...]
    """Keywords that the sentence or a title above it names."""
    coverage: float
    """Their share of the keywords, concepts counting double; in [0, 1]."""
    subject: bool
    """Every subject of the question is named by the sentence or a title above it."""
    typed: bool
    """It holds content of the answer's type; a text answer needs none."""
    nearness: float = 0.0
    """How near the content of the asked type stands to the subject: 1 side by side, 1/2 with one word between."""
    named: bool = False
    """It holds a name of the question."""
    labelled: bool = False
    """`Label: value`, where the label is what the question asks for and the value of the asked kind."""
    change: bool = False
    """The question asks what amendments change, and the sentence names a clause that is changed."""
    logit: float | None = None
    """Of the cross-encoder, None when it did not read the sentence."""

    @property
    def score(self) -> float:
        """Orders sentences; logits. A sentence that was not read ranks behind all that were."""
        if self.logit is None:
            return self.by_words - 100.0
        passage = self.candidate.rerank_logit
        reads = self.logit if passage is None else self.logit + BY_PASSAGE * (passage - self.logit)
        return (reads if self.readable else max(0.0, reads)) + self.by_words

    @property
    def readable(self) -> bool:
        """The cross-encoder is trained on sentences: a field of a form and the wording of a change say little to it."""
        return not (self.labelled or self.change)

    @property
    def reads(self) -> float | None:
        """The better of the cross-encoder's logits for the sentence and for its whole passage; the passage speaks for
        no sentence that names nothing of the question and is far from an answer by itself."""
        if self.logit is not None and self.logit < FAR and not self.coverage:
            return self.logit
        return max((v for v in (self.logit, self.candidate.rerank_logit) if v is not None), default=None)

    @property
    def by_words(self) -> float:
        return (
            BY_COVERAGE * self.coverage
            + BY_SUBJECT * self.subject
            + BY_CONTENT * self.typed
            + BY_NEARNESS * self.nearness
            + BY_NAME * self.named
            + BY_LABEL * self.labelled
            + BY_CHANGE * self.change
        )

    def evidence(self) -> dict[str, JsonValue]:
        """What speaks for the sentence, for a trace."""
        return {
            "covered": list(self.covered),
            "coverage": round(self.coverage, 4),
            "subject": self.subject,
            "typed": self.typed,
            "logit": None if self.logit is None else round(self.logit, 4),
            "passage_logit": None if (p := self.candidate.rerank_logit) is None else round(p, 4),
        }


def weigh(
    question: Question, candidates: Sequence[Candidate], encoder: CrossEncoder | None, budget_ms: float
) -> tuple[Weighed, ...]:
    """The sentences of the primary and supporting prose candidates, best first.

    Past `budget_ms` of reading, words alone order them: all their logits are None.
    """
    others = others_of(question, candidates)
    candidates = of_source(question, candidates)
    question, names = _without_names(question)
    found = [
        w
        for c in candidates
        if c.chunk.kind != "table" and c.role in (Role.PRIMARY, Role.SUPPORTING)
        for w in _sentences(question, names, c)
        if not others.spoken_of(w.unit.text)
    ]
    unique = {(w.unit.doc_id, w.unit.text): w for w in reversed(found)}
    by_words = sorted(unique.values(), key=lambda w: (-w.by_words, found.index(w)))
    read = _read(question, by_words[:READ], encoder, budget_ms)
    return tuple(sorted([*read, *by_words[READ:]], key=lambda w: -w.score))


def _without_names(question: Question) -> tuple[Question, tuple[str, ...]]:
    """The question as the sentences are measured by. Its names have chosen the documents already; left in, they
    would draw every measure to whatever sentence repeats the company's name."""
    outer = [name for name in question.names if name not in question.inner]
    text, unnamed = question.text, {w for name in outer for w in words(name)}
    for name in outer:
        text = text.replace(name, " ")
    keywords = tuple(k for k in question.keywords if not set(words(k.term)) <= unnamed)
    if not keywords:
        return question, question.names
    return question.model_copy(update={"text": " ".join(text.split()), "keywords": keywords}), question.names


def coverage_of(question: Question, named: Sequence[Keyword]) -> float:
    """Share of the question's keywords among `named`, concepts counting double; 0 without keywords."""
    total = sum(_weight(k) for k in question.keywords)
    return sum(_weight(k) for k in named) / total if total else 0.0


def _nearness(question: Question, text: str, values: Sequence[str]) -> float:
    """1 / (1 + words between) for the nearest pair of a name of the subject and a value; 0 without either."""
    said = stems(text)
    subjects = [span for k in focus_of(question) for p in phrases_of(k) for span in _spans(said, p)]
    found = [span for value in values for span in _spans(said, stems(value))]
    gaps = [max(b[0] - a[1], a[0] - b[1], 0) for a in subjects for b in found]
    return 1.0 / (1 + min(gaps)) if gaps else 0.0


def _spans(said: tuple[str, ...], phrase: tuple[str, ...]) -> list[tuple[int, int]]:
    size = len(phrase)
    return [(i, i + size) for i in range(len(said) - size + 1) if size and said[i : i + size] == phrase]


def _titled(question: Question, titles: str) -> bool:
    """The titles above name all that is asked about, kinds of documents and people aside: an outline can be trusted
    (never for a named person: every contract has its `Salary`)."""
    if question.intent not in READS_SECTIONS or question.codes:
        return False
    asked = [k for k in question.keywords if k.kind not in ("doc_type", "entity")]
    return bool(asked) and len(set(matched(question, titles)) & set(asked)) == len(asked)


def _labelled(question: Question, text: str) -> bool:
    label, _, value = text.partition(":")
    said = stems(label)
    return bool(value.strip()) and any(said in phrases_of(k) for k in question.keywords if k.kind != "doc_type")


def _all_named(subjects: Sequence[Keyword], named: Sequence[Keyword]) -> bool:
    return bool(subjects) and all(k in named for k in subjects)


def _weight(keyword: Keyword) -> float:
    if keyword.kind in ("entity", "doc_type"):
        return PLACE
    return CONCEPT if keyword.concept else WORD


def _sentences(question: Question, names: Sequence[str], candidate: Candidate) -> Iterator[Weighed]:
    titles = own_titles(candidate.chunk)
    asked = set(content_stems(question.text))
    for unit in sentences_of(candidate.chunk, question.language):
        if set(content_stems(unit.text)) <= asked or not _speaks_of(question.inner, f"{titles}\n{unit.text}"):
            continue  # it says no more than the question, or speaks of another loan than the Term Loan
        if set(stems(unit.text)) <= set(stems(candidate.chunk.section_title)):
            continue  # a heading answers nothing by itself
        if addresses_machine(unit.text):
            continue  # an order to whoever reads this is not a statement
        named = matched(question, f"{titles}\n{unit.text}")
        values = () if question.answer_type == "text" else answer_values(unit.text, question.answer_type)
        if is_recital(question, candidate, unit.text):
            continue  # when an amendment was made says nothing of when anything else begins
        change = asks_changes(question) and says_change(unit.text)
        labelled = bool(values or question.answer_type == "text") and _labelled(question, unit.text)
        yield Weighed(
            unit=unit,
            candidate=candidate,
            covered=tuple(k.term for k in named),
            coverage=0.5 * coverage_of(question, named) + 0.5 * coverage_of(question, matched(question, unit.text)),
            subject=change
            or labelled
            or (not names and _titled(question, titles))
            or _all_named([k for k in focus_of(question) if k.subject], named),
            typed=bool(values),
            named=any(contains_phrase(stems(unit.text), stems(name)) for name in names),
            nearness=_nearness(question, unit.text, values),
            labelled=labelled,
            change=change,
        )


def _speaks_of(inner: Sequence[str], text: str) -> bool:
    """Whether the text holds one of the names that say what is asked of a document; true without any."""
    return not inner or any(contains_phrase(stems(text), stems(name)) for name in inner)


def _read(
    question: Question, weighed: Sequence[Weighed], encoder: CrossEncoder | None, budget_ms: float
) -> list[Weighed]:
    if encoder is None or not weighed or question.language != READS:
        return list(weighed)
    texts = [f"{own_titles(w.candidate.chunk)}\n{w.unit.text}".strip() for w in weighed]
    logits = encoder.score(question.text, texts, budget_ms)
    if logits is None:
        return list(weighed)
    return [w.model_copy(update={"logit": logit}) for w, logit in zip(weighed, logits, strict=True)]
