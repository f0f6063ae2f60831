"""`allrows extract`. `register` adds it to the command line; what it needs is imported late."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

out = Console()
err = Console(stderr=True)
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]


def register(app: typer.Typer) -> None:
    app.command()(extract)


def extract(
    file: Annotated[Path, typer.Argument(help="A PDF, XLSX or CSV file.")],
    tables: Annotated[bool, typer.Option("--tables", help="Tables only.")] = False,
    html: Annotated[Path | None, typer.Option(help="Draw pages with tables, rows and roles into this file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show pages, lines, outline and tables as allrows sees them; nothing is stored."""
    from ingest.extract import extract_json
    from ingest.parse import parse_file

    parsed = parse_file(file)
    if html is not None:
        from ingest.draw import draw_html

        draw_html(file, parsed, html)
        err.print(f"drawn: {html}")
    if as_json:
        sys.stdout.write(json.dumps(extract_json(parsed), ensure_ascii=False) + "\n")
    elif html is None:
        from ingest.render import render_parsed

        render_parsed(parsed, out, tables_only=tables)
