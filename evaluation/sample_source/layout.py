"""Page layout of the sample documents with reportlab; output is byte-for-byte repeatable."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Spacer, Table, TableStyle

INK = colors.HexColor("#1f2a37")
ACCENT = colors.HexColor("#1d4e6b")
PALE = colors.HexColor("#e8eef2")
RULE = colors.HexColor("#8a98a5")

BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14, textColor=INK, spaceAfter=6)
NOTE = ParagraphStyle("note", parent=BODY, fontSize=9, leading=12.5, spaceAfter=4)
TITLE = ParagraphStyle("title", parent=BODY, fontName="Helvetica-Bold", fontSize=17, leading=22, textColor=ACCENT)
SUBTITLE = ParagraphStyle("subtitle", parent=BODY, fontSize=9.5, textColor=colors.HexColor("#566573"), spaceAfter=12)
RIGHT = ParagraphStyle("right", parent=BODY, alignment=TA_RIGHT)
HEADINGS = {
    1: ParagraphStyle("h1", parent=BODY, fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=9),
    2: ParagraphStyle("h2", parent=BODY, fontName="Helvetica-Bold", fontSize=11, leading=15, spaceBefore=5),
    3: ParagraphStyle("h3", parent=BODY, fontName="Helvetica-BoldOblique", fontSize=10, leading=14, spaceBefore=2),
}


class _Template(BaseDocTemplate):  # type: ignore[misc]
    """Adds a PDF outline entry for every heading that asks for one."""

    def afterFlowable(self, flowable: Flowable) -> None:
        entry = getattr(flowable, "outline_entry", None)
        if entry is not None:
            level, title = entry
            key = f"{self.page}-{title}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(title, key, level=level - 1, closed=False)


def rupees(amount: int, decimals: bool = True) -> str:
    """Indian digit grouping: 1234567 becomes 12,34,567.00."""
    digits, groups = str(abs(amount)), []
    digits, tail = digits[:-3], digits[-3:]
    while digits:
        groups.append(digits[-2:])
        digits = digits[:-2]
    text = ",".join([*reversed(groups), tail]) + (".00" if decimals else "")
    return f"-{text}" if amount < 0 else text


def heading(text: str, level: int, outline: bool) -> Paragraph:
    paragraph = Paragraph(text, HEADINGS[level])
    paragraph.keepWithNext = True
    if outline:
        paragraph.outline_entry = (level, text)
    return paragraph


def grid(
    rows: Sequence[Sequence[str]],
    widths_mm: Sequence[float],
    numeric_from: int,
    ruled: bool = True,
    total_row: bool = False,
    size: float = 8.5,
) -> Table:
    """A table with one header row; columns from `numeric_from` are right-aligned.

    Unruled tables have a line under the header and above the total only, as many registers do.
    """
    style: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), "Helvetica", size),
        ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", size),
        ("TEXTCOLOR", (0, 0), (-1, -1), INK),
        ("ALIGN", (numeric_from, 0), (-1, -1), "RIGHT"),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), 3.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
    ]
    if ruled:
        style += [("GRID", (0, 0), (-1, -1), 0.5, RULE), ("BACKGROUND", (0, 0), (-1, 0), PALE)]
    else:
        style += [("LINEBELOW", (0, 0), (-1, 0), 0.8, INK)]
    if total_row:
        style += [("FONT", (0, -1), (-1, -1), "Helvetica-Bold", size), ("LINEABOVE", (0, -1), (-1, -1), 0.8, INK)]
    return Table([list(row) for row in rows], [w * mm for w in widths_mm], repeatRows=1, style=TableStyle(style))


def fields(pairs: Sequence[tuple[str, str]], label_mm: float = 32, value_mm: float = 56) -> Table:
    """Two columns of label and value without lines."""
    style = TableStyle(
        [
            ("FONT", (0, 0), (0, -1), "Helvetica-Bold", 9),
            ("FONT", (1, 0), (1, -1), "Helvetica", 9),
            ("TEXTCOLOR", (0, 0), (-1, -1), INK),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ]
    )
    return Table([list(pair) for pair in pairs], [label_mm * mm, value_mm * mm], style=style, hAlign="LEFT")


def gap(height_mm: float) -> Spacer:
    return Spacer(1, height_mm * mm)


def write(path: Path, title: str, owner: str, story: Sequence[Flowable]) -> None:
    """Writes one PDF with a running head and page numbers; the same story gives the same bytes."""

    def furniture(canvas: Any, doc: Any) -> None:
        canvas.saveState()
        canvas.setFont("Helvetica", 8)
        canvas.setFillColor(colors.HexColor("#566573"))
        canvas.drawString(20 * mm, 285 * mm, owner)
        canvas.drawRightString(190 * mm, 12 * mm, f"Page {doc.page}")
        canvas.setStrokeColor(ACCENT)
        canvas.setLineWidth(1.2)
        canvas.line(20 * mm, 282.5 * mm, 190 * mm, 282.5 * mm)
        canvas.restoreState()

    path.parent.mkdir(parents=True, exist_ok=True)
    template = _Template(str(path), pagesize=A4, title=title, author=owner, invariant=1)
    frame = Frame(20 * mm, 18 * mm, 170 * mm, 260 * mm, leftPadding=0, rightPadding=0)
    template.addPageTemplates(PageTemplate(id="page", frames=[frame], onPage=furniture))
    template.build(list(story))
