"""OpenTelemetry spans of each answer, when an endpoint is set: one for the question, one for each stage."""

from __future__ import annotations

from collections.abc import Callable

from contracts.answers import Answer
from contracts.errors import ConfigError

NANO = 1_000_000_000


def export_spans(endpoint: str) -> Callable[[Answer, float], None]:
    """A listener for answers that sends spans to an OTLP endpoint over HTTP, in batches, in the background.

    A span holds times, counts and marks: nothing of a question or a document.

    Raises:
        ConfigError: the `otel` extra is not installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise ConfigError(
            "ALLROWS_OTEL_ENDPOINT needs the OpenTelemetry packages.", 'Install them: pip install "allrows[otel]"'
        ) from None
    provider = TracerProvider(resource=Resource.create({"service.name": "allrows"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    return span_listener(provider)


def span_listener(provider: object) -> Callable[[Answer, float], None]:
    """The listener over a tracer provider."""
    from opentelemetry.trace import set_span_in_context

    tracer = provider.get_tracer("allrows")  # type: ignore[attr-defined]

    def tell(answer: Answer, began: float) -> None:
        """`began`: seconds since 1970 when the question came in; stages run one after the other."""
        stages = answer.pipeline.stages if answer.pipeline else ()
        at = int(began * NANO)
        root = tracer.start_span("ask", start_time=at, attributes=_attributes(answer))
        parent = set_span_in_context(root)
        for stage in stages:
            span = tracer.start_span(stage.name, context=parent, start_time=at)
            span.set_attributes({"count.in": stage.count_in, "count.out": stage.count_out})
            at += int(stage.ms * 1e6)
            span.end(end_time=at)
        root.end(end_time=at)

    return tell


def _attributes(answer: Answer) -> dict[str, str | bool | list[str]]:
    return {
        "allrows.trace_id": answer.trace_id,
        "allrows.mode": answer.mode,
        "allrows.not_found": answer.not_found,
        "allrows.marks": list(answer.degraded),
    }
