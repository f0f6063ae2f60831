"""Do the cited rows prove the answer? Precision and recall over rows, and over documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.metrics.share import share
from evaluation.outcomes import Metric, Outcome


def citation_precision(outcomes: Sequence[Outcome]) -> Metric:
    """Per question: of the rows cited, the share that the golden set names."""
    return share("citation_row_precision", [right / len(o.cited_rows) for o, right in _scored(outcomes)])


def _scored(outcomes: Sequence[Outcome]) -> Iterator[tuple[Outcome, int]]:
    for outcome in outcomes:
        if outcome.question.rows and outcome.cited_rows:
            wanted, documents = set(outcome.question.rows), set(outcome.question.documents)
            yield outcome, sum(r.doc_name in documents and bool(wanted & set(r.cells)) for r in outcome.cited_rows)


def citation_recall(outcomes: Sequence[Outcome]) -> Metric:
    """Per question: of the rows that the golden set names, the share that is cited. No citation counts as none."""
    values = []
    for outcome in (o for o in outcomes if o.question.rows):
        documents = set(outcome.question.documents)
        cells = {cell for row in outcome.cited_rows if row.doc_name in documents for cell in row.cells}
        values.append(sum(key in cells for key in outcome.question.rows) / len(outcome.question.rows))
    return share("citation_row_recall", values)


def document_precision(outcomes: Sequence[Outcome]) -> Metric:
    """Per answered question: of the documents cited, the share that the golden set names."""
    values = []
    for outcome in (o for o in outcomes if o.question.answerable and o.answer.citations):
        cited = {citation.doc_name for citation in outcome.answer.citations}
        values.append(len(cited & set(outcome.question.documents)) / len(cited))
    return share("citation_document_precision", values)
