"""Names for everything that makes an answer less than it could be. Nothing degrades silently."""

from __future__ import annotations

from enum import StrEnum


class Mark(StrEnum):
    RERANK_TIMEOUT = "rerank_timeout"
    RERANK_UNAVAILABLE = "rerank_unavailable"
    TABLE_TRUNCATED = "table_truncated"
    CONTEXT_TRUNCATED = "context_truncated"
    FUSION_DEGENERATE = "fusion_degenerate"
    UMG_DEGENERATE = "umg_degenerate"
    FOOTING_MISMATCH = "footing_mismatch"
    SERIAL_GAP = "serial_gap"
    ORPHAN_LINES = "orphan_lines"
    UNPROVEN_NUMBER = "unproven_number"
    INCOMPLETE_COVERAGE = "incomplete_coverage"
    EXTRACTION_UNCERTAIN = "extraction_uncertain"
    AMBIGUOUS_PLAN = "ambiguous_plan"
    DUPLICATE_KEYS = "duplicate_keys"
    CONTRADICTION = "contradiction"
    PARTLY_ANSWERED = "partly_answered"
    SURVIVAL_DROP = "survival_drop"
    ARBITER_FALLBACK = "arbiter_fallback"
    OUTLINE_FALLBACK = "outline_fallback"
    MODEL_UNAVAILABLE = "model_unavailable"
    MODEL_FOUND_NOTHING = "model_found_nothing"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    SUSPICIOUS_TEXT = "suspicious_text"
    QUESTION_TRUNCATED = "question_truncated"
    STALE_INDEX = "stale_index"
    BUDGET_EXCEEDED = "budget_exceeded"
    SCOPE_RELAXED = "scope_relaxed"


MEANING: dict[Mark, str] = {
    Mark.RERANK_TIMEOUT: "the cross-encoder ran out of its time budget; the fused order stands",
    Mark.RERANK_UNAVAILABLE: "the cross-encoder could not be loaded; the fused order stands",
    Mark.TABLE_TRUNCATED: "rows did not fit the prompt; the prompt says which, and no model counted them",
    Mark.CONTEXT_TRUNCATED: "prose was left out of the prompt to fit the budget",
    Mark.FUSION_DEGENERATE: "scores of a method were all equal or there was a single hit; min-max tells nothing",
    Mark.UMG_DEGENERATE: "an expert's score distribution was empty, single or flat",
    Mark.FOOTING_MISMATCH: "the sum of the rows differs from the printed total",
    Mark.SERIAL_GAP: "printed serial numbers have a gap",
    Mark.ORPHAN_LINES: "lines with numbers inside the table belong to no row",
    Mark.UNPROVEN_NUMBER: "a table cell holds a number that the page's words do not contain; it was not summed",
    Mark.INCOMPLETE_COVERAGE: "not every row of the table could be used",
    Mark.EXTRACTION_UNCERTAIN: "the table was joined or split with doubt; see the document's warnings",
    Mark.AMBIGUOUS_PLAN: "the question could be read in more than one way; the reading used is stated",
    Mark.DUPLICATE_KEYS: "identifiers repeat; rows and distinct identifiers are both given",
    Mark.CONTRADICTION: "documents say different things; both are cited",
    Mark.PARTLY_ANSWERED: "one of the two things asked was not found; the answer says which",
    Mark.SURVIVAL_DROP: "an identifier or row was lost between two stages",
    Mark.ARBITER_FALLBACK: "the language model's verdicts were unusable; rules decided",
    Mark.OUTLINE_FALLBACK: "the language model picked no sections from a very long outline; the other methods searched it",
    Mark.MODEL_UNAVAILABLE: "the language model could not be used; the answer is computed or quoted",
    Mark.MODEL_FOUND_NOTHING: "the language model found no answer in the evidence; the best passage is quoted",
    Mark.UNSUPPORTED_CLAIM: "the model wrote something that the evidence does not hold; it was removed",
    Mark.SUSPICIOUS_TEXT: "the document holds hidden or tiny text; it was not used as evidence",
    Mark.QUESTION_TRUNCATED: "the question was longer than the encoder reads; its end was matched by words only",
    Mark.STALE_INDEX: "the index is older than the settings or the files",
    Mark.BUDGET_EXCEEDED: "a time budget ran out",
    Mark.SCOPE_RELAXED: "nothing matched the narrowed scope; the whole permitted scope was searched",
}
