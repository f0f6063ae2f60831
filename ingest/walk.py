"""Paths → files to ingest, and what was passed over and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from contracts.base import Record
from contracts.errors import AllrowsError, InputError
from ingest.manifest import FILE_NAME, UNSAID, Metadata, find_metadata, read_manifest

SUPPORTED = (".pdf", ".xlsx", ".xlsm", ".csv", ".tsv", ".txt", ".md")


class InputFile(Record):
    """A file to ingest. A caller that holds bytes from elsewhere (an upload) names its own `source` and `name`."""

    path: Path
    """Where the bytes are, absolute."""
    source: str
    """`Document.source`: the absolute path, or `upload:NAME`."""
    name: str
    metadata: Metadata = UNSAID
    size_bytes: int = 0


class Skipped(Record):
    path: str
    reason: str


class Walk(Record):
    files: tuple[InputFile, ...]
    """Sorted by source, each once."""
    skipped: tuple[Skipped, ...]
    failed: tuple[Skipped, ...]
    """Paths that were asked for and cannot be used."""
    roots: tuple[Path, ...]
    """Folders that were asked for, absolute."""
    notes: tuple[str, ...] = ()
    """Manifest entries that match no file: a slip in a glob may leave a document open to everyone."""


def walk(paths: Sequence[Path | InputFile]) -> Walk:
    """Lists every file below `paths`. Symbolic links and hidden files are passed over unless named themselves."""
    folders = tuple(Path(os.path.abspath(p)) for p in paths if isinstance(p, Path) and p.is_dir())  # noqa: PTH100
    roots = folders + tuple(Path(os.path.abspath(p)).parent for p in paths if isinstance(p, Path) and p.is_file())  # noqa: PTH100
    files: dict[str, InputFile] = {}
    skipped: dict[str, Skipped] = {}
    failed: dict[str, Skipped] = {}
    for given in paths:
        for found in _files_of(given):
            if isinstance(found, Skipped):
                target = skipped if isinstance(given, Path) and given.is_dir() else failed
                target[found.path] = found
                continue
            if isinstance(found, InputFile):
                files[found.source] = found
                continue
            try:
                files[str(found)] = _describe(found, roots)
            except AllrowsError as error:
                failed[str(found)] = Skipped(path=_printable(found), reason=str(error))
    return Walk(
        files=tuple(files[s] for s in sorted(files)),
        skipped=tuple(skipped[p] for p in sorted(skipped) if p not in files),
        failed=tuple(failed[p] for p in sorted(failed)),
        roots=folders,
        notes=tuple(_idle_entries(folders, [file.path for file in files.values()])),
    )


def _idle_entries(folders: Sequence[Path], files: Sequence[Path]) -> Iterator[str]:
    for path in sorted({folder / FILE_NAME for root in folders for file in files for folder in _down_to(root, file)}):
        manifest = read_manifest(path)
        for entry in manifest.idle(files) if manifest else ():
            yield f"{path}: the entry for `{entry.match}` matches no file."


def _down_to(root: Path, file: Path) -> Iterator[Path]:
    """Folders from the file's own up to `root`; none when it is not below it."""
    return (folder for folder in file.parents if folder.is_relative_to(root))


def _describe(path: Path, roots: tuple[Path, ...]) -> InputFile:
    if (printable := _printable(path)) != str(path):
        raise InputError(printable, "its name is not valid UTF-8.", "Rename it.")
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}.", "Check the file's permissions.") from None
    metadata = find_metadata(path, roots)
    return InputFile(path=path, source=str(path), name=path.name, metadata=metadata, size_bytes=size)


def _files_of(given: Path | InputFile) -> Iterator[Path | InputFile | Skipped]:
    if isinstance(given, InputFile):
        try:
            yield given.model_copy(update={"size_bytes": given.path.stat().st_size})
        except OSError as error:
            yield Skipped(path=given.source, reason=f"cannot be read: {error.strerror}")
        return
    path = Path(os.path.abspath(given))  # noqa: PTH100 - resolve() would replace a link by its target
    if path.is_dir():
        yield from _below(path)
    elif not path.exists():
        yield Skipped(path=str(path), reason="no such file or folder")
    elif path.suffix.lower() not in SUPPORTED:
        yield Skipped(path=str(path), reason=_unsupported(path))
    else:
        yield path


def _below(folder: Path) -> Iterator[Path | Skipped]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Skipped(path=str(folder), reason=f"cannot be read: {error.strerror}")
        return
    for entry in entries:
        path = Path(entry.path)
        if entry.name == FILE_NAME:
            continue
        if reason := _why_not(entry):
            yield Skipped(path=_printable(path), reason=reason)
        elif entry.is_dir(follow_symlinks=False):
            yield from _below(path)
        else:
            yield path


def _why_not(entry: os.DirEntry[str]) -> str | None:
    if entry.is_symlink():
        return "symbolic link"
    if entry.name.startswith((".", "~$")):
        return "hidden or temporary"
    if entry.is_dir(follow_symlinks=False):
        return None
    if not entry.is_file(follow_symlinks=False):
        return "not a regular file"
    path = Path(entry.path)
    return None if path.suffix.lower() in SUPPORTED else _unsupported(path)


def _printable(path: Path) -> str:
    """The path as text that can be written anywhere; bytes that are no UTF-8 become `\\udcff`."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def _unsupported(path: Path) -> str:
    return f"{path.suffix or 'a name without extension'} is not supported ({', '.join(SUPPORTED)} are)"
