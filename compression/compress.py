"""Evidence cut to the prompt's budget. Rows are structure: no score drops one, and none goes in silence.

An earlier pipeline kept the "top N sentences" and took each row for a sentence: of twelve employees two
reached the model, which honestly counted two. Here sentences are scored, rows are not; prose pays first;
rows that still do not fit are named in the text itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from compression.assemble import assemble
from compression.fit import fit_prose, fit_rows
from compression.instructions import addresses_machine
from compression.records import Compressed, TruncatedTable, Unit
from compression.score import coverage
from compression.units import TableBlock, sentences_of, tables_of
from contracts.chunks import Chunk
from contracts.evidence import DroppedItem
from contracts.questions import Question

TOP_SENTENCES = 5
"""What the old fault kept; see `rows_as_sentences`."""


def compress(
    question: Question,
    chunks: Sequence[Chunk],
    budget: int,
    *,
    threshold: float,
    rows_as_sentences: bool = False,
) -> Compressed:
    """The chunks (best first) as one text of at most `budget` characters, in document order.

    Sentences whose coverage of the question is below `threshold` (0 to 1) are dropped; rows are exempt.
    `rows_as_sentences=True` reproduces the fault that this function exists against, for the survival gate.
    """
    tables = tables_of(chunks)
    sentences, orders = _evidence(_scored(question, chunks))
    documents = tuple(dict.fromkeys(c.doc_id for c in chunks))
    before = sum(len(c.text) for c in chunks)
    if rows_as_sentences:
        return _top_sentences(question, tables, sentences, documents, budget, before)
    passing, below = _above(sentences, threshold)
    prose, squeezed = fit_prose(passing, tables, documents, budget)
    blocks, truncated = fit_rows(tables, documents, budget) if not prose else (tables, ())
    text = assemble(blocks, prose, truncated, documents)
    return Compressed(
        text=text,
        kept=(*(row for block in blocks for row in block.rows), *prose),
        dropped=(
            *orders,
            *below,
            *(_dropped(u, "no room: prose pays before rows") for u in squeezed),
            *_rows_lost(truncated),
        ),
        tables_truncated=truncated,
        prose_dropped_for_budget=len(squeezed),
        suspicious=len(orders),
        chars_before=before,
        chars_after=len(text),
        budget=budget,
    )


def _scored(question: Question, chunks: Sequence[Chunk]) -> tuple[Unit, ...]:
    """Sentences of the prose chunks in rank order, each once (chunks overlap), with their coverage."""
    seen: dict[tuple[str, str], Unit] = {}
    for chunk in chunks:
        if chunk.kind != "table":
            for unit in sentences_of(chunk, question.language):
                seen.setdefault((unit.doc_id, unit.text), unit)
    units = tuple(seen.values())
    scores = coverage(question, [f"{u.section_title}\n{u.text}" for u in units])
    return tuple(
        u.model_copy(update={"score": round(s, 4), "reason": f"covers {s:.2f} of the question"})
        for u, s in zip(units, scores, strict=True)
    )


def _evidence(units: Sequence[Unit]) -> tuple[tuple[Unit, ...], tuple[DroppedItem, ...]]:
    """Without the sentences that give orders to a machine: they are no statement about anything."""
    orders = [u for u in units if addresses_machine(u.text)]
    kept = tuple(u for u in units if u not in orders)
    return kept, tuple(_dropped(u, "speaks to a machine, not to a reader") for u in orders)


def _above(units: Sequence[Unit], threshold: float) -> tuple[tuple[Unit, ...], tuple[DroppedItem, ...]]:
    """Where the words of the question occur nowhere, embeddings found the chunks: its best-ranked one stays whole."""
    passing = tuple(u for u in units if u.score >= threshold)
    if not passing and units:
        best = units[0].chunk_id
        passing = tuple(
            u.model_copy(update={"reason": f"{u.reason}; kept as part of the best chunk, no sentence passes"})
            for u in units
            if u.chunk_id == best
        )
    kept = {_key(u) for u in passing}
    return passing, tuple(
        _dropped(u, f"covers {u.score:.2f} of the question, threshold {threshold:g}")
        for u in units
        if _key(u) not in kept
    )


def _key(unit: Unit) -> tuple[str, tuple[int, ...]]:
    return unit.chunk_id, unit.order


def _dropped(unit: Unit, reason: str) -> DroppedItem:
    place = {"doc_id": unit.doc_id, "page": unit.page, "lines": [unit.line_start, unit.line_end], "row": unit.row}
    return DroppedItem(item=unit.text[:120], reason=reason, detail=place)


def _rows_lost(truncated: Sequence[TruncatedTable]) -> tuple[DroppedItem, ...]:
    return tuple(
        DroppedItem(item=f"{t.table_id} row {row + 1}", reason="no room; the text says so", detail={"place": row})
        for t in truncated
        for row in t.rows_left_out
    )


def _top_sentences(
    question: Question,
    tables: Sequence[TableBlock],
    sentences: Sequence[Unit],
    documents: Sequence[str],
    budget: int,
    before: int,
) -> Compressed:
    """The old fault: rows scored like sentences, the best few kept, wherever they come from."""
    rows = [row for table in tables for row in table.rows]
    units = [*rows, *sentences]
    scores = coverage(question, [u.text for u in units])
    order = sorted(range(len(units)), key=lambda i: (-scores[i], i))
    chosen = {_key(units[i]) for i in order[:TOP_SENTENCES]}
    blocks = [t.model_copy(update={"rows": tuple(r for r in t.rows if _key(r) in chosen)}) for t in tables]
    prose = [s for s in sentences if _key(s) in chosen]
    text = assemble(blocks, prose, (), documents)[:budget]
    return Compressed(
        text=text,
        kept=tuple(u for u in units if _key(u) in chosen),
        dropped=tuple(_dropped(u, "not among the top sentences") for u in units if _key(u) not in chosen),
        chars_before=before,
        chars_after=len(text),
        budget=budget,
    )
