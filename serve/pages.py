"""A page as a picture, with the rows that an answer used marked on it.

The picture is drawn from the original file; when that is gone or is no PDF, from the stored lines, at the
places where they stood. Coordinates are PDF points from the top left, as everywhere in the records.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageDraw, ImageFont

from contracts.base import BBox, Record
from contracts.documents import Document, Line, Table
from contracts.errors import InputError
from contracts.filters import Scope
from contracts.protocols import Index

SCALE = 1.6
"""Pixels for a point: 115 dpi, small print stays readable."""
MARK = (255, 214, 82)
EDGE = (196, 128, 0)
MARGIN = 36.0
"""Points added around the lines of a page whose size is not known."""
_PDFIUM = threading.Lock()
"""pdfium is not thread-safe, not even for different documents."""


class PageView(Record):
    """What is drawn: boxes in points, and where the picture comes from."""

    png: bytes
    boxes: tuple[BBox, ...]
    drawn_from: str
    """`file` or `lines`."""


class Marked(Record):
    """What is marked on a page: rows of a table, or lines."""

    table_id: str | None = None
    rows: tuple[int, ...] = ()
    """`Row.index`."""
    lines: tuple[int, ...] = ()


def render(
    document: Document,
    page: int,
    marked: Marked,
    index: Index,
    scope: Scope = Scope(),
    path: Path | None = None,
) -> PageView | None:
    """The page's picture; None when there is no such page, or nothing is stored of it and the file is gone.

    Raises:
        InputError: the original cannot be drawn and no line of the page is stored.
    """
    lines = index.lines(document.doc_id, [page], scope)
    boxes = boxes_on(page, marked, lines, _tables(document, marked, index, scope))
    if path is not None and path.suffix.lower() == ".pdf":
        image = _from_pdf(path, page, boxes)
        if image is not None:
            return PageView(png=_png(image), boxes=boxes, drawn_from="file")
    if not lines:
        return None
    return PageView(png=_png(_mark(_from_lines(lines), boxes, (0.0, 0.0))), boxes=boxes, drawn_from="lines")


def boxes_on(page: int, marked: Marked, lines: Iterable[Line], tables: Iterable[Table]) -> tuple[BBox, ...]:
    """The marked places on one page, a row that goes on there after a page break included."""
    found: list[BBox] = []
    for table in tables:
        for row in table.rows:
            if row.index in marked.rows:
                found += [row.bbox] if row.page == page else []
                found += [region.bbox for region in row.continued if region.page == page]
    wanted = set(marked.lines)
    found += [(line.x0, line.top, line.x1, line.bottom) for line in lines if line.line in wanted]
    return tuple(found)


def pages_of(table: Table, rows: Iterable[int]) -> list[int]:
    """The pages on which rows stand or go on, ascending."""
    wanted = set(rows)
    return sorted({p for r in table.rows if r.index in wanted for p in (r.page, *(c.page for c in r.continued))})


def _tables(document: Document, marked: Marked, index: Index, scope: Scope) -> list[Table]:
    if not marked.rows or marked.table_id is None:
        return []
    table = index.table(marked.table_id, scope)
    return [table] if table is not None and table.doc_id == document.doc_id else []


def _from_pdf(path: Path, page: int, boxes: Sequence[BBox]) -> Image.Image | None:
    import pypdfium2 as pdfium

    with _PDFIUM:
        try:
            pdf = pdfium.PdfDocument(path)
        except pdfium.PdfiumError:
            raise InputError(path.name, "the file cannot be drawn.", "Upload it again.") from None
        try:
            if not 1 <= page <= len(pdf):
                return None
            sheet = pdf[page - 1]
            image = sheet.render(scale=SCALE).to_pil().convert("RGB")
            offset = _crop_offset(sheet)
            sheet.close()
        finally:
            pdf.close()
    return _mark(image, boxes, offset)


def _crop_offset(sheet: Any) -> tuple[float, float]:
    """Points by which the drawn (crop) box is moved from the media box that coordinates count from."""
    media_left, _, _, media_top = sheet.get_mediabox()
    crop_left, _, _, crop_top = sheet.get_cropbox()
    return (crop_left - media_left, media_top - crop_top) if sheet.get_rotation() == 0 else (0.0, 0.0)


def _from_lines(lines: Sequence[Line]) -> Image.Image:
    width = max(line.x1 for line in lines) + MARGIN
    height = max(line.bottom for line in lines) + MARGIN
    image = Image.new("RGB", (round(max(width, 300.0) * SCALE), round(max(height, 200.0) * SCALE)), "white")
    draw = ImageDraw.Draw(image)
    for line in lines:
        size = max(6.0, min(line.bottom - line.top, 14.0)) * SCALE * 0.9
        draw.text((line.x0 * SCALE, line.top * SCALE), line.text, fill=(30, 30, 30), font=ImageFont.load_default(size))
    return image


def _mark(image: Image.Image, boxes: Sequence[BBox], offset: tuple[float, float]) -> Image.Image:
    """Text stays as black as it was: the colour is multiplied in, like a marker pen."""
    paint = Image.new("RGB", image.size, "white")
    draw = ImageDraw.Draw(paint)
    for x0, top, x1, bottom in boxes:
        corners = [
            (x0 - offset[0]) * SCALE,
            (top - offset[1]) * SCALE,
            (x1 - offset[0]) * SCALE,
            (bottom - offset[1]) * SCALE,
        ]
        draw.rectangle([corners[0] - 2, corners[1] - 1, corners[2] + 2, corners[3] + 1], fill=MARK, outline=EDGE)
    return ImageChops.multiply(image, paint)


def _png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", optimize=False, compress_level=6)
    return buffer.getvalue()
