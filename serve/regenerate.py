"""The last step again on stored evidence: what replay compares when retrieval is not in question."""

from __future__ import annotations

from contracts.answers import Answer
from contracts.base import JsonValue
from contracts.evidence import Candidate
from contracts.filters import Match, Scope
from serve.quote import quote
from serve.services import Services


def regenerate(before: Answer, services: Services) -> Answer:
    """A computed answer is computed again over its tables, a generated or quoted one is written again from the
    stored prompt and candidates; "not found" wrote nothing, so there is nothing to write again."""
    if before.mode == "computed":
        return _computed(before, services)
    if before.mode in ("generated", "quoted"):
        return _written(before, services)
    return before


def _computed(before: Answer, services: Services) -> Answer:
    from serve.compute import compute

    pipeline = before.pipeline
    assert pipeline is not None
    documents = tuple({c.doc_id for c in before.citations})
    scope = Scope(must=(Match(field="doc_id", any_of=documents),)) if documents else Scope()
    computation = compute(
        pipeline.question,
        index=services.index,
        scope=scope,
        candidates=pipeline.candidates,
        lexicon=services.lexicon,
        dense=services.dense.get(),
    )
    return before.model_copy(
        update={
            "answer": computation.text or f"Not computed: {computation.declined}",
            "computed": computation.computed,
            "coverage": computation.coverage,
            "citations": computation.citations,
        }
    )


def _written(before: Answer, services: Services) -> Answer:
    pipeline = before.pipeline
    assert pipeline is not None
    if services.model is not None:
        from serve.llm.generate import generate

        evidence = evidence_of(pipeline.prompt)
        written = generate(
            pipeline.prompt, evidence, pipeline.question.text, pipeline.question.language, services.model
        )
        if written.text is not None:
            return before.model_copy(update={"answer": written.text, "mode": "generated", "degraded": written.marks})
    if told := pipeline.decisions.get("parts"):
        return _parts(before, told, services)
    contradictions = pipeline.retrieval.contradictions if pipeline.retrieval is not None else ()
    candidates: tuple[Candidate, ...] = pipeline.candidates
    budget = services.settings.rerank_budget_ms
    quoted = quote(pipeline.question, candidates, contradictions, services.reranker(), budget)
    if quoted is None:
        return before
    return before.model_copy(update={"answer": quoted.text, "mode": "quoted", "citations": quoted.citations})


def _parts(before: Answer, told: JsonValue, services: Services) -> Answer:
    """Both halves again; what was not found stays so."""
    from serve.quote_parts import combined, quote_parts

    assert before.pipeline is not None
    refused = {str(p["question"]): p["refused"] for p in told if isinstance(p, dict)} if isinstance(told, list) else {}
    parts = quote_parts(
        before.pipeline.question,
        before.pipeline.candidates,
        services.reranker(),
        services.settings.rerank_budget_ms,
        lambda part, candidates, quoted: None if (why := refused.get(part.text)) is None else str(why),
    )
    quoted = combined(parts)
    if quoted is None:
        return before
    return before.model_copy(update={"answer": quoted.text, "mode": "quoted", "citations": quoted.citations})


def evidence_of(prompt: str) -> str:
    """What stands between the evidence marks of a prompt."""
    return prompt.partition("<evidence>\n")[2].rpartition("\n</evidence>")[0]
