"""TAT-QA contexts as PDFs: the paragraphs, and the table in a grid between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph

from evaluation.sample_source import layout
from evaluation.tatqa.data import TatContext

CELL = ParagraphStyle("cell", parent=layout.BODY, fontSize=7.5, leading=9, spaceAfter=0)
PAGE_MM = 170.0


def render_contexts(contexts: Sequence[TatContext], folder: Path) -> None:
    """One PDF for each context, named by its uid; files that are there already stay."""
    for context in contexts:
        path = folder / context.file
        if not path.exists():
            layout.write(path, f"Report {context.uid[:8]}", "TAT-QA", _story(context))


def _story(context: TatContext) -> list[Flowable]:
    prose: list[Flowable] = [Paragraph(escape(text), layout.BODY) for text in context.paragraphs]
    return [*prose[:1], _table(context.table), layout.gap(4), *prose[1:]]


def _table(rows: Sequence[Sequence[str]]) -> Flowable:
    columns = max(len(row) for row in rows)
    first = 60.0 if columns > 1 else PAGE_MM
    widths = [first, *([(PAGE_MM - first) / (columns - 1)] * (columns - 1))] if columns > 1 else [first]
    filled = [[Paragraph(escape(c), CELL) for c in (*row, *[""] * (columns - len(row)))] for row in rows]
    table: Flowable = layout.grid(filled, widths, 1, size=7.5)
    return table
