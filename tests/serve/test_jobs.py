from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from contracts.errors import InputError
from contracts.filters import Caller
from contracts.settings import Settings
from serve.database import open_database
from serve.jobs import FINISHED, IngestOptions, Ingestor, IngestOutcome, Job, JobRunner, JobStore, Progress, UploadMeta

ANN = Caller(name="ann", role="operator", groups=("payroll",))
META = UploadMeta(groups=("payroll",), source="upload:payroll/a.pdf")


@pytest.fixture
def store(tmp_path: Path) -> JobStore:
    return JobStore(open_database(Settings(data_dir=tmp_path)))


def wait(store: JobStore, job: Job) -> Job:
    for _ in range(500):
        found = store.get(job.job_id, Caller())
        assert found is not None
        if found.state in FINISHED:
            return found
        time.sleep(0.01)
    raise AssertionError("the job does not end")


def run(store: JobStore, ingestor: Ingestor | None) -> Job:
    runner = JobRunner(store, ingestor)
    runner.start()
    job = runner.submit(ANN, [Path("a.pdf")], META, visible_to=("payroll",))
    found = wait(store, job)
    runner.stop()
    return found


def test_a_job_ends_with_what_became_of_its_files(store: JobStore) -> None:
    seen: list[Job | None] = []

    def ingest(
        paths: Sequence[Path], meta: UploadMeta | None, options: IngestOptions, progress: Progress
    ) -> IngestOutcome:
        assert (list(paths), meta) == ([Path("a.pdf")], META)
        progress("parse", 1, 4)
        seen.append(store.list(Caller())[0])
        return IngestOutcome(documents=("d1",))

    job = run(store, ingest)
    assert seen[0] is not None
    assert (seen[0].state, seen[0].stage, seen[0].done, seen[0].total) == ("running", "parse", 1, 4)
    assert (job.state, job.outcome) == ("done", IngestOutcome(documents=("d1",)))


def test_a_broken_file_is_told_with_its_reason(store: JobStore) -> None:
    def refuse(
        paths: Sequence[Path], meta: UploadMeta | None, options: IngestOptions, progress: Progress
    ) -> IngestOutcome:
        return IngestOutcome(failed={"a.pdf": "it is encrypted"})

    def fail(
        paths: Sequence[Path], meta: UploadMeta | None, options: IngestOptions, progress: Progress
    ) -> IngestOutcome:
        raise InputError("a.pdf", "cannot be read.", "Save it again.")

    def crash(
        paths: Sequence[Path], meta: UploadMeta | None, options: IngestOptions, progress: Progress
    ) -> IngestOutcome:
        raise RuntimeError("salary 50000")

    refused, failed, crashed = run(store, refuse), run(store, fail), run(store, crash)
    assert refused.state == failed.state == crashed.state == "failed"
    assert refused.outcome is not None
    assert refused.outcome.failed == {"a.pdf": "it is encrypted"}
    assert failed.error == "a.pdf: cannot be read. Save it again."
    assert "50000" not in crashed.error


def test_what_a_dead_process_left_is_done_after_a_restart(store: JobStore) -> None:
    """As after `kill -9`: one job is marked running, one waits, and nobody works."""
    dead = JobRunner(store, None)
    first = dead.submit(ANN, [Path("a.pdf")], META, visible_to=("payroll",))
    second = dead.submit(ANN, [Path("b.pdf")], META, visible_to=("payroll",))
    store.save(first.model_copy(update={"state": "running"}))
    order: list[str] = []

    def ingest(
        paths: Sequence[Path], meta: UploadMeta | None, options: IngestOptions, progress: Progress
    ) -> IngestOutcome:
        order.append(paths[0].name)
        return IngestOutcome(documents=("d",))

    runner = JobRunner(store, ingest)
    runner.start()
    assert [wait(store, job).state for job in (first, second)] == ["done", "done"]
    runner.stop()
    assert order == ["a.pdf", "b.pdf"]


def test_stopping_between_two_files_leaves_the_job_to_the_next_start(store: JobStore) -> None:
    inside, go_on = threading.Event(), threading.Event()

    def ingest(
        paths: Sequence[Path], meta: UploadMeta | None, options: IngestOptions, progress: Progress
    ) -> IngestOutcome:
        inside.set()
        go_on.wait(10)
        progress("parse", 1, 2)
        return IngestOutcome(documents=("d",))

    runner = JobRunner(store, ingest)
    runner.start()
    job = runner.submit(ANN, [Path("a.pdf")], META, visible_to=("payroll",))
    assert inside.wait(10)
    stopping = threading.Thread(target=runner.stop)
    stopping.start()
    time.sleep(0.05)
    go_on.set()
    stopping.join()
    found = store.get(job.job_id, Caller())
    assert found is not None
    assert found.state == "running"
    assert [j.job_id for j in store.unfinished()] == [job.job_id]


def test_who_sees_a_job(store: JobStore) -> None:
    runner = JobRunner(store, None)
    shared = runner.submit(ANN, [Path("a.pdf")], META, visible_to=("payroll", "hr"))
    local = runner.submit(Caller(), [Path("b.pdf")], None, visible_to=None)
    both = Caller(name="b", role="operator", groups=("payroll", "hr", "x"))
    assert [j.job_id for j in store.list(ANN)] == []
    assert [j.job_id for j in store.list(both)] == [shared.job_id]
    assert {j.job_id for j in store.list(Caller())} == {shared.job_id, local.job_id}
    assert store.get(shared.job_id, ANN) is None
