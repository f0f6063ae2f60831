"""A file → the document as it is stored: extraction, outline and description in one step."""

from __future__ import annotations

import os
from pathlib import Path

from contracts.documents import ParsedDocument
from contracts.errors import InputError
from ingest.describe import describe
from ingest.extract import extract
from ingest.manifest import UNSAID, Metadata
from ingest.outline import add_outline
from ingest.pdf import Bookmark, open_pdf
from ingest.walk import walk


def parse(
    path: Path, metadata: Metadata = UNSAID, *, source: str | None = None, name: str | None = None
) -> ParsedDocument:
    """Lines, outline, tables and description of a file. `source` and `name` as in `Document`.

    Raises:
        InputError: the file cannot be used; the message names it and says what to do.
    """
    password = _password(path, metadata)
    parsed = extract(path, password=password, name=name, source=source)
    parsed = add_outline(parsed, _bookmarks(path, password))
    document = describe(parsed.document, parsed.lines, metadata, [t.title for t in parsed.tables])
    return parsed.model_copy(update={"document": document})


def parse_file(path: Path) -> ParsedDocument:
    """One file outside an ingestion, described by the manifest beside it.

    Raises:
        InputError: it does not exist, its kind is not supported, or it cannot be used.
    """
    found = walk([path])
    for problem in (*found.failed, *found.skipped):
        raise InputError(problem.path, problem.reason)
    if len(found.files) != 1:
        raise InputError(str(path), "is not one file.", "Name a PDF, XLSX or CSV file.")
    file = found.files[0]
    return parse(file.path, file.metadata, source=file.source, name=file.name)


def _password(path: Path, metadata: Metadata) -> str | None:
    if metadata.password_env is None:
        return None
    password = os.environ.get(metadata.password_env)
    if not password:
        raise InputError(
            str(path),
            f"its manifest names the environment variable {metadata.password_env} for the password; it is not set.",
            f"Set {metadata.password_env}.",
        )
    return password


def _bookmarks(path: Path, password: str | None) -> tuple[Bookmark, ...]:
    if path.suffix.lower() != ".pdf":
        return ()
    with open_pdf(path, password) as pdf:
        return pdf.bookmarks()
