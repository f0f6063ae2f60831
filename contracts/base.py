"""The base of every record: immutable, closed to unknown fields, JSON in and out."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

JsonValue = Any
"""A value that `json.dumps` takes; used where a record carries free-form detail for a trace."""

BBox = tuple[float, float, float, float]
"""`x0, top, x1, bottom` in PDF points (1/72 inch), origin at the top left of the page."""


class Record(BaseModel):
    """An immutable value. `record.model_copy(update=...)` gives a changed copy."""

    model_config = ConfigDict(frozen=True, extra="forbid")
