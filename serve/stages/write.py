"""The evidence that fits, and the prompt made of it."""

from __future__ import annotations

from contracts.marks import Mark
from serve.prompt import build_prompt
from serve.run import Run
from serve.stages.calculate import pinned_tables
from serve.stages.rank import EVIDENCE


def compress(run: Run) -> Run:
    from compression.compress import compress as fit

    settings = run.services.settings
    pinned = pinned_tables(run.computation)
    evidence = [c for c in run.candidates if c.role in EVIDENCE]
    if pinned:  # the tables that were computed over come first and whole
        evidence.sort(key=lambda c: c.chunk.table_id not in pinned)
    with run.recorder.stage("compress", len(evidence)) as stage:
        compressed = fit(
            run.question,
            [c.chunk for c in evidence],
            settings.max_context_chars,
            threshold=settings.sentence_threshold,
            rows_as_sentences=settings.compress_rows_as_sentences,
        )
        stage.out(len({unit.chunk_id for unit in compressed.kept}))
        stage.note(chars_before=compressed.chars_before, chars_after=compressed.chars_after)
        for item in compressed.dropped:
            stage.drop(item.item, item.reason, item.detail)
        if compressed.suspicious:
            run.recorder.mark(Mark.SUSPICIOUS_TEXT)
        if compressed.tables_truncated:
            run.recorder.mark(Mark.TABLE_TRUNCATED)
        if compressed.prose_dropped_for_budget and not pinned:
            run.recorder.mark(Mark.CONTEXT_TRUNCATED)
    return run.having(compressed=compressed)


def write_prompt(run: Run) -> Run:
    assert run.compressed is not None
    with run.recorder.stage("prompt", run.compressed.chars_after) as stage:
        prompt = build_prompt(run.question.text, run.compressed.text, run.computation)
        stage.out(len(prompt))
    return run.having(prompt=prompt)
