"""The payload schema: one declaration that drives indexes, filters and the check at start.

A filter on a field that is not declared here is refused before it is sent, the same way on every
engine: Qdrant Cloud would refuse it, the embedded engine would answer with nothing at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from contracts.errors import FilterError
from contracts.filters import Condition, Match, Range, Scalar, Scope

SCHEMA_VERSION = "1"
"""Changes when stored payloads can no longer be read by this code."""

DENSE = "dense"
SPARSE = "bm25"

IndexKind = Literal["keyword", "integer"]

CHUNK_KINDS = ("prose", "table", "window")
"""`kind` of the points that carry vectors; the other kinds are payload only."""
DOCUMENT, PAGE, OUTLINE, GRID, ROWS, STATE, PUBLISHING = (
    "document",
    "page",
    "outline",
    "grid",
    "rows",
    "state",
    "publishing",
)


@dataclass(frozen=True)
class Field:
    """One payload field: `kind` is its Qdrant index, None when it is stored only."""

    name: str
    kind: IndexKind | None
    about: str

    @property
    def filterable(self) -> bool:
        return self.kind is not None


FIELDS: tuple[Field, ...] = (
    Field("kind", "keyword", "what the point is: a chunk's kind, or document, page, outline, grid, rows"),
    Field("doc_id", "keyword", "SHA-256 of the file"),
    Field("name", "keyword", "file names with extension, one for each source"),
    Field("source", "keyword", "paths or upload names with this content"),
    Field("doc_type", "keyword", "type from the manifest or the folder"),
    Field("groups", "keyword", "who may read it"),
    Field("period", "keyword", "month, quarter, year or fiscal year; missing when unknown"),
    Field("language", "keyword", "ISO 639-1"),
    Field("granularity", "integer", "0 for a chunk, else sentences of the window; chunks only"),
    Field("table_id", "keyword", "table of a table chunk, a grid or its rows"),
    Field("section_id", "keyword", "section that holds the chunk or table"),
    Field("codes", "keyword", "identifiers in the chunk, upper case"),
    Field("page_start", "integer", "first page, 1-based"),
    Field("part", None, "order of the parts of one table or document"),
    Field("body", None, "the record as JSON"),
    Field("brief", None, "the table's summary as JSON"),
    Field("points", None, "points that the whole document has"),
    Field("digest", None, "SHA-256 of everything the document was stored with"),
    Field("copies", None, "the documents at every source, as JSON"),
    Field("hidden", None, "document that readers must not see"),
)
BY_NAME: Mapping[str, Field] = {field.name: field for field in FIELDS}
DOCUMENT_FIELDS = ("doc_id", "name", "source", "doc_type", "groups", "period", "language")
"""Every point of a document carries these."""
INDEXED: Mapping[str, IndexKind] = {field.name: field.kind for field in FIELDS if field.kind is not None}


def checked(scope: Scope) -> Scope:
    """`scope` with its values in the fields' types.

    Raises:
        FilterError: a field is unknown or not filterable, or a value cannot be of its type.
    """
    return Scope(
        must=tuple(_condition(c) for c in scope.must),
        must_not=tuple(_condition(c) for c in scope.must_not),
    )


def for_documents(scope: Scope, *more: str) -> Scope:
    """The conditions of `scope` that speak of documents: what only chunks have does not narrow them."""
    kept = (*DOCUMENT_FIELDS, *more)
    return Scope(
        must=tuple(c for c in scope.must if c.field in kept),
        must_not=tuple(c for c in scope.must_not if c.field in kept),
    )


def values_of(scope: Scope, field: str) -> tuple[Scalar, ...]:
    """The values that `scope` allows for `field`; () when it says nothing of it."""
    return tuple(v for c in scope.must if isinstance(c, Match) and c.field == field for v in c.any_of)


def _condition(condition: Condition) -> Condition:
    field = _filterable(condition.field)
    if isinstance(condition, Match):
        return Match(field=field.name, any_of=tuple(_value(field, v) for v in condition.any_of))
    if field.kind != "integer":
        raise FilterError(
            f"Filter on `{field.name}`: a range needs a number field, this one holds text.",
            "Use values instead of a range.",
        )
    return Range(field=field.name, gte=condition.gte, lte=condition.lte)


def _filterable(name: str) -> Field:
    field = BY_NAME.get(name)
    if field is None or not field.filterable:
        raise FilterError(f"There is no filter on `{name}`.", f"Filters: {', '.join(sorted(INDEXED))}.")
    return field


def _value(field: Field, value: Scalar) -> str | int:
    if field.kind == "keyword":
        if not isinstance(value, str):
            raise FilterError(f"Filter on `{field.name}`: {value!r} is not text.", "Write it in quotes.")
        return value
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if isinstance(value, bool) or number != int_or_nan(number):
        raise FilterError(f"Filter on `{field.name}`: {value!r} is not a whole number.", "Give a number.")
    return int(number)


def int_or_nan(number: float) -> float:
    """The integral part; NaN for NaN and the infinities, which equal nothing."""
    return float(int(number)) if abs(number) < 2**53 else float("nan")
