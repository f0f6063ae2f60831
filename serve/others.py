"""The rows beside those that a question names: what a note says of one employee answers nothing about another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compression.terms import contains_phrase, stems
from compression.units import tables_of
from contracts.base import Record
from contracts.evidence import Candidate
from contracts.questions import Question
from encode.tokens import find_codes

CELLS = "|"
"""What stands around and between the cells in the text of a row, never within one."""

Phrase = tuple[str, ...]


class Others(Record):
    """Names and codes, as stems, of the rows asked about and of the rows beside them."""

    own: frozenset[Phrase] = frozenset()
    others: frozenset[Phrase] = frozenset()

    def spoken_of(self, text: str) -> bool:
        """Whether the text names a row beside, and none of those asked about."""
        if not self.others:
            return False
        said = stems(text)
        return any(contains_phrase(said, o) for o in self.others) and not any(
            contains_phrase(said, o) for o in self.own
        )


def others_of(question: Question, candidates: Sequence[Candidate]) -> Others:
    """From the tables among the candidates in which a code or name of the question stands in a row.

    Only columns that tell every row apart count (employee ids, people's names): a department is nobody's own.
    """
    asked = [stems(n) for n in (*question.codes, *question.names)]
    own: set[Phrase] = set()
    others: set[Phrase] = set()
    for block in tables_of([c.chunk for c in candidates if c.chunk.kind == "table"]) if asked else ():
        rows = [row.text.strip().strip(CELLS).split(CELLS) for row in block.rows]
        named = [any(contains_phrase(stems(" ".join(row)), a) for a in asked) for row in rows]
        if not any(named):
            continue
        for column in _telling(rows):
            for cell, is_asked in zip(column, named, strict=True):
                if cell:
                    (own if is_asked else others).add(stems(cell))
    return Others(own=frozenset(own) | frozenset(asked), others=frozenset(others - own))


def _telling(rows: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Columns of codes or people in which no value stands twice; a cell of another form (`Total`) is left blank."""
    for at in range(max(map(len, rows), default=0)):
        column = [row[at].strip() if at < len(row) else "" for row in rows]
        kept = [cell if _identifies(cell) else "" for cell in column]
        values = [cell for cell in kept if cell]
        if len(values) > 1 and len(set(values)) == len(values):
            yield kept


def _identifies(cell: str) -> bool:
    """A code, or the name of a person: two words or more, each with a capital."""
    words = cell.split()
    person = len(words) > 1 and all(w[0].isupper() and not any(c.isdigit() for c in w) for w in words)
    return person or find_codes(cell) == (cell.upper(),)
