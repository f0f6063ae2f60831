"""Originals of uploaded documents, kept by content, and finding the file that a document was read from."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from pathlib import Path
from typing import BinaryIO

from contracts.documents import Document
from contracts.errors import TooLarge, UsageError

_BLOCK = 1 << 20


class FileVault:
    """`data_dir/files/<doc_id>/<name>`; the folder and its files belong to the owner only."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._checked: dict[tuple[str, int, int], str] = {}

    def keep(self, stream: BinaryIO, name: str, max_bytes: int) -> tuple[str, Path]:
        """Stores the bytes; returns the document's id and the path. The same bytes twice are one file.

        Raises:
            TooLarge: more than `max_bytes`; nothing is left behind.
            UsageError: an empty file, or a name that is none.
        """
        name = safe_name(name)
        self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = self._root / f".upload-{secrets.token_hex(8)}"
        try:
            doc_id = _copy(stream, temporary, max_bytes)
            folder = self._root / doc_id
            folder.mkdir(exist_ok=True, mode=0o700)
            present = next((p for p in sorted(folder.iterdir()) if p.suffix == Path(name).suffix), None)
            path = present or folder / name
            if present is None:
                temporary.replace(path)
            return doc_id, path
        finally:
            temporary.unlink(missing_ok=True)

    def find(self, document: Document) -> Path | None:
        """The file with exactly the document's bytes: the kept copy, or its source if it has not changed."""
        folder = self._root / document.doc_id
        if folder.is_dir():
            return next(iter(sorted(folder.iterdir())), None)
        source = Path(document.source)
        if document.source.startswith("upload:") or not source.is_file():
            return None
        return source if self._digest(source) == document.doc_id else None

    def forget(self, doc_id: str) -> None:
        """Removes the kept copy."""
        if re.fullmatch(r"[0-9a-f]{64}", doc_id):
            shutil.rmtree(self._root / doc_id, ignore_errors=True)

    def _digest(self, path: Path) -> str:
        """SHA-256 of a file, remembered until it changes: page after page of one file is shown."""
        status = path.stat()
        key = (str(path), status.st_mtime_ns, status.st_size)
        if key not in self._checked:
            with path.open("rb") as file:
                self._checked[key] = hashlib.file_digest(file, "sha256").hexdigest()
        return self._checked[key]


def safe_name(name: str) -> str:
    """The last part of a file name as sent by a browser, of either system, without control characters.

    Raises:
        UsageError: nothing is left.
    """
    last = re.split(r"[\\/]", name)[-1]
    clean = "".join(c for c in last if c.isprintable()).strip().lstrip(".")
    while len(clean.encode()) > 200:
        stem, dot, suffix = clean.rpartition(".")
        clean = f"{stem[:-1]}{dot}{suffix}" if stem else clean[:-1]
    if not clean:
        raise UsageError("The uploaded file has no name.", "Send it as: -F file=@NAME")
    return clean


def _copy(stream: BinaryIO, target: Path, max_bytes: int) -> str:
    digest, size = hashlib.sha256(), 0
    with os.fdopen(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "wb") as file:
        while block := stream.read(_BLOCK):
            size += len(block)
            if size > max_bytes:
                raise TooLarge(f"The file is larger than {max_bytes >> 20} MB.", "Raise ALLROWS_MAX_UPLOAD_MB.")
            digest.update(block)
            file.write(block)
    if size == 0:
        raise UsageError("The uploaded file is empty.", "Send a file with content.")
    return digest.hexdigest()
