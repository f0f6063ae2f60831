"""Access over the real stages and the embedded index: two look-alike registers of two groups."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from contracts.settings import Settings
from evaluation.corpus import ingested
from serve.http.app import create_app
from tests.serve.http.conftest import BASE

MANIFEST = """
- {match: "plant/*", doc_type: salary_register, groups: [plant]}
- {match: "office/*", doc_type: salary_register, groups: [office]}
- {match: "probe/*", doc_type: probe, groups: [office_probe]}
"""
PLANT = "Emp ID,Name,Net Pay\nPL001,Zephyrine,1000\nPL002,Quillon,2500\nPL003,Osgood,500\n"
OFFICE = "Emp ID,Name,Net Pay\nOF001,Wilhelmina,7000\nOF002,Thaddeus,9100\n"
PROBE = "Emp ID,Name,Net Pay\nOF003,Quillon,1\nOF004,Xylander,2\nOF005,Ygraine,3\n"
"""A file of the office's own with a name that only the plant has, and one that nobody has."""
SECRETS = ("PL001", "PL002", "PL003", "Zephyrine", "Quillon", "Osgood", "2500", "Plant_Register")
QUESTIONS = (
    "How many employees are in the April 2025 salary register?",
    "What is the net pay of Quillon?",
    "What is the net pay of PL002?",
    "Who has the highest net pay?",
    "What is the total net pay in April 2025?",
    "List the employees",
    "What does Plant_Register_April_2025.csv say?",
)


class Office:
    """The service as somebody of the office sees it, and everything that it said."""

    def __init__(self, client: TestClient, key: str) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {key}"}
        self.said: list[str] = []

    def call(self, method: str, path: str, **more: Any) -> Any:
        response = self.client.request(method, path, headers=self.headers, **more)
        self.said.append(response.text)
        return response


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Office, dict[str, Any]]]:
    folder, data = tmp_path_factory.mktemp("files"), tmp_path_factory.mktemp("data")
    _write(folder / "manifest.yaml", MANIFEST)
    _write(folder / "plant" / "Plant_Register_April_2025.csv", PLANT)
    _write(folder / "office" / "Office_Register_April_2025.csv", OFFICE)
    _write(folder / "probe" / "Probe.csv", PROBE)
    with ingested([folder], Settings(data_dir=data), data) as services:
        app = create_app(services)
        keys = app.state.allrows.keys
        plant, own = keys.add("plant", "operator", ["plant"]), keys.add("office", "operator", ["office"])
        with TestClient(app, base_url=BASE) as client:
            theirs = client.post(
                "/ask", json={"question": QUESTIONS[0]}, headers={"Authorization": f"Bearer {plant}"}
            ).json()
            office_probe = keys.add("probe", "operator", ["office_probe"])
            yield Office(client, own), theirs | {"probe": office_probe}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def test_the_other_group_counts_its_own(office: tuple[Office, dict[str, Any]]) -> None:
    assert office[1]["computed"]["value"] == "3"
    assert office[1]["citations"][0]["doc_name"] == "Plant_Register_April_2025.csv"


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_answer_holds_anything_of_the_other_group(office: tuple[Office, dict[str, Any]], question: str) -> None:
    asked = {"question": question}
    answer, found = office[0].call("POST", "/ask", json=asked), office[0].call("POST", "/retrieve", json=asked)
    for secret in SECRETS:
        if secret not in question:
            assert secret not in answer.text + found.text, secret
        elif answer.json()["mode"] != "not_found":
            assert secret not in json.dumps([answer.json()[f] for f in ("citations", "computed", "coverage")]), secret
    assert {c["doc_name"] for c in answer.json()["citations"]} <= {"Office_Register_April_2025.csv"}
    assert {c["doc_name"] for c in found.json()["result"]["candidates"]} <= {"Office_Register_April_2025.csv"}


def test_counts_and_sums_are_of_the_own_group(office: tuple[Office, dict[str, Any]]) -> None:
    values = [office[0].call("POST", "/ask", json={"question": q}).json()["computed"]["value"] for q in QUESTIONS[:1]]
    total = office[0].call("POST", "/ask", json={"question": QUESTIONS[4]}).json()["computed"]["value"]
    assert values == ["2"]
    assert float(total) == 16100


def test_the_other_groups_things_do_not_exist(office: tuple[Office, dict[str, Any]]) -> None:
    here, theirs = office
    doc_id, table_id = (theirs["citations"][0][f] for f in ("doc_id", "table_id"))
    for path in (
        f"/documents/{doc_id}",
        f"/documents/{doc_id}/tables/{table_id}",
        f"/pages/{doc_id}/1.png?table={table_id}&rows=1",
        f"/traces/{theirs['trace_id']}",
        f"/console/documents/{doc_id}",
        f"/console/traces/{theirs['trace_id']}",
        f"/console/page/{doc_id}/1",
    ):
        assert here.call("GET", path).status_code == 404, path
    own = next(d["doc_id"] for d in here.call("GET", "/documents").json())
    assert here.call("GET", f"/documents/{own}/tables/{table_id}").status_code == 404
    assert here.call("GET", f"/pages/{own}/1.png?table={table_id}&rows=1").status_code == 200
    filtered = here.call("POST", "/ask", json={"question": QUESTIONS[0], "filters": {"doc_id": [doc_id]}}).json()
    assert (filtered["not_found"], filtered["citations"]) == (True, [])
    widened = here.call("POST", "/ask", json={"question": QUESTIONS[0], "filters": {"groups": ["plant"]}})
    assert widened.status_code == 422 or widened.json()["not_found"]


def test_lists_show_the_own_group_only(office: tuple[Office, dict[str, Any]]) -> None:
    here = office[0]
    assert [d["name"] for d in here.call("GET", "/documents").json()] == ["Office_Register_April_2025.csv"]
    assert {t["caller"] for t in here.call("GET", "/traces").json()} <= {"office"}
    for path in ("/console/documents", "/console/health", "/", "/traces/export", "/jobs"):
        here.call("GET", path)
    text = "".join(here.said[-5:])
    assert "Plant_Register" not in text.replace(QUESTIONS[6], "").replace(json.dumps(QUESTIONS[6])[1:-1], "")
    assert "Zephyrine" not in text


def test_a_score_does_not_tell_whether_others_hold_a_word(office: tuple[Office, dict[str, Any]]) -> None:
    """BM25 counts documents: over every group's, a file of one's own would ask the index for any name."""
    probing = Office(office[0].client, office[1]["probe"])
    scores = []
    for name in ("Quillon", "Xylander"):  # the first is the plant's too
        answer = probing.call("POST", "/ask", json={"question": name, "strategy": "bm25"}).json()
        scores.append([c["scores"]["bm25"]["raw"] for c in answer["pipeline"]["candidates"]])
    assert scores[0]
    assert scores[0] == scores[1]
