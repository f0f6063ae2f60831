"""Is the answer right? One rule for each kind of expected answer, strict about numbers.

A number counts as right when code computed it, or when it is the only new number of a text: a sentence that
happens to hold the right figure among others proves nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal

from contracts.answers import Answer
from contracts.marks import Mark
from contracts.numbers import number_tokens, parse_number
from evaluation.golden import (
    CODE,
    ContradictionExpected,
    CountExpected,
    GoldenQuestion,
    ListExpected,
    LookupExpected,
    NotFoundExpected,
    NumberExpected,
    SpanExpected,
)
from evaluation.outcomes import Judgement

NO_WARNING = frozenset(
    {
        Mark.FUSION_DEGENERATE,
        Mark.UMG_DEGENERATE,
        Mark.RERANK_TIMEOUT,
        Mark.RERANK_UNAVAILABLE,
        Mark.ARBITER_FALLBACK,
        Mark.MODEL_UNAVAILABLE,
        Mark.QUESTION_TRUNCATED,
        Mark.BUDGET_EXCEEDED,
    }
)
"""Marks about how the answer was made. They do not tell a reader to doubt it, so they excuse nothing."""


def judge(question: GoldenQuestion, answer: Answer) -> Judgement:
    """Compares an answer with what the golden question expects."""
    reason = _reason(question, answer)
    warned = any(mark not in NO_WARNING for mark in answer.degraded)
    return Judgement(
        correct=not reason,
        reason=reason,
        wrong_unmarked=bool(reason) and not answer.not_found and not warned,
    )


def _reason(question: GoldenQuestion, answer: Answer) -> str:
    expect = question.expect
    if isinstance(expect, NotFoundExpected):
        return _not_found(expect, answer)
    if answer.not_found:
        return f"said not found ({answer.not_found_reason})"
    return _RULES[expect.kind](question, expect, answer)


def _not_found(expect: NotFoundExpected, answer: Answer) -> str:
    if not answer.not_found:
        return "answered although the documents do not say it"
    if expect.reasons and answer.not_found_reason not in expect.reasons:
        return f"not found for the reason {answer.not_found_reason}, expected {', '.join(expect.reasons)}"
    return ""


def _count(question: GoldenQuestion, expect: CountExpected, answer: Answer) -> str:
    return _number(question, Decimal(expect.value), Decimal(0), answer)


def _computed_number(question: GoldenQuestion, expect: NumberExpected, answer: Answer) -> str:
    unit = answer.computed.unit if answer.computed is not None else None
    if expect.unit and unit and _folded(unit) not in (_folded(expect.unit), _SYMBOLS.get(expect.unit)):
        return f"unit {unit}, expected {expect.unit}"
    return _number(question, expect.value, expect.tolerance, answer)


_SYMBOLS = {"percent": "%"}


def _number(question: GoldenQuestion, value: Decimal, tolerance: Decimal, answer: Answer) -> str:
    said = numbers_in(answer.answer) - numbers_in(question.question)
    shown = [n for n in numbers_in(answer.answer) if abs(n - value) <= tolerance]
    if answer.computed is not None:
        computed = answer.computed.as_decimal()
        if computed is not None and abs(computed - value) > tolerance:
            return f"computed {computed}, expected {value}"
        return "" if shown else f"the text does not state {value}"
    wrong = [n for n in said if abs(n - value) > tolerance]
    if not shown:
        return f"{value} is not in the answer"
    return f"{value} is one of {len(wrong) + 1} numbers in the answer" if wrong else ""


def _list(_: GoldenQuestion, expect: ListExpected, answer: Answer) -> str:
    text = _folded(answer.answer)
    missing = [item for item in expect.items if not _stands_in(_folded(item), text)]
    if missing:
        return f"missing {', '.join(missing)}"
    shapes = {_shape(item) for item in expect.items}
    extra = {code for code in CODE.findall(answer.answer) if _shape(code) in shapes} - set(expect.items)
    return f"also lists {', '.join(sorted(extra))}" if extra else ""


def _lookup(_: GoldenQuestion, expect: LookupExpected, answer: Answer) -> str:
    accepted = (expect.value, *expect.also_accepted)
    text = _folded(answer.answer)
    if any(_stands_in(_folded(value), text) for value in accepted):
        return ""
    values = {parse_number(value) for value in accepted} - {None}
    return "" if values & numbers_in(answer.answer) else f"{expect.value} is not in the answer"


def _span(_: GoldenQuestion, expect: SpanExpected, answer: Answer) -> str:
    text = _folded(answer.answer)
    missing = [part for part in expect.all_of if not any(_folded(option) in text for option in part.split("|"))]
    if missing:
        return f"does not say {'; '.join(missing)}"
    wrong = [part for part in expect.none_of if _folded(part) in text]
    return f"says {'; '.join(wrong)}" if wrong else ""


def _contradiction(question: GoldenQuestion, expect: ContradictionExpected, answer: Answer) -> str:
    text = _folded(answer.answer)
    missing = [value for value in expect.values if _folded(value) not in text]
    if missing:
        return f"does not give {', '.join(missing)}"
    if Mark.CONTRADICTION not in answer.degraded:
        return "the contradiction is not marked"
    uncited = set(question.documents) - {citation.doc_name for citation in answer.citations}
    return f"does not cite {', '.join(sorted(uncited))}" if uncited else ""


_RULES: dict[str, Callable[..., str]] = {
    "count": _count,
    "sum": _computed_number,
    "number": _computed_number,
    "list": _list,
    "lookup": _lookup,
    "span": _span,
    "contradiction": _contradiction,
}


def numbers_in(text: str) -> set[Decimal]:
    """Values of the numbers in a text, codes such as `ST001` left out."""
    parsed = (parse_number(token) for token in number_tokens(CODE.sub(" ", text)))
    return {value for value in parsed if value is not None}


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _stands_in(needle: str, text: str) -> bool:
    """As a word of its own: `4` does not stand in `14` or in `4,500`."""
    return re.search(rf"(?<![\w.,]){re.escape(needle)}(?![\w]|[.,]\d)", text) is not None


def _shape(code: str) -> str:
    """`ST001` and `ST013` have one shape; `CT01` another."""
    return re.sub(r"\d+", "0", code)
