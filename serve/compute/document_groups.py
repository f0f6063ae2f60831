"""Which documents are asked about as documents, and the view in which each is a row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from contracts.documents import Document, TableSummary
from contracts.filters import Scope
from contracts.questions import Question
from serve.compute.choose import Group, in_period, is_form_summary
from serve.compute.documents import DocumentsView
from serve.compute.facts import is_bare
from serve.compute.source import TableSource

UNKNOWN = "unknown"
NO_TABLE = "document:"
"""Before the id of a document that stands for itself, having no table."""
HOLDERS = re.compile(r"\b(?:register|payroll|sheet|ledger|roll|statement|balance)\b")
"""Kinds of document that are asked for their rows."""


def document_groups(
    groups: Sequence[Group], question: Question, documents: Sequence[Document] = ()
) -> tuple[Group, ...]:
    """Per kind of document that the question asks for or that has forms, all its documents together: to leave out
    those without forms, or without any table, would miscount them. Registers and ledgers hold rows, not facts.

    `documents`: those in scope, whether they have tables or not.
    """
    kinds: dict[str, list[Group]] = {}
    for group in groups:
        kinds.setdefault(group.summaries[0].doc_type, []).append(group)
    found = []
    for kind, alike in kinds.items():
        summaries = [s for g in alike for s in g.summaries]
        forms = _with_forms(summaries)
        asked = kind in question.doc_types and not HOLDERS.search(kind.replace("_", " "))
        if not forms and not asked:
            continue
        known = kind != UNKNOWN
        kept = summaries if known else [s for s in summaries if s.doc_id in forms]
        seen = {s.doc_id for s in summaries}
        lone = [d for d in documents if known and d.doc_type == kind and d.doc_id not in seen]
        named = [s for d in lone if in_period(s := _without_table(d), question.periods)]
        found.append(Group((*kept, *named), min(g.rank for g in alike)))
    return tuple(found)


def _with_forms(summaries: Sequence[TableSummary]) -> frozenset[str]:
    """Documents with a grid of labels and values, or with several tables of two columns."""
    several = Counter(s.doc_id for s in summaries)
    return frozenset(
        s.doc_id
        for s in summaries
        if is_form_summary(s) or is_bare(s.columns) or (len(s.columns) == 2 and several[s.doc_id] > 1)
    )


def _without_table(document: Document) -> TableSummary:
    """A document that has no table, to stand for itself where documents are counted."""
    return TableSummary(
        table_id=f"{NO_TABLE}{document.doc_id}",
        doc_id=document.doc_id,
        doc_name=document.name,
        doc_type=document.doc_type,
        period=document.period,
        title=document.title,
        columns=(),
        column_types=(),
        body_rows=0,
        pages=(),
    )


def load_documents(index: TableSource, scope: Scope, summaries: Sequence[TableSummary]) -> DocumentsView | None:
    """The documents of these tables as rows, with the labelled lines of their first pages."""
    tables = [index.table(s.table_id, scope) for s in summaries if not s.table_id.startswith(NO_TABLE)]
    if any(t is None for t in tables):
        return None
    documents = list({s.doc_id: s for s in sorted(summaries, key=lambda s: (s.period or "", s.doc_name))}.values())
    pages = {d.doc_id: {1} for d in documents}
    for summary in summaries:
        pages[summary.doc_id].update(summary.pages if is_form_summary(summary) or is_bare(summary.columns) else ())
    lines = {d.doc_id: index.lines(d.doc_id, sorted(pages[d.doc_id]), scope) for d in documents}
    return DocumentsView([t for t in tables if t is not None], {s.table_id: s for s in summaries}, lines, documents)
