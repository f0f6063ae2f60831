"""A new version beside the live one: built, checked, then made live by one alias switch.

Three aliases name the versions: the live one (`settings.collection`), `-building` while a rebuild goes
on, so that a rebuild that was interrupted is taken up again, and `-previous`, kept for one rollback.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from contracts.errors import IndexError_, UsageError
from contracts.settings import Settings
from store.engine import Catalogue, Engine, Search, Where
from store.index import StoreIndex
from store.open import catalogue_of, new_collection, verify
from store.sampling import sample_chunks
from store.view import read_view

SAMPLE = 20


class Rebuild:
    """`index` is written to by an ingestion; readers see nothing of it before `publish`."""

    def __init__(self, catalogue: Catalogue, settings: Settings, fingerprints: Mapping[str, str]) -> None:
        self._catalogue = catalogue
        self._live = settings.collection
        self.resumed = _take_up(catalogue, settings, fingerprints)
        self.index = StoreIndex(catalogue, building(self._live))

    def publish(self, allow_missing: bool = False) -> str:
        """Checks the new version and makes it live; returns its collection.

        Raises:
            IndexError_: points are missing, a sampled chunk is not found, or (unless `allow_missing`)
                a source of the live version is not in the new one. The live version stays.
        """
        self.index.finish()
        engine = self._catalogue.lookup(building(self._live))
        new = read_view(engine).collection
        find_samples(engine)
        if not allow_missing:
            self._compare()
        switch(self._catalogue, self._live, new)
        return new

    def _compare(self) -> None:
        if self._live not in self._catalogue.aliases():
            return
        old = {d.source for d in StoreIndex(self._catalogue, self._live).documents()}
        missing = sorted(old - {d.source for d in self.index.documents()})
        if missing:
            raise IndexError_(
                f"The new version lacks {len(missing)} of the live version's sources: {', '.join(missing[:5])}.",
                "Ingest them too, or allow it; the live version stays.",
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._catalogue.close()


def building(live: str) -> str:
    return f"{live}-building"


def previous(live: str) -> str:
    return f"{live}-previous"


def begin_rebuild(settings: Settings, fingerprints: Mapping[str, str]) -> Rebuild:
    """A rebuild with these fingerprints; an interrupted one that was made with the same goes on.

    Raises:
        IndexLocked, StoreUnavailable: as `store.open.catalogue_of`.
    """
    return rebuild_on(catalogue_of(settings, create=True), settings, fingerprints)


def rebuild_on(catalogue: Catalogue, settings: Settings, fingerprints: Mapping[str, str]) -> Rebuild:
    try:
        return Rebuild(catalogue, settings, fingerprints)
    except BaseException:
        catalogue.close()
        raise


def switch(catalogue: Catalogue, live: str, new: str) -> None:
    """`new` becomes live, the live version previous, in one step; what was previous before is dropped."""
    known = catalogue.aliases()
    old, oldest = known.get(live), known.get(previous(live))
    catalogue.assign({live: new, previous(live): old, building(live): None})
    if oldest is not None and oldest not in (old, new):
        catalogue.drop(oldest)


def roll_back(catalogue: Catalogue, live: str) -> tuple[str, str]:
    """Swaps the live and the previous version; returns (now live, now previous)."""
    known = catalogue.aliases()
    back = known.get(previous(live))
    if back is None:
        raise UsageError("There is no previous version to go back to.", "One is kept after each rebuild or import.")
    read_view(catalogue.open(back))  # never switch to something that is not whole
    catalogue.assign({live: back, previous(live): known.get(live)})
    return back, known.get(live, "")


def find_samples(engine: Engine) -> None:
    """Each sampled chunk must be found by its own vector. Raises `IndexError_`."""
    samples = sample_chunks(engine, SAMPLE)
    searches = [Search(Where(ids=(p.id,)), limit=1, dense=p.dense) for p in samples]
    for point, found in zip(samples, engine.search(searches), strict=True):
        if not found or found[0].score < 0.999:
            raise IndexError_(f"Chunk {point.id} is not found by its own vector.", "Rebuild the index again.")


def _take_up(catalogue: Catalogue, settings: Settings, fingerprints: Mapping[str, str]) -> bool:
    """True when an interrupted rebuild goes on; one made with other settings is dropped."""
    alias = building(settings.collection)
    begun = catalogue.aliases().get(alias)
    if begun is not None:
        engine = catalogue.open(begun)
        view = read_view(engine)
        if dict(view.fingerprints) == dict(fingerprints):
            verify(engine, view, fingerprints)
            StoreIndex(catalogue, alias).repair()
            return True
        catalogue.assign({alias: None})
        catalogue.drop(begun)
    catalogue.assign({alias: new_collection(catalogue, settings, fingerprints).collection})
    return False
