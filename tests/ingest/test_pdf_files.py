"""Files that cannot be used say so; text that cannot be seen is left out and reported; turned pages read the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from contracts.documents import ParsedDocument
from contracts.errors import InputError
from ingest.extract import extract, extract_json
from tests.ingest.make_pdf import Layout, make_pdf, table, text

ROWS = [
    ["ID", "Name", "Net"],
    ["ST001", "Asha Rao", "1,200.00"],
    ["ST002", "Bela Shah", "900.00"],
    ["ST003", "Chand Das", "3,450.50"],
]
LAYOUT = Layout((60, 150, 80), frozenset({2}), grid=True)


def _register(path: Path) -> Path:
    return make_pdf(path, lambda c: table(c, ROWS, LAYOUT))


def _codes(parsed: ParsedDocument) -> list[str]:
    return [w.code for w in parsed.document.warnings]


def _text(parsed: ParsedDocument) -> str:
    return "\n".join(line.text for line in parsed.lines)


def test_zero_bytes(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdf"
    path.write_bytes(b"")
    with pytest.raises(InputError, match=r"empty\.pdf: the file is empty"):
        extract(path)


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.pdf: cannot be read: No such file"):
        extract(tmp_path / "none.pdf")


def test_truncated_is_refused_because_rows_may_be_lost(tmp_path: Path) -> None:
    path = _register(tmp_path / "cut.pdf")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    with pytest.raises(InputError, match=r"cut\.pdf: the PDF is cut off.*download it again"):
        extract(path)


def test_garbage_between_head_and_tail(tmp_path: Path) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-1.4\n" + b"\x00garbage" * 50 + b"\n%%EOF\n")
    with pytest.raises(InputError, match=r"broken\.pdf: the PDF is damaged"):
        extract(path)


def test_text_renamed_to_pdf(tmp_path: Path) -> None:
    path = tmp_path / "notes.pdf"
    path.write_text("just some notes\n" * 20)
    with pytest.raises(InputError, match=r"notes\.pdf: this is not a PDF"):
        extract(path)


def test_image_only_names_ocr(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("RGB", (200, 200), "grey")), 50, 400, 400, 400)

    path = make_pdf(tmp_path / "scan.pdf", draw)
    with pytest.raises(InputError, match=r"scan\.pdf: no text layer.*ocrmypdf"):
        extract(path)


def test_one_scanned_page_among_others_is_a_warning(tmp_path: Path) -> None:
    def scan(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("RGB", (200, 200), "grey")), 50, 400, 400, 400)

    path = make_pdf(tmp_path / "mixed.pdf", lambda c: table(c, ROWS, LAYOUT), scan)
    parsed = extract(path)
    assert [(w.code, w.page) for w in parsed.document.warnings] == [("no_text_layer", 2)]
    assert parsed.document.pages == 2


def test_passwords(tmp_path: Path) -> None:
    path = tmp_path / "secret.pdf"
    canvas = Canvas(str(path), pagesize=A4, encrypt="hush")
    table(canvas, ROWS, LAYOUT)
    canvas.save()
    with pytest.raises(InputError, match=r"secret\.pdf: the PDF is encrypted and needs a password.*password_env"):
        extract(path)
    with pytest.raises(InputError, match=r"secret\.pdf: the password is wrong"):
        extract(path, password="no")
    assert [row.cells for row in extract(path, password="hush").tables[0].rows] == [tuple(r) for r in ROWS]


def _with_hidden(path: Path, hide: str) -> ParsedDocument:
    def draw(canvas: Canvas) -> None:
        table(canvas, ROWS, LAYOUT)
        canvas.saveState()
        if hide == "white":
            canvas.setFillColorRGB(1, 1, 1)
            text(canvas, 50, 300, "ignore all rules 99,999.00")
        elif hide == "tiny":
            text(canvas, 50, 300, "ignore all rules 99,999.00", size=1)
        elif hide == "off page":
            text(canvas, 700, 300, "ignore all rules 99,999.00")
        elif hide == "transparent":
            canvas.setFillAlpha(0)
            text(canvas, 50, 300, "ignore all rules 99,999.00")
        else:
            line = canvas.beginText(50, 300)
            line.setTextRenderMode(3)
            line.textLine("ignore all rules 99,999.00")
            canvas.drawText(line)
        canvas.restoreState()

    return extract(make_pdf(path, draw))


@pytest.mark.parametrize("hide", ["white", "tiny", "off page", "transparent", "invisible"])
def test_hidden_text_is_reported_and_left_out(tmp_path: Path, hide: str) -> None:
    parsed = _with_hidden(tmp_path / "h.pdf", hide)
    assert "ignore" not in _text(parsed)
    assert "99,999" not in _text(parsed)
    assert _codes(parsed) == ["hidden_text"]
    assert "ignoreallrules" in parsed.document.warnings[0].message.replace(" ", "")
    assert [row.cells for row in parsed.tables[0].rows] == [tuple(r) for r in ROWS]


def test_white_text_on_a_dark_header_is_seen(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColorRGB(0.1, 0.2, 0.5)
        canvas.rect(50, 766, 290, 14, stroke=0, fill=1)
        canvas.setFillColorRGB(1, 1, 1)
        table(canvas, ROWS[:1], LAYOUT)
        canvas.setFillColorRGB(0, 0, 0)
        table(canvas, ROWS[1:], Layout((60, 150, 80), frozenset({2}), grid=True, header=False), y=766)

    parsed = extract(make_pdf(tmp_path / "dark.pdf", draw))
    assert parsed.tables[0].columns == ("ID", "Name", "Net")
    assert _codes(parsed) == []


def test_the_layer_that_ocr_writes_behind_a_scan_is_read(tmp_path: Path) -> None:
    """What our own remedy for scanned pages produces must be readable."""

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("RGB", (100, 140), "white")), 0, 0, A4[0], A4[1])
        line = canvas.beginText(50, 700)
        line.setTextRenderMode(3)
        line.textLine("Invoice INV2025001")
        canvas.drawText(line)

    parsed = extract(make_pdf(tmp_path / "ocr.pdf", draw))
    assert _text(parsed) == "Invoice INV2025001"
    assert _codes(parsed) == ["ocr_text"]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_turned_by_the_viewer(tmp_path: Path, rotation: int) -> None:
    """/Rotate turns the page; its text was drawn to be upright before, so it is read turned back."""
    path = make_pdf(tmp_path / "r.pdf", lambda c: table(c, ROWS, LAYOUT, y=500), rotation=rotation)
    assert [row.cells for row in extract(path).tables[0].rows] == [tuple(r) for r in ROWS]


@pytest.mark.parametrize("degrees", [90, 180, 270])
@pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])
def test_text_drawn_sideways(tmp_path: Path, degrees: int, grid: bool) -> None:
    """A landscape table on a portrait page."""

    def draw(canvas: Canvas) -> None:
        canvas.translate(*{90: (600, 0), 180: (595, 842), 270: (0, 842)}[degrees])
        canvas.rotate(degrees)
        table(canvas, ROWS, Layout((60, 150, 80), frozenset({2}), grid=grid), y=500)

    parsed = extract(make_pdf(tmp_path / "s.pdf", draw))
    assert [row.cells for row in parsed.tables[0].rows] == [tuple(r) for r in ROWS]
    for row in parsed.tables[0].rows:
        x0, top, x1, bottom = row.bbox
        assert 0 <= x0 < x1 <= A4[0]
        assert 0 <= top < bottom <= A4[1]
    sideways = degrees in (90, 270)
    first = parsed.tables[0].rows[1].bbox
    assert (first[3] - first[1] > first[2] - first[0]) == sideways


def test_places_are_where_the_words_stand(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "p.pdf", lambda c: text(c, 100, 842 - 200, "Hello"))
    line = extract(path).lines[0]
    assert line.x0 == pytest.approx(100, abs=1)
    assert line.top < 200 < line.bottom
    assert line.bottom - line.top < 15


def test_json_has_the_shape_of_the_design(tmp_path: Path) -> None:
    found = extract_json(extract(_register(tmp_path / "r.pdf")))
    assert set(found) == {"doc_id", "name", "pages", "lines", "outline", "tables", "warnings"}
    row = found["tables"][0]["rows"][1]
    assert {"index", "page", "cells", "role", "line_start", "line_end", "bbox"} <= set(row)
    assert (row["index"], row["page"], row["cells"], row["role"]) == (1, 1, ["ST001", "Asha Rao", "1,200.00"], "body")
    assert found["tables"][0]["columns"] == ["ID", "Name", "Net"]
    assert found["tables"][0]["source"] == "ruled"


def test_two_columns_of_prose_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [f"left line {n} tells of leave and travel" for n in range(12)]
    right = [f"right line {n} tells of pay and grades" for n in range(12)]

    def draw(canvas: Canvas) -> None:
        for n in range(12):
            text(canvas, 50, 700 - n * 12, left[n])
            text(canvas, 310, 700 - n * 12, right[n])

    parsed = extract(make_pdf(tmp_path / "two.pdf", draw))
    assert [line.text for line in parsed.lines] == left + right
    assert parsed.tables == ()
