"""Keys of the service: who may call it, in which role, and which groups' documents they see.

A key is printed once; the file keeps its SHA-256 only. A key holds 256 random bits, so a slow password
hash would add nothing. The file is re-read when it changes: `allrows keys add` works on a running server.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from pydantic import ValidationError

from contracts.base import Record
from contracts.errors import ConfigError, UsageError
from contracts.filters import Caller

KeyRole = Literal["reader", "operator", "admin"]
ROLES: tuple[str, ...] = get_args(KeyRole)


class KeyRecord(Record):
    """A key as the file holds it."""

    key_id: str
    name: str
    role: KeyRole
    groups: tuple[str, ...] | None
    """None: every document, only for admins."""
    sha256: str
    created_at: float

    def caller(self) -> Caller:
        return Caller(name=self.name, role=self.role, groups=self.groups)


class KeyStore:
    """The keys in `data_dir/keys.json`, readable by the owner only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._records: tuple[KeyRecord, ...] = ()

    def add(self, name: str, role: str, groups: Sequence[str] = ()) -> str:
        """Creates a key and returns it; it cannot be shown again.

        Args:
            groups: whose documents the key sees; an admin without groups sees all.

        Raises:
            UsageError: unknown role, a taken name, or a reader or operator without groups.
        """
        _check_new(name, role, groups, self.list())
        key_id, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
        record = KeyRecord(
            key_id=key_id,
            name=name,
            role=role,
            groups=tuple(dict.fromkeys(groups)) or None,
            sha256=_digest(secret),
            created_at=time.time(),
        )
        self._write((*self.list(), record))
        return f"ar_{key_id}_{secret}"

    def remove(self, name: str) -> bool:
        """Whether there was such a key; it stops working at once."""
        kept = tuple(r for r in self.list() if r.name != name)
        if len(kept) == len(self.list()):
            return False
        self._write(kept)
        return True

    def list(self) -> tuple[KeyRecord, ...]:
        """All keys, oldest first."""
        with self._lock:
            self._refresh()
            return self._records

    def find(self, key: str) -> KeyRecord | None:
        """The record of a key that is right in every character."""
        prefix, _, rest = key.partition("_")
        key_id, _, secret = rest.partition("_")
        record = self.by_id(key_id)
        expected = record.sha256 if record else _digest("")
        same = hmac.compare_digest(_digest(secret), expected)
        return record if record is not None and same and prefix == "ar" else None

    def by_id(self, key_id: str) -> KeyRecord | None:
        return next((r for r in self.list() if r.key_id == key_id), None)

    def _refresh(self) -> None:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            self._stamp, self._records = None, ()
            return
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp != self._stamp:
            self._records, self._stamp = _read(self.path), stamp

    def _write(self, records: Sequence[KeyRecord]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = json.dumps([r.model_dump(mode="json") for r in records], indent=1)
        write_private(self.path, text)


def write_private(path: Path, text: str) -> None:
    """Replaces a file in one step, readable by its owner only."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    temporary.replace(path)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _read(path: Path) -> tuple[KeyRecord, ...]:
    try:
        return tuple(KeyRecord(**item) for item in json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError, ValidationError):
        raise ConfigError(f"{path}: not a key file.", "Restore it from a backup, or delete it and add keys.") from None


def _check_new(name: str, role: str, groups: Sequence[str], present: Sequence[KeyRecord]) -> None:
    if not name.strip() or not name.isprintable():
        raise UsageError("A key needs a name of printable characters.", "payroll-desk would work.")
    if any(r.name == name for r in present):
        raise UsageError(
            f"There is a key named {name}.", f"Choose another name, or remove it: allrows keys remove {name}"
        )
    if role not in ROLES:
        raise UsageError(f"There is no role {role}.", f"One of {', '.join(ROLES)} would work.")
    if role != "admin" and not groups:
        raise UsageError(f"A {role} key needs groups.", "Name those whose documents it sees: --groups payroll")
