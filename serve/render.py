"""An answer as a person reads it in a terminal: the answer, its rows, its checks, its citations, its trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from contracts.answers import Answer, StageRecord
from contracts.base import JsonValue
from contracts.evidence import Citation, DroppedItem
from contracts.marks import MEANING, Mark
from contracts.plans import Check, Coverage

SHOWN_ROWS = 12
SHOWN_DROPS = 4


def render(answer: Answer, console: Console, *, trace: bool = False, explain: bool = False) -> None:
    """Prints one answer; with `trace` also the stages, with `explain` the candidates and methods."""
    style = "yellow" if answer.not_found else "bold"
    console.print(Text(answer.answer, style=style))
    if answer.searched:
        console.print(Text(answer.searched, style="dim"))
    if answer.computed is not None and answer.computed.groups:
        console.print(_groups(answer))
    if answer.coverage is not None:
        _coverage(answer.coverage, console)
    for citation in answer.citations:
        console.print(Text("  ↳ " + cite(citation), style="cyan"))
    for mark in answer.degraded:
        console.print(Text(f"  ! {mark}: {_meaning(mark)}", style="red"))
        if mark == Mark.CONTRADICTION and answer.pipeline is not None and answer.pipeline.retrieval is not None:
            for clash in answer.pipeline.retrieval.contradictions:
                console.print(Text(f"    {clash.explanation}", style="dim"))
    console.print(Text(_footer(answer), style="dim"))
    if explain:
        _explain(answer, console)
    if trace and answer.pipeline is not None:
        console.print(stage_table(answer.pipeline.stages))


def cite(citation: Citation) -> str:
    """`Salary_Register_April_2025.pdf, page 1, lines 6-17, 12 rows: “…”`"""
    lines = (
        f"line {citation.line_start}"
        if citation.line_start == citation.line_end
        else f"lines {citation.line_start}-{citation.line_end}"
    )
    rows = f", {len(citation.rows)} row{'s' if len(citation.rows) > 1 else ''}" if citation.rows else ""
    quote = f": “{_short(citation.quote)}”" if citation.quote else ""
    return f"{citation.doc_name}, page {citation.page}, {lines}{rows}{quote}"


def _short(text: str, limit: int = 100) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _meaning(mark: str) -> str:
    return MEANING[Mark(mark)] if mark in list(Mark) else mark


def _footer(answer: Answer) -> str:
    return (
        f"  {answer.mode} · confidence {answer.confidence:.2f} · index {answer.index_version[:12]} "
        f"· trace {answer.trace_id}"
    )


def _groups(answer: Answer) -> Grid:
    assert answer.computed is not None
    grid = Grid(*answer.computed.columns, box=None, pad_edge=True, header_style="dim")
    for group in answer.computed.groups[:SHOWN_ROWS]:
        grid.add_row(*(str(cell) for cell in group))
    left = len(answer.computed.groups) - SHOWN_ROWS
    if left > 0:
        grid.add_row(f"… {left} more (--json has all)")
    return grid


def _coverage(coverage: Coverage, console: Console) -> None:
    keys = f", {coverage.distinct_keys} distinct {coverage.key_column}" if coverage.distinct_keys is not None else ""
    pages = ", ".join(map(str, coverage.pages))
    whole = "complete" if coverage.complete else "INCOMPLETE"
    console.print(
        Text(f"  rows: {coverage.rows_used} of {coverage.rows_extracted} used{keys}, page {pages}, {whole}", "green")
    )
    for reason, rows in _by_reason(coverage).items():
        console.print(Text(f"  left out: {len(rows)} {reason}", style="dim"))
    for check in coverage.checks:
        console.print(_check(check))


def _by_reason(coverage: Coverage) -> dict[str, list[int]]:
    reasons: dict[str, list[int]] = {}
    for excluded in coverage.excluded:
        reasons.setdefault(excluded.reason, []).append(excluded.row)
    return reasons


def _check(check: Check) -> Text:
    sign, style = ("✓", "green") if check.passed else ("✗", "red")
    column = f" {check.column}" if check.column else ""
    numbers = f": rows {check.computed}, printed {check.printed}" if check.printed is not None else ""
    detail = f" ({check.detail})" if check.detail else ""
    return Text(f"  {sign} {check.name}{column}{numbers}{detail}", style=style)


def _explain(answer: Answer, console: Console) -> None:
    pipeline = answer.pipeline
    if pipeline is None or pipeline.audit is None:
        return
    grid = Grid(
        "role", "document", "methods (rank)", "fused", "rerank", "reason", title="candidates", title_justify="left"
    )
    for candidate in pipeline.candidates:
        ranks = ", ".join(
            f"{m} ({s.rank})" if (s := candidate.scores.get(m)) and s.rank else m for m in candidate.methods
        )
        where = f"{candidate.doc_name} p.{candidate.chunk.page_start}"
        logit = "" if candidate.rerank_logit is None else f"{candidate.rerank_logit:.2f}"
        grid.add_row(candidate.role or "", where, ranks, f"{candidate.fused:.3f}", logit, candidate.reason)
    console.print(grid)
    pairs = next((s.detail["pairs"] for s in pipeline.stages if s.name == "retrieve" and "pairs" in s.detail), None)
    if pairs:
        console.print(_pair_table(pairs))
    for method, reason in pipeline.audit.skipped_reasons.items():
        console.print(Text(f"  {method} not run: {reason}", style="dim"))


def _pair_table(pairs: Sequence[Mapping[str, JsonValue]]) -> Grid:
    """UMG's experts at each granularity: how sure each was and what it brought."""
    columns = ("expert", "sentences", "candidates", "entropy", "confidence", "weight", "contribution", "")
    grid = Grid(*columns, title="experts", title_justify="left")
    for pair in pairs:
        figures = [f"{pair[name]:.3f}" for name in ("entropy", "confidence", "weight", "contribution")]
        grid.add_row(pair["expert"], str(pair["granularity"]), str(pair["candidates"]), *figures, pair["degenerate"])
    return grid


def stage_table(stages: Sequence[StageRecord]) -> Grid:
    """Stages with what went in and out, milliseconds, and what was dropped and why."""
    grid = Grid("stage", "in", "out", "ms", "dropped, and why", title="trace", title_justify="left")
    for stage in stages:
        drops = [f"{_named(d)}: {d.reason}" for d in stage.dropped[:SHOWN_DROPS]]
        left = len(stage.dropped) - SHOWN_DROPS
        if left > 0:
            drops.append(f"… {left} more")
        error = [str(stage.detail["error"])] if "error" in stage.detail else []
        grid.add_row(stage.name, str(stage.count_in), str(stage.count_out), f"{stage.ms:.1f}", "\n".join(error + drops))
    return grid


def _named(dropped: DroppedItem) -> str:
    """The document's name where the item is only an id, else the item itself."""
    return dropped.detail if isinstance(dropped.detail, str) else _short(dropped.item, 60)
