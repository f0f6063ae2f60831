"""`allrows replay` and `traces`. `register` adds them to the command line; what they need is imported late."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from contracts.settings import load_settings

if TYPE_CHECKING:
    from serve.services import Services

DIFFERENT = 1
out = Console()
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder of the index; overrides ALLROWS_DATA_DIR.")]


def register(app: typer.Typer) -> None:
    app.command()(replay)
    app.command()(traces)


def replay(
    trace_id: Annotated[str, typer.Argument(help="As `ask` and `traces` print it.")],
    generation_only: Annotated[
        bool, typer.Option("--generation-only", help="From the stored evidence; else the whole graph again.")
    ] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """Answer a stored question again and show what differs; exit 1 when the answer does."""
    from serve.replay import replay as run

    with _opened(data) as services:
        report = run(trace_id, services, generation_only)
    if as_json:
        _print_json(report.model_dump(mode="json"))
    else:
        out.print(Text("the same answer" if report.same else "ANOTHER ANSWER", "green" if report.same else "red"))
        out.print(Text(f"  before: {report.before}\n  after:  {report.after}"))
        for difference in report.differences:
            out.print(Text(f"  {difference.field}: {_short(difference.before)} → {_short(difference.after)}", "yellow"))
    if not report.same:
        raise typer.Exit(DIFFERENT)


def traces(
    limit: Annotated[int, typer.Option(help="How many, newest first.")] = 20,
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """List stored answers, newest first."""
    from serve.tracestore import TraceFilter

    with _opened(data) as services:
        found = services.traces.list(TraceFilter(limit=limit)) if services.traces is not None else ()
    if as_json:
        _print_json([t.model_dump(mode="json") for t in found])
        return
    grid = Grid("time (UTC)", "mode", "question", "marks", "ms", "trace")
    for trace in found:
        when = datetime.fromtimestamp(trace.created_at, UTC).strftime("%Y-%m-%d %H:%M:%S")
        grid.add_row(when, trace.mode, trace.question, ", ".join(trace.marks), f"{trace.ms:.0f}", trace.trace_id)
    out.print(grid)


@contextmanager
def _opened(data: Path | None) -> Iterator[Services]:
    from serve.services import open_services
    from serve.tracestore import open_tracestore

    settings, _ = load_settings(overrides={"data_dir": data} if data is not None else None)
    services = open_services(settings, open_traces=open_tracestore)
    try:
        yield services
    finally:
        services.close()


def _print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def _short(value: Any, limit: int = 90) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
