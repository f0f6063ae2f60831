"""A question as asked, and as understood."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from contracts.base import Record
from contracts.filters import Caller

Strategy = Literal["hybrid", "dispatch", "dense", "bm25", "rrf", "umg", "umgp"]


class AskRequest(Record):
    question: str
    filters: dict[str, tuple[str, ...]] = {}
    """Field of the payload schema to its allowed values."""
    strategy: Strategy | None = None
    """None: the setting."""
    caller: Caller = Caller()
    request_id: str | None = None


class Intent(StrEnum):
    QA = "qa"
    SUMMARIZATION = "summarization"
    COUNT = "count"
    SUM = "sum"
    AVERAGE = "average"
    EXTREME = "extreme"
    LOOKUP = "lookup"
    LIST = "list"
    COMPARE = "compare"
    FOOTING = "footing"


AGGREGATES = frozenset(Intent) - {Intent.QA, Intent.SUMMARIZATION}
"""Intents that go to a plan over whole tables."""


class Keyword(Record):
    """A term of the question with what the lexicon adds to it."""

    term: str
    expansions: tuple[str, ...] = ()
    concept: str | None = None
    kind: Literal["column", "entity", "topic", "doc_type"] | None = None
    """Of the concept."""
    subject: bool = False
    """Passages speak of it: without a mention of it anywhere, there is no answer."""
    rivals: tuple[str, ...] = ()
    """Terms of neighbouring concepts that contain this one and mean something else (`liability insurance`)."""


class Question(Record):
    """What the wording tells, deterministically."""

    text: str
    language: str = "en"
    intent: Intent = Intent.QA
    keywords: tuple[Keyword, ...] = ()
    codes: tuple[str, ...] = ()
    """Exact identifiers, upper case."""
    answer_shape: Literal["single", "listing", "count", "aggregate"] = "single"
    answer_type: Literal["amount", "date", "person", "number", "duration", "code", "text"] = "text"
    answer_context: Literal["line", "paragraph", "section", "table"] = "paragraph"
    doc_types: tuple[str, ...] = ()
    """Types that the wording names."""
    periods: tuple[str, ...] = ()
    """In the form of `Document.period`."""
    names: tuple[str, ...] = ()
    """Document names, companies or parties that the wording names."""
    inner: tuple[str, ...] = ()
    """Those of `names` that stand inside documents but neither in a title nor on a first page: what is asked of the
    document (the Term Loan), not which one is meant (Amazon). Known once the scope is narrowed."""
    diverges: bool = False
    """The question's vocabulary does not occur in the documents in scope."""
    parts: tuple[Question, ...] = ()
    """The two questions that it is made of, when it asks two things; each has no parts of its own."""
