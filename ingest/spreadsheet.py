"""XLSX and CSV files → sheets of texts, each cell as its reader sees it."""

from __future__ import annotations

import codecs
import csv
import datetime
import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from contracts.errors import InputError
from contracts.numbers import parse_number

_SEPARATORS = (",", ";", "\t", "|")
_PROBE = 200
"""Records read to find out the separator."""
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_ENCODINGS = ("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "iso8859_15", "shift_jis", "gb18030", "big5", "euc_kr")
"""What programs write today where it is not Unicode; the code pages of DOS win too many guesses on short files."""
_CLEARLY = 0.2
"""By how much another encoding must fit a language better."""
_DIGITS = 15
"""Significant digits that a workbook keeps; more are an artefact of binary fractions."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of texts; `numbers` says which row of the file each one is (1-based)."""

    name: str
    rows: list[list[str]]
    numbers: list[int]
    merged: dict[tuple[int, int], int] = field(default_factory=dict)
    """(row number, column) of a cell merged to the right → its width in columns."""
    notes: tuple[tuple[str, str], ...] = ()
    """(code, message) of what to warn of."""


def read_csv(path: Path) -> Sheet:
    """Any separator of `, ; tab |`, any encoding; records with line breaks inside quotes are one row.

    Raises:
        InputError: the file is empty or no text.
    """
    data = path.read_bytes()
    if not data.strip():
        raise InputError(str(path), "the file is empty.", "Export or download it again.")
    text, note = decode_text(path, data)
    records = _records(text, _separator(text))
    rows = [[cell.strip() for cell in record] for record in records]
    return Sheet(path.stem, rows, list(range(1, len(rows) + 1)), notes=note)


def decode_text(path: Path, data: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace"), ()
    if b"\0" in data[:4096]:
        raise InputError(str(path), "this is not a text file, whatever its name says.", "Export it as CSV or XLSX.")
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        encoding = _guess(data)
        message = f"The file is not UTF-8; it was read as {encoding}. Check names with accents, or save it as UTF-8."
        return data.decode(encoding, errors="replace"), (("encoding_guessed", message),)


def _guess(data: bytes) -> str:
    """The likeliest encoding; the Western one unless another reads clearly better, for short files tell little."""
    from charset_normalizer import from_bytes

    matches = from_bytes(data, cp_isolation=list(_ENCODINGS))
    best = matches.best()
    western = next((m for m in matches if m.encoding == "cp1252"), None)
    if best is None or (western and western.chaos <= best.chaos and western.coherence > best.coherence - _CLEARLY):
        return "cp1252"
    return best.encoding


def _separator(text: str) -> str:
    """The separator with which most records have the same number of fields, at least two."""
    best, chosen = (0.0, 0), ","
    for separator in _SEPARATORS:
        widths = Counter(len(r) for _, r in zip(range(_PROBE), _records(text, separator), strict=False) if any(r))
        if not widths:
            continue
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        score = (count / widths.total(), width) if width > 1 else (0.0, 0)
        if score[0] > best[0] + 0.1 or (score[0] > best[0] - 0.1 and score[1] > best[1]):
            best, chosen = score, separator
    return chosen


def _records(text: str, separator: str) -> Iterator[list[str]]:
    escaped = '\\"' in text
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        doublequote=not escaped,
        escapechar="\\" if escaped else None,
        strict=False,
    )
    csv.field_size_limit(10_000_000)
    return reader


def read_xlsx(path: Path) -> list[Sheet]:
    """Every sheet, hidden ones included with a note.

    Raises:
        InputError: the file is no workbook, damaged, or encrypted.
    """
    import openpyxl

    _check_workbook(path)
    try:
        book = openpyxl.load_workbook(path, data_only=True)
        formulas = openpyxl.load_workbook(path, data_only=False)
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise InputError(str(path), f"the workbook is damaged: {error}.", "Save it again as XLSX.") from None
    return [_sheet(sheet, formulas[sheet.title]) for sheet in book.worksheets]


def _check_workbook(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(8)
    if not head:
        raise InputError(str(path), "the file is empty (0 bytes).", "Export or download it again.")
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(
            str(path), "the workbook is encrypted or of the old XLS kind.", "Save it as XLSX without a password."
        )
    if not head.startswith(b"PK"):
        raise InputError(str(path), "this is not an XLSX workbook, whatever its name says.", "Save it as XLSX.")


def _sheet(sheet: Any, formulas: Any) -> Sheet:
    rows = [[_shown(cell) for cell in row] for row in sheet.iter_rows()]
    _fill_down(rows, sheet.merged_cells.ranges)
    merged = {(r.min_row, r.min_col - 1): r.max_col - r.min_col + 1 for r in sheet.merged_cells.ranges}
    return Sheet(sheet.title, rows, list(range(1, len(rows) + 1)), merged, tuple(_notes(sheet, formulas)))


def _fill_down(rows: list[list[str]], ranges: Iterable[Any]) -> None:
    """A text merged over several rows (a department beside its people) stands in each of them. A number merged so is
    one amount for all of them: repeated it would be added up several times."""
    for r in ranges:
        text = rows[r.min_row - 1][r.min_col - 1]
        if r.min_col == r.max_col and text and parse_number(text) is None:
            for row in rows[r.min_row : r.max_row]:
                row[r.min_col - 1] = text


def _notes(sheet: Any, formulas: Any) -> Iterator[tuple[str, str]]:
    empty = [
        cell.coordinate
        for row in formulas.iter_rows()
        for cell in row
        if cell.data_type == "f" and sheet[cell.coordinate].value is None
    ]
    if empty:
        yield (
            "formula_not_computed",
            f"Sheet {sheet.title}: {len(empty)} formulas have no stored value, first {empty[0]}; they are left empty. "
            "Open and save the workbook in a spreadsheet program.",
        )
    hidden = [str(n) for n, d in sheet.row_dimensions.items() if d.hidden]
    columns = [n for n, d in sheet.column_dimensions.items() if d.hidden]
    if sheet.sheet_state != "visible" or hidden or columns:
        what = [f"rows {', '.join(hidden[:5])}"] * bool(hidden) + [f"columns {', '.join(columns[:5])}"] * bool(columns)
        parts = ", ".join(what) or "the whole sheet"
        yield "hidden_cells", f"Sheet {sheet.title}: {parts} hidden in the workbook; they are part of the table."


def _shown(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return _number(value, cell.number_format or "")
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(sep=" ", timespec="minutes")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return " ".join(str(value).split())


def _number(value: float, style: str) -> str:
    exact = Decimal(format(value, f".{_DIGITS}g"))
    if "%" in style:
        return f"{_plain(exact * 100)}%"
    return _plain(exact)


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def used(rows: Sequence[Sequence[str]]) -> int:
    """Columns up to the last that holds anything."""
    return max((i + 1 for row in rows for i, text in enumerate(row) if text), default=0)
