"""`manifest.yaml`: what a folder's owner says about its documents, above all who may read them.

A list of entries. `match` is a glob relative to the manifest's own folder (`*` stays within a folder, `**` does not);
the rest is what holds for the files matched. The first entry that matches gives a field, later ones fill in only what
is still open, and a nearer manifest goes before one further up.

A manifest of a folder above the path that is ingested counts too: naming a subfolder must not open its documents to
everyone. Up there a `manifest.yaml` of another program is passed over; in the folders asked for it is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from pydantic import Field, ValidationError, field_validator

from contracts.base import Record
from contracts.errors import InputError
from contracts.periods import months

FILE_NAME = "manifest.yaml"
_EXAMPLE = 'An entry looks like `- {match: "*.pdf", doc_type: salary_register, groups: [payroll]}`.'


class Metadata(Record):
    """What is known of a document without reading it; None where nothing was said."""

    doc_type: str | None = Field(None, min_length=1)
    groups: tuple[str, ...] | None = None
    period: str | None = None
    language: str | None = Field(None, pattern="^[a-z]{2}$")
    password_env: str | None = Field(None, pattern="^[A-Za-z_][A-Za-z0-9_]*$")
    """Environment variable that holds the file's password; the password itself is never written down."""

    @field_validator("groups")
    @classmethod
    def _groups_named(cls, groups: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if groups is not None and (not groups or any(not g.strip() for g in groups)):
            raise ValueError("must name at least one group; leave it out for the default, everyone")
        return groups

    @field_validator("period")
    @classmethod
    def _period_known(cls, period: str | None) -> str | None:
        if period is not None and not months(period):
            raise ValueError("must be a quoted `2025-04`, `2025-Q1`, `2025` or, for a fiscal year, `2025-26`")
        return period

    def or_else(self, other: Metadata) -> Metadata:
        """This, with the fields that are still None taken from `other`."""
        return other.model_copy(update=self.model_dump(exclude_none=True))


UNSAID = Metadata()


class Entry(Metadata):
    match: str = Field(min_length=1)

    def matches(self, relative: PurePosixPath) -> bool:
        return _glob(self.match).fullmatch(relative.as_posix()) is not None

    def metadata(self) -> Metadata:
        return Metadata(**self.model_dump(exclude={"match"}))


class Manifest(Record):
    path: Path
    entries: tuple[Entry, ...]

    def idle(self, files: Iterable[Path]) -> list[Entry]:
        """Entries that match none of `files`."""
        below = [self._relative(file) for file in files if file.is_relative_to(self.path.parent)]
        return [entry for entry in self.entries if not any(map(entry.matches, below))]

    def _relative(self, file: Path) -> PurePosixPath:
        return PurePosixPath(file.relative_to(self.path.parent).as_posix())

    def find(self, file: Path) -> Metadata:
        """What the entries say of a file below this folder."""
        relative = self._relative(file)
        found = Metadata()
        for entry in self.entries:
            if entry.matches(relative):
                found = found.or_else(entry.metadata())
        return found


def find_metadata(file: Path, roots: tuple[Path, ...]) -> Metadata:
    """What the manifests in the file's folder and above say of it; `roots` are the folders that were asked for.

    Raises:
        InputError: a manifest in a root or below it is not valid; the message names entry and field.
    """
    found = Metadata()
    for folder in file.parents:
        inside = any(folder.is_relative_to(root) for root in roots)
        manifest = read_manifest(folder / FILE_NAME) if inside else _read_if_ours(folder / FILE_NAME)
        if manifest is not None:
            found = found.or_else(manifest.find(file))
    return found


@lru_cache(maxsize=4096)
def _read_cached(path: Path, changed_ns: int) -> Manifest:
    return Manifest(path=path, entries=_entries(path))


def read_manifest(path: Path) -> Manifest | None:
    """The manifest at `path`, None when there is none.

    Raises:
        InputError: it is not valid YAML, has an unknown key or a wrong value.
    """
    try:
        return _read_cached(path, path.stat().st_mtime_ns)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}.", "Allow reading it.") from None


def _read_if_ours(path: Path) -> Manifest | None:
    try:
        content = _load(path) if path.is_file() else None
    except (InputError, OSError):
        return None
    ours = isinstance(content, list) and content and all(isinstance(e, Mapping) and "match" in e for e in content)
    return read_manifest(path) if ours else None


def _load(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise InputError(str(path), f"not valid YAML: {line}{error.problem}.", "Mend the line named.") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(str(path), f"not valid YAML: {error}.", "Save it as UTF-8 text.") from None


def _entries(path: Path) -> tuple[Entry, ...]:
    content = _load(path)
    if content is None:
        return ()
    if not isinstance(content, list):
        raise InputError(str(path), f"must be a list of entries, it is a {type(content).__name__}.", _EXAMPLE)
    return tuple(_entry(path, number, item) for number, item in enumerate(content, 1))


def _entry(path: Path, number: int, item: Any) -> Entry:
    if not isinstance(item, Mapping):
        raise InputError(str(path), f"entry {number} must be a mapping, it is {item!r}.", _EXAMPLE)
    if isinstance(item.get("groups"), str):
        item = {**item, "groups": [item["groups"]]}
    try:
        return Entry.model_validate(item, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "entry"
        raise InputError(str(path), f"entry {number}, `{field}`: {_reason(first)}.", _remedy(first)) from None


def _reason(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "there is no such key"
    if error["type"] == "missing":
        return "is missing"
    return f"{error['msg'].removeprefix('Value error, ')} (found {error['input']!r})"


def _remedy(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "Use match, doc_type, groups, period, language or password_env."
    return _EXAMPLE


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> re.Pattern[str]:
    """`**/` any folders, `**` anything, `*` and `?` within one folder, `[…]` as in a shell."""
    out, rest = "", pattern.removeprefix("./")
    while rest:
        token, expression = next((t, e) for t, e in _tokens(rest) if rest.startswith(t))
        out, rest = out + expression, rest[len(token) :]
    return re.compile(out, re.DOTALL)


def _tokens(rest: str) -> tuple[tuple[str, str], ...]:
    """Glob tokens and their regular expressions, the first that `rest` starts with counts."""
    wild = (("**/", "(?:.*/)?"), ("**", ".*"), ("*", "[^/]*"), ("?", "[^/]"))
    if found := re.match(r"\[(!?)([^\]/]+)\]", rest):
        members = re.escape(found[2]).replace(r"\-", "-")
        return ((found[0], f"[{'^' if found[1] else ''}{members}]"),)
    return (*wild, (rest[0], re.escape(rest[0])))
