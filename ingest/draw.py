"""Draws what was found onto the pages: one self-contained HTML file, to see with one's own eyes what a table lost."""

from __future__ import annotations

import base64
import io
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TextIO

from contracts.base import BBox
from contracts.documents import ParsedDocument, Row, RowRole, Table
from ingest.pdf import PdfFile, open_pdf

_SCALE = 1.5
"""Pixels per point of the page images."""

_COLOURS = {
    RowRole.HEADER: "#1f6feb",
    RowRole.BODY: "#2da44e",
    RowRole.GROUP: "#8250df",
    RowRole.SUBTOTAL: "#bf8700",
    RowRole.TOTAL: "#cf222e",
}
_STYLE = (
    "body{font:14px/1.4 system-ui,sans-serif;margin:24px;background:#f6f8fa;color:#1f2328}"
    "figure{margin:0 0 32px;background:#fff;box-shadow:0 1px 4px #0003;display:inline-block}"
    "figcaption{padding:6px 10px}svg{display:block;max-width:100%;height:auto}"
    "rect.row{fill-opacity:.12;stroke-width:.7}rect.table{fill:none;stroke:#000;stroke-width:1;stroke-dasharray:4 2}"
    "text{font:700 7px system-ui,sans-serif}.legend span{margin-right:14px}.legend b{font-size:18px}"
    "table{border-collapse:collapse;background:#fff;margin:8px 0 24px}td{border:1px solid #d0d7de;padding:2px 6px}"
    "ul{margin:0 0 20px}" + "".join(f".{role.value}{{color:{colour}}}" for role, colour in _COLOURS.items())
)


def draw_html(path: Path, parsed: ParsedDocument, out: Path, password: str | None = None) -> None:
    """Writes `out`: for a PDF each page as a picture with its tables, rows and roles; for other files their tables."""
    with out.open("w", encoding="utf-8") as file:
        file.write(f"<!doctype html><meta charset=utf-8><title>{escape(parsed.document.name)}</title>")
        file.write(f"<style>{_STYLE}</style><h1>{escape(parsed.document.name)}</h1>{_legend()}{_warnings(parsed)}")
        if path.suffix.lower() == ".pdf":
            with open_pdf(path, password) as pdf:
                _write_pages(file, pdf, parsed)
        else:
            for table in parsed.tables:
                file.write(_as_table(table))


def _legend() -> str:
    marks = "".join(f"<span class={role.value}><b>■</b> {role.value}</span>" for role in _COLOURS)
    return f"<p class=legend>{marks}<span>┄ table</span></p>"


def _warnings(parsed: ParsedDocument) -> str:
    items = "".join(f"<li><code>{escape(w.code)}</code> {escape(w.message)}" for w in parsed.document.warnings)
    return f"<ul>{items}</ul>" if items else ""


def _write_pages(file: TextIO, pdf: PdfFile, parsed: ParsedDocument) -> None:
    shapes: dict[int, list[str]] = defaultdict(list)
    for table in parsed.tables:
        for page, shape in _shapes(table):
            shapes[page].append(shape)
    for number in range(1, pdf.page_count + 1):
        picture, width, height = pdf.picture(number, _SCALE)
        file.write(
            f"<figure><figcaption>page {number}</figcaption>"
            f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width * _SCALE:.0f}">'
            f'<image href="{_data_uri(picture)}" width="{width:.1f}" height="{height:.1f}"/>'
            f"{''.join(shapes[number])}</svg></figure><br>"
        )


def _data_uri(picture: io.BytesIO) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(picture.getvalue()).decode("ascii")


def _shapes(table: Table) -> Iterator[tuple[int, str]]:
    boxes: dict[int, list[BBox]] = defaultdict(list)
    for row in table.rows:
        for page, box in [(row.page, row.bbox), *((r.page, r.bbox) for r in row.continued)]:
            boxes[page].append(box)
            yield page, _row_shape(table, row, box)
    for page, found in boxes.items():
        x0, top = min(b[0] for b in found) - 3, min(b[1] for b in found) - 3
        x1, bottom = max(b[2] for b in found) + 3, max(b[3] for b in found) + 3
        name = f"{table.table_id.rpartition('-')[2]} {table.source} · {len(table.columns)} columns"
        yield page, f'<text x="{x0:.1f}" y="{top - 2:.1f}">{escape(name)}</text>'
        yield page, _rectangle((x0, top, x1, bottom), "table", "", table.title)


def _row_shape(table: Table, row: Row, box: BBox) -> str:
    colour = _COLOURS[row.role]
    named = zip(table.columns, row.cells, strict=True)
    cells = "\n".join(f"{column or '(no name)'}: {cell}" for column, cell in named if cell)
    style = f'fill="{colour}" stroke="{colour}"'
    return _rectangle(box, "row", style, f"row {row.index}, {row.role.value}\n{cells}")


def _rectangle(box: BBox, kind: str, style: str, hint: str) -> str:
    x0, top, x1, bottom = box
    return (
        f'<rect class={kind} x="{x0:.1f}" y="{top:.1f}" width="{x1 - x0:.1f}" height="{bottom - top:.1f}" {style}>'
        f"<title>{escape(hint)}</title></rect>"
    )


def _as_table(table: Table) -> str:
    rows = "".join(
        f"<tr class={row.role.value}>{''.join(f'<td>{escape(cell)}' for cell in row.cells)}" for row in table.rows
    )
    return f"<h2>{escape(table.title or table.table_id)}</h2><table>{rows}</table>"
