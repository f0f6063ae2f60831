"""Ingestion and extraction as a person reads them in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid
from rich.text import Text

from contracts.documents import ParsedDocument, Table
from ingest.report import DocumentReport, IngestEvent, IngestListener, IngestReport

SHOWN_ROWS = 8
_COLOURS = {"failed": "red", "added": "green", "changed": "green", "duplicate": "yellow", "unchanged": "dim"}


@contextmanager
def progress(console: Console) -> Iterator[IngestListener]:
    """A progress bar on `console` (standard error), fed by ingest events."""
    columns = (
        TextColumn("ingest"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[file]}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("ingest", total=None, file="")

        def listen(event: IngestEvent) -> None:
            bar.update(task, total=event.total, completed=event.done, file=event.name)

        yield listen


def render_report(report: IngestReport, console: Console) -> None:
    """One line for each document, then totals, files passed over and files gone."""
    grid = Grid("document", "status", "pages", "tables", "rows", "chunks", "warnings", "s", title_justify="left")
    for document in report.documents:
        grid.add_row(*_cells(document))
    console.print(grid)
    for document in report.documents:
        _notes(document, console)
    for skipped in report.skipped:
        console.print(Text(f"  passed over {skipped.path}: {skipped.reason}", style="dim"))
    for source in report.missing:
        what = "removed" if source in report.pruned else "gone from disk, still in the index (--prune removes it)"
        console.print(Text(f"  {source}: {what}", style="yellow"))
    for note in report.notes:
        console.print(Text(f"  {note}", style="yellow"))
    console.print(_total(report))


def _cells(document: DocumentReport) -> tuple[str | Text, ...]:
    counts = (document.pages, document.tables, document.rows, document.chunks, len(document.warnings))
    status = Text(document.status, style=_COLOURS[document.status])
    return (document.name, status, *map(str, counts), f"{document.seconds:.2f}")


def _notes(document: DocumentReport, console: Console) -> None:
    if document.status in ("failed", "duplicate"):
        console.print(Text(f"  {document.detail}", style=_COLOURS[document.status]))
    if document.tokens_cut:
        console.print(Text(f"  {document.name}: {document.tokens_cut} tokens were not embedded", style="red"))
    for warning in document.warnings:
        page = f", page {warning.page}" if warning.page is not None else ""
        console.print(Text(f"  {document.name}{page}: {warning.message} [{warning.code}]", style="yellow"))


def _total(report: IngestReport) -> Text:
    totals = report.totals
    states = ", ".join(f"{count} {status}" for status, count in sorted(totals.by_status.items())) or "nothing to do"
    windows = f", {totals.windows} windows" if totals.windows else ""
    return Text(
        f"{states}; {totals.pages} pages, {totals.tables} tables, {totals.rows} rows, {totals.chunks} chunks{windows} "
        f"in {report.seconds:.1f} s with {report.workers} process{'es' if report.workers != 1 else ''}",
        style="bold",
    )


def render_parsed(parsed: ParsedDocument, console: Console, *, tables_only: bool = False) -> None:
    """Pages, outline and lines of a file (or its tables only), then each table with its rows and roles."""
    document = parsed.document
    console.print(Text(f"{document.name}: {document.pages} pages, {len(parsed.tables)} tables", style="bold"))
    if not tables_only:
        for section in parsed.outline:
            mark = " (recovered)" if section.recovered else ""
            console.print(Text(f"{'  ' * section.level}{section.title}, page {section.page}{mark}"))
        for line in parsed.lines:
            console.print(Text(f"{line.page:>4}:{line.line:<4} {line.text}", style="dim" if line.table_id else ""))
    for table in parsed.tables:
        console.print(_table(table, whole=tables_only))
    for warning in document.warnings:
        console.print(Text(f"! {warning.code}: {warning.message}", style="yellow"))


def _table(table: Table, *, whole: bool) -> Grid:
    pages = ", ".join(map(str, table.pages))
    title = f"{table.title or table.table_id} (page {pages}, {table.source}, {len(table.rows)} rows)"
    grid = Grid("row", "role", *table.columns, title=title, title_justify="left")
    shown = table.rows if whole else table.rows[:SHOWN_ROWS]
    for row in shown:
        grid.add_row(str(row.index), str(row.role), *row.cells)
    if len(shown) < len(table.rows):
        grid.add_row("…", f"{len(table.rows) - len(shown)} more (--tables shows all)")
    return grid
