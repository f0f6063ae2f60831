"""`allrows rollback`, `export` and `import`. `register` adds them to the command line; what they need is imported late."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from contracts.settings import Settings, load_settings

err = Console(stderr=True)
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder of the index; overrides ALLROWS_DATA_DIR.")]
TargetOption = Annotated[
    str | None, typer.Option("--target", help="URL of a Qdrant server; overrides ALLROWS_QDRANT_URL.")
]


def register(app: typer.Typer) -> None:
    app.command()(rollback)
    app.command(name="export")(export)
    app.command(name="import")(import_)


def rollback(data: DataOption = None, target: TargetOption = None) -> None:
    """Make the version before the last rebuild or import live again; once more comes back."""
    from store.admin import rollback as run

    err.print(run(_settings(data, target)), highlight=False)


def export(
    path: Annotated[Path, typer.Argument(help="File to write, e.g. backup.allrows.")],
    data: DataOption = None,
    target: TargetOption = None,
) -> None:
    """Write the whole index, vectors included, into one file."""
    from store.archive import export_index

    done = export_index(_settings(data, target), path)
    err.print(f"{done.documents} documents, {done.points} points: {path}", highlight=False)


def import_(
    path: Annotated[Path, typer.Argument(help="File that `allrows export` wrote.")],
    data: DataOption = None,
    target: TargetOption = None,
) -> None:
    """Make an exported index the live one, on any engine, without embedding anything; `rollback` undoes it."""
    from store.archive import import_index

    done = import_index(_settings(data, target), path)
    err.print(f"{done.documents} documents, {done.points} points are live.", highlight=False)


def _settings(data: Path | None, target: str | None) -> Settings:
    given = {"data_dir": data, "qdrant_url": target}
    return load_settings(overrides={name: value for name, value in given.items() if value is not None})[0]
