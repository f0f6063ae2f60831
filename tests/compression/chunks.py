"""Small chunks for the tests of compression."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.chunks import Chunk

HEADER = "| Emp ID | Name | Net Pay |"


def prose(
    text: str, *, chunk_id: str = "p", doc_id: str = "d", line: int = 1, section: str = "", page: int = 1
) -> Chunk:
    return Chunk(
        chunk_id=chunk_id, doc_id=doc_id, kind="prose", text=text, ordinal=line, page_start=page, page_end=page,
        line_start=line, line_end=line + text.count("\n"), section_title=section,
    )  # fmt: skip


def table(
    rows: Sequence[str],
    *,
    first: int = 1,
    chunk_id: str = "t",
    table_id: str = "t1",
    doc_id: str = "d",
    line: int = 10,
    header: str = HEADER,
) -> Chunk:
    text = "\n".join([header, *rows] if header else rows)
    return Chunk(
        chunk_id=chunk_id, doc_id=doc_id, kind="table", text=text, ordinal=line, page_start=1, page_end=1,
        line_start=line + first, line_end=line + first + len(rows), table_id=table_id, row_start=first,
        row_end=first + len(rows) - 1,
    )  # fmt: skip


def employee(number: int) -> str:
    return f"| ST{number:03} | Name {number} | {number},000.00 |"
