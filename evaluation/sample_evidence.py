"""The sample corpus and its golden questions as evidence to be found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from contracts.documents import ParsedDocument
from evaluation.golden import GoldenSet, LookupExpected, SpanExpected, load_golden
from evaluation.hotpot import Evidence
from ingest.parse import parse
from ingest.walk import walk

HERE = Path(__file__).parent


def load_samples() -> tuple[list[ParsedDocument], list[Evidence]]:
    """Every sample file, and every golden question that names rows, identifiers or the words of its answer."""
    files = walk([HERE / "samples"]).files
    documents = [parse(f.path, f.metadata, source=f.source, name=f.name) for f in files]
    return documents, list(_evidence(load_golden(HERE / "golden.yaml")))


def _evidence(golden: GoldenSet) -> Iterator[Evidence]:
    for question in golden.questions:
        expected = question.expect
        answers: tuple[str, ...] = ()
        if isinstance(expected, LookupExpected):
            answers = (expected.value, *expected.also_accepted)
        elif isinstance(expected, SpanExpected):
            answers = tuple(expected.all_of[0].split("|"))
        supporting = tuple(dict.fromkeys((*question.rows, *question.identifiers)))
        if supporting or answers:
            yield Evidence(question=question.question, answers=answers, supporting=supporting)
