"""How a document lies in the index: one point per chunk, and payload-only points for everything else.

Lines, outline and whole tables are cut into parts of bounded size, so that a table of 10,000 rows and
a file of 2,000 pages need no large request. Every id derives from its content's place, so writing a
document twice writes the same points.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeVar

from pydantic import TypeAdapter

from contracts.chunks import Chunk, EmbeddedChunk
from contracts.documents import Document, DocumentWarning, Line, ParsedDocument, Row, Section, Table, TableSummary
from store.engine import Payload, Point
from store.schema import DOCUMENT, GRID, OUTLINE, PAGE, ROWS
from store.tuning import BATCH_POINTS

T = TypeVar("T")
NAMESPACE = uuid.UUID("5d0f2c1e-6a37-4f0b-9a53-1f7b2a9c8e40")
PART = 500
"""Lines, sections or rows in one point."""
BATCH_BYTES = 4_000_000
"""A server takes requests of 32 MB by default; JSON of a batch stays well below."""

_LINES = TypeAdapter(tuple[Line, ...])
_ROWS = TypeAdapter(tuple[Row, ...])
_SECTIONS = TypeAdapter(tuple[Section, ...])
_COPIES = TypeAdapter(tuple[Document, ...])


def point_id(*parts: object) -> str:
    return str(uuid.uuid5(NAMESPACE, "\x1f".join(map(str, parts))))


def merged(copies: Iterable[Document]) -> Document:
    """One document for the same bytes at several sources: the first source by name leads, everyone who
    may read one of the copies may read it."""
    ordered = sorted(copies, key=lambda d: d.source)
    first = ordered[0]
    if len(ordered) == 1:
        return first
    groups = tuple(dict.fromkeys(g for d in ordered for g in d.groups))
    note = DocumentWarning(
        code="duplicate_file", message="The same file is also at " + ", ".join(d.source for d in ordered[1:]) + "."
    )
    return first.model_copy(update={"groups": groups, "warnings": (*first.warnings, note)})


def metadata(copies: Sequence[Document]) -> Payload:
    """The payload that every point of a document carries."""
    ordered = sorted(copies, key=lambda d: d.source)
    document = merged(ordered)
    return {
        "doc_id": document.doc_id,
        "name": list(dict.fromkeys(d.name for d in ordered)),
        "source": [d.source for d in ordered],
        "doc_type": document.doc_type,
        "groups": list(document.groups),
        "period": document.period,
        "language": document.language,
    }


def content_points(parsed: ParsedDocument, chunks: Sequence[EmbeddedChunk]) -> list[Point]:
    """Every point but the document's own, without the document's metadata."""
    doc_id = parsed.document.doc_id
    points = list(chunk_points(chunks))
    points += _line_points(doc_id, parsed.lines)
    for part, sections in enumerate(_parts(parsed.outline)):
        payload = {"kind": OUTLINE, "part": part, "body": _SECTIONS.dump_json(sections).decode()}
        points.append(Point(point_id(OUTLINE, doc_id, part), payload))
    for table in parsed.tables:
        points += _table_points(table)
    return points


def chunk_points(chunks: Iterable[EmbeddedChunk]) -> Iterator[Point]:
    for embedded in chunks:
        chunk = embedded.chunk
        payload: Payload = {
            "kind": chunk.kind,
            "granularity": [chunk.granularity, *chunk.stands_for] if chunk.stands_for else chunk.granularity,
            "table_id": chunk.table_id,
            "section_id": chunk.section_id,
            "codes": list(chunk.codes),
            "page_start": chunk.page_start,
            "body": chunk.model_dump_json(),
        }
        # An empty vector (no known token) is left out: Qdrant stores it, but it would count as a document in IDF.
        sparse = embedded.sparse if embedded.sparse.indices else None
        yield Point(chunk.chunk_id, payload, tuple(embedded.dense), sparse)


def _line_points(doc_id: str, lines: Sequence[Line]) -> Iterator[Point]:
    for page, group in groupby(sorted(lines, key=lambda n: (n.page, n.line)), key=lambda n: n.page):
        for part, some in enumerate(_parts(tuple(group))):
            payload = {"kind": PAGE, "page_start": page, "part": part, "body": _LINES.dump_json(some).decode()}
            yield Point(point_id(PAGE, doc_id, page, part), payload)


def _table_points(table: Table) -> Iterator[Point]:
    place = {"table_id": table.table_id, "section_id": table.section_id, "page_start": min(table.pages, default=1)}
    brief = {
        "columns": table.columns,
        "column_types": [c.model_dump(mode="json") for c in table.column_types],
        "title": table.title,
        "pages": table.pages,
        "body_rows": sum(row.role == "body" for row in table.rows),
    }
    head = table.model_copy(update={"rows": ()}).model_dump_json()
    yield Point(
        point_id(GRID, table.doc_id, table.table_id),
        {"kind": GRID, **place, "body": head, "brief": json.dumps(brief, ensure_ascii=False)},
    )
    for part, rows in enumerate(_parts(table.rows)):
        payload = {"kind": ROWS, **place, "part": part, "body": _ROWS.dump_json(rows).decode()}
        yield Point(point_id(ROWS, table.doc_id, table.table_id, part), payload)


def with_granularities(copies: Sequence[Document], sizes: Sequence[int]) -> list[Document]:
    """The documents as they are known once windows of these sizes were added."""
    return [d.model_copy(update={"granularities": tuple(sorted({*d.granularities, *sizes}))}) for d in copies]


def document_point(copies: Sequence[Document], points: int, digest: str) -> Point:
    """`points` counts the whole document, this point included."""
    doc_id = copies[0].doc_id
    payload = {
        "kind": DOCUMENT,
        **metadata(copies),
        "body": merged(copies).model_dump_json(),
        "copies": _COPIES.dump_json(tuple(sorted(copies, key=lambda d: d.source))).decode(),
        "points": points,
        "digest": digest,
    }
    return Point(point_id(DOCUMENT, doc_id), payload)


def with_metadata(points: Iterable[Point], copies: Sequence[Document]) -> list[Point]:
    shared = metadata(copies)
    return [Point(p.id, {**p.payload, **shared}, p.dense, p.sparse) for p in points]


def digest(points: Iterable[Point]) -> str:
    """SHA-256 over ids, payloads and vectors, whatever the order of the points."""
    total = hashlib.sha256()
    for point in sorted(points, key=lambda p: p.id):
        sparse = None if point.sparse is None else [point.sparse.indices, point.sparse.values]
        entry = [point.id, point.payload, point.dense, sparse]
        total.update(json.dumps(entry, sort_keys=True, ensure_ascii=False, default=float).encode())
    return total.hexdigest()


def batches(points: Sequence[Point]) -> Iterator[list[Point]]:
    batch: list[Point] = []
    size = 0
    for point in points:
        weight = len(point.payload.get("body", "")) + 12 * len(point.dense or ())
        if batch and (len(batch) >= BATCH_POINTS or size + weight > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(point)
        size += weight
    if batch:
        yield batch


def _parts(items: tuple[T, ...]) -> Iterator[tuple[T, ...]]:
    for start in range(0, len(items), PART):
        yield items[start : start + PART]


def read_chunk(payload: Payload) -> Chunk:
    return Chunk.model_validate_json(payload["body"])


def read_document(payload: Payload) -> Document:
    return Document.model_validate_json(payload["body"])


def read_copies(payload: Payload) -> tuple[Document, ...]:
    return _COPIES.validate_json(payload["copies"])


def read_lines(points: Iterable[Point]) -> tuple[Line, ...]:
    lines = [line for p in points for line in _LINES.validate_json(p.payload["body"])]
    return tuple(sorted(lines, key=lambda n: (n.page, n.line)))


def read_outline(points: Iterable[Point]) -> tuple[Section, ...]:
    return tuple(s for p in _in_order(points) for s in _SECTIONS.validate_json(p.payload["body"]))


def read_table(points: Iterable[Point]) -> Table | None:
    """From a grid and its rows; None without the grid."""
    found = list(points)
    head = next((p for p in found if p.payload["kind"] == GRID), None)
    if head is None:
        return None
    parts = _in_order(p for p in found if p.payload["kind"] == ROWS)
    rows = tuple(row for p in parts for row in _ROWS.validate_json(p.payload["body"]))
    return Table.model_validate_json(head.payload["body"]).model_copy(update={"rows": rows})


def read_summary(payload: Payload) -> TableSummary:
    brief: dict[str, Any] = json.loads(payload["brief"])
    return TableSummary.model_validate(
        {
            "table_id": payload["table_id"],
            "doc_id": payload["doc_id"],
            "doc_name": payload["name"][0],
            "doc_type": payload["doc_type"],
            "period": payload.get("period"),
            **brief,
        }
    )


def _in_order(points: Iterable[Point]) -> list[Point]:
    return sorted(points, key=lambda p: p.payload["part"])
