"""The diagnosis as a person reads it in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from serve.doctor import Diagnosis


def render_diagnosis(diagnosis: Diagnosis, console: Console) -> None:
    """Settings, models, index, warnings, then the problems with their remedies."""
    console.print(_settings(diagnosis))
    console.print(_models(diagnosis))
    if diagnosis.index is not None:
        console.print(_index(diagnosis))
    for name, warnings in diagnosis.document_warnings.items():
        for warning in warnings:
            page = f", page {warning.page}" if warning.page is not None else ""
            console.print(Text(f"  {name}{page}: {warning.code}: {warning.message}", style="yellow"))
    for problem in diagnosis.problems:
        console.print(Text(f"✗ {problem}", style="red"))
    if not diagnosis.problems:
        console.print(Text("✓ no problems", style="green"))


def _settings(diagnosis: Diagnosis) -> Grid:
    grid = Grid("setting", "value", "from", title="settings in force", title_justify="left")
    for setting in diagnosis.settings:
        style = "" if setting.origin == "default" else "bold"
        grid.add_row(setting.name, str(setting.value), setting.origin, style=style)
    return grid


def _models(diagnosis: Diagnosis) -> Grid:
    grid = Grid("model file", "sha256", "ok", "path", title="models", title_justify="left")
    for model in diagnosis.models:
        mark = "✓" if model["ok"] else "✗"
        grid.add_row(str(model["name"]), str(model["sha256"])[:16], mark, str(model["path"]))
    return grid


def _index(diagnosis: Diagnosis) -> Grid:
    state = diagnosis.index
    assert state is not None
    grid = Grid("index", "", title="index", title_justify="left", show_header=False)
    for name, value in (
        ("engine", state.engine),
        ("location", state.location),
        ("version", state.version),
        ("documents", state.documents),
        ("chunks", state.chunks),
        ("tables", state.tables),
        ("BM25 statistics", state.detail.get("bm25_statistics", "of the searched chunks")),
        ("payload indexes", ", ".join(f"{k}:{v}" for k, v in sorted(state.payload_indexes.items()))),
    ):
        grid.add_row(name, str(value))
    return grid
