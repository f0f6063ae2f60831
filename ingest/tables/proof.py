"""Each number in a table must be one that the page's words hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from contracts.numbers import number_tokens
from ingest.layout import Word


class PageNumbers:
    """The numbers printed on a page, each as often as it stands there."""

    def __init__(self, words: Iterable[Word]) -> None:
        self._left = Counter(token for word in words for token in number_tokens(word.text))

    def unproven(self, cells: Sequence[str]) -> tuple[int, ...]:
        """Columns whose number the page does not hold, or not so often. Every number found is used up."""
        return tuple(c for c, text in enumerate(cells) if not self._take(text))

    def _take(self, text: str) -> bool:
        tokens = number_tokens(text)
        self._left.subtract(tokens)
        return all(self._left[token] >= 0 for token in tokens)
