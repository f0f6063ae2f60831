from __future__ import annotations

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from contracts.answers import Answer, Pipeline, StageRecord
from contracts.questions import Question
from serve.telemetry import span_listener


def test_a_span_for_the_question_and_one_for_each_stage() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    stages = (
        StageRecord(name="retrieve", ms=2.5, count_in=54, count_out=20),
        StageRecord(name="rerank", ms=100, count_in=20, count_out=3),
    )
    answer = Answer(
        answer="ST001 earns 50000",
        mode="computed",
        question="Who earns most?",
        degraded=("rerank_timeout",),
        trace_id="t1",
        pipeline=Pipeline(question=Question(text="Who earns most?"), stages=stages),
    )
    span_listener(provider)(answer, 1000.0)
    spans = {s.name: s for s in exporter.get_finished_spans()}
    begin = 1000 * 10**9
    times = {name: (s.start_time, s.end_time) for name, s in spans.items()}
    assert times == {
        "retrieve": (begin, begin + 2_500_000),
        "rerank": (begin + 2_500_000, begin + 102_500_000),
        "ask": (begin, begin + 102_500_000),
    }
    root = spans["ask"]
    assert all(
        s.parent is not None and s.parent.span_id == root.context.span_id for s in spans.values() if s is not root
    )
    assert dict(spans["retrieve"].attributes or {}) == {"count.in": 54, "count.out": 20}
    assert dict(root.attributes or {})["allrows.marks"] == ("rerank_timeout",)
    assert "50000" not in str([s.to_json() for s in spans.values()])
    assert "Who" not in str([s.to_json() for s in spans.values()])
