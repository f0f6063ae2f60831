"""Labels and their values as documents print them: forms, grids of pairs, lists side by side, `Label: value` lines.

A payslip prints `Employee ID | ST001 | Name | Anita Desai` and, under it, `Earnings | Amount | Deductions | Amount`:
neither is a table of rows with one meaning for each column. Read as pairs they are facts of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from contracts.dates import parse_date
from contracts.documents import Line, Row, RowRole, Table
from contracts.numbers import parse_number
from serve.compute.words import word_stems

LINE_TABLE = "lines"
"""Table id of facts that stand outside tables; such a citation names lines only."""

_LABELLED = re.compile(r"^\s*([^\W\d][^:\d]{1,38}?)\s*:\s+(\S.*)$")
_LABEL_ALONE = re.compile(r"^\s*([^\W\d][^:\d]{1,38}?)\s*:\s*$")
_ANOTHER = re.compile(r"[^\W\d]\s*:\s")
"""A second label on the line: where the first value ends is then unknown."""
_CODE = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])\S{4,}$")
_AMOUNTS = frozenset({"amount", "current", "paid", "earned", "importe", "monto", "valor"})
_IN_WORDS = re.compile(r"^(.*\d.*?)\s*\([^()\d]+\)\s*$")
"""An amount with the same in words behind it: `INR 62,350.00 (Rupees sixty two thousand three hundred fifty only)`."""


@dataclass(frozen=True)
class Fact:
    """`label` of a document is `value`, printed in `row`. `table` indexes the view's tables."""

    document: str
    label: str
    value: str
    table: int
    row: Row

    @property
    def key(self) -> tuple[str, ...]:
        return word_stems(self.label)


def facts_of(number: int, table: Table) -> Iterator[Fact]:
    """The label-value pairs of a form or grid, or the printed totals of any other table."""
    form, paired = table.table_id == LINE_TABLE or is_form(table), is_paired(table)
    for row in table.rows:
        if paired:
            pairs = _pairs(table.columns, row.cells)
        elif form:
            pairs = [(row.cells[0], row.cells[1])] if len(row.cells) > 1 else []
        elif row.role in (RowRole.TOTAL, RowRole.SUBTOTAL):
            filled = [c for c in row.cells if c.strip()]
            pairs = [(filled[0], filled[-1])] if len(filled) > 1 else []
        else:
            continue
        for label, value in pairs:
            if value.strip() and label != value and word_stems(label) and parse_number(label) is None:
                yield Fact(table.doc_id, " ".join(label.split()).rstrip(": "), _plain(value), number, row)


def is_form(table: Table) -> bool:
    """Two columns, the first of which holds no numbers: labels and their values."""
    if len(table.columns) != 2:
        return False
    labels = [r.cells[0] for r in table.rows if r.cells and r.cells[0].strip()]
    return bool(labels) and all(parse_number(c) is None for c in labels) and len(set(labels)) == len(labels)


def looks_paired(columns: Sequence[str]) -> bool:
    """Whether a header of more than two columns says that they are labels and values in turn: it repeats itself
    (`Earnings | Amount | Deductions | Amount`), or is such a row itself (`Employee ID | ST001 | Name | Anita Desai`)."""
    return len(columns) > 2 and (_repeats(columns) or _holds_values(columns) or any(map(_has_label, columns)))


def is_bare(columns: Sequence[str]) -> bool:
    """No header at all: a form, or a table whose header was not found."""
    return len(columns) > 1 and not any(c.strip() for c in columns)


def is_paired(table: Table) -> bool:
    """Whether the table's header looks so and its rows bear it out: labels are words, and none stands twice."""
    if is_bare(table.columns):
        if not all(any(map(_has_label, row.cells)) for row in table.rows):
            return False
    elif not looks_paired(table.columns):
        return False
    labels = [word_stems(label) for row in table.rows for label, _ in _pairs(table.columns, row.cells)]
    return len(labels) > 1 and len(set(labels)) == len(labels)


