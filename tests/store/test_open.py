"""Opening: what must agree, what is refused, and who holds the folder."""

from __future__ import annotations

import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from contracts.errors import ConfigError, IndexError_, IndexLocked, IndexMismatch, StoreUnavailable
from contracts.settings import Settings, load_settings
from store.engine import Catalogue
from store.open import memory_index, open_index, open_on
from tests.store.samples import MADE_WITH, chunks_of, parsed


@pytest.fixture
def folder(tmp_path: Path) -> Settings:
    return load_settings({}, overrides={"data_dir": tmp_path})[0]


def test_no_index_without_leave_to_create_one(catalogue: Catalogue, configured: Settings) -> None:
    with pytest.raises(IndexError_, match="no index yet"):
        open_on(catalogue, configured, MADE_WITH, create=False)


def test_looking_for_an_index_makes_no_folder(folder: Settings) -> None:
    with pytest.raises(IndexError_, match="no index yet"):
        open_index(folder, MADE_WITH, create=False)
    assert list(folder.data_dir.iterdir()) == []


def test_the_index_is_there_after_reopening(folder: Settings) -> None:
    first = open_index(folder, MADE_WITH, create=True)
    first.put(parsed("a"), chunks_of("a"))
    version = first.version
    first.close()
    second = open_index(folder, {"encoder": "stub-1"}, create=False)
    assert (second.version, second.count_chunks()) == (version, 3)
    second.close()


@pytest.mark.parametrize("changed", [{"encoder": "stub-2"}, {"tokenizer": "words-2"}, {"avgdl": "120"}])
def test_other_fingerprints_are_refused_with_the_remedy(folder: Settings, changed: dict[str, str]) -> None:
    open_index(folder, MADE_WITH, create=True).close()
    with pytest.raises(IndexMismatch, match=next(iter(changed))) as caught:
        open_index(folder, {**MADE_WITH, **changed}, create=True)
    assert "--rebuild" in caught.value.remedy
    open_index(folder, MADE_WITH, create=False).close()  # the lock was given back


def test_another_length_of_vectors_is_refused(folder: Settings) -> None:
    open_index(folder, MADE_WITH, create=True).close()
    with pytest.raises(IndexMismatch, match="dimension is 8, not 384"):
        open_index(folder, {**MADE_WITH, "dimension": "384"}, create=False)


def test_a_held_folder_names_its_holder(folder: Settings) -> None:
    script = (
        "import sys, pathlib; from contracts.settings import load_settings; from store.open import open_index\n"
        "s = load_settings({}, overrides={'data_dir': pathlib.Path(sys.argv[1])})[0]\n"
        "i = open_index(s, {}, create=True); print('open', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(folder.data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout is not None and other.stdout.readline() == "open\n"
        with pytest.raises(IndexLocked, match=f"process {other.pid}") as caught:
            open_index(folder, {}, create=False)
        assert caught.value.exit_code == 5
    finally:
        other.kill()
        other.communicate()
    open_index(folder, {}, create=False).close()  # the dead leave no lock


def test_a_missing_payload_index_stops_the_service(catalogue: Catalogue, configured: Settings, lose_index) -> None:
    open_on(catalogue, configured, MADE_WITH, create=True)
    lose_index(catalogue.lookup(configured.collection), "doc_type")
    with pytest.raises(IndexMismatch, match="`doc_type` is missing") as caught:
        open_on(catalogue, configured, MADE_WITH, create=False)
    assert "doctor --fix" in caught.value.remedy


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    nowhere = load_settings({}, overrides={"data_dir": tmp_path, "qdrant_url": "http://127.0.0.1:9"})[0]
    with pytest.raises(StoreUnavailable, match="cannot be reached") as caught:
        open_index(nowhere, {}, create=False)
    assert (caught.value.exit_code, caught.value.status) == (5, 503)


@pytest.mark.parametrize("url", ["", "notaurl", "localhost:6333", "ftp://host:1", "http://host:99999", "http://"])
def test_what_is_no_url_is_told_before_anything_is_sent(tmp_path: Path, url: str) -> None:
    wrong = load_settings({}, overrides={"data_dir": tmp_path})[0].model_copy(update={"qdrant_url": url})
    with pytest.raises(ConfigError, match="is no URL") as caught:
        open_index(wrong, {}, create=True)
    assert "ALLROWS_QDRANT_URL" in caught.value.remedy


def test_a_server_that_is_no_qdrant(tmp_path: Path) -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>hello</html>")

        def log_message(self, *_: object) -> None:
            """Silence."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        other = load_settings({}, overrides={"data_dir": tmp_path, "qdrant_url": url, "qdrant_timeout_s": 1})[0]
        with pytest.raises(StoreUnavailable, match="no JSON") as caught:
            open_index(other, {}, create=True)
        assert caught.value.remedy == "Is this a Qdrant server?"
        server.shutdown()


def test_memory_index_is_empty_and_apart() -> None:
    one, two = memory_index(MADE_WITH), memory_index(MADE_WITH)
    one.put(parsed("a"), chunks_of("a"))
    assert (one.count_chunks(), two.count_chunks()) == (3, 0)
    one.close()
    two.close()
