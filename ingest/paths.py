"""The drawing on a page: straight rules along the axes, filled rectangles and images, in user space."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import pypdfium2
import pypdfium2.raw as pdfium

from ingest.frames import Affine, Frame
from ingest.layout import Area, Rule

MAX_OBJECTS = 60_000
"""Drawing objects read on one page; past it the rest is left out, with a note."""
_THIN = 3.0
"""Points. A filled rectangle up to this thick is a rule."""
_STRAIGHT = 1.0
"""Points. A segment that leaves its axis by more is not a rule."""
_WHITE = 250
_IDENTITY: Affine = (1, 0, 0, 1, 0, 0)
Segment = tuple[float, float, float, float]


@dataclass(slots=True)
class Drawing:
    segments: list[Segment] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    """In user space: `top` and `bottom` are the smaller and the larger y."""
    notes: tuple[str, ...] = ()

    def turned(self, frame: Frame) -> TurnedDrawing:
        horizontal, vertical = [], []
        for segment in self.segments:
            x0, top, x1, bottom = frame.box(*segment)
            if x1 - x0 >= bottom - top:
                horizontal.append(Rule((top + bottom) / 2, x0, x1))
            else:
                vertical.append(Rule((x0 + x1) / 2, top, bottom))
        areas = [Area(*frame.box(a.x0, a.top, a.x1, a.bottom), a.white, a.image) for a in self.areas]
        return TurnedDrawing(tuple(horizontal), tuple(vertical), tuple(areas))


@dataclass(frozen=True, slots=True)
class TurnedDrawing:
    horizontal: tuple[Rule, ...]
    vertical: tuple[Rule, ...]
    areas: tuple[Area, ...]


def read_paths(page: pypdfium2.PdfPage) -> Drawing:
    """Everything drawn on the page, forms included, in drawing order."""
    drawing = Drawing()
    for seen, (item, affine) in enumerate(_objects(page)):
        if seen >= MAX_OBJECTS:
            drawing.notes = ("too_many_rules",)
            break
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            _add_path(drawing, item, affine)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            _add_image(drawing, item, affine)
    return drawing


def _objects(page: pypdfium2.PdfPage) -> Iterator[tuple[pdfium.FPDF_PAGEOBJECT, Affine]]:
    for i in range(pdfium.FPDFPage_CountObjects(page.raw)):
        yield from _unfold(pdfium.FPDFPage_GetObject(page.raw, i), _IDENTITY, 0)


def _unfold(
    item: pdfium.FPDF_PAGEOBJECT, affine: Affine, depth: int
) -> Iterator[tuple[pdfium.FPDF_PAGEOBJECT, Affine]]:
    if pdfium.FPDFPageObj_GetType(item) != pdfium.FPDF_PAGEOBJ_FORM:
        yield item, affine
    elif depth < 8:
        inner = _chain(_matrix(item), affine)
        for i in range(pdfium.FPDFFormObj_CountObjects(item)):
            yield from _unfold(pdfium.FPDFFormObj_GetObject(item, i), inner, depth + 1)


def _matrix(item: pdfium.FPDF_PAGEOBJECT) -> Affine:
    m = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(m)):
        return _IDENTITY
    return (m.a, m.b, m.c, m.d, m.e, m.f)


def _chain(first: Affine, then: Affine) -> Affine:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _at(affine: Affine, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = affine
    return a * x + c * y + e, b * x + d * y + f


def _add_image(drawing: Drawing, item: pdfium.FPDF_PAGEOBJECT, affine: Affine) -> None:
    whole = _chain(_matrix(item), affine)
    corners = [_at(whole, x, y) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
    xs, ys = [c[0] for c in corners], [c[1] for c in corners]
    drawing.areas.append(Area(min(xs), min(ys), max(xs), max(ys), image=True))


def _add_path(drawing: Drawing, item: pdfium.FPDF_PAGEOBJECT, affine: Affine) -> None:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(item, ctypes.byref(fill), ctypes.byref(stroke))
    filled = bool(fill.value) and _visible(item, pdfium.FPDFPageObj_GetFillColor)
    stroked = bool(stroke.value) and _visible(item, pdfium.FPDFPageObj_GetStrokeColor)
    white_fill = filled and _white(item, pdfium.FPDFPageObj_GetFillColor)
    white_stroke = stroked and _white(item, pdfium.FPDFPageObj_GetStrokeColor)
    if not filled and not stroked:
        return
    for points, straight in _subpaths(item, _chain(_matrix(item), affine)):
        if filled and straight:
            _add_filled(drawing, points, white_fill)
        if stroked and not white_stroke:
            drawing.segments.extend(_axis_segments(points))


def _colour(item: pdfium.FPDF_PAGEOBJECT, getter: object) -> tuple[int, int, int, int]:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    getter(item, *(ctypes.byref(c) for c in (red, green, blue, alpha)))  # type: ignore[operator]
    return red.value, green.value, blue.value, alpha.value


def _visible(item: pdfium.FPDF_PAGEOBJECT, getter: object) -> bool:
    return _colour(item, getter)[3] > 0


def _white(item: pdfium.FPDF_PAGEOBJECT, getter: object) -> bool:
    return min(_colour(item, getter)[:3]) >= _WHITE


def _subpaths(item: pdfium.FPDF_PAGEOBJECT, affine: Affine) -> Iterator[tuple[list[tuple[float, float] | None], bool]]:
    """Corner points of each part; None stands where a curve leads to the next point."""
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[tuple[float, float] | None] = []
    straight = True
    for i in range(pdfium.FPDFPath_CountSegments(item)):
        segment = pdfium.FPDFPath_GetPathSegment(item, i)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        if kind == pdfium.FPDF_SEGMENT_MOVETO and points:
            yield points, straight
            points, straight = [], True
        if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
            points.append(None)
            straight = False
        points.append(_at(affine, x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment) and points[0] is not None:
            points.append(points[0])
    if points:
        yield points, straight


def _add_filled(drawing: Drawing, points: list[tuple[float, float] | None], white: bool) -> None:
    solid = [p for p in points if p is not None]
    if len(solid) < 3 or not all(_along_axis(p, q) for p, q in itertools.pairwise(solid)):
        return
    xs, ys = [p[0] for p in solid], [p[1] for p in solid]
    x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
    if min(x1 - x0, y1 - y0) > _THIN:
        drawing.areas.append(Area(x0, y0, x1, y1, white))
    elif not white and y1 - y0 <= x1 - x0:
        drawing.segments.append((x0, (y0 + y1) / 2, x1, (y0 + y1) / 2))
    elif not white:
        drawing.segments.append(((x0 + x1) / 2, y0, (x0 + x1) / 2, y1))


def _along_axis(p: tuple[float, float], q: tuple[float, float]) -> bool:
    return min(abs(p[0] - q[0]), abs(p[1] - q[1])) <= _STRAIGHT


def _axis_segments(points: list[tuple[float, float] | None]) -> Iterator[Segment]:
    for p, q in itertools.pairwise(points):
        if p is not None and q is not None and p != q and _along_axis(p, q):
            yield (p[0], p[1], q[0], q[1])
