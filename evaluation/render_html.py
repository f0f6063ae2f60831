"""The report as one HTML file: plots inline, nothing loaded from anywhere."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from evaluation import plots
from evaluation.render_terminal import ABLATED, show
from evaluation.report import EvalReport
from evaluation.survival import survival_svg
from evaluation.threshold import threshold_curve

TEMPLATE = "report.html"
TRIED = ("correct", "wrong_and_unmarked", "not_found_recall", "evidence_recall@3")
"""Figures of an ablation that get a bar chart."""


def html_report(report: EvalReport) -> str:
    """The whole page. Everything that comes from documents or questions is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(TEMPLATE).render(
        report=report,
        show=show,
        ablated=ABLATED,
        survival=Markup(_survival(report)),
        waterfall=Markup(_waterfall(report)),
        threshold=Markup(_threshold(report)),
        ablation=[Markup(chart) for chart in _ablation(report)],
        wrong=[o for o in report.outcomes if not o.judgement.correct],
    )


def _survival(report: EvalReport) -> str:
    return survival_svg([o for o in report.outcomes if o.survival.identifiers])


def _waterfall(report: EvalReport) -> str:
    latency = report.metric("latency")
    stages = [(name, ms) for name, ms in latency.parts.items() if name != "p95"] if latency is not None else []
    return plots.waterfall("Median of each stage", stages)


def _threshold(report: EvalReport) -> str:
    points = threshold_curve(report.outcomes)
    lines = [
        ("precision", [(p.threshold, p.precision) for p in points]),
        ("recall", [(p.threshold, p.recall) for p in points]),
    ]
    return plots.curves('"Not found" by a threshold on confidence', lines, "threshold") if points else ""


def _ablation(report: EvalReport) -> list[str]:
    charts = []
    for name in TRIED:
        found = [(v.name, m.value) for v in report.variants if (m := v.metric(name)) and m.value is not None]
        if found:
            charts.append(plots.bars(name, found, top=1.0))
    times = [(v.name, m.value) for v in report.variants if (m := v.metric("latency")) and m.value is not None]
    return [*charts, plots.bars("latency, median", times, " ms")] if times else charts
