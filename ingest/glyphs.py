"""The characters of a page, each with the reason why it may not be seen.

Text that a reader cannot see must not become evidence (a known way to smuggle instructions into a model), but it must
not vanish unreported either. Four kinds are left out: invisible (rendering mode 3 or 7, fully transparent), white on
white, tiny (below 2 points) and off the page. One kind of invisible text is the document itself: the layer that OCR
programs put behind a scanned image. It is kept, with a note.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from contracts.base import BBox
from ingest.frames import Frame, shown_frame, turned
from ingest.layout import Area

MAX_CHARACTERS = 400_000
"""Of one page; a page of 3,000 columns and 100 rows has about 2,000,000 / 10. Past it the page ends, with a note."""
_TINY = 2.0
_WHITE = 250
_HIDDEN_SAMPLE = 80


class Glyph(NamedTuple):
    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    along: float
    """Baseline: `top` coordinate for upright text, `x` for text across."""
    size: float
    bold: bool
    heading: int
    """0 for text in reading direction, else 90, 180 or 270."""


class _Look(NamedTuple):
    """What the characters of one text object share."""

    size: float
    bold: bool
    invisible: bool
    white: bool
    direction: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Glyphs:
    shown: list[Glyph]
    frame: Frame
    hidden: dict[str, str]
    notes: tuple[str, ...]


class _Raw(NamedTuple):
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    ox: float
    oy: float
    look: _Look


def read_glyphs(page: pypdfium2.PdfPage, areas: list[Area]) -> Glyphs:
    """All characters of the page that can be seen, placed on the page as it is read. `areas` are in user space."""
    raw, cut = _read_raw(page)
    shown_as = shown_frame(_visible_box(page), page.get_rotation())
    headings = Counter(shown_as.heading(*r.look.direction) for r in raw if r.text.strip())
    main = max(headings, key=lambda h: headings[h]) if headings else 0
    frame = turned(shown_as, main)
    shown: list[Glyph] = []
    hidden: dict[str, list[str]] = {}
    ocr = False
    for item in raw:
        reason = _why_hidden(item, areas, frame)
        if reason == "ocr":
            ocr, reason = True, None
        if reason is None:
            shown.append(_glyph(item, frame, (shown_as.heading(*item.look.direction) - main) % 360))
        elif item.text.strip():
            hidden.setdefault(reason, []).append(item.text)
    notes = (("too_many_characters",) if cut else ()) + (("ocr_text",) if ocr else ())
    return Glyphs(shown, frame, {k: "".join(v[:_HIDDEN_SAMPLE]) for k, v in hidden.items()}, notes)


def _visible_box(page: pypdfium2.PdfPage) -> BBox:
    """Left, bottom, right, top of what a viewer shows, before /Rotate."""
    left, bottom, right, top = page.get_mediabox()
    a, b, c, d = page.get_cropbox()
    box = (max(left, a), max(bottom, b), min(right, c), min(top, d))
    return box if box[0] < box[2] and box[1] < box[3] else (left, bottom, right, top)


def _glyph(item: _Raw, frame: Frame, heading: int) -> Glyph:
    x0, top, x1, bottom = frame.box(item.x0, item.y0, item.x1, item.y1)
    ox, oy = frame.place(item.ox, item.oy)
    along = oy if heading in (0, 180) else ox
    return Glyph(item.text, x0, top, x1, bottom, along, item.look.size, item.look.bold, heading)


def _why_hidden(item: _Raw, areas: list[Area], frame: Frame) -> str | None:
    look = item.look
    x, y = (item.x0 + item.x1) / 2, (item.y0 + item.y1) / 2
    if look.invisible:
        return "ocr" if any(a.image and a.holds(x, y) for a in areas) else "invisible"
    if look.size < _TINY:
        return "tiny"
    if look.white and not any((a.image or not a.white) and a.holds(x, y) for a in areas):
        return "white"
    px, py = frame.place(x, y)
    if not (0 <= px <= frame.width and 0 <= py <= frame.height):
        return "off page"
    return None


def _read_raw(page: pypdfium2.PdfPage) -> tuple[list[_Raw], bool]:
    text = pdfium.FPDFText_LoadPage(page.raw)
    try:
        count = pdfium.FPDFText_CountChars(text)
        found = _characters(text, min(count, MAX_CHARACTERS))
        return found, count > MAX_CHARACTERS
    finally:
        pdfium.FPDFText_ClosePage(text)


def _characters(text: pdfium.FPDF_TEXTPAGE, count: int) -> list[_Raw]:
    box, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    rbox, rx, ry = ctypes.byref(box), ctypes.byref(x), ctypes.byref(y)
    looks: dict[int, _Look] = {}
    found: list[_Raw] = []
    add = found.append
    for i in range(count):
        code = pdfium.FPDFText_GetUnicode(text, i)
        if code < 32 or pdfium.FPDFText_IsGenerated(text, i) == 1:
            continue
        owner = pdfium.FPDFText_GetTextObject(text, i)
        if not owner or not pdfium.FPDFText_GetLooseCharBox(text, i, rbox):
            continue
        key = ctypes.addressof(owner.contents)
        look = looks.get(key)
        if look is None:
            look = looks[key] = _look(text, i, owner)
        pdfium.FPDFText_GetCharOrigin(text, i, rx, ry)
        add(_Raw(_character(code), box.left, box.bottom, box.right, box.top, x.value, y.value, look))
    return found


def _character(code: int) -> str:
    if code == 0xAD:  # a soft hyphen that is printed is a hyphen
        return "-"
    return " " if code == 0xA0 else chr(code)


def _look(text: pdfium.FPDF_TEXTPAGE, index: int, owner: pdfium.FPDF_PAGEOBJECT) -> _Look:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
    size = ctypes.c_float()
    pdfium.FPDFTextObj_GetFontSize(owner, ctypes.byref(size))
    height = (matrix.c**2 + matrix.d**2) ** 0.5
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium.FPDFPageObj_GetFillColor(
        owner, ctypes.byref(red), ctypes.byref(green), ctypes.byref(blue), ctypes.byref(alpha)
    )
    mode = pdfium.FPDFTextObj_GetTextRenderMode(owner)
    return _Look(
        size=abs(size.value) * height,
        bold=_is_bold(owner),
        invisible=mode in (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP) or alpha.value == 0,
        white=mode == pdfium.FPDF_TEXTRENDERMODE_FILL and min(red.value, green.value, blue.value) >= _WHITE,
        direction=(matrix.a, matrix.b),
    )


def _is_bold(owner: pdfium.FPDF_PAGEOBJECT) -> bool:
    font = pdfium.FPDFTextObj_GetFont(owner)
    if not font:
        return False
    if pdfium.FPDFFont_GetWeight(font) >= 600:
        return True
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(font, name, 128)
    lowered = name.value.lower()
    return b"bold" in lowered or b"black" in lowered or b"heavy" in lowered
