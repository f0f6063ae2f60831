"""Which text holds the proof of a TAT-QA answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from contracts.chunks import Chunk
from evaluation.tatqa.data import TatQuestion


@lru_cache(maxsize=100_000)
def _pattern(needle: str) -> re.Pattern[str]:
    """The needle as a whole: `44.1` does not stand in `144.12`; line breaks inside it do not matter."""
    words = r"\s+".join(re.escape(word) for word in needle.split())
    return re.compile(rf"(?<![\w.,]){words}(?!\w|[.,]\d)" if needle[-1:].isalnum() else words)


def holds(text: str, needle: str) -> bool:
    return _pattern(needle).search(text) is not None


def kept(needles: Sequence[str], text: str) -> int:
    """How many of the needles stand in the text."""
    return sum(holds(text, n) for n in needles)


def relevant(question: TatQuestion, chunks: Sequence[Chunk]) -> list[str]:
    """Ids of the chunks of the question's document that hold at least one needle.

    Cells are proof only in a table, spans only in prose: the same figure elsewhere is chance.
    """
    return [
        c.chunk_id
        for c in chunks
        if any(holds(c.text, n) for n in (question.cells if c.kind == "table" else question.spans))
    ]
