"""A real `allrows serve` process, and the command line that works through it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from contracts.errors import UsageError
from contracts.questions import AskRequest
from contracts.settings import Settings
from serve.client import ServerClient, find_server

REGISTER = "Emp ID,Name,Net Pay\nST001,Ann,1000\nST002,Bob,2500\nST003,Cid,500\n"
COUNT = "How many employees are in the salary register?"
GOLDEN = """
name: live
questions:
- {id: count, question: "How many employees are in the salary register?", documents: [Salary_Register_April_2025.csv],
   expect: {kind: count, value: 3}, rows: [ST001, ST002, ST003], identifiers: [ST001, ST002, ST003]}
- {id: lookup, question: "What is the net pay of ST002?", documents: [Salary_Register_April_2025.csv],
   expect: {kind: lookup, value: "2500"}, rows: [ST002], identifiers: [ST002]}
- {id: top, question: "Who has the highest net pay?", documents: [Salary_Register_April_2025.csv],
   expect: {kind: span, all_of: [Bob|ST002]}, paraphrase: true}
"""


def allrows(data: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "allrows", *arguments, "--data", str(data)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )


def start(data: Path, *arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "allrows", "serve", "--port", "0", "--data", str(data), *arguments],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "Application startup complete" in line:
            break
    return process


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "data"


@pytest.fixture(scope="module")
def running(data: Path) -> Iterator[subprocess.Popen[str]]:
    process = start(data)
    yield process
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    assert process.stderr is not None
    process.stderr.close()


@pytest.fixture(scope="module")
def server(running: subprocess.Popen[str], data: Path) -> Iterator[ServerClient]:
    found = find_server(Settings(data_dir=data))
    assert found is not None
    yield found
    found.close()


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files") / "salary_register"
    folder.mkdir()
    path = folder / "Salary_Register_April_2025.csv"
    path.write_text(REGISTER)
    return path


def test_the_address_is_for_the_owner_only(server: ServerClient, data: Path) -> None:
    assert stat.S_IMODE((data / "server.json").stat().st_mode) == 0o600


def test_ingest_and_ask_work_through_the_server(server: ServerClient, data: Path, register: Path) -> None:
    """The embedded index has one owner; without the server's help these would fail on its lock."""
    ingested = allrows(data, "ingest", str(register.parent), "--json")
    assert ingested.returncode == 0, ingested.stderr
    assert [d["status"] for d in json.loads(ingested.stdout)["documents"]] == ["added"]
    asked = allrows(data, "ask", COUNT, "--json")
    assert asked.returncode == 0, asked.stderr
    answer: Any = json.loads(asked.stdout)
    assert (answer["computed"]["value"], answer["coverage"]["rows_used"]) == ("3", 3)
    assert answer["pipeline"]["prompt_sha256"]
    assert server.state().documents == 1
    doctor = allrows(data, "doctor", "--json")
    assert json.loads(doctor.stdout)["index"]["documents"] == 1


def test_stages_and_errors_come_through(server: ServerClient, register: Path) -> None:
    server.ingest([register])
    stages: list[str] = []
    answer = server.ask(AskRequest(question=COUNT), lambda stage: stages.append(stage.name))
    assert answer.pipeline is not None
    assert stages == [s.name for s in answer.pipeline.stages]
    with pytest.raises(UsageError, match="The question is empty"):
        server.ask(AskRequest(question="  "))
    result, _ = server.retrieve(AskRequest(question=COUNT))
    assert result.candidates[0].doc_name == register.name
    page = server.page(answer.citations[0].doc_id, 1, answer.citations[0].table_id, answer.citations[0].rows)
    assert page.startswith(b"\x89PNG")


def test_a_failed_file_fails_the_command(server: ServerClient, data: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"not a PDF")
    ingested = allrows(data, "ingest", str(broken))
    assert ingested.returncode == 4, ingested.stdout + ingested.stderr
    refused = allrows(data, "ingest", str(tmp_path), "--rebuild")
    assert refused.returncode == 2
    assert "Stop the server first" in refused.stderr


def test_ingest_takes_its_options_along(server: ServerClient, data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "kept.csv").write_text("Item,Amount\nA,1\nB,2\nC,3\n")
    (folder / "gone.csv").write_text("Item,Amount\nD,4\nE,5\nF,6\n")
    assert allrows(data, "ingest", str(folder)).returncode == 0
    (folder / "gone.csv").unlink()
    report = json.loads(
        allrows(data, "ingest", str(folder), "--prune", "--workers", "1", "--granularities", "2,4", "--json").stdout
    )
    assert [Path(source).name for source in report["pruned"]] == ["gone.csv"]
    assert report["workers"] == 1
    held = {d.name: d for d in server.documents()}
    assert "gone.csv" not in held
    assert "windows of 2, 4 sentences" in report["documents"][0]["detail"]