def _pairs(columns: Sequence[str], cells: Sequence[str]) -> list[tuple[str, str]]:
    if _repeats(columns):
        pairs = _side_by_side(columns, cells)
    elif _holds_values(columns):
        pairs = list(zip(cells[::2], cells[1::2], strict=False))
    else:
        pairs = _by_sign(cells)
    values = [value for _, value in pairs]
    if len(values) > 1 and len(set(values)) == 1 and not _is_datum(values[0]):
        return []  # `Earnings | Amount | Deductions | Amount` heads the rows below it
    return [(label, value) for label, value in pairs if label.strip() and value.strip()]


def _has_label(text: str) -> bool:
    return _LABELLED.match(text) is not None or _LABEL_ALONE.match(text) is not None


def _repeats(columns: Sequence[str]) -> bool:
    """The names behind the first of either half are the same; the first ones, which head the labels, differ."""
    names = [" ".join(c.split()).casefold() for c in columns]
    half, odd = divmod(len(names), 2)
    first, second = names[:half], names[half:]
    return not odd and half > 1 and all(names) and first[1:] == second[1:] and first[0] != second[0]


def _holds_values(columns: Sequence[str]) -> bool:
    """Every second name is filled and one of them is a code, a date or a number, which no header has."""
    labels, values = columns[::2], columns[1::2]
    plain = all(c.strip() and not any(ch.isdigit() for ch in c) for c in labels)
    return len(columns) % 2 == 0 and plain and any(_is_datum(c.strip()) for c in values)


def _side_by_side(columns: Sequence[str], cells: Sequence[str]) -> list[tuple[str, str]]:
    """The rows of both halves. With several values each, those that are not the amount are named by their column."""
    half = len(columns) // 2
    amounts = [n for n in range(1, half) if columns[n].strip().casefold() in _AMOUNTS] if half > 2 else [1]
    found = []
    for start in (0, half):
        for n in range(1, half):
            named = "" if [n] == amounts else f" {columns[start + n]}"
            found.append((f"{cells[start]}{named}" if cells[start].strip() else "", cells[start + n]))
    return found


def _by_sign(cells: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs in a row whose columns do not tell: a label ends with a colon, or a number, code or date follows it."""
    found: list[tuple[str, str]] = []
    label = ""
    for text in (c.strip() for c in cells if c.strip()):
        whole = _LABELLED.match(text)
        if whole is not None and not _ANOTHER.search(whole[2]):
            found.append((whole[1], whole[2]))
            label = ""
        elif label and (_is_datum(text) or (label.endswith(":") and not text.endswith(":"))):
            found.append((label, text))
            label = ""
        else:
            label = text
    return found


def _is_datum(text: str) -> bool:
    number = parse_number(text) is not None and not re.fullmatch(r"(?:19|20)\d\d", text)
    return number or parse_date(text, "dmy") is not None or _CODE.match(text) is not None


def _plain(value: str) -> str:
    """The value without its repetition in words."""
    found = _IN_WORDS.match(value.strip())
    return found[1] if found and parse_number(found[1]) is not None else value.strip()


def line_table(doc_id: str, lines: Sequence[Line]) -> Table:
    """`Label: value` lines outside tables, as rows that can be cited; a line with several labels is left out."""
    rows = [
        Row(
            index=n,
            cells=(m[1], m[2]),
            page=line.page,
            line_start=line.line,
            line_end=line.line,
            bbox=(line.x0, line.top, line.x1, line.bottom),
        )
        for n, line in enumerate(lines)
        if line.table_id is None and (m := _LABELLED.match(line.text)) is not None and not _ANOTHER.search(m[2])
    ]
    if not rows:
        # A document without any still is one: its first line stands for it.
        first = lines[0] if lines else None
        box = (first.x0, first.top, first.x1, first.bottom) if first else (0.0, 0.0, 0.0, 0.0)
        page, at = (first.page, first.line) if first else (1, 0)
        rows = [Row(index=0, cells=("", first.text if first else ""), page=page, line_start=at, line_end=at, bbox=box)]
    columns = ("label", "value")
    return Table(table_id=LINE_TABLE, doc_id=doc_id, columns=columns, rows=tuple(rows), pages=(), source="numbers")
