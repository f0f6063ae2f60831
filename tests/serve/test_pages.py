from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from contracts.documents import Region, Row
from contracts.errors import InputError
from contracts.filters import Caller
from serve.files import FileVault
from serve.http.pages import numbers, spans
from serve.pages import SCALE, Marked, PageView, boxes_on, pages_of, render
from tests.serve.http.fakes import FakeIndex, make_document, make_table

DOCUMENT = make_document("april.pdf", "payroll")
TABLE = make_table(DOCUMENT)
YELLOW = 100
"""Blue of the marker is 82; of white paper 255."""


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    """Two blank pages of 400 × 300 points, the second cropped by 20 points on the left and 10 at the top."""
    path = tmp_path / "april.pdf"
    canvas = Canvas(str(path), pagesize=(400, 300))
    canvas.drawString(10, 10, "one")
    canvas.showPage()
    canvas.setCropBox((20, 0, 400, 290))
    canvas.drawString(30, 10, "two")
    canvas.showPage()
    canvas.save()
    return path


def picture(view: PageView | None) -> Image.Image:
    assert view is not None
    return Image.open(io.BytesIO(view.png)).convert("RGB")


def marked_at(image: Image.Image, x: float, top: float) -> bool:
    """Whether the place (in points) is marked."""
    pixel = image.getpixel((round(x * SCALE), round(top * SCALE)))
    assert isinstance(pixel, tuple)
    return pixel[2] < YELLOW


def test_the_marked_rows_and_only_those(pdf: Path) -> None:
    marked = Marked(table_id=TABLE.table_id, rows=(1, 3))
    view = render(DOCUMENT, 1, marked, FakeIndex(DOCUMENT), path=pdf)  # type: ignore[arg-type]
    image = picture(view)
    assert image.size == (640, 480)
    assert view is not None
    assert view.boxes == ((50, 110, 300, 120),), "row 3 stands on page 2"
    assert {top: marked_at(image, 100, top) for top in (105, 115, 125)} == {105: False, 115: True, 125: False}
    assert not marked_at(image, 310, 115)


def test_a_cropped_page_is_marked_where_the_row_is_seen(pdf: Path) -> None:
    marked = Marked(table_id=TABLE.table_id, rows=(3,))
    image = picture(render(DOCUMENT, 2, marked, FakeIndex(DOCUMENT), path=pdf))  # type: ignore[arg-type]
    assert image.size == (608, 464)
    row = (50 - 20, 110 - 10, 300 - 20, 120 - 10)
    assert marked_at(image, row[0] + 2, row[1] + 5)
    assert marked_at(image, row[2] - 2, row[1] + 5)
    assert not marked_at(image, row[2] + 5, row[1] + 5)
    assert not marked_at(image, row[0] + 2, row[3] + 5)


def test_a_row_cut_by_the_page_break_is_marked_on_both_pages() -> None:
    rest = Region(page=2, line_start=1, line_end=1, bbox=(50, 40, 300, 50))
    cut: Row = TABLE.rows[2].model_copy(update={"continued": (rest,)})
    table = TABLE.model_copy(update={"rows": (*TABLE.rows[:2], cut)})
    marked = Marked(table_id=table.table_id, rows=(2,))
    assert boxes_on(1, marked, (), (table,)) == ((50, 120, 300, 130),)
    assert boxes_on(2, marked, (), (table,)) == ((50, 40, 300, 50),)
    assert pages_of(table, (2,)) == [1, 2]


def test_lines_are_marked_too(pdf: Path) -> None:
    view = render(DOCUMENT, 1, Marked(lines=(2,)), FakeIndex(DOCUMENT), path=pdf)  # type: ignore[arg-type]
    assert view is not None
    assert view.boxes == ((50, 110, 300, 120),)
    assert marked_at(picture(view), 100, 115)


def test_without_the_file_the_stored_lines_are_drawn() -> None:
    marked = Marked(table_id=TABLE.table_id, rows=(1,))
    view = render(DOCUMENT, 1, marked, FakeIndex(DOCUMENT))  # type: ignore[arg-type]
    image = picture(view)
    assert view is not None
    assert view.drawn_from == "lines"
    assert marked_at(image, 298, 115)
    assert not marked_at(image, 298, 125)
    dark = sum(image.crop((80, 160, 480, 200)).convert("L").histogram()[:60])
    assert dark > 20, "the text is drawn"


def test_there_is_no_such_page(pdf: Path) -> None:
    assert render(DOCUMENT, 3, Marked(), FakeIndex(DOCUMENT), path=pdf) is None  # type: ignore[arg-type]


def test_somebody_elses_scope_draws_nothing() -> None:
    foreign = Caller(groups=("finance",)).scope()
    assert render(DOCUMENT, 1, Marked(), FakeIndex(DOCUMENT), foreign) is None  # type: ignore[arg-type]


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "april.pdf"
    path.write_bytes(b"no pdf")
    with pytest.raises(InputError, match=r"april\.pdf: the file cannot be drawn"):
        render(DOCUMENT, 1, Marked(), FakeIndex(DOCUMENT), path=path)  # type: ignore[arg-type]


def test_only_the_very_bytes_are_shown_as_the_document(tmp_path: Path, pdf: Path) -> None:
    """The file at the source may have changed since it was read."""
    import hashlib

    vault = FileVault(tmp_path / "files")
    content = pdf.read_bytes()
    document = DOCUMENT.model_copy(update={"doc_id": hashlib.sha256(content).hexdigest(), "source": str(pdf)})
    assert vault.find(document) == pdf
    pdf.write_bytes(content + b" ")
    assert vault.find(document) is None
    kept_id, kept = vault.keep(io.BytesIO(content), "april.pdf", 1 << 20)
    assert kept_id == document.doc_id
    assert vault.find(document) == kept


@pytest.mark.parametrize(
    ("text", "values"),
    [("", ()), ("3", (3,)), ("1-3,7", (1, 2, 3, 7)), ("0", (0,)), ("5-4", ()), ("2,9-10", (2, 9, 10))],
)
def test_numbers(text: str, values: tuple[int, ...]) -> None:
    assert numbers(text) == values


@pytest.mark.parametrize(
    ("values", "text"), [((), ""), ((3,), "3"), ((7, 1, 2, 3, 3), "1-3,7"), ((0, 1), "0-1"), ((2, 4), "2,4")]
)
def test_spans(values: tuple[int, ...], text: str) -> None:
    assert spans(values) == text
