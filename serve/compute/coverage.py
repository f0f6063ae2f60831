"""What a result covers: rows used out of rows there are, what was left out and why, and where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from contracts.base import BBox
from contracts.documents import RowRole
from contracts.evidence import Citation
from contracts.marks import Mark
from contracts.plans import Check, Coverage, Excluded
from serve.compute.checks import check_all
from serve.compute.documents import DocumentsView
from serve.compute.execute import Outcome
from serve.compute.facts import LINE_TABLE
from serve.compute.view import ColumnView, TableView

_REASONS = {
    RowRole.HEADER: "header",
    RowRole.GROUP: "group heading",
    RowRole.SUBTOTAL: "subtotal",
    RowRole.TOTAL: "total",
}


def cover(view: TableView, outcome: Outcome, key: ColumnView | None, column: ColumnView | None) -> Coverage:
    """Coverage over every table of the view; `column` is the one whose cells were computed with."""
    excluded = [
        Excluded(row=row.index, reason=_REASONS[row.role], table_id=table.table_id, page=row.page)
        for table in (view.tables if not isinstance(view, DocumentsView) else ())
        for row in table.rows
        if row.role in _REASONS
    ]
    excluded += [_unusable(view, i, column) for i in outcome.unusable]
    checks = check_all(view)
    return Coverage(
        rows_extracted=len(view),
        rows_used=len(outcome.rows),
        rows_matched_filter=outcome.matched,
        excluded=tuple(excluded),
        distinct_keys=distinct_keys(key, outcome.rows),
        key_column=key.name if key is not None else None,
        pages=tuple(sorted({view.rows[r].row.page for r in outcome.rows})),
        tables=view.table_ids,
        complete=not outcome.unusable and all(c.passed for c in checks if c.name == "orphans"),
        checks=checks,
    )


def _unusable(view: TableView, row: int, column: ColumnView | None) -> Excluded:
    body = view.rows[row]
    cell = column.texts[row].strip() if column is not None else ""
    if column is not None and row in column.unproven:
        reason = f"{column.name}: “{cell}” is not among the page's words"
    elif not cell:
        reason = f"{column.name if column else 'cell'} is empty"
    else:
        reason = f"{column.name if column else 'cell'}: “{cell}” is no number"
    return Excluded(row=body.row.index, reason=reason, table_id=view.tables[body.table].table_id, page=body.row.page)


def distinct_keys(key: ColumnView | None, rows: Sequence[int]) -> int | None:
    if key is None:
        return None
    return len({key.texts[r].strip().casefold() for r in rows if key.texts[r].strip()})


def repeats(view: TableView, key: ColumnView | None, rows: Sequence[int]) -> bool:
    """Whether an identifier stands twice in one table; next month's register repeating it is no repetition."""
    if key is None:
        return False
    seen = [(view.rows[r].table, key.texts[r].strip().casefold()) for r in rows if key.texts[r].strip()]
    return len(set(seen)) < len(seen)


def marks_of(coverage: Coverage, view: TableView, rows: Sequence[int], key: ColumnView | None) -> list[str]:
    """Marks that follow from the coverage and its checks."""
    failed = {c.name for c in coverage.checks if not c.passed}
    names = {"footing": Mark.FOOTING_MISMATCH, "serials": Mark.SERIAL_GAP, "orphans": Mark.ORPHAN_LINES}
    marks = [str(mark) for name, mark in names.items() if name in failed]
    if any("page's words" in e.reason for e in coverage.excluded):
        marks.append(str(Mark.UNPROVEN_NUMBER))
    if not coverage.complete:
        marks.append(str(Mark.INCOMPLETE_COVERAGE))
    if any(t.warnings for t in view.tables):
        marks.append(str(Mark.EXTRACTION_UNCERTAIN))
    if repeats(view, key, rows):
        marks.append(str(Mark.DUPLICATE_KEYS))
    return marks


def failed(checks: Iterable[Check], name: str) -> list[Check]:
    return [c for c in checks if c.name == name and not c.passed]


def cite(view: TableView, rows: Sequence[int], columns: Sequence[str] = ()) -> tuple[Citation, ...]:
    """One citation for each document page that contributing rows stand on, also where a row goes on overleaf."""
    places: dict[tuple[int, int], list[tuple[int, int, int, BBox]]] = defaultdict(list)
    for body in (e for r in rows for e in view.evidence(r, columns)):
        row = body.row
        places[body.table, row.page].append((row.index, row.line_start, row.line_end, row.bbox))
        for region in row.continued:
            places[body.table, region.page].append((row.index, region.line_start, region.line_end, region.bbox))
    return tuple(_citation(view, table, page, found) for (table, page), found in sorted(places.items()))


def _citation(view: TableView, table: int, page: int, found: Sequence[tuple[int, int, int, BBox]]) -> Citation:
    source = view.tables[table]
    about = view.about(source.doc_id)
    return Citation(
        doc_id=source.doc_id,
        doc_name=about.doc_name if about is not None else "",
        page=page,
        line_start=min(f[1] for f in found),
        line_end=max(f[2] for f in found),
        section_title=source.title,
        table_id=source.table_id if source.table_id != LINE_TABLE else None,
        rows=tuple(f[0] for f in found) if source.table_id != LINE_TABLE else (),
        bboxes=tuple(f[3] for f in found),
    )
