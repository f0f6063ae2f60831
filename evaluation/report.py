"""The result of one evaluation."""

from __future__ import annotations

from contracts.base import JsonValue, Record
from evaluation.outcomes import Metric, Outcome


class Gate(Record):
    """One condition of the exit code."""

    name: str
    passed: bool
    hard: bool
    """Hard gates need no baseline."""
    detail: str


class Variant(Record):
    """One configuration of an ablation or a sweep, with its figures."""

    name: str
    changes: dict[str, JsonValue]
    """Settings that differ from those in force."""
    metrics: tuple[Metric, ...]
    wrong: tuple[str, ...] = ()
    """Ids of the questions answered wrong."""

    def metric(self, name: str) -> Metric | None:
        return next((m for m in self.metrics if m.name == name), None)


class EvalReport(Record):
    golden: str
    questions: int
    seconds: float
    metrics: tuple[Metric, ...]
    gates: tuple[Gate, ...]
    outcomes: tuple[Outcome, ...]
    settings: dict[str, JsonValue]
    versions: dict[str, str]
    machine: str
    variants: tuple[Variant, ...] = ()

    @property
    def passed(self) -> bool:
        return all(gate.passed for gate in self.gates)

    def metric(self, name: str) -> Metric | None:
        return next((m for m in self.metrics if m.name == name), None)
