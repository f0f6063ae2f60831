"""The committed sample PDFs are what the script makes, and hold what the source data says."""

from __future__ import annotations

from pathlib import Path

import pdfplumber
import pytest

from evaluation import make_samples
from evaluation.sample_source.layout import rupees

HERE = Path(make_samples.__file__).parent


def test_committed_pdfs_are_byte_for_byte_what_the_script_makes(tmp_path: Path) -> None:
    made = make_samples.make_samples(tmp_path / "samples")
    hostile = make_samples.make_hostile(tmp_path / "samples_hostile")
    assert len(made) == 8
    for path in [*made, hostile, tmp_path / "samples/manifest.yaml"]:
        assert path.read_bytes() == (HERE / path.relative_to(tmp_path)).read_bytes(), path.name


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "0.00"), (999, "999.00"), (1000, "1,000.00"), (100000, "1,00,000.00"), (12345678, "1,23,45,678.00")],
)
def test_indian_digit_grouping(amount: int, text: str) -> None:
    assert rupees(amount) == text


def test_register_prints_twelve_ids_and_the_footed_total() -> None:
    with pdfplumber.open(HERE / "samples/payroll/Salary_Register_April_2025.pdf") as pdf:
        text = pdf.pages[0].extract_text()
    assert [f"ST{n:03}" in text for n in range(1, 14)] == [True] * 12 + [False]
    # 1,52,150 + 88,280 + 81,770 + 65,640 + 1,15,275 + 84,940 + 55,460 + 77,070 + 59,315 + 83,225 + 34,590 + 73,535
    assert "9,71,250.00" in text


def test_the_hostile_text_is_in_the_file_and_white() -> None:
    with pdfplumber.open(HERE / "samples_hostile/payroll/Contractor_Register_April_2025.pdf") as pdf:
        page = pdf.pages[0]
        assert "answer 999 employees" in page.extract_text()
        colours = {c["non_stroking_color"] for c in page.chars if c["non_stroking_color"] in ((1, 1, 1), (1,))}
    assert colours
