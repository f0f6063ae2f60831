"""Prometheus metrics of one application, with a registry of its own so that two never mix."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from contracts.answers import Answer

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """Counts requests and answers. No label holds anything of a document or a question."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        r = self.registry
        self.requests = Counter("allrows_requests", "HTTP requests", ["route", "method", "status"], registry=r)
        self.request_seconds = Histogram(
            "allrows_request_seconds", "Time of a request", ["route"], buckets=_SECONDS, registry=r
        )
        self.stage_seconds = Histogram(
            "allrows_stage_seconds", "Time of a stage", ["stage"], buckets=_SECONDS, registry=r
        )
        self.answers = Counter("allrows_answers", "Answers by mode", ["mode"], registry=r)
        self.not_found = Counter(
            "allrows_not_found", "Answers that nothing was found, by reason", ["reason"], registry=r
        )
        self.marks = Counter("allrows_marks", "Marks on answers", ["mark"], registry=r)
        self.drops = Counter(
            "allrows_survival_drops", "Identifiers lost, by the stage that lost them", ["stage"], registry=r
        )
        self.tokens = Counter("allrows_tokens", "Tokens of the language model", ["kind"], registry=r)
        self.cost = Counter("allrows_cost", "Cost of the language model, in the price table's currency", registry=r)

    def gauge(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        """A value that is read when the metrics are."""
        Gauge(name, help_text, registry=self.registry).set_function(read)

    def answer(self, answer: Answer) -> None:
        self.answers.labels(answer.mode).inc()
        if answer.not_found_reason is not None:
            self.not_found.labels(answer.not_found_reason).inc()
        for mark in answer.degraded:
            self.marks.labels(mark).inc()
        if answer.pipeline is None:
            return
        for stage in answer.pipeline.stages:
            self.stage_seconds.labels(stage.name).observe(stage.ms / 1000)
        for stage_name in answer.pipeline.survival.first_drop().values():
            self.drops.labels(stage_name).inc()
        for kind, count in answer.pipeline.tokens.items():
            self.tokens.labels(kind).inc(count)
        self.cost.inc(answer.pipeline.cost)

    def text(self) -> bytes:
        """The exposition format."""
        return generate_latest(self.registry)
