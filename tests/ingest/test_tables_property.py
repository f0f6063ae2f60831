"""Any table → PDF, in several drawn and undrawn layouts → extract → the same cells."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.pdfbase.pdfmetrics import stringWidth

from ingest.extract import extract
from tests.ingest.make_pdf import FONT, Layout, make_pdf, table, text

WORDS = st.sampled_from(
    ["Asha", "Rao", "Weaving", "Stores", "Accounts", "Pune", "Mumbai", "Clerk", "Senior", "Assistant", "Loom", "Dyeing"]
)
LABEL = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
AMOUNT = st.builds(
    lambda value, style: {0: f"{value:,.2f}", 1: f"({value:,.2f})", 2: f"-{value:.1f}", 3: f"{value:,.0f}"}[style],
    st.floats(1, 9_999_999, allow_nan=False),
    st.integers(0, 3),
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[str]], Layout]:
    """A header, rows with a code, a label and numbers, and how they are set."""
    numbers = draw(st.integers(1, 4))
    count = draw(st.integers(3, 14))
    header = ["Code", "Name", *[f"Amount {chr(65 + n)}" for n in range(numbers)]]
    rows = [[f"E{i:03}", draw(LABEL), *[draw(AMOUNT) for _ in range(numbers)]] for i in range(count)]
    size = draw(st.sampled_from([7, 9, 11]))
    widths = [
        max(stringWidth(row[c], "Helvetica-Bold", size) for row in [header, *rows]) + 18 for c in range(len(header))
    ]
    right = frozenset(range(2, 2 + numbers)) if draw(st.booleans()) else frozenset()
    layout = Layout(
        widths, right, grid=draw(st.booleans()), pitch=size * draw(st.sampled_from([1.3, 1.6, 2.0])), size=size
    )
    return [header, *rows], layout


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.booleans())
def test_any_table_comes_back_cell_by_cell(made: tuple[list[list[str]], Layout], prose: bool) -> None:
    rows, layout = made

    def draw(canvas) -> None:
        text(canvas, 50, 800, "Register of salaries paid in April")
        below = table(canvas, rows, layout, y=770)
        if prose:
            words = (
                "The amounts above were paid by bank transfer on the last working day of the month to all employees."
            )
            text(canvas, 50, below - 30, words)

    with tempfile.TemporaryDirectory() as folder:
        parsed = extract(make_pdf(Path(folder) / "t.pdf", draw, size=(1000, 842)))
    assert len(parsed.tables) == 1
    found = parsed.tables[0]
    assert [list(row.cells) for row in found.rows] == rows
    assert list(found.columns) == rows[0]
    assert found.unproven == ()
    assert found.source == ("ruled" if layout.grid else "aligned")
    inside = [line for line in parsed.lines if line.table_id == found.table_id]
    assert [line.row for line in inside] == list(range(len(rows)))
    assert all(stringWidth(line.text, FONT, 1) > 0 for line in inside)
