"""Small documents for the store's tests, made by hand."""

from __future__ import annotations

import hashlib
import math
import uuid
from collections.abc import Sequence

from contracts.chunks import Chunk, EmbeddedChunk, SparseVector
from contracts.documents import Document, Line, ParsedDocument, Row, RowRole, Section, Table

DIMENSION = 8
MADE_WITH = {"dimension": str(DIMENSION), "encoder": "stub-1", "tokenizer": "words-1"}
BOX = (0.0, 0.0, 10.0, 10.0)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def axis(*weights: float) -> tuple[float, ...]:
    """A unit vector with these first components."""
    full = [*weights, *([0.0] * (DIMENSION - len(weights)))]
    norm = math.sqrt(sum(w * w for w in full))
    return tuple(w / norm for w in full)


def words(**weights: float) -> SparseVector:
    """Tokens `t1`, `t2`, … to their weights."""
    pairs = sorted((int(name[1:]), weight) for name, weight in weights.items())
    return SparseVector(indices=tuple(i for i, _ in pairs), values=tuple(w for _, w in pairs))


def embedded(
    doc_id: str,
    ordinal: int,
    dense: Sequence[float],
    sparse: SparseVector,
    **fields: object,
) -> EmbeddedChunk:
    granularity = fields.get("granularity", 0)
    given = {
        "chunk_id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{doc_id}/{granularity}/{ordinal}")),
        "doc_id": doc_id,
        "kind": "prose",
        "text": f"chunk {ordinal} of {doc_id}",
        "ordinal": ordinal,
        "page_start": ordinal + 1,
        "page_end": ordinal + 1,
        "line_start": 1,
        "line_end": 2,
        **fields,
    }
    return EmbeddedChunk(chunk=Chunk.model_validate(given), dense=tuple(dense), sparse=sparse)


def table(doc_id: str, rows: int, name: str = "t1") -> Table:
    """A header and `rows` body rows: `E1 | 100`, `E2 | 200`, …"""
    cells = [("Code", "Net"), *((f"E{n}", str(100 * n)) for n in range(1, rows + 1))]
    return Table(
        table_id=f"{doc_id[:12]}-{name}",
        doc_id=doc_id,
        title="Salary register",
        columns=("Code", "Net"),
        rows=tuple(
            Row(
                index=i,
                cells=pair,
                page=1 + i // 40,
                line_start=1 + i % 40,
                line_end=1 + i % 40,
                bbox=(0.5, float(i), 99.25, i + 0.1),
                role=RowRole.HEADER if i == 0 else RowRole.BODY,
            )
            for i, pair in enumerate(cells)
        ),
        pages=tuple(range(1, 2 + rows // 40)),
        source="ruled",
    )


def parsed(
    content: str, source: str = "/data/a.pdf", rows: int = 3, pages: int = 2, **fields: object
) -> ParsedDocument:
    """`content` stands for the file's bytes: it decides the id."""
    doc_id = sha(content)
    document = Document.model_validate(
        {"doc_id": doc_id, "name": source.rsplit("/", 1)[-1], "source": source, "pages": pages, **fields}
    )
    lines = tuple(
        Line(page=p, line=n, text=f"{content} p{p} l{n}", x0=0, top=n, x1=50, bottom=n + 1)
        for p in range(1, pages + 1)
        for n in (1, 2, 3)
    )
    outline = tuple(Section(section_id=f"s{n}", level=1, title=f"Part {n}", page=1, line=n) for n in range(1, 4))
    tables = (table(doc_id, rows),) if rows else ()
    return ParsedDocument(document=document, lines=lines, outline=outline, tables=tables)


def chunks_of(content: str, count: int = 3) -> list[EmbeddedChunk]:
    """Chunk n points along axis n and holds token n and the token 100."""
    doc_id = sha(content)
    return [
        embedded(
            doc_id,
            n,
            axis(*([0.0] * n), 1.0, 0.1),
            SparseVector(indices=(n, 100), values=(1.0, 0.5)),
            text=f"{content} chunk {n}",
            codes=(f"E{n}",),
        )
        for n in range(count)
    ]
