"""`allrows replay`, `traces`, `doctor` and `mcp`. `register` adds them to the command line; what they need is imported late."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from contracts.errors import AllrowsError
from contracts.settings import Settings, load_settings

if TYPE_CHECKING:
    from serve.replay import ReplayReport
    from serve.services import Services
    from serve.tracestore import TraceSummary

DIFFERENT = 1
out = Console()
err = Console(stderr=True)
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder of the index; overrides ALLROWS_DATA_DIR.")]


def register(app: typer.Typer) -> None:
    app.command()(replay)
    app.command()(traces)
    app.command()(doctor)
    app.command()(mcp)


@contextmanager
def opened(settings: Settings, *, create: bool = False) -> Iterator[Services]:
    """The services of this process with the trace store; closed at the end."""
    from serve.services import open_services
    from serve.tracestore import open_tracestore

    services = open_services(settings, open_traces=open_tracestore, create=create)
    try:
        yield services
    finally:
        services.close()


def _settings(data: Path | None) -> Settings:
    return load_settings(overrides={"data_dir": data} if data is not None else None)[0]


def replay(
    trace_id: Annotated[str, typer.Argument(help="As `ask` and `traces` print it.")],
    generation_only: Annotated[
        bool, typer.Option("--generation-only", help="From the stored evidence; else the whole graph again.")
    ] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """Answer a stored question again and show what differs; exit 1 when the answer does."""
    report = _replayed(_settings(data), trace_id, generation_only)
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
    found = _stored(_settings(data), limit)
    if as_json:
        _print_json([t.model_dump(mode="json") for t in found])
        return
    for trace in found:
        when = datetime.fromtimestamp(trace.created_at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        marks = f"  {', '.join(trace.marks)}" if trace.marks else ""
        out.print(Text(f"{trace.trace_id}  {when}  {trace.mode}  {trace.ms:.0f} ms{marks}"), soft_wrap=True)
        out.print(Text(f"  {trace.question}", "dim"), soft_wrap=True)


def _replayed(settings: Settings, trace_id: str, generation_only: bool) -> ReplayReport:
    """By the server that holds the index, or here."""
    from serve.client import find_server
    from serve.replay import replay as run

    server = find_server(settings)
    if server is not None:
        return server.replay(trace_id, generation_only)
    with opened(settings) as services:
        return run(trace_id, services, generation_only)


def _stored(settings: Settings, limit: int) -> tuple[TraceSummary, ...]:
    from serve.client import find_server
    from serve.tracestore import TraceFilter

    server = find_server(settings)
    if server is not None:
        return server.traces(limit)
    with opened(settings) as services:
        assert services.traces is not None
        return services.traces.list(TraceFilter(limit=limit))


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Repair payload indexes, aliases and half-written data.")] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
) -> None:
    """Show settings and their origin, the engine, the index and the model files; exit 2 on any problem."""
    from serve.doctor import examine

    settings, origins = load_settings(overrides={"data_dir": data} if data is not None else None)
    if fix:
        from store.admin import mend

        for line in mend(settings) or ["there was nothing to repair"]:
            err.print(line, highlight=False)
    diagnosis = examine(settings, origins)
    diagnosis = diagnosis.model_copy(update={"problems": _with_findings(settings, diagnosis.problems)})
    if as_json:
        _print_json(diagnosis.model_dump(mode="json"))
    else:
        from serve.render_doctor import render_diagnosis

        render_diagnosis(diagnosis, out)
    if diagnosis.problems:
        raise typer.Exit(2)


def _with_findings(settings: Settings, problems: Sequence[str]) -> tuple[str, ...]:
    """The problems, with what the store's own examination of aliases, versions and points adds to them."""
    from store.admin import diagnose

    try:
        found = diagnose(settings)
    except AllrowsError:  # it cannot be opened, which is among the problems already
        return tuple(problems)
    known = " ".join(problems)
    new = [f"{f.text}. {f.remedy}" for f in found if f.text not in known]
    remedies = {f.text: f.remedy for f in found}
    return (*(f"{p}. {remedies[p]}" if p in remedies else p for p in problems), *new)


def mcp(data: DataOption = None) -> None:
    """Serve the tools ask, retrieve and get_page to an MCP client over standard input and output."""
    import importlib.metadata

    from serve.client import find_server
    from serve.mcp_stdio import LocalTools, RemoteTools, run

    settings = _settings(data)
    version = importlib.metadata.version("allrows")
    server = find_server(settings)
    if server is not None:
        run(RemoteTools(server), version)
        return
    with opened(settings) as services:
        run(LocalTools(services), version)


def _print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def _short(value: Any, limit: int = 90) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
