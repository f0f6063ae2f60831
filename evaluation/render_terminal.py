"""The report as tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from evaluation.outcomes import Metric, Outcome
from evaluation.report import EvalReport, Gate, Variant

ABLATED = (
    "correct",
    "wrong_and_unmarked",
    "not_found_precision",
    "not_found_recall",
    "identifier_survival",
    "evidence_recall@3",
    "latency",
    "tokens_per_question",
)


def render_report(report: EvalReport, console: Console) -> None:
    """Metrics, kinds, wrong answers, ablation and gates."""
    console.print(_metrics(report))
    console.print(_kinds(report))
    wrong = [o for o in report.outcomes if not o.judgement.correct]
    if wrong:
        console.print(_wrong(wrong))
    if report.variants:
        console.print(_variants(report.variants))
    console.print(_gates(report.gates))
    state = "[green]passed[/green]" if report.passed else "[red]failed[/red]"
    console.print(f"{report.golden}: {report.questions} questions in {report.seconds:.1f} s, {state}")


def show(metric: Metric | None) -> str:
    """`0.9870 [0.95, 1.00]`, `41.2 ms`, or a dash."""
    if metric is None or metric.value is None:
        return "-"
    interval = f" [{metric.low:.2f}, {metric.high:.2f}]" if metric.low is not None else ""
    digits = 1 if metric.unit == "ms" else 3
    return f"{metric.value:.{digits}f}{f' {metric.unit}' if metric.unit else ''}{interval}"


def _metrics(report: EvalReport) -> Table:
    table = Table("metric", "value [95 %]", "n", "better", "note", title=f"{report.golden}")
    for metric in report.metrics:
        table.add_row(metric.name, show(metric), str(metric.n), metric.better, metric.note)
    latency, survival = report.metric("latency"), report.metric("identifier_survival")
    for source in (survival, latency):
        for part, value in source.parts.items() if source is not None else ():
            table.add_row(f"  {source.name if source else ''}: {part}", f"{value:g}", "", "", "")
    return table


def _kinds(report: EvalReport) -> Table:
    table = Table("kind", "right", "of", title="Correctness by kind")
    for kind in sorted({o.question.expect.kind for o in report.outcomes}):
        judged = [o.judgement.correct for o in report.outcomes if o.question.expect.kind == kind]
        table.add_row(kind, str(sum(judged)), str(len(judged)))
    return table


def _wrong(outcomes: Sequence[Outcome]) -> Table:
    table = Table("question", "why", "answer", "marks", title="Wrong answers")
    for o in outcomes:
        style = "red" if o.judgement.wrong_unmarked else "yellow"
        table.add_row(
            o.question.id, o.judgement.reason, o.answer.answer[:200], ", ".join(o.answer.degraded), style=style
        )
    return table


def _variants(variants: Sequence[Variant]) -> Table:
    table = Table("configuration", *ABLATED, title="Ablation")
    for variant in variants:
        figures = [variant.metric(name) for name in ABLATED]
        table.add_row(variant.name, *(f"{m.value:g}" if m and m.value is not None else "-" for m in figures))
    return table


def _gates(gates: Sequence[Gate]) -> Table:
    table = Table("gate", "", "detail", title="Gates")
    for gate in gates:
        mark = "[green]pass[/green]" if gate.passed else "[red]FAIL[/red]"
        table.add_row(f"{gate.name}{' (hard)' if gate.hard else ''}", mark, gate.detail)
    return table
