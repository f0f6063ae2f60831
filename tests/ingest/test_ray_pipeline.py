"""The same documents on a local Ray cluster give the same index. Part of `make test`; `make test-ray` runs it alone."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.errors import ConfigError, InputError
from ingest.ray_pipeline import DIED, run_on_ray
from ingest.workers import Outcome, run_here

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ray itself, about its own defaults


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A local cluster that ends with these tests."""
    ray = pytest.importorskip("ray", reason="needs the extra `ray`: `make test-ray` installs it")
    yield
    ray.shutdown()


def make_upper():
    """Upper case; refuses what starts with x, dies once on what starts with d, always on what starts with p."""

    def work(task: tuple[str, str]) -> str:
        text, folder = task
        if text.startswith("x"):
            raise InputError(text, "is not wanted.")
        if text.startswith("p"):
            os._exit(1)
        died = Path(folder) / text
        if text.startswith("d") and not died.exists():
            died.touch()
            os._exit(1)
        return text.upper()

    return work


def outcomes(run, folder: Path, *texts: str) -> dict[str, tuple[str | None, str]]:
    tasks = [(text, str(folder)) for text in texts]
    found: list[Outcome] = list(run(tasks, make_upper, 2, lambda _: None, 60.0))
    assert len(found) == len(tasks)
    return {o.task[0]: (o.result, o.error) for o in found}


@pytest.mark.usefixtures("cluster")
def test_every_task_has_its_outcome_as_without_ray(tmp_path: Path) -> None:
    texts = [*(f"t{n}" for n in range(7)), "x1"]
    assert outcomes(run_on_ray, tmp_path, *texts) == outcomes(run_here, tmp_path, *texts)


@pytest.mark.usefixtures("cluster")
def test_a_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    assert outcomes(run_on_ray, tmp_path, "a", "d", "b") == {"a": ("A", ""), "d": ("D", ""), "b": ("B", "")}


@pytest.mark.usefixtures("cluster")
def test_a_file_that_always_kills_its_worker_is_reported_and_stops_nobody(tmp_path: Path) -> None:
    assert outcomes(run_on_ray, tmp_path, "a", "p", "b") == {"a": ("A", ""), "p": (None, DIED), "b": ("B", "")}


@pytest.mark.usefixtures("cluster")
def test_the_same_index_as_without_ray(tmp_path: Path) -> None:
    from contracts.settings import load_settings
    from encode.bm25 import Bm25Encoder
    from encode.dense import load_dense
    from ingest.pipeline import ingest
    from store.open import memory_index

    folder = tmp_path / "docs"
    shutil.copytree(Path(__file__).parents[2] / "evaluation" / "samples" / "payroll", folder)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    settings = load_settings({}, overrides={"data_dir": tmp_path})[0]
    dense, sparse = load_dense(settings), Bm25Encoder()
    made = []
    for run in (run_here, run_on_ray):
        index = memory_index()
        report = ingest([folder], settings, index, dense=dense, sparse=sparse, run=run, workers=2)
        told = [(d.name, d.status, d.detail, d.chunks) for d in report.documents]
        tables = [index.table(t.table_id) for t in index.table_summaries()]
        lines = [index.lines(d.doc_id) for d in index.documents()]
        made.append((told, index.documents(), index.chunks(), tables, lines))
        index.close()
    assert made[0] == made[1] and len(made[0][1]) > 1
    assert [name for name, status, *_ in made[0][0] if status == "failed"] == ["broken.pdf"]


def test_no_tasks_need_no_ray() -> None:
    assert list(run_on_ray([], make_upper, 2, lambda _: None, 60.0)) == []


def test_without_ray_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"allrows\[ray\]"):
        list(run_on_ray([("a", "")], make_upper, 1, lambda _: None, 60.0))
