"""The report as JUnit XML: one test case for each question and each gate, as CI systems read it."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from evaluation.report import EvalReport

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold; answers quote documents, which may."""


def junit_xml(report: EvalReport) -> str:
    suites = Element("testsuites")
    _questions(suites, report)
    _gates(suites, report)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _questions(suites: Element, report: EvalReport) -> None:
    wrong = [o for o in report.outcomes if not o.judgement.correct]
    suite = _suite(suites, report.golden, len(report.outcomes), len(wrong))
    suite.set("time", f"{report.seconds:.3f}")
    for outcome in report.outcomes:
        case = _case(suite, f"questions.{outcome.question.expect.kind}", outcome.question.id)
        case.set("time", f"{outcome.ms / 1000:.3f}")
        if not outcome.judgement.correct:
            failure = SubElement(case, "failure", message=_clean(outcome.judgement.reason))
            failure.text = _clean(f"{outcome.question.question}\n{outcome.answer.answer}")


def _gates(suites: Element, report: EvalReport) -> None:
    failed = [g for g in report.gates if not g.passed]
    suite = _suite(suites, "gates", len(report.gates), len(failed))
    for gate in report.gates:
        case = _case(suite, "gates", gate.name)
        if not gate.passed:
            SubElement(case, "failure", message=_clean(gate.detail))


def _suite(suites: Element, name: str, tests: int, failures: int) -> Element:
    return SubElement(suites, "testsuite", name=_clean(name), tests=str(tests), failures=str(failures), errors="0")


def _case(suite: Element, group: str, name: str) -> Element:
    return SubElement(suite, "testcase", classname=group, name=_clean(name))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("�", text)
