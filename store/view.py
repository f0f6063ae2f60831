"""What a reader must know before each read: the version, and which documents are not to be seen.

Two kinds of control points say it. The one `state` point of a collection holds its version and the
fingerprints it was made with. A `publishing` point exists only while a document is being put in place
of another; it names the document that readers must not see. It is turned from the new document to the
old one by writing one point, which every engine does atomically.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from contracts.errors import IndexError_
from contracts.filters import Match, Scope
from store.engine import Engine, Point, Where, where
from store.layout import point_id
from store.schema import PUBLISHING, SCHEMA_VERSION, STATE

STATE_ID = point_id(STATE)


@dataclass(frozen=True, slots=True)
class View:
    """One consistent look at a collection."""

    version: str
    collection: str
    fingerprints: Mapping[str, str]
    schema: str
    hidden: tuple[str, ...] = ()

    def visible(self, scope: Scope, ids: tuple[str, ...] | None = None) -> Where:
        if not self.hidden:
            return Where(scope, ids)
        unseen = Match(field="doc_id", any_of=self.hidden)
        return Where(Scope(must=scope.must, must_not=(*scope.must_not, unseen)), ids)


def read_view(engine: Engine) -> View:
    """Raises `IndexError_` when the collection has no state point: it was not made by us or not finished."""
    points = list(engine.scroll(where(Match(field="kind", any_of=(STATE, PUBLISHING)))))
    state = next((p.payload for p in points if p.id == STATE_ID), None)
    if state is None:
        raise IndexError_(
            f"{engine.location}: `{engine.collection}` is not a complete index.", "`allrows doctor --fix` repairs it."
        )
    body = json.loads(state["body"])
    hidden = {h for p in points if p.payload["kind"] == PUBLISHING for h in p.payload["hidden"]}
    return View(body["version"], body["collection"], body["fingerprints"], body["schema"], tuple(sorted(hidden)))


def state_point(collection: str, fingerprints: Mapping[str, str]) -> Point:
    """A new version. Its name tells the second it was made; the tail keeps two writers apart."""
    version = time.strftime("%Y%m%dT%H%M%S", time.gmtime()) + "-" + uuid.uuid4().hex[:8]
    body = {
        "version": version,
        "collection": collection,
        "fingerprints": dict(fingerprints),
        "schema": SCHEMA_VERSION,
    }
    return Point(STATE_ID, {"kind": STATE, "body": json.dumps(body)})


def publishing_point(key: str, hidden: tuple[str, ...], purpose: str) -> Point:
    """`key` is what is being published: a source, or a document that is being deleted."""
    return Point(point_id(PUBLISHING, key), {"kind": PUBLISHING, "hidden": list(hidden), "body": purpose})
