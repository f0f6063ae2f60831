"""Which tables a question is about: those in scope that its period and type allow, together when their columns agree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compression.terms import stem
from contracts.chunks import Chunk
from contracts.dates import MONTHS
from contracts.documents import ColumnKind, Table, TableSummary
from contracts.evidence import Candidate
from contracts.filters import Scope
from contracts.periods import covers, months
from contracts.questions import Question
from serve.compute.facts import looks_paired
from serve.compute.siblings import with_own_periods
from serve.compute.source import TableSource
from serve.compute.view import TableView
from serve.compute.words import norms, word_stems
from serve.lexicon import Lexicon

FEW = 12
"""Groups of tables up to which all are looked at, whatever retrieval found."""
CONSIDERED = 40
"""Groups of tables that are planned against, those that retrieval found first."""

HEAD = 6
"""Lines at the top of a document that say whose it is."""


@dataclass(frozen=True)
class Group:
    """Tables with the same columns, in order of period and document."""

    summaries: tuple[TableSummary, ...]
    rank: int
    """Of the best candidate that is a chunk of one of them; larger than any when there is none."""

    @property
    def table_ids(self) -> tuple[str, ...]:
        return tuple(s.table_id for s in self.summaries)


def choose(
    question: Question, index: TableSource, scope: Scope, candidates: Sequence[Candidate]
) -> tuple[tuple[Group, ...], str | None]:
    """Groups to plan against, the likeliest first; or why there are none (a period that no table has)."""
    summaries = with_own_periods(index.table_summaries(scope))
    typed = [s for s in summaries if not question.doc_types or s.doc_type in question.doc_types] or list(summaries)
    periods = question.periods or periods_in(question.text, typed)
    allowed = [s for s in typed if in_period(s, periods)]
    if not allowed:
        if not typed:
            return (), "no tables in scope"
        there = ", ".join(sorted({s.period for s in typed if s.period})) or "none with a period"
        return (), f"no table for {', '.join(periods)}; there are: {there}"
    rank = {c.chunk.table_id: n for n, c in reversed(list(enumerate(candidates))) if c.chunk.table_id is not None}
    return _grouped(allowed, rank), None


def periods_in(text: str, summaries: Sequence[TableSummary]) -> tuple[str, ...]:
    """Months that the wording names, as the periods that tables have; `June` alone is June of any year there is."""
    named = {MONTHS[w] for w in norms(text) if w in MONTHS and w not in ("may", "mar", "ago", "sep", "set")}
    if re.search(r"\bMay\b|\bmayo\b", text):
        named.add(5)
    years = {int(y) for y in re.findall(r"\b(?:19|20)\d\d\b", text)}
    there = {s.period for s in summaries if s.period is not None and len(months(s.period)) == 1}
    if not named or not there:
        return ()
    found = [p for p in sorted(there) for y, m in months(p) if m in named and (not years or y in years)]
    return tuple(found) or tuple(f"{max(years, default=0) or 'any year'}-{m:02d}" for m in sorted(named))


def in_period(summary: TableSummary, periods: Sequence[str]) -> bool:
    if not periods or summary.period is None:
        return True
    return any(covers(p, summary.period) or covers(summary.period, p) for p in periods)


def _grouped(summaries: Sequence[TableSummary], rank: Mapping[str, int]) -> tuple[Group, ...]:
    alike: dict[tuple[object, ...], list[TableSummary]] = {}
    for summary in summaries:
        # A form's header holds its document's own values: all forms of a kind are one group, however many there are.
        columns = ("form",) if is_form_summary(summary) else tuple(map(word_stems, summary.columns))
        alike.setdefault((summary.doc_type, *columns), []).append(summary)
    far = len(rank) + 1
    groups = [
        Group(
            tuple(sorted(g, key=lambda s: (s.period or "", s.doc_name, s.pages))),
            min(rank.get(s.table_id, far) for s in g),
        )
        for g in alike.values()
    ]
    return tuple(sorted(groups, key=lambda g: g.rank))


def is_form_summary(summary: TableSummary) -> bool:
    """No table of rows: a header that is itself a label and its value (`Invoice No. | INV-7`), or pairs side by side."""
    if len(summary.columns) != 2:
        return looks_paired(summary.columns)
    kinds = [t.kind for t in summary.column_types]
    second = summary.columns[1]
    return (len(kinds) < 2 or kinds[1] in (ColumnKind.TEXT, ColumnKind.CODE)) and (
        not second.strip() or any(c.isdigit() for c in second) or summary.columns[0].rstrip().endswith(":")
    )


_CONTAINERS = frozenset(
    map(
        stem,
        (
            "register",
            "table",
            "document",
            "file",
            "spreadsheet",
            "workbook",
            "csv",
            "pdf",
            "archivo",
            "registro",
            "fichero",
        ),
    )
)
"""Words for what holds rows, whatever its name."""


def context_of(summaries: Sequence[TableSummary]) -> frozenset[str]:
    """Stems that name where the tables come from: file, title, type, period. They ask for nothing further."""
    texts: list[str] = []
    for s in summaries:
        texts += [
            s.doc_name.rsplit(".", 1)[0].replace("_", " ").replace("-", " "),
            s.title,
            s.doc_type.replace("_", " "),
        ]
    return frozenset(stem for text in texts for stem in word_stems(text)) | _CONTAINERS


def named_stems(
    names: Sequence[str], summaries: Sequence[TableSummary], candidates: Sequence[Candidate]
) -> frozenset[str]:
    """Words of the companies and parties named that the tables' own documents speak of; others stay unexplained.

    A single word must stand in the head of the document: `Sales` in a note or in another table of it is nobody's name,
    and passed over it would count everyone.
    """
    documents = {s.doc_id for s in summaries}
    prose = [c.chunk for c in candidates if c.chunk.doc_id in documents and c.chunk.kind != "table"]
    texts = [_plain(chunk.text) for chunk in prose]
    heads = [_plain("\n".join(chunk.text.splitlines()[:HEAD])) for chunk in prose if _is_first(chunk)]
    known = (n for n in names if any(_plain(n) in t for t in (texts if len(n.split()) > 1 else heads)))
    return frozenset(s for n in known for s in word_stems(n))


def _is_first(chunk: Chunk) -> bool:
    return chunk.page_start == 1 and chunk.line_start <= HEAD


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def kind_stems(summaries: Sequence[TableSummary], lexicon: Lexicon | None) -> frozenset[str]:
    """Stems of the words for the kind of document, in every language of the lexicon."""
    kinds = {s.doc_type.replace("_", " ") for s in summaries} - {"unknown", ""}
    texts = set(kinds)
    for concept in lexicon.concepts if lexicon is not None else ():
        if concept.kind == "doc_type" and ({concept.name} | {t.lower() for t in concept.terms}) & kinds:
            texts.update(concept.terms)
    # `salary` and `pay` in `salary register` are columns first: only the noun itself names the kind.
    return frozenset(words[-1] if text.isascii() else words[0] for text in texts if (words := word_stems(text)))


def load(index: TableSource, scope: Scope, summaries: Sequence[TableSummary]) -> TableView | None:
    """The whole tables, all their rows. None when one has gone meanwhile."""
    tables: list[Table] = []
    for summary in summaries:
        table = index.table(summary.table_id, scope)
        if table is None:
            return None
        tables.append(table)
    return TableView(tables, {s.table_id: s for s in summaries})


def relevant(question: Question, groups: Sequence[Group], lexicon: Lexicon | None) -> tuple[Group, ...]:
    """Groups worth loading: found by retrieval, or whose headers share a word or a concept with the question."""
    if len(groups) <= FEW:
        return tuple(groups)
    asked = set(word_stems(question.text))
    concepts = {c.name for c in lexicon.concepts_in(question.text)} if lexicon is not None else set()
    far = max(g.rank for g in groups)
    return tuple(g for g in groups if g.rank < far or _shares(g, asked, concepts, lexicon)) or tuple(groups[:1])


def _shares(group: Group, asked: set[str], concepts: set[str], lexicon: Lexicon | None) -> bool:
    first = group.summaries[0]
    if asked & {s for c in first.columns for s in word_stems(c) if len(s) > 2}:
        return True
    if lexicon is None:
        return False
    return any(concepts & {c.name for c in lexicon.lookup(name, "column")} for name in first.columns)


def period_stems(periods: Sequence[str]) -> frozenset[str]:
    """Words that spell the periods which chose the tables: they ask for nothing more of the rows."""
    numbers = {m for p in periods if "-" in p and not p.endswith(("Q1", "Q2", "Q3", "Q4")) for _, m in months(p)}
    names = [name for name, number in MONTHS.items() if number in numbers]
    return frozenset(stem for text in (*names, *periods) for stem in word_stems(text)) | {"month", "year", "ano", "me"}
