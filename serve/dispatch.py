"""Which detectors run, decided by a table that can be read, with a reason for each that runs and each that does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from contracts.evidence import Dispatch, Method
from contracts.questions import Intent, Question

METHODS: tuple[Method, ...] = ("outline", "keywords", "bm25", "dense")


class Rule(NamedTuple):
    """`holds(question, has_outline)` decides; the two texts say why."""

    holds: Callable[[Question, bool], bool]
    when: str
    otherwise: str


READS_SECTIONS = (Intent.QA, Intent.SUMMARIZATION)

RULES: Mapping[Method, Rule] = {
    "outline": Rule(
        lambda q, outline: outline and q.intent in READS_SECTIONS,
        "the documents have an outline and the question asks for a passage",
        "no outline in scope, or the question asks for rows",
    ),
    "keywords": Rule(
        lambda q, outline: bool(q.keywords) and q.intent is not Intent.SUMMARIZATION,
        "the question has keywords",
        "the question has no keywords, or asks for a whole section",
    ),
    "bm25": Rule(
        lambda q, outline: bool(q.codes),
        "the question has exact codes",
        "the question has no exact codes",
    ),
}
"""Embeddings run when none of these holds, or when the vocabulary diverges."""

FIXED: Mapping[str, tuple[Method, ...]] = {
    "dense": ("dense",),
    "bm25": ("bm25",),
    "rrf": ("dense", "bm25"),
    "umg": ("umg",),
    "umgp": ("umg",),
}
"""Strategies that are a choice of methods by name."""


def dispatch(question: Question, strategy: str, *, has_outline: bool) -> Dispatch:
    """The methods to run for `question`.

    `hybrid` always runs dense and BM25 and adds the detectors whose rule holds; `dispatch` runs only what the
    rules choose; every other strategy runs the methods that it names.
    """
    if strategy in FIXED:
        run = FIXED[strategy]
        named = dict.fromkeys(run, f"strategy {strategy} is made of it")
        left = {m: f"strategy {strategy} leaves it out" for m in METHODS if m not in run}
        if "umg" in run:
            left.update(dict.fromkeys(("dense", "bm25"), f"{strategy} searches with it as an expert, on windows"))
        return Dispatch(strategy=strategy, run=run, reasons={**named, **left})
    reasons: dict[str, str] = {
        m: rule.when if rule.holds(question, has_outline) else rule.otherwise for m, rule in RULES.items()
    }
    chosen = [m for m, rule in RULES.items() if rule.holds(question, has_outline)]
    if strategy == "hybrid":
        for method in ("bm25", "dense"):
            reasons[method] = "hybrid always runs it"
        chosen = [m for m in METHODS if m in chosen or m in ("bm25", "dense")]
    else:
        _add_dense(question, chosen, reasons)
    return Dispatch(strategy=strategy, run=tuple(chosen), reasons=reasons)


def _add_dense(question: Question, chosen: list[Method], reasons: dict[str, str]) -> None:
    if question.diverges:
        chosen.append("dense")
        reasons["dense"] = "the question's words are not the documents' words"
    elif not chosen:
        chosen.append("dense")
        reasons["dense"] = "no other method applies"
    else:
        reasons["dense"] = f"{' and '.join(chosen)} can be trusted here"
