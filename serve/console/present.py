"""Records turned into what the console's pages show. Pure: no store, no request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contracts.answers import Answer, StageRecord, Survival
from contracts.documents import ColumnKind, Table
from contracts.evidence import Citation
from contracts.marks import MEANING, Mark
from contracts.plans import Check

MODES = {"computed": "Computed", "quoted": "Quoted", "generated": "Written by the model", "not_found": "Not found"}
MAX_IDENTIFIERS = 400
"""Rows of the survival chart; what was lost comes first, so nothing lost is ever cut off."""


@dataclass(frozen=True)
class CitationGroup:
    """The cited places of one table, or one place in the text."""

    doc_id: str
    doc_name: str
    title: str
    table_id: str | None
    rows: tuple[int, ...]
    pages: tuple[int, ...]
    lines: str
    """`3-5` for a place in the text."""
    label: str
    quote: str


@dataclass(frozen=True)
class SurvivalRow:
    identifier: str
    cells: tuple[str, ...]
    """One for each stage: `kept`, `dropped` (the first loss) or `gone`."""


@dataclass(frozen=True)
class SurvivalGrid:
    """Identifiers × stages, those that were lost first."""

    stages: tuple[str, ...]
    counts: tuple[int, ...]
    total: int
    lost: int
    """Identifiers missing after some stage, also those that a later stage brought back."""
    rows: tuple[SurvivalRow, ...]
    hidden: int
    """Identifiers left out of `rows`; every one of them survived."""
    first_stage: str | None
    """Where the first loss happens, in pipeline order."""
    announced: bool = False
    """The prompt names the rows that it leaves out."""


@dataclass(frozen=True)
class Bar:
    """A stage in the waterfall; `start` and `width` in per mille of the whole."""

    name: str
    ms: float
    start: float
    width: float
    count_in: int
    count_out: int
    dropped: int
    error: str


@dataclass(frozen=True)
class ComputedTable:
    """A table that was computed over, each row with what became of it."""

    table_id: str
    title: str
    columns: tuple[str, ...]
    numeric: frozenset[int]
    """Columns that hold numbers."""
    rows: tuple[tuple[int, tuple[str, ...], str, str], ...]
    """(row, cells, state, reason); state is `used`, `excluded` or `unused`."""


@dataclass(frozen=True)
class Proof:
    """The line under the answer that says what backs it."""

    text: str
    passed: bool


@dataclass(frozen=True)
class AnswerView:
    """Everything that a template needs of one answer."""

    answer: Answer
    mode: str
    groups: tuple[CitationGroup, ...]
    proofs: tuple[Proof, ...]
    marks: tuple[tuple[str, str], ...]
    survival: SurvivalGrid | None = None
    bars: tuple[Bar, ...] = ()
    tables: tuple[ComputedTable, ...] = field(default=())


def view(answer: Answer, tables: Sequence[Table] = ()) -> AnswerView:
    """`tables` are those that the answer was computed over, as far as the viewer may read them."""
    known = {str(mark): text for mark, text in MEANING.items()}
    pipeline = answer.pipeline
    return AnswerView(
        answer=answer,
        mode=MODES[answer.mode],
        groups=citation_groups(answer.citations),
        proofs=proofs(answer),
        marks=tuple((mark, known.get(mark, "")) for mark in answer.degraded),
        survival=survival_grid(pipeline.survival, answer.degraded)
        if pipeline and pipeline.survival.identifiers
        else None,
        bars=waterfall(pipeline.stages) if pipeline else (),
        tables=tuple(computed_table(t, answer) for t in tables),
    )


def citation_groups(citations: Sequence[Citation]) -> tuple[CitationGroup, ...]:
    """Citations of one table together, over all its pages, in the order in which they came."""
    grouped: dict[tuple[str, str], list[Citation]] = {}
    for number, citation in enumerate(citations):
        key = (citation.doc_id, citation.table_id or f"text-{number}")
        grouped.setdefault(key, []).append(citation)
    return tuple(_group(items) for items in grouped.values())


def _group(items: Sequence[Citation]) -> CitationGroup:
    first = items[0]
    rows = tuple(sorted({row for c in items for row in c.rows}))
    pages = tuple(sorted({c.page for c in items}))
    where = f"page {pages[0]}" if len(pages) == 1 else f"pages {pages[0]}–{pages[-1]}"
    lines = "" if rows else f"{first.line_start}-{first.line_end}"
    what = _rows_in_words(rows) if rows else f"lines {first.line_start}–{first.line_end}"
    return CitationGroup(
        doc_id=first.doc_id,
        doc_name=first.doc_name,
        title=first.section_title,
        table_id=first.table_id,
        rows=rows,
        pages=pages,
        lines=lines,
        label=f"{where}, {what}",
        quote=first.quote,
    )


def _rows_in_words(rows: Sequence[int]) -> str:
    return "1 row" if len(rows) == 1 else f"{len(rows)} rows"


def proofs(answer: Answer) -> tuple[Proof, ...]:
    """Rows first, then footing, then the other checks; a failed one says both sides."""
    coverage = answer.coverage
    if coverage is None:
        return ()
    used, extracted = coverage.rows_used, coverage.rows_extracted
    found = [Proof(f"{used} of {extracted} rows", coverage.complete)]
    if coverage.rows_matched_filter not in (None, used, extracted):
        found.append(Proof(f"{coverage.rows_matched_filter} rows match the condition", True))
    footing = [c for c in coverage.checks if c.name == "footing"]
    if footing:
        agreeing = sum(c.passed for c in footing)
        found.append(Proof(f"footing agrees in {agreeing} of {len(footing)} columns", agreeing == len(footing)))
    others = {"serials": "serial numbers run without gaps", "orphans": "no stray lines", "provenance": "numbers proven"}
    for name, text in others.items():
        checks = [c for c in coverage.checks if c.name == name]
        if checks and all(c.passed for c in checks):
            found.append(Proof(text, True))
    return (*found, *(Proof(_failure(c), False) for c in coverage.checks if not c.passed))


def _failure(check: Check) -> str:
    if check.name == "footing" and check.printed is not None:
        return f"{check.column}: the rows say {check.computed}, the printed total says {check.printed}"
    column = f"{check.column}: " if check.column else ""
    return f"{column}{check.detail or f'the check of {check.name} failed'}"


def survival_grid(survival: Survival, marks: Sequence[str] = ()) -> SurvivalGrid:
    """The chart's cells; an identifier that comes back after a loss stays a loss. Rows that the prompt itself names as
    left out (`marks`) are no silent loss."""
    first = survival.first_drop()
    stages = tuple(survival.stages)
    held = {stage: frozenset(present) for stage, present in survival.stages.items()}
    ordered = sorted(survival.identifiers, key=lambda i: i not in first)
    rows = [SurvivalRow(i, tuple(_cell(i, s, first, held) for s in stages)) for i in ordered]
    shown = max(MAX_IDENTIFIERS, len(first))
    losing = [s for s in stages if s in first.values()]
    return SurvivalGrid(
        stages=stages,
        counts=tuple(sum(i in held[s] for i in survival.identifiers) for s in stages),
        total=len(survival.identifiers),
        lost=len(first),
        rows=tuple(rows[:shown]),
        hidden=max(0, len(rows) - shown),
        first_stage=losing[0] if losing else None,
        announced=losing == ["compression"] and Mark.TABLE_TRUNCATED in marks and Mark.SURVIVAL_DROP not in marks,
    )


def _cell(identifier: str, stage: str, first: Mapping[str, str], held: Mapping[str, frozenset[str]]) -> str:
    if first.get(identifier) == stage:
        return "dropped"
    return "kept" if identifier in held[stage] else "gone"


def waterfall(stages: Sequence[StageRecord]) -> tuple[Bar, ...]:
    """Stages one after the other; a quick stage keeps a bar that can be seen."""
    whole = sum(s.ms for s in stages) or 1.0
    bars, start = [], 0.0
    for stage in stages:
        bars.append(
            Bar(
                name=stage.name,
                ms=stage.ms,
                start=round(1000 * start / whole, 2),
                width=max(3.0, round(1000 * stage.ms / whole, 2)),
                count_in=stage.count_in,
                count_out=stage.count_out,
                dropped=len(stage.dropped),
                error=str(stage.detail.get("error", "")),
            )
        )
        start += stage.ms
    return tuple(bars)


def computed_table(table: Table, answer: Answer) -> ComputedTable:
    """Each row with whether it contributed, and why not."""
    used = {row for table_id, row in answer.computed.rows if table_id == table.table_id} if answer.computed else set()
    excluded: dict[int, str] = {}
    if answer.coverage is not None:
        excluded = {e.row: e.reason for e in answer.coverage.excluded if e.table_id in ("", table.table_id)}
    rows = []
    for row in table.rows:
        state = "used" if row.index in used else "excluded" if row.index in excluded else "unused"
        rows.append((row.index, row.cells, state, excluded.get(row.index, "")))
    return ComputedTable(table.table_id, table.title, table.columns, numeric_columns(table), tuple(rows))


def numeric_columns(table: Table) -> frozenset[int]:
    kinds = (ColumnKind.NUMBER, ColumnKind.PERCENT)
    return frozenset(i for i, kind in enumerate(table.column_types) if kind.kind in kinds)


def differences(left: Any, right: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    """(where, left, right) of every leaf in which two JSON values differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        return [
            d
            for key in sorted({*left, *right})
            for d in differences(left.get(key), right.get(key), f"{path}.{key}" if path else key)
        ]
    return [] if left == right else [(path, left, right)]
