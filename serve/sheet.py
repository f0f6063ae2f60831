"""Worksheets whose texts stay texts: a question that starts with `=` is no formula."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

MAX_CELL = 32_000
"""Characters; Excel takes 32,767."""

Value = str | float | int | bool | None


def write_sheets(sheets: Mapping[str, Sequence[Sequence[Value]]]) -> bytes:
    """An XLSX file with one sheet for each entry, the first row frozen."""
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for number, row in enumerate(rows, start=1):
            for column, value in enumerate(row, start=1):
                cell = sheet.cell(number, column)
                if isinstance(value, str):
                    cell.value = ILLEGAL_CHARACTERS_RE.sub("", value)[:MAX_CELL]
                    cell.data_type = "s"
                else:
                    cell.value = value
        sheet.freeze_panes = "A2"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()
