"""`allrows parity`. `register` adds it to the command line; what it needs is imported late."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from contracts.questions import AskRequest
from contracts.settings import load_settings

if TYPE_CHECKING:
    from evaluation.parity import ParityReport

DIFFERENT = 1
out = Console()


def register(app: typer.Typer) -> None:
    app.command()(parity)


def parity(
    against: Annotated[str, typer.Option(help="URL of the other Qdrant server, or a folder for an embedded copy.")],
    golden: Annotated[Path | None, typer.Argument(help="Questions; the sample corpus' own by default.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="The engine itself must refuse unindexed filters.")] = False,
    data: Annotated[Path | None, typer.Option("--data", help="Folder of the index here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Copy the index to another engine, ask both the same questions, and exit 1 on any difference."""
    from evaluation.corpus import GOLDEN
    from evaluation.golden import load_golden
    from evaluation.parity import run
    from serve.services import open_services

    settings = load_settings(overrides={"data_dir": data} if data is not None else None)[0]
    elsewhere = {"qdrant_url": against} if "://" in against else {"qdrant_url": None, "data_dir": Path(against)}
    questions = load_golden(golden or GOLDEN).questions
    requests = [AskRequest(question=q.question, filters=q.filters) for q in questions]
    report = run(lambda: open_services(settings), settings, settings.model_copy(update=elsewhere), requests, strict)
    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
    else:
        render(report)
    if report.differences:
        raise typer.Exit(DIFFERENT)


def render(report: ParityReport) -> None:
    if report.differences:
        table = Table("question or check", "part", "here", "there")
        for d in report.differences:
            table.add_row(d.subject, d.what, d.here, d.there)
        out.print(table)
    out.print(
        f"{report.questions} questions and {report.checks} checks, {len(report.differences)} differences "
        f"between {report.here} and {report.there}",
        highlight=False,
    )
