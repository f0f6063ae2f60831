"""An index in one file, vectors included: moved between engines without embedding anything again.

A ZIP with `manifest.json` (format, schema, fingerprints, number of points) and `points-N.jsonl`, one point
a line, dense vectors as base64 of little-endian float32. Every part carries ZIP's own checksum.
"""

from __future__ import annotations

import base64
import json
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from contracts.chunks import SparseVector
from contracts.errors import IndexError_, InputError
from contracts.filters import Match, Scope
from contracts.settings import Settings
from store.engine import Catalogue, Engine, Point
from store.findings import content_problems
from store.index import StoreIndex
from store.layout import batches
from store.open import catalogue_of, new_collection
from store.rebuild import find_samples, switch
from store.schema import PUBLISHING, SCHEMA_VERSION, STATE
from store.view import View, read_view

FORMAT = 1
PART = 2000
"""Points in one member: about 6 MB before compression."""


@dataclass(frozen=True, slots=True)
class Archived:
    """What was written or read: `points` of `documents`, made as `fingerprints` say."""

    points: int
    documents: int
    fingerprints: Mapping[str, str]


def export_index(settings: Settings, path: Path) -> Archived:
    """Writes the live version to `path`, which is replaced only when all is written.

    Raises:
        IndexError_: there is no index, or it is not whole.
        InputError: the file cannot be written.
    """
    catalogue = catalogue_of(settings)
    try:
        return export_from(catalogue, settings.collection, path)
    finally:
        catalogue.close()


def import_index(settings: Settings, path: Path) -> Archived:
    """Makes the archive the live version; the version that was live is kept for `rollback`.

    Raises:
        InputError: the file is not a whole archive of this schema.
        IndexError_: the engine does not hold what was written; the live version stays.
    """
    catalogue = catalogue_of(settings, create=True)
    try:
        return import_into(catalogue, settings, path)
    finally:
        catalogue.close()


def export_from(catalogue: Catalogue, live: str, path: Path) -> Archived:
    if live not in catalogue.aliases():
        raise IndexError_(f"{catalogue.location}: there is no index yet.", "`allrows ingest PATH` makes one.")
    engine = catalogue.open(read_view(catalogue.lookup(live)).collection)
    view = read_view(engine)
    wrong = [p.text for p in content_problems(engine, view)]
    if wrong:
        raise IndexError_(f"The index is not whole: {'; '.join(wrong)}.", "`allrows doctor --fix`, then export.")
    documents = StoreIndex(catalogue, live).documents()
    fresh = path.with_name(path.name + ".part")
    with _writable(path), zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        points = _write(archive, _content(engine, view))
        told = {"format": FORMAT, "schema": SCHEMA_VERSION, "fingerprints": dict(view.fingerprints)}
        archive.writestr("manifest.json", json.dumps({**told, "points": points, "documents": len(documents)}))
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(path)
    return Archived(points, len(documents), view.fingerprints)


def import_into(catalogue: Catalogue, settings: Settings, path: Path) -> Archived:
    with _readable(path), zipfile.ZipFile(path) as archive:
        manifest = _manifest(archive, path)
        engine = new_collection(catalogue, settings, manifest["fingerprints"])
        try:
            for batch in batches_of(_read(archive)):
                engine.upsert(batch)
            _check(catalogue, engine, manifest)
        except BaseException:
            catalogue.drop(engine.collection)
            raise
    switch(catalogue, settings.collection, engine.collection)
    return Archived(manifest["points"], manifest["documents"], manifest["fingerprints"])


def batches_of(points: Iterator[Point]) -> Iterator[list[Point]]:
    while some := list(islice(points, PART)):
        yield from batches(some)


def _check(catalogue: Catalogue, engine: Engine, manifest: Mapping[str, Any]) -> None:
    engine.finish()
    found = engine.count(_everything(read_view(engine)))
    if found != manifest["points"]:
        raise IndexError_(f"{found} of {manifest['points']} points arrived.", "Import again; the live version stays.")
    wrong = [p.text for p in content_problems(engine, read_view(engine))]
    if wrong:
        raise IndexError_(f"The archive is not whole: {'; '.join(wrong)}.", "Export it again.")
    find_samples(engine)


def _content(engine: Engine, view: View) -> Iterator[Point]:
    return engine.scroll(_everything(view), vectors=True)


def _everything(view: View) -> Any:
    control = Match(field="kind", any_of=(STATE, PUBLISHING))
    return view.visible(Scope(must_not=(control,)))


def _write(archive: zipfile.ZipFile, points: Iterable[Point]) -> int:
    rest, total, part = iter(points), 0, 0
    while some := list(islice(rest, PART)):
        archive.writestr(f"points-{part:05d}.jsonl", "".join(_line(p) for p in some))
        total, part = total + len(some), part + 1
    return total


def _line(point: Point) -> str:
    entry: dict[str, Any] = {"id": point.id, "payload": point.payload}
    if point.dense is not None:
        entry["dense"] = base64.b64encode(np.asarray(point.dense, dtype="<f4").tobytes()).decode()
    if point.sparse is not None:
        entry["sparse"] = [point.sparse.indices, point.sparse.values]
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _read(archive: zipfile.ZipFile) -> Iterator[Point]:
    for name in sorted(n for n in archive.namelist() if n.startswith("points-")):
        for line in archive.read(name).decode("utf-8").split("\n"):
            if line:
                yield _point(json.loads(line))


def _point(entry: Mapping[str, Any]) -> Point:
    dense, sparse = entry.get("dense"), entry.get("sparse")
    return Point(
        entry["id"],
        entry["payload"],
        tuple(np.frombuffer(base64.b64decode(dense), dtype="<f4").tolist()) if dense is not None else None,
        SparseVector(indices=tuple(sparse[0]), values=tuple(sparse[1])) if sparse is not None else None,
    )


def _manifest(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(archive.read("manifest.json"))
    if manifest["format"] != FORMAT or manifest["schema"] != SCHEMA_VERSION:
        raise InputError(
            str(path),
            f"format {manifest['format']} and schema {manifest['schema']}, not {FORMAT} and {SCHEMA_VERSION}.",
            "Use the version of allrows that wrote it, or ingest the files again.",
        )
    return manifest


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(str(path), f"cannot be written: {error.strerror}.", "Choose another place.") from error


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
        raise InputError(str(path), f"is not a whole archive: {error}.", "Export it again.") from error
