"""`allrows parity`. `register` adds it to the command line; what it needs is imported late."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from contracts.errors import InputError
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
    questions: Annotated[
        Path | None,
        typer.Argument(help='A golden set, or JSONL of {"question", "filters"}; the samples\' own by default.'),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="The engine itself must refuse unindexed filters.")] = False,
    data: Annotated[Path | None, typer.Option("--data", help="Folder of the index here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Copy the index to another engine, ask both the same questions, and exit 1 on any difference."""
    from evaluation.corpus import GOLDEN
    from evaluation.parity import run
    from serve.services import open_services

    settings = load_settings(overrides={"data_dir": data} if data is not None else None)[0]
    elsewhere = {"qdrant_url": against} if "://" in against else {"qdrant_url": None, "data_dir": Path(against)}
    other, requests = settings.model_copy(update=elsewhere), load_requests(questions or GOLDEN)
    report = run(lambda: open_services(settings), settings, other, requests, strict)
    if as_json:
        sys.stdout.write(report.model_dump_json() + "\n")
    else:
        render(report)
    if report.differences:
        raise typer.Exit(DIFFERENT)


def load_requests(path: Path) -> list[AskRequest]:
    """
    Raises:
        InputError: not a golden set, or a line that is no question.
    """
    if path.suffix != ".jsonl":
        from evaluation.golden import load_golden

        return [AskRequest(question=q.question, filters=q.filters) for q in load_golden(path).questions]
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [AskRequest(question=one["question"], filters=one.get("filters", {})) for one in lines]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(str(path), f"no list of questions: {error}.", 'Lines of {"question": "…"}.') from error


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
