"""A small HTTP server that speaks the part of Qdrant's REST API that we use, onto the in-memory client.

It runs our server code over a real socket with real JSON. Every body must fit the client's model of that request, which
allows no unknown field; strict mode is checked in the order and with the words of a server (`rest_strict`); with
`api_key` a request without it gets 401. It proves nothing about Qdrant itself: only a run with ALLROWS_TEST_QDRANT_URL
does.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import uvicorn
from fastapi import Body, FastAPI, Request
from fastapi.responses import JSONResponse
from qdrant_client import QdrantClient, models

from store.remote import ACORN_SINCE, IDF_CORPUS_SINCE
from tests.store.rest_strict import Asked, Refused, verify

VERSION = "1.19.0"
NO_BODY = Body(None)


class RestStub:
    """`with RestStub() as stub: stub.url`"""

    def __init__(self, api_key: str | None = None, version: str = VERSION) -> None:
        self._api_key = api_key
        self._version = version
        self._client = QdrantClient(":memory:")
        self._lock = threading.RLock()
        self._indexes: dict[str, dict[str, str]] = {}
        self._strict: dict[str, dict[str, Any]] = {}
        self._server = uvicorn.Server(uvicorn.Config(self._app(), port=0, log_level="critical", lifespan="off"))
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> RestStub:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._client.close()

    @property
    def port(self) -> int:
        return int(self._server.servers[0].sockets[0].getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _real(self, name: str) -> str:
        known = {a.alias_name: a.collection_name for a in self._client.get_aliases().aliases}
        real = known.get(name, name)
        if real not in self._indexes:
            raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
        return real

    def _verify(self, name: str, asked: Asked) -> str:
        """The collection's real name, after strict mode let the request pass."""
        real = self._real(name)
        verify(self._strict[real], self._indexes[real], asked)
        return real

    def _known_here(self, parameter: object, since: tuple[int, int]) -> None:
        """An old server ignores what it does not know, and answers something else: here that is an error."""
        major, minor, _ = self._version.split(".")
        assert parameter is None or (int(major), int(minor)) >= since, f"{parameter} was sent to {self._version}"

    def _create(self, name: str, body: dict[str, Any]) -> bool:
        if name in self._indexes:
            raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
        config = models.CreateCollection(**body)
        self._client.create_collection(name, vectors_config=config.vectors, sparse_vectors_config=config.sparse_vectors)
        self._indexes[name] = {}
        self._strict[name] = body.get("strict_mode_config") or {}
        return True

    def _update(self, name: str, body: dict[str, Any]) -> bool:
        models.UpdateCollection(**body)
        self._strict[self._real(name)].update(body.get("strict_mode_config") or {})
        return True

    def _describe(self, name: str) -> dict[str, Any]:
        real = self._real(name)
        info = self._client.get_collection(real).model_dump(mode="json")
        info["payload_schema"] = {
            field: {"data_type": kind, "points": 0} for field, kind in self._indexes[real].items()
        }
        info["config"]["strict_mode_config"] = self._strict[real]
        return info

    def _delete_collection(self, name: str) -> bool:
        """A server forgets the aliases of a collection with it."""
        self._client.delete_collection(self._real(name))
        del self._indexes[name]
        return True

    def _index(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        models.CreateFieldIndex(**body)
        self._indexes[self._real(name)][body["field_name"]] = body["field_schema"]
        return DONE

    def _forget(self, name: str, field: str) -> dict[str, Any]:
        self._indexes[self._real(name)].pop(field, None)
        return DONE

    def _upsert(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        points = models.PointsList(**body).points
        self._client.upsert(self._verify(name, Asked(upserted=len(points))), points)
        return DONE

    def _delete(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        chosen = models.FilterSelector(**body)
        self._client.delete(self._verify(name, Asked(updated=chosen.filter)), chosen)
        return DONE

    def _payload(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        asked = models.SetPayload(**body)
        real = self._verify(name, Asked(updated=asked.filter))
        self._client.set_payload(real, asked.payload, points=models.FilterSelector(filter=asked.filter))
        return DONE

    def _query(self, name: str, body: dict[str, Any]) -> list[Any]:
        requests = models.QueryRequestBatch(**body).searches
        for request in requests:
            self._verify(name, Asked(read=request.filter, limit=request.limit or 10, params=request.params))
            idf = request.params.idf if request.params else None
            self._known_here(idf, IDF_CORPUS_SINCE)
            self._known_here(request.params.acorn if request.params else None, ACORN_SINCE)
            request.params = models.SearchParams(idf=idf) if idf else None  # the client's local mode knows no other
        return self._client.query_batch_points(self._real(name), requests)

    def _scroll(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        asked = models.ScrollRequest(**body)
        records, following = self._client.scroll(
            self._verify(name, Asked(read=asked.filter, limit=asked.limit or 10)),
            scroll_filter=asked.filter,
            limit=asked.limit or 10,
            offset=asked.offset,
            with_payload=asked.with_payload,
            with_vectors=asked.with_vector or False,
        )
        return {"points": records, "next_page_offset": following}

    def _count(self, name: str, body: dict[str, Any]) -> Any:
        asked = models.CountRequest(**body)
        real = self._verify(name, Asked(read=asked.filter, exact=bool(asked.exact)))
        return self._client.count(real, count_filter=asked.filter, exact=True)

    def _facet(self, name: str, body: dict[str, Any]) -> Any:
        asked = models.FacetRequest(**body)
        real = self._verify(name, Asked(read=asked.filter, limit=asked.limit or 10, exact=bool(asked.exact)))
        if asked.key not in self._indexes[real]:
            raise Refused(400, f"Bad request: No appropriate index for faceting: `{asked.key}`.")
        return self._client.facet(real, key=asked.key, facet_filter=asked.filter, limit=asked.limit or 10)

    def _retrieve(self, name: str, body: dict[str, Any]) -> Any:
        asked = models.PointRequest(**body)
        return self._client.retrieve(
            self._real(name), asked.ids, with_payload=asked.with_payload, with_vectors=asked.with_vector or False
        )

    def _switch(self, body: dict[str, Any]) -> bool:
        actions = models.ChangeAliasesOperation(**body).actions
        for action in actions:
            if isinstance(action, models.CreateAliasOperation):
                self._real(action.create_alias.collection_name)
        return self._client.update_collection_aliases(actions)

    def _app(self) -> FastAPI:
        app = FastAPI()
        name = "/collections/{name}"
        routes: list[tuple[str, str, Any]] = [
            ("POST", "/collections/aliases", lambda body: self._switch(body)),
            ("GET", "/collections", lambda: self._client.get_collections()),
            ("GET", "/aliases", lambda: self._client.get_aliases()),
            ("GET", f"{name}/exists", lambda name: {"exists": name in self._indexes}),
            ("PUT", name, self._create),
            ("GET", name, self._describe),
            ("PATCH", name, self._update),
            ("DELETE", name, self._delete_collection),
            ("PUT", f"{name}/index", self._index),
            ("DELETE", f"{name}/index/{{field}}", self._forget),
            ("PUT", f"{name}/points", self._upsert),
            ("POST", f"{name}/points", self._retrieve),
            ("POST", f"{name}/points/delete", self._delete),
            ("POST", f"{name}/points/payload", self._payload),
            ("POST", f"{name}/points/query/batch", self._query),
            ("POST", f"{name}/points/scroll", self._scroll),
            ("POST", f"{name}/points/count", self._count),
            ("POST", f"{name}/facet", self._facet),
        ]
        for method, path, answer in routes:
            app.add_api_route(path, self._handler(answer), methods=[method])
        app.add_api_route("/", lambda: {"title": "stub", "version": self._version}, methods=["GET"])

        @app.exception_handler(Refused)
        def refuse(_: Request, error: Refused) -> JSONResponse:
            return JSONResponse({"status": {"error": str(error)}, "time": 0.0}, status_code=error.status)

        return app

    def _handler(self, answer: Any) -> Any:
        def handle(request: Request, body: Any = NO_BODY) -> dict[str, Any]:
            given = list(request.path_params.values()) + ([] if body is None else [body])
            with self._lock:
                try:
                    if self._api_key not in (None, request.headers.get("api-key")):
                        raise Refused(401, "Invalid API key or JWT")
                    return {"result": answer(*given), "status": "ok", "time": 0.0}
                except ValueError as error:
                    raise Refused(400, f"Wrong input: {error}") from error

        return handle


DONE = {"operation_id": 0, "status": "completed"}
