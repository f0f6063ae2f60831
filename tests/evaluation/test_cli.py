"""The commands, as a user types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.baseline import baseline_path
from evaluation.corpus import GOLDEN, SAMPLES
from evaluation.golden import dump_golden, load_golden, select

KEPT = ("count-march", "total-of-invoice-003", "doctors-note", "absent-employee")


def allrows(*arguments: str | Path, cwd: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("ALLROWS_", "OPENAI_"))}
    return subprocess.run(
        [sys.executable, "-m", "allrows", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environ | {"ALLROWS_RERANK_BUDGET_MS": "60000", "PYTHONPATH": str(GOLDEN.parent.parent), **extra},
        check=False,
    )


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Four of the golden questions over the sample corpus."""
    golden = select(load_golden(GOLDEN), KEPT).model_copy(update={"corpus": str(SAMPLES)})
    path = tmp_path / "small.yaml"
    path.write_text(dump_golden(golden), encoding="utf-8")
    return path


def test_eval_reports_stores_a_baseline_and_fails_on_a_regression(small: Path, tmp_path: Path) -> None:
    first = allrows("eval", small, "--json", "--html", "r.html", "--junit", "r.xml", "--save-baseline", cwd=tmp_path)
    assert first.returncode == 0, first.stderr + first.stdout[-2000:]
    report = json.loads(first.stdout)
    assert [o["judgement"]["correct"] for o in report["outcomes"]] == [True] * 4
    assert "<h1>" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert (tmp_path / "r.xml").read_text(encoding="utf-8").count("<testcase") >= 4 + 3
    assert baseline_path(small).is_file()

    small.write_text(small.read_text(encoding="utf-8").replace("2,71,400.00", "2,71,401.00"), encoding="utf-8")
    second = allrows("eval", small, cwd=tmp_path)
    assert second.returncode == 1
    assert "total-of-invoice-003" in second.stdout


def test_another_configuration_than_the_documented_one_fails(small: Path, tmp_path: Path) -> None:
    done = allrows("eval", small, "--json", cwd=tmp_path, ALLROWS_WEIGHT_DENSE="0.5", ALLROWS_WEIGHT_BM25="0.5")
    assert done.returncode == 1
    failed = [g for g in json.loads(done.stdout)["gates"] if not g["passed"]]
    assert [g["name"] for g in failed] == ["documented_configuration"]
    assert "weight_dense is 0.5, documented as 0.65" in failed[0]["detail"]


def test_survive_draws_and_passes_and_fails_with_the_old_fault(small: Path, tmp_path: Path) -> None:
    kept = allrows("survive", small, "--plot", "s.svg", cwd=tmp_path)
    assert kept.returncode == 0, kept.stdout + kept.stderr
    assert "11/11" in kept.stdout
    assert (tmp_path / "s.svg").read_text(encoding="utf-8").startswith("<svg")
    lost = allrows("survive", small, "--json", cwd=tmp_path, ALLROWS_COMPRESS_ROWS_AS_SENTENCES="true")
    assert lost.returncode == 1
    assert json.loads(lost.stdout)["losses"]


def test_a_faulty_set_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "g.yaml"
    path.write_text("name: t\nquestions:\n  - id: a\n    question: x\n    expect: {kind: count, value: -1}\n")
    done = allrows("eval", path, cwd=tmp_path)
    assert done.returncode == 4
    assert "line 5" in done.stderr


def test_init_drafts_a_set_and_never_overwrites(tmp_path: Path) -> None:
    first = allrows("eval", "--init", SAMPLES / "payroll", "--output", "d.yaml", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    assert load_golden(tmp_path / "d.yaml").questions
    again = allrows("eval", "--init", SAMPLES / "payroll", "--output", "d.yaml", cwd=tmp_path)
    assert again.returncode == 2


def test_demo_answers_three_questions_with_proof(tmp_path: Path) -> None:
    done = allrows("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for part in ("8 documents", "12", "2,71,400.00", "ot found"):
        assert part in done.stdout
    assert list(tmp_path.iterdir()) == []  # the demo leaves nothing behind
