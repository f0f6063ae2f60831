"""`kill -9` in the middle of an ingestion: the next run goes on at the document where it stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from contracts.settings import load_settings
from ingest.pipeline import ingest
from ingest.workers import run_here
from store.open import open_index
from tests.ingest.fakes import FakeDense, FakeSparse, load_fakes
from tests.ingest.test_pipeline import make_pdf

_SCRIPT = """
import sys, time
from pathlib import Path
from contracts.settings import load_settings
from ingest.pipeline import ingest
from store.open import open_index
from tests.ingest.fakes import FakeDense, FakeSparse, load_fakes

def tell(event):
    print(event.kind, event.done, flush=True)
    if event.kind == "finished" and event.done == 3:
        time.sleep(60)  # long enough to be killed here

if __name__ == "__main__":
    settings, _ = load_settings({}, overrides={"data_dir": sys.argv[2]})
    index = open_index(settings, {"dimension": "4"}, create=True)
    ingest([Path(sys.argv[1])], settings, index, dense=FakeDense(), sparse=FakeSparse(), listener=tell,
           workers=2, load=load_fakes)
"""


def _run_until(done: str, command: list[str]) -> list[int]:
    """Starts `command`, kills it when it prints `done`; the process ids of its workers."""
    import psutil

    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() == done:
                break
        workers = [child.pid for child in psutil.Process(process.pid).children(recursive=True)]
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    return workers


def _alive(pids: list[int]) -> list[int]:
    import psutil

    return [pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE]


def test_a_killed_ingestion_goes_on_where_it_stopped(tmp_path: Path) -> None:
    for n in range(6):
        make_pdf(tmp_path / "docs" / f"{n}.pdf", f"Text number {n}.")
    script = tmp_path / "run.py"
    script.write_text(_SCRIPT)
    workers = _run_until("finished 3", [sys.executable, str(script), str(tmp_path / "docs"), str(tmp_path / "data")])

    settings, _ = load_settings({}, overrides={"data_dir": tmp_path / "data"})
    index = open_index(settings, {"dimension": "4"}, create=True)
    try:
        assert len(index.documents()) == 3
        report = ingest(
            [tmp_path / "docs"], settings, index, dense=FakeDense(), sparse=FakeSparse(), load=load_fakes, run=run_here
        )
        assert report.totals.by_status == {"unchanged": 3, "added": 3}
        texts = sorted(chunk.text for chunk in index.chunks())
    finally:
        index.close()
    assert texts == [f"Text number {n}." for n in range(6)]
    deadline = time.monotonic() + 10
    while _alive(workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert workers and not _alive(workers)  # they end when their parent does, whatever ended it
