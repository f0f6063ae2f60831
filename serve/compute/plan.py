"""A question's wording to plans over one view, the surest first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from contracts.protocols import DenseEncoder
from serve.compute.columns import ColumnMatcher
from serve.compute.contests import plan_contest
from serve.compute.counting import find_focus, plan_count
from serve.compute.documents import DocumentsView
from serve.compute.draft import Draft
from serve.compute.finding import plan_find
from serve.compute.measuring import plan_measure
from serve.compute.ranking import plan_ranking
from serve.compute.reading import Reader, Reading
from serve.compute.subject import Subject
from serve.compute.values import CellIndex
from serve.compute.view import TableView
from serve.lexicon import Lexicon

CONFIDENT, KNOWN = 0.8, 0.6
"""Below this a plan is not run: in any table, and in one whose columns the lexicon knows. Chosen on the tuning half
of the table questions so that nine of ten answers are right (docs/computing.md)."""


@dataclass(frozen=True)
class Planner:
    """Everything that reading questions against one view needs; costly to make for long tables, so kept with it."""

    view: TableView
    matcher: ColumnMatcher
    reader: Reader
    subject: Subject

    @property
    def threshold(self) -> float:
        return KNOWN if self.subject.of_domain else CONFIDENT

    def holds(self, stem: str) -> bool:
        """Whether a cell or a header has the word: it chooses rows or a column, and says nothing of the source."""
        return stem in self.reader.cells or any(stem in c.stems for c in self.view.columns)

    def plans(self, text: str, context: frozenset[str] = frozenset()) -> tuple[Reading, tuple[Draft, ...]]:
        """Plans by the words; when none is sure, by the likeness of headers too."""
        reading = self.reader.read(text, context | self.subject.entities, self.subject.kinds)
        drafts = self._drafts(reading)
        if not drafts or drafts[0].confidence < self.threshold:
            liked = self.reader.with_likenesses(reading)
            more = self._drafts(liked) if liked is not reading else ()
            if more and (not drafts or more[0].confidence > drafts[0].confidence):
                return liked, tuple(replace(d, ambiguous=True) for d in more)
        return reading, drafts

    def _drafts(self, reading: Reading) -> tuple[Draft, ...]:
        drafts = plan_count(reading, self.subject)
        counting = find_focus(reading) is not None
        if not counting:
            drafts += plan_ranking(reading, self.subject) + plan_contest(reading, self.subject)
            drafts += plan_find(reading, self.subject)
        drafts += plan_measure(reading, self.subject, counting)
        return tuple(sorted(drafts, key=lambda d: -d.confidence))


def make_planner(
    view: TableView,
    lexicon: Lexicon | None,
    dense: DenseEncoder | None,
    focused: bool,
    kinds: frozenset[str],
) -> Planner:
    """`kinds`: stems that name the kind of document the view's tables are in."""
    matcher = ColumnMatcher(view, lexicon, dense)
    reader = Reader(view, matcher, CellIndex(view))
    of_documents = isinstance(view, DocumentsView)
    return Planner(view, matcher, reader, Subject(matcher, lexicon, focused, kinds, of_documents))
