"""A file → its lines and tables. The verb that everything else in `ingest` stands on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from contracts.documents import Document, DocumentWarning, Line, ParsedDocument, Table
from contracts.errors import InputError
from ingest.layout import PageContent
from ingest.page import PageParts, Place, read_page
from ingest.pdf import open_pdf
from ingest.plain import read_plain
from ingest.sheets import read_sheet
from ingest.spreadsheet import Sheet, read_csv, read_xlsx
from ingest.tables.build import build_table
from ingest.tables.join import Places, join_tables


def extract(
    path: str | Path,
    *,
    password: str | None = None,
    name: str | None = None,
    source: str | None = None,
    doc_type: str = "unknown",
    groups: tuple[str, ...] = ("everyone",),
    period: str | None = None,
    language: str = "en",
) -> ParsedDocument:
    """Reads `path` (PDF, XLSX, CSV, TSV, TXT, MD; by its extension). The outline is left empty; `ingest.outline` finds it.

    Raises:
        InputError: the file cannot be read; the message names it and says what to do.
    """
    path = Path(path)
    document = Document(
        doc_id=_digest(path),
        name=name or path.name,
        source=source or str(path.absolute()),
        doc_type=doc_type,
        groups=groups,
        period=period,
        language=language,
        size_bytes=path.stat().st_size,
    )
    kind = path.suffix.lower()
    if kind in (".xlsx", ".xlsm"):
        return _from_sheets(document, read_xlsx(path), first_row_is_header=False)
    if kind in (".csv", ".tsv"):
        return _from_sheets(document, [read_csv(path)], first_row_is_header=True)
    if kind in (".txt", ".md"):
        return _from_pages(path, document, _read_pages(read_plain(path)))
    with open_pdf(path, password) as file:
        parts = _read_pages(file.pages())
        document = document.model_copy(update={"title": file.title})
    return _from_pages(path, document, parts)


def _read_pages(pages: Iterable[PageContent]) -> list[PageParts]:
    parts: list[PageParts] = []
    for page in pages:
        parts.append(read_page(page, parts[-1] if parts else None))
    return parts


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(
            str(path), f"cannot be read: {error.strerror}.", "Check the path and its permissions."
        ) from None


def _from_sheets(document: Document, sheets: Sequence[Sheet], first_row_is_header: bool) -> ParsedDocument:
    parts = [read_sheet(sheet, page, first_row_is_header) for page, sheet in enumerate(sheets, 1)]
    drafts = [draft for part in parts for draft in part.tables]
    tables = tuple(build_table(document.doc_id, number, draft) for number, draft in enumerate(drafts, 1))
    rows = {(r.page, r.line_start): (t.table_id, r.index) for t in tables for r in t.rows}
    lines = []
    for line in (line for part in parts for line in part.lines):
        table_id, row = rows.get((line.page, line.line), (None, None))
        lines.append(line.model_copy(update={"table_id": table_id, "row": row}))
    return _parsed(document, len(sheets), lines, tables, [w for part in parts for w in part.warnings])


def _from_pages(path: Path, document: Document, parts: Sequence[PageParts]) -> ParsedDocument:
    if not any(part.lines for part in parts):
        raise InputError(
            str(path), "no text layer on any page.", "If these are scanned pages, run OCR first, e.g. ocrmypdf."
        )
    drafts, places = join_tables([part.for_joining() for part in parts])
    tables = tuple(build_table(document.doc_id, number, draft) for number, draft in enumerate(drafts, 1))
    lines = [
        _placed(line, place, tables, places)
        for part in parts
        for line, place in zip(part.lines, part.places, strict=True)
    ]
    return _parsed(document, len(parts), lines, tables, [w for part in parts for w in part.warnings])


def _parsed(
    document: Document,
    pages: int,
    lines: Sequence[Line],
    tables: Sequence[Table],
    warnings: Sequence[DocumentWarning],
) -> ParsedDocument:
    warnings = (*warnings, *(w for t in tables for w in t.warnings))
    document = document.model_copy(update={"pages": pages, "warnings": warnings})
    return ParsedDocument(document=document, lines=tuple(lines), outline=(), tables=tuple(tables))


def _placed(line: Line, place: Place | None, tables: Sequence[Table], places: Places) -> Line:
    home = places.get((line.page, place.table, place.row)) if place is not None else None
    if home is None:
        return line
    number, index = home
    return line.model_copy(update={"table_id": tables[number].table_id, "row": index})


def extract_json(parsed: ParsedDocument) -> dict[str, Any]:
    """What `allrows extract --json` prints (design, section 4)."""
    document = parsed.document
    return {
        "doc_id": document.doc_id,
        "name": document.name,
        "pages": document.pages,
        "lines": [line.model_dump(mode="json") for line in parsed.lines],
        "outline": [section.model_dump(mode="json") for section in parsed.outline],
        "tables": [table.model_dump(mode="json", exclude={"doc_id"}) for table in parsed.tables],
        "warnings": [warning.model_dump(mode="json") for warning in document.warnings],
    }
