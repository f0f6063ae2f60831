"""Candidates, scores, roles and reasons of one answer as a worksheet, for people who live in spreadsheets."""

from __future__ import annotations

from pathlib import Path

from contracts.answers import Answer
from contracts.evidence import Candidate, Score
from serve.sheet import Value, write_sheets

COLUMNS = (
    "role", "reason", "document", "page", "lines", "section", "methods", "matched keywords", "dense raw",
    "dense normalised", "bm25 raw", "bm25 normalised", "fused", "rerank logit", "rerank score", "text", "candidate",
)  # fmt: skip


def write_candidates(answer: Answer, path: Path) -> None:
    """Three sheets: the answer, its candidates, its stages."""
    pipeline = answer.pipeline
    candidates = pipeline.candidates if pipeline is not None else ()
    stages = pipeline.stages if pipeline is not None else ()
    path.write_bytes(
        write_sheets(
            {
                "Answer": [
                    ("question", answer.question),
                    ("answer", answer.answer),
                    ("mode", answer.mode),
                    ("confidence", answer.confidence),
                    ("marks", ", ".join(answer.degraded)),
                    ("trace", answer.trace_id),
                ],
                "Candidates": [COLUMNS, *map(_line, candidates)],
                "Stages": [
                    ("stage", "in", "out", "ms", "dropped"),
                    *((s.name, s.count_in, s.count_out, s.ms, len(s.dropped)) for s in stages),
                ],
            }
        )
    )


def _line(candidate: Candidate) -> tuple[Value, ...]:
    chunk = candidate.chunk
    return (
        candidate.role, candidate.reason, candidate.doc_name, chunk.page_start,
        f"{chunk.line_start}-{chunk.line_end}", chunk.section_title, ", ".join(candidate.methods),
        ", ".join(candidate.matched_keywords), *_scores(candidate.scores.get("dense")),
        *_scores(candidate.scores.get("bm25")), candidate.fused, candidate.rerank_logit, candidate.rerank_score,
        chunk.text, candidate.candidate_id,
    )  # fmt: skip


def _scores(score: Score | None) -> tuple[Value, Value]:
    return (None, None) if score is None else (score.raw, score.normalised)
