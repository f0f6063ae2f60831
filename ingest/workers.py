"""Tasks spread over processes, one task per process at a time.

Nothing queues up: a process gets its next task when its last result was taken, so memory does not grow with the
number of tasks. A process that dies (a crash in a native parser, the kernel's memory killer) loses its own task only
and is replaced.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from contracts.errors import AllrowsError, InputError

T = TypeVar("T")
R = TypeVar("R")

_PATIENCE_S = 5.0
"""Seconds that a process which was told to stop gets before it is ended."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T, R]):
    """What became of a task: a result or an error."""

    task: T
    result: R | None
    error: str = ""


Work = Callable[[T], R]
MakeWork = Callable[[], Work[T, R]]
"""Sets a process up. Sent to it, so it and its arguments must pickle."""
OnStart = Callable[[T], None]


class Run(Protocol):
    """A way to get tasks done; outcomes come in any order, one for every task."""

    def __call__(
        self, tasks: Sequence[T], make: MakeWork[T, R], workers: int, on_start: OnStart[T], limit_s: float
    ) -> Iterator[Outcome[T, R]]: ...


def cores() -> int:
    """Cores that this process may use; fewer than the machine has inside a container."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_here(
    tasks: Sequence[T], make: MakeWork[T, R], workers: int, on_start: OnStart[T], limit_s: float
) -> Iterator[Outcome[T, R]]:
    """The same without processes: for tests and tools. A crash takes this process with it, nothing limits its time."""
    work = make()
    for task in tasks:
        on_start(task)
        yield _attempt(work, task)


def run_in_processes(
    tasks: Sequence[T], make: MakeWork[T, R], workers: int, on_start: OnStart[T], limit_s: float
) -> Iterator[Outcome[T, R]]:
    """Outcomes as they come, one for every task. `on_start` is called when a task is handed out.

    A task that takes longer than `limit_s` seconds is ended together with its process.

    Raises:
        AllrowsError: a process could not be set up (a model file is missing, say); then no task is to blame.
    """
    waiting = list(reversed(tasks))
    processes = [_Process(make) for _ in range(min(workers, len(tasks)))]
    try:
        while waiting or any(process.busy for process in processes):
            for number, process in enumerate(processes):
                if waiting and not process.busy:
                    processes[number] = _give(process if process.alive else _Process(make), waiting, on_start)
            done = _next_done(processes, limit_s)
            if waiting and done.process.alive:  # busy again before the caller stores this result
                _give(done.process, waiting, on_start)
            yield done.outcome
    finally:
        for process in processes:
            process.stop()


def _give(process: _Process[T, R], waiting: list[T], on_start: OnStart[T]) -> _Process[T, R]:
    task = waiting.pop()
    on_start(task)
    process.give(task)
    return process


class _Done(NamedTuple):
    process: _Process[Any, Any]
    outcome: Outcome[Any, Any]


def _next_done(processes: Sequence[_Process[T, R]], limit_s: float) -> _Done:
    """Waits for the first process that has finished, died or overrun its time."""
    busy = {process.connection: process for process in processes if process.busy}
    while True:
        left = min(process.since for process in busy.values()) + limit_s - time.monotonic()
        for connection in wait(list(busy), timeout=max(0.0, left)):
            process = busy[cast("Connection", connection)]
            outcome = process.take()
            if outcome is not None:
                return _Done(process, outcome)
        for process in busy.values():
            if time.monotonic() - process.since > limit_s:
                return _Done(process, process.end(limit_s))


class _Process(Generic[T, R]):
    """A worker process and the pipe to it. Its end of the pipe closes when it dies, whatever the reason."""

    def __init__(self, make: MakeWork[T, R]) -> None:
        context = multiprocessing.get_context("spawn")  # fork would copy threads' locks and ONNX sessions
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, make), daemon=True)
        self._process.start()
        theirs.close()
        self._task: T | None = None
        self._ready = False
        self.alive = True
        self.since = time.monotonic()
        """When it got its task."""

    @property
    def busy(self) -> bool:
        return self._task is not None

    def give(self, task: T) -> None:
        self._task, self.since = task, time.monotonic()
        with suppress(OSError):  # it died while idle; `take` finds the pipe closed
            self.connection.send(task)

    def take(self) -> Outcome[T, R] | None:
        """What it sent; None for the sign that it is set up.

        Raises:
            AllrowsError: it could not be set up.
        """
        try:
            kind, value = self.connection.recv()
        except (EOFError, OSError):
            kind, value = "died", self._obituary()
            self.alive = False
        if kind == "ready":
            self._ready, self.since = True, time.monotonic()
            return None
        if not self._ready:
            raise AllrowsError(f"A worker process could not start: {value}", "`allrows doctor` checks the models.")
        task, self._task = cast("T", self._task), None
        return Outcome(task, value) if kind == "result" else Outcome(task, None, value)

    def end(self, limit_s: float) -> Outcome[T, R]:
        """Ends it because its task takes too long."""
        self._process.kill()
        self.alive = False
        task, self._task = cast("T", self._task), None
        reason = f"took longer than INGEST_FILE_TIMEOUT_S={limit_s:g} seconds and was given up."
        return Outcome(task, None, f"{reason} Split the file, or allow more time.")

    def _obituary(self) -> str:
        self._process.join(_PATIENCE_S)
        code = self._process.exitcode
        how = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        return (
            f"its process died ({how}). The file crashes the parser or needs more memory than there is: "
            "repair it (e.g. print it to PDF again) or give the machine more memory."
        )

    def stop(self) -> None:
        """An idle process ends by itself when its pipe closes; a busy one is ended."""
        self.connection.close()
        if self.busy:
            self._process.terminate()
        self._process.join(_PATIENCE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _serve(connection: Connection, make: MakeWork[Any, Any]) -> None:
    """The life of a worker process. It ends when the other end of the pipe is closed, so it never outlives its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    try:
        work = make()
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent must hear of it
        connection.send(("broken", f"{type(error).__name__}: {error}"))
        return
    connection.send(("ready", None))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
        while True:
            connection.send(_answer(work, connection.recv()))


def _answer(work: Work[Any, Any], task: Any) -> tuple[str, Any]:
    outcome = _attempt(work, task)
    return ("result", outcome.result) if outcome.result is not None else ("error", outcome.error)


def _attempt(work: Work[T, R], task: T) -> Outcome[T, R]:
    try:
        return Outcome(task, work(task))
    except InputError as error:
        return Outcome(task, None, str(error))
    except Exception as error:  # noqa: BLE001 - one file's trouble must not stop the others
        reason = f"unexpected {type(error).__name__}: {error}"
        return Outcome(task, None, f"{reason}. Please report it together with the file.")
