"""Filters as every engine understands them."""

from __future__ import annotations

from contracts.base import Record

Scalar = str | int | float | bool


class Match(Record):
    """`field` equals one of `any_of`; on a list field, one of its values does."""

    field: str
    any_of: tuple[Scalar, ...]


class Range(Record):
    field: str
    gte: float | None = None
    lte: float | None = None


Condition = Match | Range


class Scope(Record):
    """What a query may see. An empty scope sees everything."""

    must: tuple[Condition, ...] = ()
    must_not: tuple[Condition, ...] = ()

    def and_(self, *conditions: Condition) -> Scope:
        return Scope(must=self.must + conditions, must_not=self.must_not)


class Caller(Record):
    """Who asks. `groups=None` sees every document (local use without keys, or an admin)."""

    name: str = "local"
    role: str = "admin"
    groups: tuple[str, ...] | None = None

    def scope(self) -> Scope:
        """The part of the index this caller may read."""
        if self.groups is None:
            return Scope()
        return Scope(must=(Match(field="groups", any_of=self.groups),))
