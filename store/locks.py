"""One process at a time in the embedded index's folder, and a message that names who it is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from filelock import FileLock, Timeout

from contracts.errors import IndexLocked


class FolderLock:
    """Taken at once or not at all; the operating system frees it when its process ends, however."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._holder = folder / "holder"
        self._lock = FileLock(folder / "lock", timeout=0, thread_local=False)
        try:
            self._lock.acquire()
        except Timeout:
            raise IndexLocked(
                f"{folder} is in use by {_read(self._holder)}.",
                "Stop that process, or ask it over HTTP; several processes need a Qdrant server (ALLROWS_QDRANT_URL).",
            ) from None
        self._holder.write_text(f"process {os.getpid()} ({Path(sys.argv[0]).name or 'python'})", encoding="utf-8")

    def release(self) -> None:
        if self._lock.is_locked:
            self._holder.unlink(missing_ok=True)
            self._lock.release()


def _read(holder: Path) -> str:
    try:
        return holder.read_text(encoding="utf-8") or "another process"
    except OSError:  # between the lock and the note, or just gone
        return "another process"
