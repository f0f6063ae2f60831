"""Tables written with bars in Markdown files."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.documents import RowRole, Table
from ingest.extract import extract
from ingest.markdown import find_bar_tables

COSTS = """\
# Costs 2025

| Item | Qty | Cost |
|:-----|----:|-----:|
| Pens | 3 | 30.00 |
| Red \\| blue ink | | **45.50** |
Paper | 10 | 200.00
| **Total** | 13 | 275.50 |

The budget is 300.
"""


def _tables(tmp_path: Path, text: str, name: str = "costs.md") -> tuple[Table, ...]:
    (tmp_path / name).write_text(text)
    return extract(tmp_path / name).tables


def test_every_row_and_every_empty_cell_is_kept(tmp_path: Path) -> None:
    (found,) = _tables(tmp_path, COSTS)
    assert found.columns == ("Item", "Qty", "Cost")
    assert [(row.role, row.cells) for row in found.rows] == [
        (RowRole.HEADER, ("Item", "Qty", "Cost")),
        (RowRole.BODY, ("Pens", "3", "30.00")),
        (RowRole.BODY, ("Red | blue ink", "", "45.50")),
        (RowRole.BODY, ("Paper", "10", "200.00")),
        (RowRole.TOTAL, ("Total", "13", "275.50")),
    ]


def test_lines_around_a_table_are_no_rows(tmp_path: Path) -> None:
    (tmp_path / "costs.md").write_text(COSTS)
    parsed = extract(tmp_path / "costs.md")
    assert [line.text for line in parsed.lines if line.table_id is None] == ["# Costs 2025", "The budget is 300."]


def test_two_tables_of_words(tmp_path: Path) -> None:
    text = (
        "| Head | Team |\n|---|---|\n| Asha | Pay |\n| Bela | Tax |\n\nand\n\n| Code | Rate |\n|---|---|\n| A | 1.5 |\n"
    )
    assert [t.columns for t in _tables(tmp_path, text)] == [("Head", "Team"), ("Code", "Rate")]


@pytest.mark.parametrize(
    "text", ["a | b\nc | d\n", "Title\n---\ntext | more\n", "| a | b |\n|---|\n| 1 | 2 |\n", "only | one line"]
)
def test_bars_without_a_line_of_dashes_under_a_header_are_text(text: str) -> None:
    assert list(find_bar_tables(text.splitlines())) == []
