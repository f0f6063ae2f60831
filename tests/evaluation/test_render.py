"""The report as terminal tables, JUnit XML and one HTML page that loads nothing and escapes everything."""

from __future__ import annotations

import io
from xml.etree import ElementTree

from rich.console import Console

from contracts.answers import Survival
from evaluation.baseline import machine
from evaluation.gates import check
from evaluation.metrics import measure
from evaluation.outcomes import Outcome
from evaluation.plots import bars, survival_chart, waterfall
from evaluation.render_html import html_report
from evaluation.render_junit import junit_xml
from evaluation.render_terminal import render_report
from evaluation.report import EvalReport, Variant
from evaluation.threshold import threshold_curve
from tests.evaluation.builders import computed, golden, outcome, pipeline, quoted, refused

COUNT = golden({"kind": "count", "value": 12}, identifiers=["ST001", "ST002"])
KEPT = Survival(identifiers=("ST001", "ST002"), stages={"extraction": ("ST001", "ST002"), "prompt": ("ST001",)})
EVIL = "<script>alert(1)</script> \x07"


def report() -> EvalReport:
    outcomes: list[Outcome] = [
        outcome(COUNT, computed("12", "12", pipeline=pipeline(stages={"fuse": 2.0})), "good", survival=KEPT),
        outcome(COUNT, quoted(EVIL, pipeline=pipeline(prompt=EVIL)), "bad"),
        outcome(golden({"kind": "not_found"}, documents=[]), refused(), "absent"),
    ]
    metrics = measure(outcomes)
    return EvalReport(
        golden="tiny & small",
        questions=3,
        seconds=0.1,
        metrics=metrics,
        gates=check(metrics, outcomes, None, ()),
        outcomes=tuple(outcomes),
        settings={"weight_dense": 0.65},
        versions={"allrows": "0"},
        machine=machine(),
        variants=(Variant(name="dense only", changes={}, metrics=metrics, wrong=("bad",)),),
    )


def test_html_is_self_contained_and_escaped() -> None:
    page = html_report(report())
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    for heading in ("Gates", "Wrong answers (1)", "Survival", "Latency", "Not found", "Ablation"):
        assert f"<h2>{heading}" in page


def test_junit_counts_failures_and_drops_what_xml_cannot_hold() -> None:
    root = ElementTree.fromstring(junit_xml(report()))
    questions, gates = root.findall("testsuite")
    assert (questions.get("tests"), questions.get("failures")) == ("3", "1")
    assert gates.get("failures") == "2"  # harm, and ST002 lost
    assert [c.get("name") for c in questions if c.find("failure") is not None] == ["bad"]


def test_the_terminal_shows_the_wrong_answer_and_the_gates() -> None:
    stream = io.StringIO()
    render_report(report(), Console(file=stream, width=200))
    text = stream.getvalue()
    assert "good loses ST002 at prompt" in text
    assert "12 is not in the answer" in text
    assert "dense only" in text


def test_svg_is_well_formed_and_shows_what_it_is_given() -> None:
    chart = ElementTree.fromstring(survival_chart([("q: <why>?", KEPT.identifiers, KEPT.stages)]))
    fills = [r.get("fill") for r in chart.iter("{http://www.w3.org/2000/svg}rect")]
    assert fills == ["#2f855a", "#2f855a", "#2f855a", "#c53030"]
    for svg in (bars("b", [("x", 0.5)], top=1.0), waterfall("w", [("a", 1.0), ("b", 0.0)])):
        ElementTree.fromstring(svg)


def test_threshold_curve_by_hand() -> None:
    absent = golden({"kind": "not_found"}, documents=[])
    made = [
        outcome(COUNT, computed("12", "12", confidence=0.9), "sure"),
        outcome(COUNT, quoted("12", confidence=0.3), "unsure"),
        outcome(absent, quoted("30", confidence=0.2), "invented"),
        outcome(absent, refused(confidence=0.8), "refused"),
    ]
    points = {p.threshold: (p.precision, p.recall) for p in threshold_curve(made, steps=4)}
    assert points == {0.0: (1.0, 0.5), 0.25: (1.0, 1.0), 0.5: (0.6667, 1.0), 0.75: (0.6667, 1.0), 1.0: (0.5, 1.0)}
    assert threshold_curve(made[:2]) == ()
