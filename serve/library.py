"""A document as the service shows it."""

from __future__ import annotations

from pydantic import BaseModel

from contracts.documents import Document, DocumentWarning
from contracts.filters import Caller


class DocumentView(BaseModel):
    """A document as its readers may know it: without its path, and only with groups of their own."""

    doc_id: str
    name: str
    doc_type: str
    doc_type_source: str
    """`stated`, `folder`, `headings`, or "" when it is not known."""
    groups: list[str]
    period: str | None
    language: str
    title: str
    pages: int
    size_bytes: int
    warnings: list[DocumentWarning]

    @classmethod
    def of(cls, document: Document, caller: Caller) -> DocumentView:
        own = document.groups if caller.groups is None else [g for g in document.groups if g in caller.groups]
        fields = document.model_dump(include=set(cls.model_fields) - {"groups", "warnings"})
        return cls(**fields, groups=list(own), warnings=list(document.warnings))
