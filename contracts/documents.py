"""What a file becomes: lines, outline, tables and the document that holds them."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from contracts.base import BBox, Record


class Line(Record):
    """One visual line of text on a page."""

    page: int
    """1-based."""
    line: int
    """1-based within the page, in reading order."""
    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    section_id: str | None = None
    table_id: str | None = None
    row: int | None = None
    """`Row.index` when the line belongs to a table row."""


class Section(Record):
    """A heading of the outline and the place where it stands."""

    section_id: str
    level: int
    """1 is the top."""
    title: str
    page: int
    line: int
    parent: str | None = None
    recovered: bool = False
    """True when read from numbered or larger-font headings, not from the PDF's own outline."""


class RowRole(StrEnum):
    BODY = "body"
    HEADER = "header"
    GROUP = "group"
    SUBTOTAL = "subtotal"
    TOTAL = "total"


class Region(Record):
    """A stretch of lines on one page."""

    page: int
    line_start: int
    line_end: int
    bbox: BBox


class Row(Record):
    """A table row in document order. `cells` has one entry per column, "" when empty."""

    index: int
    """0-based over the whole table, headers included."""
    cells: tuple[str, ...]
    page: int
    line_start: int
    line_end: int
    bbox: BBox
    role: RowRole = RowRole.BODY
    continued: tuple[Region, ...] = ()
    """Where the row goes on, when a page break cuts it."""


class ColumnKind(StrEnum):
    TEXT = "text"
    CODE = "code"
    NUMBER = "number"
    PERCENT = "percent"
    DATE = "date"


class NumberStyle(Record):
    """How numbers are written in one column; see `contracts.numbers`."""

    decimal: Literal[".", ",", ""] = "."
    """"" when the column holds integers only and nothing tells the mark."""
    grouping: Literal[",", ".", " ", "'", ""] = ","
    indian: bool = False
    """Groups of two digits above the thousands: `4,56,789`."""
    date_order: Literal["dmy", "mdy", "ymd", ""] = ""


class ColumnType(Record):
    kind: ColumnKind = ColumnKind.TEXT
    style: NumberStyle | None = None
    unit: str | None = None
    """Currency or unit: an ISO 4217 code where one is known (`INR`), else as printed."""
    mixed: bool = False
    """Cells disagree about the style; a warning names them, and no value is guessed."""


class DocumentWarning(Record):
    """Something a reader of the document should know; `code` is stable, `message` says what to do."""

    code: str
    message: str
    page: int | None = None
    table_id: str | None = None


class Table(Record):
    """A whole table, over all its pages, with every row in document order."""

    table_id: str
    doc_id: str
    title: str = ""
    """The caption or the nearest heading above, "" when there is none."""
    columns: tuple[str, ...]
    """Header texts; levels of a multi-row header joined with " / "."""
    column_types: tuple[ColumnType, ...] = ()
    rows: tuple[Row, ...]
    pages: tuple[int, ...]
    source: Literal["ruled", "aligned", "numbers", "sheet"]
    """`numbers` is the last resort: 4 numbers in a line, 3 such lines together."""
    section_id: str | None = None
    orphans: tuple[Region, ...] = ()
    """Lines with numbers inside the table's area that belong to no row."""
    unproven: tuple[tuple[int, int], ...] = ()
    """(row index, column index) of cells whose number is not among the page's words; never summed."""
    warnings: tuple[DocumentWarning, ...] = ()


class TableSummary(Record):
    """What a planner needs to choose a table without reading its rows."""

    table_id: str
    doc_id: str
    doc_name: str
    doc_type: str
    period: str | None
    title: str
    columns: tuple[str, ...]
    column_types: tuple[ColumnType, ...]
    body_rows: int
    pages: tuple[int, ...]


class Document(Record):
    """A file as the index knows it."""

    doc_id: str
    """SHA-256 of the file's bytes, hex."""
    name: str
    """File name with extension."""
    source: str
    """Absolute path, or `upload:NAME`; a new file at the same source replaces the old one."""
    doc_type: str = "unknown"
    doc_type_source: str = ""
    """Where it comes from: `stated` (manifest or upload), `folder`, `headings`; "" when it is not known."""
    groups: tuple[str, ...] = ("everyone",)
    """Who may read it."""
    period: str | None = None
    """`2025-04` for a month, `2025` for a year, `2025-26` for a fiscal year, `2025-Q1` for a quarter."""
    language: str = "en"
    title: str = ""
    pages: int = 0
    size_bytes: int = 0
    warnings: tuple[DocumentWarning, ...] = ()
    granularities: tuple[int, ...] = ()
    """Sizes of the sentence windows that the index holds beside its chunks, ascending."""
    fingerprint: str = ""
    """`SETTINGS-METADATA`: hashes of the chunk settings and encoders, and of the manifest's fields, that it was
    ingested with; a re-run skips the file only when both are the same."""


class ParsedDocument(Record):
    """Everything extraction found in a file."""

    document: Document
    lines: tuple[Line, ...]
    outline: tuple[Section, ...]
    tables: tuple[Table, ...]
