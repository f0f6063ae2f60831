"""The command line's way to a running server of the same data folder.

The embedded index has one owner. While a server holds it, its address and a key lie in `server.json` in the
data folder, readable by the owner only, and the command line works through the server.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx

from contracts.answers import Answer, StageRecord
from contracts.base import JsonValue, Record
from contracts.errors import AccessDenied, AllrowsError, DependencyError, FilterError, InputError, NotFound, UsageError
from contracts.evidence import AuditRecord, RetrievalResult
from contracts.protocols import IndexState
from contracts.questions import AskRequest
from contracts.settings import Settings
from contracts.trace import Listener
from serve.jobs import AS_SET, FINISHED, IngestOptions, IngestOutcome
from serve.keys import write_private
from serve.library import DocumentView
from serve.replay import ReplayReport
from serve.tracestore import TraceSummary

FILE = "server.json"
_ERRORS: dict[str, type[AllrowsError]] = {
    "filter-error": FilterError,
    "usage-error": UsageError,
    "invalid-request": UsageError,
    "access-denied": AccessDenied,
    "not-found": NotFound,
}
_ASK_TIMEOUT_S = 600.0


class ServerAddress(Record):
    url: str
    key: str
    pid: int
    index: str = ""
    """Which index it serves, see `index_of`."""


class ServerClient:
    """A running server, as the user who started it."""

    def __init__(self, address: ServerAddress) -> None:
        self.url = address.url
        self._http = httpx.Client(
            base_url=address.url,
            headers={"Authorization": f"Bearer {address.key}"},
            timeout=httpx.Timeout(_ASK_TIMEOUT_S, connect=5.0),
            trust_env=False,  # a proxy has no business with the own machine
        )

    def ask(self, request: AskRequest, listener: Listener | None = None) -> Answer:
        """The whole answer; stages are reported as they finish.

        Raises:
            AllrowsError: as the graph raises it, or DependencyError when the server has gone.
        """
        for name, data in self._listen("/ask", _body(request)):
            if name == "stage" and listener is not None:
                value = json.loads(data)
                listener(StageRecord(name=value["name"], ms=value["ms"], count_in=value["in"], count_out=value["out"]))
            elif name == "answer":
                return Answer.model_validate_json(data)
        raise DependencyError(f"The server at {self.url} stopped while it answered.", "Ask again.")

    def retrieve(self, request: AskRequest) -> tuple[RetrievalResult, AuditRecord]:
        found = self._call("POST", "/retrieve", json=_body(request)).json()
        return RetrievalResult.model_validate(found["result"]), AuditRecord.model_validate(found["audit"])

    def page(self, doc_id: str, page: int, table_id: str | None, rows: Sequence[int]) -> bytes:
        """The page as PNG."""
        params: dict[str, str] = {"rows": ",".join(map(str, rows))}
        if table_id is not None:
            params["table"] = table_id
        return self._call("GET", f"/pages/{doc_id}/{page}.png", params=params).content

    def documents(self) -> tuple[DocumentView, ...]:
        """What `/documents` lists."""
        return tuple(DocumentView.model_validate(d) for d in self._call("GET", "/documents").json())

    def state(self) -> IndexState:
        return IndexState.model_validate(self._call("GET", "/state").json())

    def ingest(
        self,
        paths: Sequence[Path],
        progress: Callable[[str, int, int], None] | None = None,
        options: IngestOptions = AS_SET,
    ) -> IngestOutcome:
        """Hands over paths, waits for the job and returns what became of them.

        Raises:
            InputError: the job failed as a whole.
        """
        body = {"paths": [str(p.resolve()) for p in paths], "options": options.model_dump(mode="json")}
        job = self._call("POST", "/local/ingest", json=body).json()
        while job["state"] not in FINISHED:
            time.sleep(0.2)
            job = self._call("GET", f"/jobs/{job['job_id']}").json()
            if progress is not None:
                progress(job["stage"], job["done"], job["total"])
        if job["error"]:
            raise InputError(", ".join(job["names"]), job["error"])
        return IngestOutcome(documents=tuple(job["documents"]), failed=job["failed"], detail=job["detail"])

    def evaluate(
        self, name: str, wanted: dict[str, JsonValue], progress: Callable[[int, int], None]
    ) -> dict[str, JsonValue]:
        """The report of an evaluation that runs over the server's index, see `evaluation.live`.

        Raises:
            AllrowsError: as the evaluation raises it, or DependencyError when the server has gone.
        """
        for event, data in self._listen("/local/evaluate", {"name": name, "wanted": wanted}):
            if event == "progress":
                progress(*json.loads(data))
            elif event == "report":
                report: dict[str, JsonValue] = json.loads(data)
                return report
        raise DependencyError(f"The server at {self.url} stopped while it evaluated.", "Start it and try again.")

    def traces(self, limit: int) -> tuple[TraceSummary, ...]:
        """Newest first."""
        found = self._call("GET", "/traces", params={"limit": str(limit)}).json()
        return tuple(TraceSummary.model_validate(t) for t in found)

    def replay(self, trace_id: str, generation_only: bool) -> ReplayReport:
        body = {"generation_only": generation_only}
        return ReplayReport.model_validate(self._call("POST", f"/traces/{trace_id}/replay", json=body).json())

    def close(self) -> None:
        self._http.close()

    def _listen(self, path: str, body: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Name and data of each event; an event `error` is raised."""
        try:
            with self._http.stream("POST", path, json=body, headers={"Accept": "text/event-stream"}) as response:
                if response.status_code != 200:
                    response.read()
                    _raise_for(response)
                for name, data in _events(response.iter_lines()):
                    if name == "error":
                        _raise_problem(json.loads(data))
                    yield name, data
        except httpx.TransportError as error:
            raise DependencyError(f"The server at {self.url} does not answer: {error}.", "Start it again.") from None

    def _call(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            response = self._http.request(method, path, **more)
        except httpx.TransportError as error:
            raise DependencyError(f"The server at {self.url} does not answer: {error}.", "Start it again.") from None
        if response.is_error:
            _raise_for(response)
        return response


def find_server(settings: Settings) -> ServerClient | None:
    """The server that holds the index of the settings; None when none does. A stale file is passed over, and so is
    a server of this data folder that answers from another index (an engine elsewhere, another collection)."""
    try:
        address = ServerAddress.model_validate_json((settings.data_dir / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if address.index != index_of(settings) or not _alive(address.pid):
        return None
    client = ServerClient(address)
    try:
        answered = client._http.get("/me", timeout=5.0).status_code == 200
    except httpx.TransportError:
        answered = False
    if not answered:
        client.close()
        return None
    return client


def announce(settings: Settings, url: str, key: str) -> None:
    """Lets the command line find this server."""
    address = ServerAddress(url=url, key=key, pid=os.getpid(), index=index_of(settings))
    write_private(settings.data_dir / FILE, address.model_dump_json())


def index_of(settings: Settings) -> str:
    """The index that the settings name, without secrets."""
    return f"{settings.public()['qdrant_url'] or 'embedded'} {settings.collection}"


def withdraw(settings: Settings) -> None:
    (settings.data_dir / FILE).unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _body(request: AskRequest) -> dict[str, Any]:
    return request.model_dump(mode="json", include={"question", "filters", "strategy"})


def _events(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    name, data = "message", list[str]()
    for line in lines:
        if not line:
            if data:
                yield name, "\n".join(data)
            name, data = "message", list[str]()
        elif line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            data.append(line.removeprefix("data: "))


def _raise_for(response: httpx.Response) -> None:
    try:
        problem = response.json()
    except ValueError:
        problem = {"detail": f"The server answered {response.status_code}."}
    _raise_problem(problem)


def _raise_problem(problem: dict[str, Any]) -> None:
    kind = str(problem.get("type", "")).rpartition(":")[2]
    error = _ERRORS.get(kind, DependencyError)
    raise error(str(problem.get("detail", "The server refused.")), str(problem.get("remedy", "")))
