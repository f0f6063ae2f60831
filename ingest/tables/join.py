"""Tables that run over pages are one table."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.tables.draft import DraftTable

Places = dict[tuple[int, int, int], tuple[int, int]]
"""(page, table's number on it, row's number there) → (table's number in the document from 0, row index)."""


def join_tables(pages: Sequence[Sequence[DraftTable]]) -> tuple[list[DraftTable], Places]:
    """The document's tables in order, and where each page's rows went."""
    drafts: list[DraftTable] = []
    places: Places = {}
    for tables in pages:
        for number, table in enumerate(tables):
            places.update({(table.pages[0], number, r): (len(drafts), r) for r in range(len(table.rows))})
            drafts.append(table)
    return drafts, places
