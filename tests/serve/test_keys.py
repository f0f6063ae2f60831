from __future__ import annotations

import stat
from pathlib import Path

import pytest

from contracts.errors import ConfigError, UsageError
from contracts.filters import Caller
from serve.keys import KeyStore


@pytest.fixture
def store(tmp_path: Path) -> KeyStore:
    return KeyStore(tmp_path / "data" / "keys.json")


def test_a_key_is_who_it_was_made_for(store: KeyStore) -> None:
    key = store.add("payroll-desk", "reader", ["payroll", "payroll", "hr"])
    found = store.find(key)
    assert found is not None
    assert found.caller() == Caller(name="payroll-desk", role="reader", groups=("payroll", "hr"))


def test_a_key_wrong_in_one_character_is_no_key(store: KeyStore) -> None:
    key = store.add("desk", "reader", ["payroll"])
    last = "A" if key[-1] != "A" else "B"
    for wrong in ("", "ar", "ar__", key[:-1], key[:-1] + last, f"x{key}", key.replace("ar_", "br_"), "ar_00000000_"):
        assert store.find(wrong) is None, wrong


def test_only_the_hash_is_kept_and_only_for_the_owner(store: KeyStore) -> None:
    key = store.add("desk", "reader", ["payroll"])
    secret = key.split("_", 2)[2]
    assert secret not in store.path.read_text()
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def test_a_key_made_elsewhere_works_and_a_removed_one_stops(store: KeyStore) -> None:
    running = KeyStore(store.path)
    assert running.list() == ()
    key = store.add("desk", "reader", ["payroll"])
    assert running.find(key) is not None
    assert store.remove("desk")
    assert running.find(key) is None
    assert not store.remove("desk")


@pytest.mark.parametrize(
    ("name", "role", "groups", "message"),
    [
        ("desk", "boss", ["payroll"], "no role boss"),
        ("desk", "reader", [], "reader key needs groups"),
        ("desk", "operator", [], "operator key needs groups"),
        ("  ", "reader", ["payroll"], "needs a name"),
        ("a\nb", "reader", ["payroll"], "needs a name"),
        ("taken", "admin", [], "a key named taken"),
    ],
)
def test_what_is_refused(store: KeyStore, name: str, role: str, groups: list[str], message: str) -> None:
    store.add("taken", "admin")
    with pytest.raises(UsageError, match=message):
        store.add(name, role, groups)


def test_an_admin_without_groups_sees_every_document(store: KeyStore) -> None:
    found = store.find(store.add("chief", "admin"))
    assert found is not None
    assert found.caller().groups is None


def test_a_broken_file_lets_nobody_in(store: KeyStore) -> None:
    store.add("desk", "reader", ["payroll"])
    store.path.write_text("[{}]")
    with pytest.raises(ConfigError, match="not a key file"):
        store.list()
