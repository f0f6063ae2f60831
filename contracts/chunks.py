"""What is embedded and searched."""

from __future__ import annotations

from typing import Literal

from contracts.base import Record

SECTION_PATH = " › "
"""Between the titles of a section's path."""


class Chunk(Record):
    """A piece of one document: prose within one section, or whole rows of one table."""

    chunk_id: str
    """UUID derived from the document, the kind and the place, so that re-ingesting gives the same id."""
    doc_id: str
    kind: Literal["prose", "table", "window"]
    text: str
    """What is read. A table chunk is a header line, then one line for each row (see `ingest.table_chunk`)."""
    prefix: str = ""
    """Names of the document, section and table. Embedded and searched before `text`, never read as evidence."""
    ordinal: int
    """Position in document order among the document's chunks of the same granularity."""
    page_start: int
    page_end: int
    line_start: int
    """On `page_start`."""
    line_end: int
    """On `page_end`."""
    section_id: str | None = None
    section_title: str = ""
    """Titles from the top of the outline down, joined by `SECTION_PATH`."""
    table_id: str | None = None
    row_start: int | None = None
    """First `Row.index`, header excluded."""
    row_end: int | None = None
    """Last `Row.index`, inclusive."""
    granularity: int = 0
    """0 for a chunk, else the number of sentences of the window."""
    stands_for: tuple[int, ...] = ()
    """Granularities that a window is searched under besides its own: all larger ones when it holds its whole section."""
    sentence_start: int | None = None
    sentence_end: int | None = None
    """Sentence range of a window, inclusive, numbered over the document."""
    parent_id: str | None = None
    """The 8-sentence window that a smaller one belongs to."""
    codes: tuple[str, ...] = ()
    """Identifiers in the text, upper case, whole (`STL/2025-26/003`)."""
    tokens: int = 0
    """Model tokens of `searched_text`, without special tokens."""

    @property
    def searched_text(self) -> str:
        """What the encoders see: a table of bare numbers is found by the names in its prefix.

        Without the bars between cells: they are a fifth of a table's tokens and say nothing.
        """
        text = self.text.replace("|", " ") if self.kind == "table" else self.text
        return f"{self.prefix}\n{text}" if self.prefix else text


class SparseVector(Record):
    """Indices ascending, no zeros."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


class EmbeddedChunk(Record):
    chunk: Chunk
    dense: tuple[float, ...]
    sparse: SparseVector
    tokens_cut: int = 0
    """Tokens that no window of the encoder saw; 0 unless something is wrong."""
