"""The declaration decides what may be filtered and with which values."""

from __future__ import annotations

import pytest

from contracts.errors import FilterError
from contracts.filters import Match, Range, Scope
from store.schema import BY_NAME, DOCUMENT_FIELDS, INDEXED, checked, for_documents, values_of


def test_what_may_be_filtered() -> None:
    assert set(INDEXED) == {
        *("kind", "doc_id", "name", "source", "doc_type", "groups", "period", "language"),
        *("granularity", "table_id", "section_id", "codes", "page_start"),
    }
    assert {f for f, k in INDEXED.items() if k == "integer"} == {"granularity", "page_start"}
    assert not BY_NAME["body"].filterable and set(DOCUMENT_FIELDS) < set(INDEXED)


@pytest.mark.parametrize(
    ("field", "given", "meant"),
    [
        ("period", ("2025-04",), ("2025-04",)),
        ("page_start", ("7", 7.0, 7), (7, 7, 7)),
        ("granularity", ("-1",), (-1,)),
        ("name", (), ()),
    ],
)
def test_values_become_the_fields_type(field: str, given: tuple, meant: tuple) -> None:
    scope = checked(Scope(must=(Match(field=field, any_of=given),), must_not=(Match(field=field, any_of=given),)))
    assert values_of(scope, field) == meant and scope.must == scope.must_not
    assert [type(v) for v in values_of(scope, field)] == [type(v) for v in meant]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("page_start", "x"),
        ("page_start", "1.5"),
        ("page_start", "nan"),
        ("page_start", "inf"),
        ("page_start", True),
        ("name", 3),
        ("period", 2025),
        ("body", "x"),
        ("nothing", "x"),
    ],
)
def test_values_that_cannot_be_meant(field: str, value: object) -> None:
    with pytest.raises(FilterError, match=field):
        checked(Scope(must=(Match(field=field, any_of=(value,)),)))


def test_the_message_lists_the_filters() -> None:
    with pytest.raises(FilterError, match="doc_type, granularity, groups"):
        checked(Scope(must=(Match(field="employee", any_of=("x",)),)))


def test_only_conditions_of_documents_narrow_documents() -> None:
    kept, dropped = Match(field="groups", any_of=("hr",)), Match(field="codes", any_of=("E1",))
    scope = Scope(must=(kept, dropped, Range(field="page_start", gte=1)), must_not=(dropped, kept))
    assert for_documents(scope) == Scope(must=(kept,), must_not=(kept,))
    assert for_documents(scope, "codes").must == (kept, dropped)
