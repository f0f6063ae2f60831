"""Asks golden questions one by one and gathers what the metrics need from every stage."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from contracts.answers import Answer, Survival
from contracts.chunks import Chunk
from contracts.documents import Table
from contracts.errors import AllrowsError
from contracts.filters import Caller, Match, Scope
from contracts.questions import AskRequest
from evaluation.golden import GoldenQuestion, GoldenSet
from evaluation.judge import judge
from evaluation.outcomes import CitedRow, Evidence, Judgement, Outcome
from serve.answer import compose
from serve.graph import follow
from serve.run import Run
from serve.services import Services
from serve.survival import survive

Recipe = Callable[[AskRequest, Services], Run]
Progress = Callable[[int, int], None]
"""Called with questions done and in all."""


def collect(
    golden: GoldenSet, services: Services, progress: Progress | None = None, recipe: Recipe = follow
) -> tuple[Outcome, ...]:
    """One outcome for each question, in order. A question that raises becomes an outcome with its error.

    `recipe` runs the stages; an ablation gives one with stages left out.

    Raises:
        DependencyError: Qdrant or the index cannot be reached; nothing can be measured then.
    """
    corpus = Corpus(services)
    outcomes = []
    for done, question in enumerate(golden.questions, 1):
        outcomes.append(_outcome(question, services, corpus, recipe))
        if progress is not None:
            progress(done, len(golden.questions))
    return tuple(outcomes)


class Corpus:
    """The indexed documents by file name, read once."""

    def __init__(self, services: Services) -> None:
        self._index = services.index
        self._ids = {d.name: d.doc_id for d in services.index.documents()}
        self.chunks_of = lru_cache(maxsize=None)(self._chunks_of)
        self.extracted = lru_cache(maxsize=None)(self._extracted)
        self.table = lru_cache(maxsize=None)(self._table)

    def _chunks_of(self, name: str) -> tuple[Chunk, ...]:
        if name not in self._ids:
            return ()
        scope = Scope(must=(Match(field="doc_id", any_of=(self._ids[name],)),))
        return tuple(c for c in self._index.chunks(scope) if c.granularity == 0)

    def _extracted(self, name: str) -> str:
        """Every line and every table cell that extraction found."""
        if name not in self._ids:
            return ""
        doc_id = self._ids[name]
        lines = [line.text for line in self._index.lines(doc_id)]
        tables = [self.table(s.table_id) for s in self._index.table_summaries() if s.doc_id == doc_id]
        rows = [" ".join(row.cells) for table in tables if table is not None for row in table.rows]
        return "\n".join([*lines, *rows])

    def _table(self, table_id: str) -> Table | None:
        return self._index.table(table_id)


def _outcome(question: GoldenQuestion, services: Services, corpus: Corpus, recipe: Recipe) -> Outcome:
    start = time.perf_counter()
    try:
        run = recipe(request_of(question), services)
        answer = compose(run)
    except AllrowsError as error:
        if error.retryable:
            raise
        return _failed(question, error, (time.perf_counter() - start) * 1000)
    ms = (time.perf_counter() - start) * 1000
    return Outcome(
        question=question,
        answer=answer,
        ms=round(ms, 2),
        judgement=judge(question, answer),
        survival=_survival(question, run, corpus),
        announced=_announced(question, run, corpus),
        evidence=_evidence(question, run, corpus),
        cited_rows=tuple(_cited_rows(answer, corpus)),
    )


def request_of(question: GoldenQuestion) -> AskRequest:
    """The question as the person named by its `groups` would ask it."""
    caller = Caller() if question.groups is None else Caller(name="golden", role="reader", groups=question.groups)
    return AskRequest(question=question.question, filters=question.filters, caller=caller)


def _failed(question: GoldenQuestion, error: AllrowsError, ms: float) -> Outcome:
    answer = Answer(answer="", mode="quoted", question=question.question)
    verdict = Judgement(correct=False, reason=f"{type(error).__name__}: {error}", wrong_unmarked=True)
    return Outcome(question=question, answer=answer, ms=ms, judgement=verdict, error=str(error))


def _survival(question: GoldenQuestion, run: Run, corpus: Corpus) -> Survival:
    if not question.identifiers:
        return Survival()
    stages: dict[str, Iterable[str]] = {
        "extraction": [corpus.extracted(name) for name in question.documents],
        "chunks": [c.text for name in question.documents for c in corpus.chunks_of(name)],
        "retrieval": [c.chunk.text for c in run.fused],
        "rerank": [c.chunk.text for c in run.reranked],
        "compression": [run.compressed.text if run.compressed is not None else ""],
        "prompt": [evidence_of(run)],
    }
    return survive(question.identifiers, stages)


def _announced(question: GoldenQuestion, run: Run, corpus: Corpus) -> tuple[str, ...]:
    left_out: set[str] = set()
    for truncated in run.compressed.tables_truncated if run.compressed is not None else ():
        table = corpus.table(truncated.table_id)
        rows = set(truncated.rows_left_out)
        if table is not None:
            left_out.update(cell for row in table.rows if row.index in rows for cell in row.cells)
    return tuple(i for i in question.identifiers if i in left_out)


def evidence_of(run: Run) -> str:
    """The prompt without the question, whose own codes would prove nothing."""
    return run.prompt.rpartition("<question>")[0]


def _evidence(question: GoldenQuestion, run: Run, corpus: Corpus) -> Evidence:
    needles = [squeezed(n) for n in question.needles]
    chunks = [c for name in question.documents for c in corpus.chunks_of(name)]
    prompt = squeezed(evidence_of(run))
    return Evidence(
        relevant=tuple(c.chunk_id for c in chunks if any(n in squeezed(c.text) for n in needles)),
        ranked=tuple(c.candidate_id for c in run.fused),
        needles=len(needles),
        in_prompt=sum(n in prompt for n in needles),
    )


def squeezed(text: str) -> str:
    """One space between words: a sentence keeps its identity when its lines are broken elsewhere."""
    return " ".join(text.split())


def _cited_rows(answer: Answer, corpus: Corpus) -> Iterator[CitedRow]:
    for citation in answer.citations:
        table = corpus.table(citation.table_id) if citation.table_id is not None else None
        cells = {row.index: row.cells for row in table.rows} if table is not None else {}
        for row in citation.rows:
            yield CitedRow(
                doc_name=citation.doc_name, table_id=citation.table_id or "", row=row, cells=cells.get(row, ())
            )
