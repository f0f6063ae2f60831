"""An index goes from any engine to any other and stays the same."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from contracts.errors import IndexError_, InputError
from contracts.protocols import VectorQuery
from contracts.settings import Settings
from store.archive import export_from, import_into
from store.engine import Catalogue
from store.memory import MemoryCatalogue
from store.open import open_on
from store.rebuild import roll_back
from tests.store.samples import MADE_WITH, axis, chunks_of, parsed, words


def fill(catalogue: Catalogue, settings: Settings):
    index = open_on(catalogue, settings, MADE_WITH, create=True)
    index.put(parsed("a", "/in/a.pdf", rows=700, groups=("hr",)), chunks_of("a"))
    index.put(parsed("b", "/in/b.pdf", rows=0), chunks_of("b"))
    return index


def everything(index) -> tuple:
    queries = [VectorQuery(dense=axis(1.0, 0.5)), VectorQuery(sparse=words(t0=1.0, t100=2.0))]
    hits = [[(h.chunk.chunk_id, h.score) for h in found] for found in index.search(queries)]
    tables = [index.table(t.table_id) for t in index.table_summaries()]
    lines = [index.lines(d.doc_id) for d in index.documents()]
    return index.documents(), index.chunks(), index.table_summaries(), tables, lines, hits, index.settings_in_force()


def test_out_to_memory_and_back(catalogue: Catalogue, configured: Settings, tmp_path: Path) -> None:
    index = fill(catalogue, configured)
    before = everything(index)
    archived = export_from(catalogue, configured.collection, tmp_path / "one.allrows")
    # a: 3 chunks, 2 pages, 1 outline, 1 grid, 2 parts of rows, itself; b: 3 chunks, 2 pages, 1 outline, itself
    assert (archived.points, archived.documents) == (17, 2)

    memory = MemoryCatalogue()
    import_into(memory, configured, tmp_path / "one.allrows")
    assert everything(open_on(memory, configured, MADE_WITH, create=False)) == before
    export_from(memory, configured.collection, tmp_path / "two.allrows")

    index.put(parsed("c", "/in/a.pdf"), chunks_of("c"))
    import_into(catalogue, configured, tmp_path / "two.allrows")
    assert everything(index) == before
    roll_back(catalogue, configured.collection)
    assert {d.name for d in index.documents()} == {"a.pdf", "b.pdf"} and everything(index) != before


def mine(catalogue: Catalogue, configured: Settings) -> list[str]:
    """Other tests may be at work on the same server."""
    return [name for name in catalogue.names() if name.startswith(configured.collection)]


@pytest.mark.parametrize("damage", ["not a zip", "cut", "no manifest", "other format"])
def test_a_damaged_archive_changes_nothing(
    catalogue: Catalogue, configured: Settings, tmp_path: Path, damage: str
) -> None:
    index = fill(catalogue, configured)
    before, names = everything(index), mine(catalogue, configured)
    path = tmp_path / "a.allrows"
    export_from(catalogue, configured.collection, path)
    if damage == "not a zip":
        path.write_bytes(b"hello")
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-2000])
    else:
        with zipfile.ZipFile(path, "w") as archive:
            if damage == "other format":
                archive.writestr("manifest.json", '{"format": 99, "schema": "1", "fingerprints": {}, "points": 0}')
    with pytest.raises(InputError, match=r"a\.allrows"):
        import_into(catalogue, configured, path)
    assert everything(index) == before and mine(catalogue, configured) == names


def test_an_archive_that_lacks_points_is_refused(catalogue: Catalogue, configured: Settings, tmp_path: Path) -> None:
    index = fill(catalogue, configured)
    path, cut = tmp_path / "a.allrows", tmp_path / "cut.allrows"
    export_from(catalogue, configured.collection, path)
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(cut, "w") as lacking:
        lines = whole.read("points-00000.jsonl").decode().splitlines(keepends=True)
        lacking.writestr("points-00000.jsonl", "".join(lines[1:]))
        lacking.writestr("manifest.json", whole.read("manifest.json"))
    before = everything(index)
    with pytest.raises(IndexError_, match="16 of 17 points arrived"):
        import_into(catalogue, configured, cut)
    assert everything(index) == before


def test_nothing_to_export(catalogue: Catalogue, configured: Settings, tmp_path: Path) -> None:
    with pytest.raises(IndexError_, match="no index yet"):
        export_from(catalogue, configured.collection, tmp_path / "x")
    assert list(tmp_path.glob("x*")) == []
