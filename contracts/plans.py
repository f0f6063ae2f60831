"""A question over tables as a plan, its result, and the proof of what the result covers."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from contracts.base import JsonValue, Record
from contracts.evidence import Citation

Op = Literal[
    "count",
    "count_distinct",
    "sum",
    "avg",
    "min",
    "max",
    "median",
    "top",
    "list",
    "lookup",
    "compare",
    "share",
    "footing",
]


class Where(Record):
    column: str
    """A column name of the table, exactly."""
    op: Literal["eq", "ne", "contains", "lt", "le", "gt", "ge", "between", "empty", "not_empty"]
    values: tuple[str, ...] = ()
    """As text; compared by value in number and date columns."""


class Plan(Record):
    op: Op
    column: str | None = None
    """What is aggregated or looked up; None for counting rows."""
    where: tuple[Where, ...] = ()
    group_by: str | None = None
    by: str | None = None
    """What rows are ranked by in `top`; None ranks groups by their number of rows."""
    order: Literal["asc", "desc"] | None = None
    """Of `by` in `top`; without `by`, in document order (a look-up of the first or last row)."""
    limit: int | None = None
    offset: int = 0
    """Answer from the row this many after (negative: before) each row found, in document order. In `top`: this many
    higher (lower) values are left out, so that 1 is the second highest."""
    table_ids: tuple[str, ...] = ()
    compare: Literal["joined", "left", "changed"] | None = None
    """With two tables, in the order (earlier, later)."""
    interpretation: str = ""
    """The plan in words, shown with the answer when the wording was ambiguous."""


class Excluded(Record):
    row: int
    """`Row.index`."""
    reason: str
    table_id: str = ""
    page: int = 0


class Check(Record):
    """A proof that can fail."""

    name: Literal["footing", "serials", "orphans", "provenance"]
    passed: bool
    column: str | None = None
    computed: str | None = None
    printed: str | None = None
    detail: str = ""
    table_id: str = ""


class Coverage(Record):
    rows_extracted: int
    """Body rows of all tables used."""
    rows_used: int
    """Rows that contributed, after the plan's filter."""
    rows_matched_filter: int | None = None
    excluded: tuple[Excluded, ...] = ()
    distinct_keys: int | None = None
    key_column: str | None = None
    pages: tuple[int, ...] = ()
    tables: tuple[str, ...] = ()
    complete: bool = True
    """Every body row of every table in the plan was read."""
    checks: tuple[Check, ...] = ()


class Computed(Record):
    """A result of code. `value` is text of a Decimal, a cell, or a list of either."""

    op: Op
    value: JsonValue
    unit: str | None = None
    plan: Plan
    sql: str = ""
    rows: tuple[tuple[str, int], ...] = ()
    """(table_id, Row.index) of every contributing row, in document order."""
    columns: tuple[str, ...] = ()
    """Of `groups` or of the rows shown."""
    groups: tuple[tuple[JsonValue, ...], ...] = ()
    """Result rows of a group-by, list, top-n or comparison."""

    parts: tuple[Computed, ...] = ()
    """The results of a question that asks for several things of the same rows; `value` lists theirs."""

    def as_decimal(self) -> Decimal | None:
        try:
            return Decimal(str(self.value))
        except ArithmeticError:
            return None


class Computation(Record):
    """What computing gave: a result with its proof, or the reason why there is none."""

    computed: Computed | None = None
    text: str = ""
    """The answer in one or two sentences, numbers as in the document's style."""
    coverage: Coverage | None = None
    citations: tuple[Citation, ...] = ()
    marks: tuple[str, ...] = ()
    declined: str | None = None
    """Why the question could not be planned (`no column like "salary"; there are: …`); None when computed."""
    absent: bool = False
    """The plan was clear and the thing asked for is not there (no such employee, an empty cell)."""
    table_ids: tuple[str, ...] = ()
    confidence: float = 0.0
    """How sure the planner is of its reading, in [0, 1]; below its threshold it declines."""
