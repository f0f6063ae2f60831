"""Small PDFs for tests, drawn character by character so that a test knows every place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

FONT, SIZE, PITCH = "Helvetica", 9, 14
LEFT, TOP = 50, 780


@dataclass
class Layout:
    """How a table is set."""

    widths: Sequence[float]
    right: frozenset[int] = frozenset()
    """Columns set flush right."""
    grid: bool = False
    pitch: float = PITCH
    size: float = SIZE
    header: bool = True
    """Bold first row."""


def make_pdf(path: Path, *pages: Callable[[Canvas], None], rotation: int = 0, size: tuple[float, float] = A4) -> Path:
    """A PDF with one page for each drawing function."""
    canvas = Canvas(str(path), pagesize=size, invariant=True)
    for draw in pages:
        canvas.setFont(FONT, SIZE)
        canvas.setPageRotation(rotation)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return path


def text(canvas: Canvas, x: float, y: float, words: str, size: float = SIZE, font: str = FONT) -> None:
    canvas.setFont(font, size)
    canvas.drawString(x, y, words)


def table(
    canvas: Canvas,
    rows: Sequence[Sequence[str]],
    layout: Layout,
    x: float = LEFT,
    y: float = TOP,
) -> float:
    """Draws rows downwards from `y`; a cell with line breaks takes several lines. Returns the y below."""
    top = y
    tops = [top]
    for number, row in enumerate(rows):
        font = "Helvetica-Bold" if layout.header and number == 0 else FONT
        lines = max((len(cell.split("\n")) for cell in row), default=1)
        for column, cell in enumerate(row):
            left = x + sum(layout.widths[:column])
            for line, words in enumerate(cell.split("\n")):
                at = left + 3
                if column in layout.right:
                    at = left + layout.widths[column] - 3 - stringWidth(words, font, layout.size)
                text(canvas, at, y - layout.size - line * (layout.size + 1.5), words, layout.size, font)
        y -= layout.pitch + (lines - 1) * (layout.size + 1.5)
        tops.append(y)
    if layout.grid:
        _grid(canvas, x, layout.widths, tops)
    return y


def _grid(canvas: Canvas, x: float, widths: Sequence[float], tops: Sequence[float]) -> None:
    canvas.setLineWidth(0.5)
    right = x + sum(widths)
    for y in tops:
        canvas.line(x, y, right, y)
    for column in range(len(widths) + 1):
        at = x + sum(widths[:column])
        canvas.line(at, tops[0], at, tops[-1])