def test_eval_and_survive_work_through_the_server(
    server: ServerClient, data: Path, register: Path, tmp_path: Path
) -> None:
    """A golden set without a corpus is about the live index, which the server holds."""
    server.ingest([register])
    golden = tmp_path / "live.yaml"
    golden.write_text(GOLDEN)
    done = allrows(data, "eval", str(golden), "--ablate", "--json")
    report: Any = json.loads(done.stdout)
    outcomes = {o["question"]["id"]: o for o in report["outcomes"]}
    assert outcomes["count"]["answer"]["computed"]["value"] == "3"
    assert {o["judgement"]["correct"] for o in outcomes.values()} == {True}, done.stdout
    assert outcomes["count"]["survival"]["stages"]["prompt"] == ["ST001", "ST002", "ST003"]
    assert len(outcomes["lookup"]["cited_rows"]) == 1
    assert [v["name"] for v in report["variants"]][:2] == ["dense only", "BM25 only"]
    assert done.returncode == 0, done.stderr
    changed = golden.read_text().replace("value: 3", "value: 4")
    golden.write_text(changed)
    assert allrows(data, "eval", str(golden)).returncode == 1, "a wrong answer fails it here too"
    survived = allrows(data, "survive", str(golden), "--json")
    assert survived.returncode == 0, survived.stderr
    assert json.loads(survived.stdout)["losses"] == []


def test_an_evaluation_that_fails_says_why(server: ServerClient) -> None:
    with pytest.raises(UsageError, match="golden"):
        server.evaluate("broken", {"golden": {"name": "broken", "questions": []}}, lambda done, total: None)


def test_traces_and_replay_work_through_the_server(server: ServerClient, data: Path, register: Path) -> None:
    server.ingest([register])
    answer = server.ask(AskRequest(question=COUNT))
    listed = allrows(data, "traces", "--limit", "1")
    assert answer.trace_id in listed.stdout
    replayed = allrows(data, "replay", answer.trace_id, "--generation-only", "--json")
    assert (replayed.returncode, json.loads(replayed.stdout)["same"]) == (0, True)


@pytest.mark.parametrize("command", [("rollback",), ("export", "x.allrows"), ("doctor", "--fix")])
def test_what_needs_the_index_for_itself_names_who_has_it(
    server: ServerClient, data: Path, running: subprocess.Popen[str], command: tuple[str, ...]
) -> None:
    refused = allrows(data, *command)
    assert refused.returncode == 5
    assert f"process {running.pid}" in refused.stderr
    assert "Stop that process" in refused.stderr


def test_a_server_of_another_index_is_not_asked(server: ServerClient, data: Path) -> None:
    """Else `ask` would answer from the wrong documents without a word."""
    assert find_server(Settings(data_dir=data, collection="other")) is None
    assert find_server(Settings(data_dir=data, qdrant_url="http://127.0.0.1:9")) is None


def test_a_new_key_is_asked_for_at_once(server: ServerClient, data: Path) -> None:
    assert httpx.get(f"{server.url}/documents").status_code == 200
    made = allrows(data, "keys", "add", "desk", "--role", "reader", "--groups", "payroll")
    key = made.stdout.strip()
    try:
        assert httpx.get(f"{server.url}/documents").status_code == 401
        me = httpx.get(f"{server.url}/me", headers={"Authorization": f"Bearer {key}"}).json()
        assert me == {"name": "desk", "role": "reader", "groups": ["payroll"]}
        assert server.state().engine == "embedded", "the local command line still gets in"
    finally:
        assert allrows(data, "keys", "remove", "desk").returncode == 0


def test_a_signal_ends_it_in_order(running: subprocess.Popen[str], server: ServerClient, data: Path) -> None:
    running.send_signal(signal.SIGTERM)
    assert running.wait(60) == 0
    assert not (data / "server.json").exists()
    assert find_server(Settings(data_dir=data)) is None


def test_after_a_crash_the_stale_address_is_passed_over(data: Path, running: subprocess.Popen[str]) -> None:
    """Runs after the orderly end: the same folder, and a server that is killed."""
    process = start(data)
    process.kill()
    process.wait(60)
    assert process.stderr is not None
    process.stderr.close()
    assert (data / "server.json").exists()
    assert find_server(Settings(data_dir=data)) is None
    asked = allrows(data, "ask", COUNT, "--json")
    assert json.loads(asked.stdout)["computed"]["value"] == "3"


def test_another_address_needs_keys(tmp_path: Path) -> None:
    refused = allrows(tmp_path, "serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.returncode == 2
    assert "allrows keys add" in refused.stderr


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused = allrows(tmp_path, "serve", "--port", str(taken.getsockname()[1]))
    assert refused.returncode == 2
    assert "cannot be listened on" in refused.stderr
