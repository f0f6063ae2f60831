"""The console's pages without a browser: signing in, escaping, refusals that a person reads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from serve.http.sessions import COOKIE, LIFETIME_S, Sessions
from tests.serve.http.conftest import World
from tests.serve.http.fakes import make_document

HTML = {"Accept": "text/html"}


def test_a_session_is_its_key_until_it_ends(tmp_path: object, world: World) -> None:
    sessions = world.state.sessions
    cookie = sessions.issue("abcd1234", now=1000.0)
    assert sessions.key_id(cookie, now=1000.0 + LIFETIME_S - 1) == "abcd1234"
    assert sessions.key_id(cookie, now=1000.0 + LIFETIME_S) is None
    for wrong in ("", "..", "a.b.c", cookie[:-1], cookie.replace("abcd", "abce"), f"{cookie}x", "é.1.x"):
        assert sessions.key_id(wrong, now=1000.0) is None, wrong
    again = Sessions(world.folder / "session.secret")
    assert again.key_id(cookie, now=1000.0) == "abcd1234", "a restart keeps people signed in"


def test_signing_in_and_out(world: World) -> None:
    key = world.key("ann", "operator", "payroll")["Authorization"].removeprefix("Bearer ")
    client = world.client()
    client.follow_redirects = False
    sent_away = client.get("/console/traces", headers=HTML)
    assert (sent_away.status_code, sent_away.headers["location"]) == (303, "/login?next=%2Fconsole%2Ftraces")
    signed_in = client.post("/login", data={"key": key, "next": "/console/traces"})
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/console/traces")
    cookie = signed_in.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert key not in cookie
    assert client.get("/console/traces", headers=HTML).status_code == 200
    world.state.keys.remove("ann")
    world.key("other", "reader", "payroll")
    assert client.get("/console/traces", headers=HTML).status_code == 303, "a removed key ends its sessions"
    assert client.post("/logout").headers["location"] == "/login"
    assert COOKIE not in client.cookies


@pytest.mark.parametrize(
    ("target", "goes_to"),
    [("/console/health", "/console/health"), ("//evil.example", "/"), ("https://evil.example", "/")],
)
def test_a_sign_in_never_leads_to_another_host(world: World, target: str, goes_to: str) -> None:
    key = world.key("ann", "operator", "payroll")["Authorization"].removeprefix("Bearer ")
    client = world.client()
    client.follow_redirects = False
    assert client.post("/login", data={"key": key, "next": target}).headers["location"] == goes_to


def test_keys_cannot_be_tried_without_end(world: World) -> None:
    client = world.client()
    status = [client.post("/login", data={"key": f"ar_{n}"}).status_code for n in range(11)]
    assert status == [401] * 10 + [429]


def test_another_web_page_cannot_use_a_session(world: World) -> None:
    key = world.key("ann", "operator", "payroll")["Authorization"].removeprefix("Bearer ")
    client = world.client()
    client.post("/login", data={"key": key})
    foreign = {"Origin": "https://evil.example"}
    assert client.post("/console/ask", data={"question": "x"}, headers=foreign).status_code == 403
    assert (
        client.post("/console/ask", data={"question": "x"}, headers={"Origin": "http://127.0.0.1"}).status_code == 200
    )


def test_what_people_write_stays_text(world: World) -> None:
    script = "<script>alert(1)</script>"
    world.index.add(make_document(f"{script}.pdf", "payroll"))
    client = world.client(world.key("ann", "operator", "payroll"))
    trace_id = client.post("/ask", json={"question": script}).json()["trace_id"]
    client.post(f"/traces/{trace_id}/feedback", json={"verdict": "wrong", "why": script})
    for path in (
        "/console/documents",
        "/console/traces",
        f"/console/traces/{trace_id}",
        f"/console/traces?text={script}",
    ):
        page = client.get(path, headers=HTML).text
        assert script not in page, path
        assert "&lt;script&gt;" in page, path


def test_a_page_may_load_nothing_from_elsewhere(world: World) -> None:
    response = world.client().get("/", headers=HTML)
    assert response.headers["content-security-policy"].startswith("default-src 'self';")
    assert "http://" not in response.text.replace("http://www.w3.org", "")
    assert "https://" not in response.text
    assert " style=" not in response.text


def test_a_refusal_is_a_page_for_a_person(make: Callable[..., World]) -> None:
    world = make(max_question_chars=5)
    client = world.client(world.key("ann", "reader", "payroll"))
    refused = client.get("/console/traces", headers=HTML)
    assert refused.status_code == 403
    assert "The role reader may not do this." in refused.text
    long = client.post("/console/ask", data={"question": "too long"}, headers=HTML)
    assert long.status_code == 422
    assert "5 are allowed" in long.text
    assert client.get("/console/nothing", headers=HTML).status_code == 404


def test_only_three_files_are_served(world: World) -> None:
    client = world.client()
    for name in ("base.html", "__init__.py", "..%2Fkeys.py", "present.py"):
        assert client.get(f"/static/{name}").status_code == 404, name


def test_the_health_page_speaks_also_when_the_store_is_away(world: World) -> None:
    """It is opened at two in the morning, because something is away."""
    world.index.down = True
    page = world.client().get("/console/health", headers=HTML)
    assert page.status_code == 200
    assert "Not ready" in page.text
    assert "Qdrant at http://qdrant cannot be reached." in page.text
    assert "not known" in page.text
