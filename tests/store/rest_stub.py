"""A small HTTP server that speaks the part of Qdrant's REST API that we use, onto the in-memory client.

It runs our server code over a real socket with real JSON, and refuses unindexed filters as strict mode
does. It proves nothing about Qdrant itself: only a run with ALLROWS_TEST_QDRANT_URL does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import uvicorn
from fastapi import Body, FastAPI, Request
from fastapi.responses import JSONResponse
from qdrant_client import QdrantClient, models

VERSION = "1.19.0"
NO_BODY = Body(None)


class Refused(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class RestStub:
    """`with RestStub() as stub: stub.url`"""

    def __init__(self) -> None:
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

    def drop_index(self, collection: str, field: str) -> None:
        """As somebody else's tool would."""
        self._indexes[self._real(collection)].pop(field)

    def _real(self, name: str) -> str:
        known = {a.alias_name: a.collection_name for a in self._client.get_aliases().aliases}
        real = known.get(name, name)
        if real not in self._indexes:
            raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
        return real

    def _guard(self, name: str, keys: Iterator[str], retrieve: bool) -> None:
        rule = "unindexed_filtering_retrieve" if retrieve else "unindexed_filtering_update"
        strict = self._strict.get(name, {})
        for key in keys:
            if strict.get("enabled") and strict.get(rule) is False and key not in self._indexes[name]:
                raise Refused(
                    400,
                    f'Bad request: Index required but not found for "{key}" of one of the following types: '
                    "[keyword]. Help: Create an index for this key or use a different filter.",
                )

    def _create(self, name: str, body: dict[str, Any]) -> bool:
        if name in self._indexes:
            raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
        config = models.CreateCollection(**body)
        self._client.create_collection(name, vectors_config=config.vectors, sparse_vectors_config=config.sparse_vectors)
        self._indexes[name] = {}
        self._strict[name] = body.get("strict_mode_config") or {}
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
        self._client.delete_collection(self._real(name))
        del self._indexes[name]
        return True

    def _index(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        self._indexes[self._real(name)][body["field_name"]] = body["field_schema"]
        return DONE

    def _upsert(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        self._client.upsert(self._real(name), [models.PointStruct(**p) for p in body["points"]])
        return DONE

    def _delete(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        real = self._real(name)
        self._guard(real, _keys(body.get("filter")), retrieve=False)
        self._client.delete(real, models.FilterSelector(filter=models.Filter(**body["filter"])))
        return DONE

    def _payload(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        real = self._real(name)
        self._guard(real, _keys(body.get("filter")), retrieve=False)
        self._client.set_payload(
            real, body["payload"], points=models.FilterSelector(filter=models.Filter(**body["filter"]))
        )
        return DONE

    def _query(self, name: str, body: dict[str, Any]) -> list[Any]:
        real = self._real(name)
        requests = [models.QueryRequest(**r) for r in body["searches"]]
        for raw, request in zip(body["searches"], requests, strict=True):
            self._guard(real, _keys(raw.get("filter")), retrieve=True)
            idf = request.params.idf if request.params else None
            request.params = models.SearchParams(idf=idf) if idf else None
        return self._client.query_batch_points(real, requests)

    def _scroll(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        real = self._real(name)
        self._guard(real, _keys(body.get("filter")), retrieve=True)
        records, following = self._client.scroll(
            real,
            scroll_filter=models.Filter(**(body.get("filter") or {})),
            limit=body["limit"],
            offset=body.get("offset"),
            with_payload=body["with_payload"],
            with_vectors=body.get("with_vector", False),
        )
        return {"points": records, "next_page_offset": following}

    def _count(self, name: str, body: dict[str, Any]) -> Any:
        real = self._real(name)
        self._guard(real, _keys(body.get("filter")), retrieve=True)
        return self._client.count(real, count_filter=models.Filter(**body["filter"]), exact=True)

    def _facet(self, name: str, body: dict[str, Any]) -> Any:
        real = self._real(name)
        self._guard(real, iter([body["key"]]), retrieve=True)
        return self._client.facet(
            real, key=body["key"], facet_filter=models.Filter(**body["filter"]), limit=body["limit"]
        )

    def _retrieve(self, name: str, body: dict[str, Any]) -> Any:
        return self._client.retrieve(
            self._real(name), body["ids"], with_payload=body["with_payload"], with_vectors=body["with_vector"]
        )

    def _switch(self, body: dict[str, Any]) -> bool:
        return self._client.update_collection_aliases(models.ChangeAliasesOperation(**body).actions)

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
            ("DELETE", name, self._delete_collection),
            ("PUT", f"{name}/index", self._index),
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
        app.add_api_route("/", lambda: {"title": "stub", "version": VERSION}, methods=["GET"])

        @app.exception_handler(Refused)
        def refuse(_: Request, error: Refused) -> JSONResponse:
            return JSONResponse({"status": {"error": str(error)}, "time": 0.0}, status_code=error.status)

        return app

    def _handler(self, answer: Any) -> Any:
        def handle(request: Request, body: Any = NO_BODY) -> dict[str, Any]:
            given = list(request.path_params.values()) + ([] if body is None else [body])
            with self._lock:
                try:
                    return {"result": answer(*given), "status": "ok", "time": 0.0}
                except ValueError as error:
                    raise Refused(400, f"Wrong input: {error}") from error

        return handle


DONE = {"operation_id": 0, "status": "completed"}


def _keys(condition: Any) -> Iterator[str]:
    if isinstance(condition, dict):
        if "key" in condition:
            yield condition["key"]
        for value in condition.values():
            yield from _keys(value)
    elif isinstance(condition, list):
        for value in condition:
            yield from _keys(value)
