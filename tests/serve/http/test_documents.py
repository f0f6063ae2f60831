from __future__ import annotations

import hashlib
import json
import stat
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.serve.http.conftest import World
from tests.serve.http.fakes import doc_id

CONTENT = b"%PDF-1.4 a new register"
ID = hashlib.sha256(CONTENT).hexdigest()


def upload(client: TestClient, name: str = "June.pdf", content: bytes = CONTENT, **form: str) -> Any:
    return client.post("/documents", files={"file": (name, content)}, data=form)


def finished(client: TestClient, job: dict[str, Any]) -> dict[str, Any]:
    for _ in range(500):
        found: dict[str, Any] = client.get(f"/jobs/{job['job_id']}").json()
        if found["state"] in ("done", "failed"):
            return found
        time.sleep(0.01)
    raise AssertionError("the job does not end")


def test_an_upload_becomes_a_document_of_its_groups(world: World) -> None:
    client = world.client(world.key("ann", "operator", "payroll", "hr"))
    response = upload(client, doc_type="salary_register", period="2025-06", groups="payroll")
    assert response.status_code == 202
    job = finished(client, response.json())
    assert job["documents"] == [ID]
    (path,), meta = world.ingested[-1]
    assert path == world.folder / "files" / ID / "June.pdf"
    assert path.read_bytes() == CONTENT
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert meta is not None
    assert (meta.groups, meta.doc_type, meta.period) == (("payroll",), "salary_register", "2025-06")
    assert meta.source == "upload:payroll/June.pdf"
    assert client.get(f"/documents/{ID}").json()["document"]["groups"] == ["payroll"]


def test_the_events_of_a_job_end_with_it(world: World) -> None:
    client = world.client()
    job = upload(client).json()
    text = client.get(f"/jobs/{job['job_id']}/events").text
    states = [json.loads(line[6:])["state"] for line in text.splitlines() if line.startswith("data: ")]
    assert states[-1] == "done"
    assert set(states) <= {"queued", "running", "done"}


def test_the_same_bytes_twice_are_one_document(world: World) -> None:
    client = world.client(world.key("ann", "operator", "payroll"))
    for name in ("June.pdf", "June again.pdf"):
        finished(client, upload(client, name).json())
    assert [d["name"] for d in client.get("/documents").json()] == ["June.pdf", "april.pdf"]
    assert {meta.source for _, meta in world.ingested if meta} == {"upload:payroll/June.pdf"}


def test_one_name_of_two_groups_stays_two_documents(world: World) -> None:
    payroll, hr = (world.client(world.key(g, "operator", g)) for g in ("payroll", "hr"))
    finished(payroll, upload(payroll, content=b"of payroll").json())
    finished(hr, upload(hr, content=b"of hr").json())
    assert {meta.source for _, meta in world.ingested if meta} == {"upload:payroll/June.pdf", "upload:hr/June.pdf"}


def test_bytes_that_others_hold_are_shared_and_nobody_loses_them(world: World) -> None:
    payroll, hr = (world.client(world.key(g, "operator", g)) for g in ("payroll", "hr"))
    finished(payroll, upload(payroll, doc_type="salary_register").json())
    finished(hr, upload(hr, "other name.pdf", doc_type="letter").json())
    assert world.index.held[ID].groups == ("payroll", "hr")
    meta = world.ingested[-1][1]
    assert meta is not None
    assert meta.source == "upload:payroll/June.pdf"
    assert hr.get(f"/documents/{ID}").json()["document"]["groups"] == ["hr"], "the other group is not named"
    assert hr.delete(f"/documents/{ID}").status_code == 204
    for _ in range(500):
        if world.index.held[ID].groups == ("payroll",):
            break
        time.sleep(0.01)
    assert hr.get(f"/documents/{ID}").status_code == 404
    assert payroll.get(f"/documents/{ID}").status_code == 200


def test_groups_of_others_cannot_be_given(world: World) -> None:
    client = world.client(world.key("ann", "operator", "payroll"))
    refused = upload(client, groups="payroll, finance")
    assert refused.status_code == 403
    assert refused.json()["remedy"] == "Yours: payroll."
    assert not world.ingested


def test_deleting_takes_the_file_along(world: World) -> None:
    client = world.client(world.key("ann", "operator", "payroll"))
    finished(client, upload(client).json())
    assert client.delete(f"/documents/{ID}").status_code == 204
    assert ID not in world.index.held
    assert not (world.folder / "files" / ID).exists()
    assert client.delete(f"/documents/{ID}").status_code == 404
    assert client.delete(f"/documents/{doc_id('invoice.pdf')}").status_code == 404
    assert doc_id("invoice.pdf") in world.index.held


@pytest.mark.parametrize(
    ("name", "kept"),
    [("../../etc/passwd.pdf", "passwd.pdf"), ("C:\\Users\\ann\\May.pdf", "May.pdf"), ("a\u200eb.pdf", "ab.pdf")],
)
def test_a_name_is_only_a_name(world: World, name: str, kept: str) -> None:
    client = world.client()
    assert finished(client, upload(client, name).json())["names"] == [kept]
    assert (world.folder / "files" / ID / kept).exists()


def test_what_is_no_file_is_refused(world: World) -> None:
    client = world.client()
    assert upload(client, content=b"").status_code == 422
    assert upload(client, "..").status_code == 422
    assert upload(client, period="June").status_code == 422
    assert upload(client, doc_type="<script>").status_code == 422
    assert client.post("/documents").status_code == 422
    assert list((world.folder / "files").iterdir()) == [], "nothing is left behind"


def test_a_broken_file_is_told(world: World) -> None:
    client = world.client()
    job = finished(client, upload(client, "x.bad").json())
    assert (job["state"], job["failed"]) == ("failed", {"x.bad": "it is broken"})


def test_the_list_narrows_by_type_and_period(world: World) -> None:
    held = world.index.held[doc_id("april.pdf")]
    world.index.add(held.model_copy(update={"doc_type": "salary_register", "period": "2025-04"}))
    client = world.client()
    assert [d["name"] for d in client.get("/documents?doc_type=salary_register").json()] == ["april.pdf"]
    assert [d["name"] for d in client.get("/documents?period=2025-04").json()] == ["april.pdf"]
    assert client.get("/documents?period=2025-05").json() == []
    assert len(client.get("/documents").json()) == 2


def test_paths_are_for_the_local_command_line_only(world: World) -> None:
    body = {"paths": ["/etc"]}
    assert world.client().post("/local/ingest", json=body).status_code == 403
    local = world.client({"Authorization": f"Bearer {world.state.local_key}"})
    assert local.post("/local/ingest", json={"paths": []}).status_code == 202
