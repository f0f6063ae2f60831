"""Kept sentences and rows put back in document order, as the prompt shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from compression.records import TruncatedTable, Unit
from compression.units import TableBlock

Place = tuple[int, tuple[int, ...]]
"""Rank of the document's best chunk, then the place within the document."""


def assemble(
    blocks: Sequence[TableBlock],
    sentences: Sequence[Unit],
    truncated: Sequence[TruncatedTable],
    documents: Sequence[str],
) -> str:
    """One text. `documents` are document ids in rank order; within each, what stands first comes first."""
    rank = {doc_id: place for place, doc_id in enumerate(documents)}
    notes = {(t.table_id, t.rows_kept): t for t in truncated}
    parts: list[tuple[Place, str]] = [
        ((rank[b.doc_id], b.order), _table(b, notes.get((b.table_id, len(b.rows))))) for b in blocks if b.rows
    ]
    parts += [((rank[first.doc_id], first.order), text) for first, text in _paragraphs(sentences)]
    texts = [text for _, text in sorted(parts, key=lambda part: part[0])]
    whole = [t for t in truncated if not t.rows_kept]
    if whole:
        rows = sum(len(t.rows_left_out) for t in whole)
        texts.append(f"[{len(whole)} more table(s) with {rows} rows left out: they do not fit]")
    return "\n\n".join(texts)


def _table(block: TableBlock, note: TruncatedTable | None) -> str:
    lines = [block.header] if block.header else []
    lines += [row.text for row in block.rows]
    if note is not None:
        lines.append(left_out_note(note))
    return "\n".join(lines)


def left_out_note(table: TruncatedTable) -> str:
    """What a reader is told in place of the rows; rows are counted from 1, without the header."""
    shown, missing = table.rows_kept, len(table.rows_left_out)
    return f"[rows {shown + 1} to {shown + missing} of this table left out ({missing} rows): they do not fit]"


def _paragraphs(sentences: Sequence[Unit]) -> Iterator[tuple[Unit, str]]:
    """Sentences of one section run together, under the section's title."""
    in_order = sorted(sentences, key=lambda u: (u.doc_id, u.order))
    for (_, title), group in groupby(in_order, key=lambda u: (u.doc_id, u.section_title)):
        units = list(group)
        body = " ".join(u.text for u in units)
        yield units[0], body if not title or body.startswith(title) else f"{title}\n{body}"
