"""Worker processes with tasks that misbehave. The work functions stand here so that a process can find them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from contracts.errors import AllrowsError, InputError
from ingest.workers import Outcome, Run, run_here, run_in_processes

Work = Callable[[str], str]


def make_work(folder: str = "") -> Work:
    return partial(_work, folder)


def _work(folder: str, task: str) -> str:
    if task == "bad":
        raise InputError("bad.pdf", "is empty.", "Remove it.")
    if task == "bug":
        raise ZeroDivisionError("division by zero")
    if task == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if task == "exit":
        os._exit(3)
    if task == "hang":
        time.sleep(600)
    if task.startswith("mark"):
        (Path(folder) / task).touch()
    return task.upper()


def make_broken() -> Work:
    raise FileNotFoundError("model.onnx")


def make_dead() -> Work:
    os._exit(7)


def started(task: str) -> None:
    pass


def outcomes(run: Run, tasks: list[str], workers: int = 2) -> dict[str, Outcome[str, str]]:
    found = list(run(tasks, make_work, workers, started, 60.0))
    assert len(found) == len(tasks)
    return {outcome.task: outcome for outcome in found}


@pytest.mark.parametrize("run", [run_here, run_in_processes])
def test_errors_stay_with_their_task(run: Run) -> None:
    found = outcomes(run, ["a", "bad", "bug", "b"])
    assert (found["a"].result, found["b"].result) == ("A", "B")
    assert found["bad"].error == "bad.pdf: is empty. Remove it."
    assert "ZeroDivisionError: division by zero" in found["bug"].error and found["bug"].result is None


@pytest.mark.parametrize(("death", "how"), [("segfault", "signal SIGSEGV"), ("exit", "exit code 3")])
def test_a_process_that_dies_fails_its_task_only_and_is_replaced(death: str, how: str) -> None:
    found = outcomes(run_in_processes, ["a", death, "b", "c", "d"], workers=1)
    assert how in found[death].error
    assert [found[t].result for t in "abcd"] == ["A", "B", "C", "D"]


@pytest.mark.parametrize("make", [make_broken, make_dead])
def test_a_process_that_cannot_be_set_up_is_an_error_of_the_run(make: Callable[[], Work]) -> None:
    with pytest.raises(AllrowsError, match="could not start"):
        list(run_in_processes(["a", "b"], make, 2, started, 60.0))


def test_no_process_works_ahead_of_its_reader(tmp_path: Path) -> None:
    """With one process: the task in hand and one result waiting, whatever the number of tasks."""
    tasks = [f"mark{n}" for n in range(8)]
    run = run_in_processes(tasks, partial(make_work, str(tmp_path)), 1, started, 60.0)
    next(run)
    time.sleep(0.5)  # time in which a process without back-pressure would do all eight
    assert len(list(tmp_path.iterdir())) <= 2
    assert len(list(run)) == 7


def test_a_reader_that_stops_leaves_no_process_behind() -> None:
    import psutil

    before = {child.pid for child in psutil.Process().children()}
    run = run_in_processes(["a", "b", "c"], make_work, 2, started, 60.0)
    next(run)
    run.close()  # type: ignore[attr-defined]
    left = {c.pid for c in psutil.Process().children() if "spawn_main" in " ".join(c.cmdline())} - before
    assert left == set()


def test_no_tasks_need_no_process() -> None:
    assert list(run_in_processes([], make_dead, 2, started, 60.0)) == []


def test_a_task_that_takes_too_long_is_given_up_and_the_others_go_on() -> None:
    found = {o.task: o for o in run_in_processes(["a", "hang", "b", "c"], make_work, 1, started, 2.0)}
    assert "INGEST_FILE_TIMEOUT_S=2 seconds" in found["hang"].error
    assert [found[t].result for t in "abc"] == ["A", "B", "C"]
