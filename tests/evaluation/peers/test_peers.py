"""The comparison's corpus, sizes and scores; the frameworks themselves only where the extra is installed."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pdfplumber
import pytest

from contracts.settings import Settings
from evaluation.bench_peers import compare
from evaluation.peers.allrows_peer import AllrowsPeer, BeforePeer
from evaluation.peers.base import Weights
from evaluation.peers.corpus import make_year
from evaluation.peers.install_size import closure, installed_mb
from evaluation.sample_source.layout import rupees

PEERS = all(importlib.util.find_spec(name) for name in ("haystack", "llama_index", "langchain_classic"))


def test_the_year_is_the_same_every_time_and_its_answers_stand_in_the_pdfs(tmp_path: Path) -> None:
    golden = make_year(tmp_path / "a")
    assert make_year(tmp_path / "b").questions == golden.questions
    first, second = (sorted((tmp_path / n).rglob("*.pdf")) for n in "ab")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
    by_id = {q.id: q for q in golden.questions}
    with pdfplumber.open(tmp_path / "a/payroll/Salary_Register_June_2025.pdf") as pdf:
        text = "\n".join(page.extract_text() for page in pdf.pages)
        assert len(pdf.pages) == 2
    ids = re.findall(r"^(ST\d{3}) ", text, re.M)
    assert by_id["Salary_Register_June_2025-count"].expect.value == len(ids) == 48  # type: ignore[union-attr]
    total = by_id["Salary_Register_June_2025-net"].expect.value  # type: ignore[union-attr]
    assert isinstance(total, Decimal)
    assert text.count(rupees(int(total))) == 1  # the printed total


def test_installed_size_follows_dependencies() -> None:
    packages = closure(["rank-bm25"])
    assert set(packages) == {"rank-bm25", "numpy"}
    assert installed_mb(["rank-bm25"]) > installed_mb(["typing-extensions"]) > 0


def test_allrows_and_its_past_share_an_index_and_differ_in_rows_kept(tmp_path: Path) -> None:
    golden = make_year(tmp_path)
    for path in sorted((tmp_path / "payroll").glob("*.pdf"))[2:]:
        path.unlink()
    allrows = AllrowsPeer(Settings())
    try:
        allrows.index(tmp_path / "payroll")
        before = BeforePeer(allrows)
        (question,) = [q for q in golden.questions if q.id == "Salary_Register_April_2025-count"]
        now, then = (sum(r in p.retrieve(question.question).prompt for r in question.rows) for p in (allrows, before))
    finally:
        allrows.close()
    assert now == 46
    assert then < now


@pytest.mark.skipif(not PEERS, reason="the extra `peers` is not installed; `make bench-peers` installs and runs it")
def test_each_framework_answers_from_the_same_documents(tmp_path: Path) -> None:
    golden = make_year(tmp_path)
    two = golden.model_copy(update={"questions": golden.questions[:2]})
    results = compare(tmp_path, two, Settings())
    assert [r.name for r in results] == ["allrows", "before (top-N sentences)", "Haystack", "LlamaIndex", "LangChain"]
    assert all(r.context_chars > 0 for r in results)


class Fixed:
    """Scores a text by its length."""

    name = "fixed"

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        return [float(len(t)) for t in texts]


def test_weights_score_nothing_for_nothing() -> None:
    weights = Weights(None, Fixed())  # type: ignore[arg-type]
    assert weights.score("q", []) == []
    assert weights.score("q", ["a", "bb"]) == [1.0, 2.0]
