"""What README and docs say is what runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaluation
from contracts.errors import InputError
from contracts.settings import Settings
from evaluation.configured import drift, load_documented, stated_defaults

ROOT = Path(evaluation.__file__).parent.parent


def test_the_default_settings_are_the_documented_ones() -> None:
    assert drift(Settings(), load_documented()) == ()


def test_another_weight_is_named() -> None:
    other = Settings(weight_dense=0.5, weight_bm25=0.5)
    assert drift(other, load_documented()) == (
        "weight_dense is 0.5, documented as 0.65",
        "weight_bm25 is 0.5, documented as 0.35",
    )


def test_an_unknown_setting_in_the_documented_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.yaml"
    path.write_text("weight_sparse: 0.35\n")
    with pytest.raises(InputError, match="weight_sparse"):
        load_documented(path)


def test_stated_defaults_are_found_and_examples_of_setting_them_are_not() -> None:
    page = "The default is `WEIGHT_DENSE=0.65`.\nALLROWS_TOP_K_RETRIEVE=40 allrows ask x\nSOMETHING=3\n"
    assert list(stated_defaults(page)) == [("weight_dense", "0.65")]


def test_readme_and_docs_state_the_values_in_force() -> None:
    defaults = Settings()
    wrong = [
        f"{page.name}: {name}={value}"
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
        for name, value in stated_defaults(page.read_text(encoding="utf-8"))
        if float(getattr(defaults, name)) != float(value)
    ]
    assert wrong == []
