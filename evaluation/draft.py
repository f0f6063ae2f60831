"""Drafts a golden set from a folder: counts, sums, look-ups, paraphrases and absent ids.

The expected values are what extraction found, so a draft can only show later changes and losses on the way to
the prompt until a person has compared it with the documents; its first lines say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from compression.terms import stems
from contracts.documents import ColumnKind, ParsedDocument, Row, RowRole, Table
from contracts.errors import AllrowsError, InputError
from contracts.numbers import parse_number
from contracts.sentences import split_sentences
from encode.codes import find_codes
from evaluation.golden import (
    CountExpected,
    GoldenQuestion,
    GoldenSet,
    LookupExpected,
    NotFoundExpected,
    NumberExpected,
    SpanExpected,
    dump_golden,
)
from ingest.parse import parse
from ingest.walk import walk
from serve.lexicon import Lexicon, load_lexicon

HEADER = """\
# Drafted by `allrows eval --init`. The expected values are what allrows extracted: compare each with the document,
# correct what is wrong, and add the questions that people really ask. A draft proves nothing until then.
"""
LOOKUPS_PER_TABLE = 2
PARAPHRASES_PER_DOCUMENT = 2
SHORTEST_SENTENCE = 40
NARROWEST_TABLE = 3
"""Columns; two are labels and values."""


def draft(folder: Path) -> tuple[GoldenSet, tuple[str, ...]]:
    """A golden set over `folder`, and what could not be used, with the reason.

    Raises:
        InputError: no document gives a question.
    """
    questions: list[GoldenQuestion] = []
    problems: list[str] = []
    lexicon = load_lexicon(None)
    for file in walk([folder]).files:
        try:
            parsed = parse(file.path, file.metadata)
        except AllrowsError as error:
            problems.append(str(error))
            continue
        questions += [*_from_tables(parsed), *_paraphrases(parsed, lexicon)]
    if not questions:
        raise InputError(str(folder), "no document here gives a question.", "Give a folder with tables or prose.")
    return GoldenSet(name=f"draft for {folder.name}", corpus=str(folder.absolute()), questions=tuple(questions)), tuple(
        problems
    )


def draft_text(golden: GoldenSet) -> str:
    return HEADER + dump_golden(golden)


def _from_tables(parsed: ParsedDocument) -> Iterator[GoldenQuestion]:
    """Questions about the largest table of a document: with several, a question could mean any of them."""
    tables = [t for t in parsed.tables if len(t.columns) >= NARROWEST_TABLE]
    for table in sorted(tables, key=lambda t: -len(t.rows))[:1]:
        body = [row for row in table.rows if row.role is RowRole.BODY]
        key = _key_column(table, body)
        if len(body) >= 2 and key is not None:
            maker = _Maker(parsed.document.name, table, body, key)
            yield maker.count()
            yield from maker.sums()
            yield from maker.lookups()
            yield from maker.absent()


def _key_column(table: Table, body: Sequence[Row]) -> int | None:
    """The first column whose cells are all there, all different and not plain numbers."""
    for at in range(len(table.columns)):
        cells = [row.cells[at].strip() for row in body]
        if all(cells) and len(set(cells)) == len(cells) and not all(parse_number(c) is not None for c in cells):
            return at
    return None


class _Maker:
    """Questions about one table of a document."""

    def __init__(self, name: str, table: Table, body: Sequence[Row], key: int) -> None:
        self.name, self.table, self.body, self.key = name, table, body, key
        self.spoken = _spoken(name)
        self.prefix = _slug(self.spoken)
        self.keys = tuple(row.cells[key].strip() for row in body)
        self.codes = tuple(c for c in self.keys if find_codes(c) == (c,))
        self.numeric = [n for n, t in enumerate(table.column_types) if t.kind is ColumnKind.NUMBER and n != key]

    def count(self) -> GoldenQuestion:
        text = f"How many different {self.table.columns[self.key]} are in {self.spoken}?"
        return self._question("count", text, CountExpected(kind="count", value=len(self.keys)), self.keys, self.codes)

    def sums(self) -> Iterator[GoldenQuestion]:
        """Columns whose printed total is the sum of their rows: the others may be rates, codes or serial numbers."""
        totals = [row for row in self.table.rows if row.role is RowRole.TOTAL]
        for at in self.numeric:
            values = self._values(at)
            printed = {parse_number(row.cells[at], self.table.column_types[at].style) for row in totals}
            if values is not None and sum(values, Decimal(0)) in printed:
                expect = NumberExpected(kind="sum", value=sum(values, Decimal(0)))
                text = f"What is the sum of {self.table.columns[at]} in {self.spoken}?"
                yield self._question(f"sum-{at + 1}", text, expect, self.keys, self.codes)

    def _values(self, at: int) -> list[Decimal] | None:
        style = self.table.column_types[at].style
        values = [parse_number(row.cells[at], style) for row in self.body]
        return [v for v in values if v is not None] if None not in values else None

    def lookups(self) -> Iterator[GoldenQuestion]:
        column = self.numeric[-1] if self.numeric else len(self.table.columns) - 1
        if column == self.key:
            return
        for n in range(0, len(self.body), max(1, len(self.body) // LOOKUPS_PER_TABLE)):
            cell, key = self.body[n].cells[column].strip(), self.keys[n]
            if cell:
                text = f"What is the {self.table.columns[column]} of {key} in {self.spoken}?"
                codes = (key,) if key in self.codes else ()
                yield self._question(f"lookup-{n + 1}", text, LookupExpected(kind="lookup", value=cell), (key,), codes)

    def absent(self) -> Iterator[GoldenQuestion]:
        """The code after the last one, which is not there."""
        last = max(self.codes, default=None)
        if last is None or not self.numeric:
            return
        digits = re.search(r"\d+$", last)
        if digits is not None:
            missing = last[: digits.start()] + str(int(digits.group()) + 900).zfill(len(digits.group()))
            text = f"What is the {self.table.columns[self.numeric[-1]]} of {missing} in {self.spoken}?"
            yield GoldenQuestion(id=f"{self.prefix}-absent", question=text, expect=NotFoundExpected(kind="not_found"))

    def _question(
        self, suffix: str, text: str, expect: object, rows: Sequence[str], codes: Sequence[str]
    ) -> GoldenQuestion:
        data = {"id": f"{self.prefix}-{suffix}", "question": text, "expect": expect, "documents": (self.name,)}
        return GoldenQuestion.model_validate({**data, "rows": tuple(rows), "identifiers": tuple(codes)})


def _paraphrases(parsed: ParsedDocument, lexicon: Lexicon) -> Iterator[GoldenQuestion]:
    """Sentences about a known concept, asked for by another of its names that the document does not use."""
    used = set(stems(" ".join(line.text for line in parsed.lines)))
    spoken = _spoken(parsed.document.name)
    seen: set[str] = set()
    for sentence in _sentences(parsed):
        new = [c for c in lexicon.concepts_in(sentence, "topic") if c.name not in seen]
        other = next((t for c in new for t in c.synonyms.get("en", ()) if not used & set(stems(t))), None)
        if other is not None and len(seen) < PARAPHRASES_PER_DOCUMENT:
            seen.update(c.name for c in new)
            yield GoldenQuestion(
                id=f"{_slug(spoken)}-paraphrase-{len(seen)}",
                question=f"What does {spoken} say about {other}?",
                expect=SpanExpected(kind="span", all_of=(sentence[:60].rsplit(" ", 1)[0],)),
                documents=(parsed.document.name,),
                paraphrase=True,
            )


def _sentences(parsed: ParsedDocument) -> Iterator[str]:
    """Sentences of the prose, section by section, each on one line; short ones are headings."""
    sections: dict[str | None, list[str]] = {}
    for line in parsed.lines:
        if line.table_id is None:
            sections.setdefault(line.section_id, []).append(line.text)
    for lines in sections.values():
        text = "\n".join(lines)
        for start, end in split_sentences(text):
            sentence = " ".join(text[start:end].split())
            if len(sentence) >= SHORTEST_SENTENCE:
                yield sentence


def _spoken(name: str) -> str:
    """`Salary_Register_April_2025.pdf` as a person would say it."""
    return re.sub(r"[_\s]+", " ", Path(name).stem)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()
