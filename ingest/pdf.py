"""Opens a PDF and gives its pages one at a time, so that memory does not grow with their number.

PDFium reads the file: on the competition documents it is several times faster than a pure Python parser, and it knows
each character's rendering mode, which is how invisible text is told from text. PDFium is not thread-safe; a lock keeps
the threads of one process apart.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from contracts.errors import InputError
from ingest.glyphs import read_glyphs
from ingest.layout import PageContent
from ingest.paths import read_paths
from ingest.words import build_words

_LOCK = threading.RLock()
_NO_TITLES = frozenset({"untitled", "unspecified", "(anonymous)", "anonymous", "document"})
"""What programs write when nobody named the document."""
_TAIL = 2048
"""Bytes at the end in which the end-of-file marker must stand; writers append at most a few blank lines."""


class Bookmark(NamedTuple):
    """One entry of the PDF's own outline."""

    level: int
    """1 is the top."""
    title: str
    page: int
    """1-based; 0 when the entry leads nowhere."""
    top: float | None
    """Points from the top of the page, where the entry says so."""


class PdfFile:
    """An open PDF. Use `open_pdf`."""

    def __init__(self, document: pypdfium2.PdfDocument) -> None:
        self._document = document

    @property
    def page_count(self) -> int:
        return len(self._document)

    @property
    def title(self) -> str:
        title = str(self._document.get_metadata_value("Title") or "").strip()
        return "" if title.casefold() in _NO_TITLES else title

    def pages(self) -> Iterator[PageContent]:
        """Every page in order; each is released before the next is read."""
        for number in range(1, self.page_count + 1):
            yield self.page(number)

    def page(self, number: int) -> PageContent:
        page = self._document[number - 1]
        try:
            return _read_page(page, number)
        finally:
            page.close()

    def picture(self, number: int, scale: float) -> tuple[io.BytesIO, float, float]:
        """The page as a JPEG of `scale` pixels per point, and its width and height in points."""
        page = self._document[number - 1]
        try:
            buffer = io.BytesIO()
            page.render(scale=scale).to_pil().convert("RGB").save(buffer, "JPEG", quality=75)
            width, height = page.get_size()
            return buffer, float(width), float(height)
        finally:
            page.close()

    def bookmarks(self) -> tuple[Bookmark, ...]:
        """The PDF's own outline, top down; empty when there is none."""
        found = []
        for item in self._document.get_toc(max_depth=12):
            destination = item.get_dest()
            page, top = 0, None
            if destination is not None and destination.get_index() is not None:
                page = destination.get_index() + 1
                top = self._top_of(page, destination.get_view())
            found.append(Bookmark(item.level + 1, item.get_title().strip(), page, top))
        return tuple(found)

    def _top_of(self, page: int, view: tuple[int, list[float]]) -> float | None:
        mode, values = view
        at = {pdfium.PDFDEST_VIEW_XYZ: 1, pdfium.PDFDEST_VIEW_FITH: 0, pdfium.PDFDEST_VIEW_FITBH: 0}.get(mode)
        if at is None or len(values) <= at:
            return None
        return float(self._document.get_page_size(page - 1)[1] - values[at])


def _read_page(page: pypdfium2.PdfPage, number: int) -> PageContent:
    drawing = read_paths(page)
    glyphs = read_glyphs(page, drawing.areas)
    words = build_words(glyphs.shown)
    turned = drawing.turned(glyphs.frame)
    return PageContent(
        number=number,
        width=glyphs.frame.width,
        height=glyphs.frame.height,
        words=tuple(words),
        horizontal=turned.horizontal,
        vertical=turned.vertical,
        areas=turned.areas,
        turn=glyphs.frame.turn,
        hidden=glyphs.hidden,
        notes=glyphs.notes + drawing.notes,
    )


@contextmanager
def open_pdf(path: str | Path, password: str | None = None) -> Iterator[PdfFile]:
    """Opens `path`.

    Raises:
        InputError: the file is missing, empty, not a PDF, cut off, damaged, or needs another password.
    """
    path = Path(path)
    _check_bytes(path)
    with _LOCK:
        document = _open(path, password)
        try:
            yield PdfFile(document)
        finally:
            document.close()


def _open(path: Path, password: str | None) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(path, password=password)
        if len(document) == 0:
            raise InputError(str(path), "the PDF has no pages.", "Export it again.")
        return document
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
            if password:
                raise InputError(
                    str(path), "the password is wrong.", "Check the variable named by password_env."
                ) from None
            raise InputError(
                str(path), "the PDF is encrypted and needs a password.", "Name it with password_env in manifest.yaml."
            ) from None
        raise InputError(str(path), "the PDF is damaged and cannot be read.", "Export or download it again.") from None


def _check_bytes(path: Path) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(1024)
            file.seek(max(0, size - _TAIL))
            tail = file.read()
    except OSError as error:
        raise InputError(
            str(path), f"cannot be read: {error.strerror}.", "Check the path and its permissions."
        ) from None
    if size == 0:
        raise InputError(str(path), "the file is empty (0 bytes).", "Export or download it again.")
    if b"%PDF-" not in head:
        raise InputError(
            str(path), "this is not a PDF, whatever its name says.", "Give it its right extension or export it as PDF."
        )
    if b"%%EOF" not in tail:
        raise InputError(
            str(path), "the PDF is cut off: its end-of-file marker is missing.", "Rows may be lost; download it again."
        )
