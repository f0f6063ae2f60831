"""TAT-QA contexts and questions, and the cells and words that prove each answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from contracts.base import Record
from contracts.errors import InputError

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class TatContext(Record):
    uid: str
    table: tuple[tuple[str, ...], ...]
    paragraphs: tuple[str, ...]

    @property
    def file(self) -> str:
        return f"{self.uid}.pdf"


class TatQuestion(Record):
    uid: str
    context: str
    """`TatContext.uid`"""
    text: str
    cells: tuple[str, ...]
    """Texts of the table cells that the answer needs, digits as printed, without currency signs."""
    spans: tuple[str, ...]
    """Answers that stand in the paragraphs."""

    @property
    def needles(self) -> tuple[str, ...]:
        return self.cells + self.spans


def load_tatqa(path: Path) -> tuple[tuple[TatContext, ...], tuple[TatQuestion, ...]]:
    """Contexts and questions of a TAT-QA split; the file is given, never shipped.

    Raises:
        InputError: no such file, or not TAT-QA.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        contexts = tuple(_context(entry) for entry in data)
        questions = tuple(q for entry, c in zip(data, contexts, strict=True) for q in _questions(entry, c))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            str(path), f"not a TAT-QA file: {error}.", "Give tatqa_dataset_dev.json of the TAT-QA repository."
        ) from None
    return contexts, questions


def _context(entry: Any) -> TatContext:
    ordered = sorted(entry["paragraphs"], key=lambda p: p["order"])
    return TatContext(
        uid=entry["table"]["uid"],
        table=tuple(tuple(str(c) for c in row) for row in entry["table"]["table"]),
        paragraphs=tuple(p["text"] for p in ordered),
    )


def _questions(entry: Any, context: TatContext) -> Iterator[TatQuestion]:
    texts = {p["order"]: p["text"] for p in entry["paragraphs"]}
    for question in entry["questions"]:
        from_table = "table" in question["answer_from"]
        related = [texts[int(n)] for n in question["rel_paragraphs"] if int(n) in texts]
        cells = tuple(_gold_cells(question, context)) if from_table else ()
        spans = tuple(_gold_spans(question, related)) if "text" in question["answer_from"] and not cells else ()
        yield TatQuestion(uid=question["uid"], context=context.uid, text=question["question"], cells=cells, spans=spans)


def _gold_cells(question: Any, context: TatContext) -> Iterator[str]:
    """Cells named by the derivation (arithmetic, counts) or equal to an answer (spans)."""
    wanted = _numbers(question["derivation"]) if question["answer_type"] == "arithmetic" else set()
    named = question["derivation"].split("##") if question["answer_type"] == "count" else _answers(question)
    names = {_bare(name).casefold() for name in named} - {""}
    seen: set[str] = set()
    for row in context.table:
        for cell in row:
            bare = _bare(cell)
            if bare and bare not in seen and (bare.casefold() in names or bare.strip("()-%") in wanted):
                seen.add(bare)
                yield bare.strip("()-") if _NUMBER.search(bare) else bare


def _gold_spans(question: Any, related: Sequence[str]) -> Iterator[str]:
    """Answers as the paragraphs spell them."""
    arithmetic = question["answer_type"] == "arithmetic"
    for answer in sorted(_numbers(question["derivation"])) if arithmetic else _answers(question):
        wanted = answer.casefold().rstrip(".")
        for text in related:
            at = text.casefold().find(wanted)
            if at >= 0:
                yield text[at : at + len(wanted)]
                break


def _answers(question: Any) -> list[str]:
    answer = question["answer"]
    return [str(a) for a in answer] if isinstance(answer, list) else [str(answer)]


def _numbers(derivation: str) -> set[str]:
    return set(_NUMBER.findall(derivation))


def _bare(cell: str) -> str:
    """`$  1,452.4` is `1,452.4`."""
    return " ".join(re.sub(r"[$€£¥]", " ", cell).split())
