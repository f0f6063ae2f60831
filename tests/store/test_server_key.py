"""The key of a server: what is said without it, and that it is used with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.errors import ConfigError
from contracts.settings import load_settings
from store.open import open_index
from tests.store.rest_stub import RestStub
from tests.store.samples import MADE_WITH


@pytest.fixture(scope="module")
def guarded() -> Iterator[RestStub]:
    with RestStub(api_key="secret") as stub:
        yield stub


@pytest.mark.parametrize("key", [None, "wrong"])
def test_a_missing_or_wrong_key_names_its_setting(guarded: RestStub, tmp_path: Path, key: str | None) -> None:
    given = {"data_dir": tmp_path, "qdrant_url": guarded.url, "qdrant_api_key": key}
    with pytest.raises(ConfigError, match="refuses the key") as caught:
        open_index(load_settings({}, overrides=given)[0], MADE_WITH, create=True)
    assert "ALLROWS_QDRANT_API_KEY" in caught.value.remedy


def test_the_right_key_opens_without_a_warning(guarded: RestStub, tmp_path: Path) -> None:
    """The client warns of every key over plain http, and warnings are errors here."""
    given = {"data_dir": tmp_path, "qdrant_url": guarded.url, "qdrant_api_key": "secret"}
    index = open_index(load_settings({}, overrides=given)[0], MADE_WITH, create=True)
    assert index.state().problems == ()
    index.close()
