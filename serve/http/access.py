"""Who may call what: one table, and one dependency that every route runs.

A route that is not in the table cannot be served: `check_rules` stops the application from starting.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.routing import APIRoute

from contracts.errors import AccessDenied, ConfigError, NotAuthenticated
from contracts.filters import Caller
from contracts.settings import Settings
from serve.http.sessions import COOKIE
from serve.http.state import State, StateDep
from serve.keys import KeyRecord, KeyStore


class Level(IntEnum):
    """What a route asks for; a higher level includes the lower ones."""

    PUBLIC = 0
    READER = 1
    OPERATOR = 2
    ADMIN = 3
    """An admin who sees every group."""
    LOCAL = 4
    """The command line of the user who started the server."""


LEVELS = {"reader": Level.READER, "operator": Level.OPERATOR, "admin": Level.ADMIN}

RULES: dict[str, Level] = {
    "GET /healthz": Level.PUBLIC,
    "GET /readyz": Level.PUBLIC,
    "GET /openapi.json": Level.PUBLIC,
    "GET /login": Level.PUBLIC,
    "POST /login": Level.PUBLIC,
    "POST /logout": Level.PUBLIC,
    "GET /static/{name}": Level.PUBLIC,
    "POST /ask": Level.READER,
    "GET /me": Level.READER,
    "GET /pages/{doc_id}/{page}.png": Level.READER,
    "POST /traces/{trace_id}/feedback": Level.READER,
    "GET /v1/models": Level.READER,
    "POST /v1/chat/completions": Level.READER,
    "POST /mcp": Level.READER,
    "GET /": Level.READER,
    "POST /console/ask": Level.READER,
    "GET /console/page/{doc_id}/{page}": Level.READER,
    "POST /retrieve": Level.OPERATOR,
    "GET /documents": Level.OPERATOR,
    "POST /documents": Level.OPERATOR,
    "GET /documents/{doc_id}": Level.OPERATOR,
    "DELETE /documents/{doc_id}": Level.OPERATOR,
    "GET /documents/{doc_id}/tables/{table_id}": Level.OPERATOR,
    "GET /jobs": Level.OPERATOR,
    "GET /jobs/{job_id}": Level.OPERATOR,
    "GET /jobs/{job_id}/events": Level.OPERATOR,
    "GET /traces": Level.OPERATOR,
    "GET /traces/export": Level.OPERATOR,
    "GET /traces/{trace_id}": Level.OPERATOR,
    "POST /traces/{trace_id}/replay": Level.OPERATOR,
    "GET /feedback/golden": Level.OPERATOR,
    "GET /console/traces": Level.OPERATOR,
    "GET /console/traces/{trace_id}": Level.OPERATOR,
    "POST /console/traces/{trace_id}/replay": Level.OPERATOR,
    "GET /console/compare": Level.OPERATOR,
    "GET /console/documents": Level.OPERATOR,
    "GET /console/documents/{doc_id}": Level.OPERATOR,
    "GET /console/health": Level.OPERATOR,
    "GET /metrics": Level.ADMIN,
    "GET /audit": Level.ADMIN,
    "GET /state": Level.ADMIN,
    "POST /local/ingest": Level.LOCAL,
    "POST /local/evaluate": Level.LOCAL,
}
"""Every route of the service. Seeing only documents of one's own groups is no rule of a route: it is the
caller's scope, which every read of the store is given."""

LOCAL_CALLER = Caller(name="local", role="admin", groups=None)


@dataclass(frozen=True)
class Identity:
    """Who calls, and how far they may go."""

    caller: Caller
    level: Level


def check_rules(routes: Iterable[APIRoute]) -> None:
    """Every route has a rule and every rule has a route.

    Raises:
        ConfigError: naming the difference.
    """
    names = {f"{method} {route.path}" for route in routes for method in route.methods or ()}
    if names != RULES.keys():
        raise ConfigError(
            f"Access rules and routes differ: {sorted(names ^ RULES.keys())}.", "Give each route a line in RULES."
        )


def check_exposure(settings: Settings, keys: KeyStore) -> None:
    """Without keys the service is for this machine only.

    Raises:
        ConfigError: another address is asked for and there is no key.
    """
    if not is_loopback(settings.host) and not keys.list():
        raise ConfigError(
            f"Without keys everyone who reaches {settings.host} could read every document, so the server does not start.",
            "Add a key first: allrows keys add NAME --role reader --groups GROUP; or listen on 127.0.0.1.",
        )


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


async def enforce(request: Request, state: StateDep) -> Caller:
    """Runs before every route: who is it, may they, and not too often.

    Raises:
        NotAuthenticated, AccessDenied, TooManyRequests
    """
    needed = RULES[f"{request.method} {request.scope['route'].path}"]
    _same_site(request, state)
    if needed == Level.PUBLIC:
        return Caller(name="anonymous", role="reader", groups=())
    identity = identify(request, state)
    request.state.caller = identity.caller
    if identity.level < needed:
        limited = " without groups" if needed == Level.ADMIN else ""
        raise AccessDenied(
            f"The role {identity.caller.role} may not do this.",
            f"A key of the role {needed.name.lower()}{limited} may.",
        )
    if identity.level < Level.LOCAL:
        state.limiter.check(identity.caller.name)
    return identity.caller


CallerDep = Annotated[Caller, Depends(enforce)]


def identify(request: Request, state: State) -> Identity:
    """The caller of the key in the header, of the signed-in session, or the local user when there are no keys.

    Raises:
        NotAuthenticated: none of them.
    """
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    key = key.strip()
    if scheme.lower() == "bearer" and key:
        if state.local_key and _equal(key, state.local_key):
            return Identity(LOCAL_CALLER, Level.LOCAL)
        if (record := state.keys.find(key)) is not None:
            return _identity(record)
    key_id = state.sessions.key_id(request.cookies.get(COOKIE, ""))
    if not key and key_id is not None and (record := state.keys.by_id(key_id)) is not None:
        return _identity(record)
    if state.keys.list():
        raise NotAuthenticated("The key is missing or wrong.", "Send it as: Authorization: Bearer KEY")
    return Identity(LOCAL_CALLER, Level.ADMIN)


def _identity(record: KeyRecord) -> Identity:
    """Metrics, the audit log and the index's counts cover every group: an admin of some groups is an operator."""
    limited = record.groups is not None
    return Identity(record.caller(), Level.OPERATOR if record.role == "admin" and limited else LEVELS[record.role])


def _equal(left: str, right: str) -> bool:
    return hmac.compare_digest(left.encode(), right.encode())


def _same_site(request: Request, state: State) -> None:
    """Another web page in the user's browser may neither post with their cookie nor, by a name that it made
    point here, read from a server that asks for no key."""
    host = request.headers.get("host", "")
    if not state.keys.list() and not is_loopback(urlsplit(f"//{host}").hostname or ""):
        raise AccessDenied(f"Without keys only this machine's own names are served, not {host!r}.", "Use 127.0.0.1.")
    origin = request.headers.get("origin")
    if request.method not in {"GET", "HEAD"} and origin and urlsplit(origin).netloc != host:
        raise AccessDenied("The request comes from another web page.", "Use the console, or send a key without Origin.")
