"""Look-ups in financial statements: a line item in the column of a period.

`What was Amazon's operating income in Q1 2023?` names a row by its label and a column by a period; no column is called
operating income. Every word of the question must be the label, its group, the period, the company or a word that asks
nothing, and all tables that print the figure must print the same one; else the question is left to others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from contracts.documents import Line, Row, RowRole, Table, TableSummary
from contracts.evidence import Citation
from contracts.filters import Scope
from contracts.marks import Mark
from contracts.numbers import parse_number
from contracts.plans import Computation, Computed, Coverage, Plan, Where
from contracts.questions import Question
from serve.compute import cues
from serve.compute.checks import check_table
from serve.compute.source import TableSource
from serve.compute.statement_periods import Chosen, Spell, choose_column, period_words_in, read_spell
from serve.compute.view import TableView, unique
from serve.compute.words import norms, word_set

_ASKS_ROWS = word_set("sum suma list lists listed lista listado row rows entry entries distinct different unique count")
"""Ask for several rows, so that one figure is no answer."""
_ASKS_NOTHING = (
    cues.FUNCTION
    | cues.NEUTRAL
    | cues.MILD
    | word_set("""
    quarter quarters quarterly period year fiscal financial ended ending reported report reports disclosed million
    millions billion billions thousand company corporation form 10 q k 10q 10k filing spending
    """)
) - _ASKS_ROWS
_UNIT = re.compile(
    r"\(?\b((?:amounts |figures |dollars |all amounts )?in (?:millions|thousands|billions|lakhs?|crores?)\b[^):]*)",
    re.I,
)
_MAIN = re.compile(
    r"\bstatements? of (?:\w+ )?(?:income|operations|earnings|cash ?flows)\b|\bbalance sheets?\b|\bprofit and loss\b",
    re.I,
)
_RATE = re.compile(r"\brate\b|\bper share\b|\bmargin\b|\bpercent", re.I)
_WHOLE = word_set("consolidated total company whole in millions thousands unaudited and of")
_ABOVE = 6
"""Lines over a table among which its unit stands."""


@dataclass(frozen=True)
class Hit:
    """A row that the question names, and the column it means."""

    table: Table
    about: TableSummary
    row: Row
    label: str
    header: str
    value: str
    chosen: Chosen
    lines: tuple[Line, ...]
    """Of the table's first page."""
    of_whole: bool
    """No group stands above the row but one that the question names, or that of the whole (`Consolidated`)."""

    @cached_property
    def above(self) -> tuple[str, ...]:
        """What stands just over the table, nearest first."""
        first = self.table.rows[0]
        near = (
            n for n in self.lines if n.page == first.page and first.line_start - _ABOVE <= n.line < first.line_start
        )
        return tuple(n.text for n in sorted(near, key=lambda n: -n.line))

    @property
    def main(self) -> bool:
        """Whether it stands in one of the statements themselves, not in a note that breaks it down."""
        return any(_MAIN.search(text) for text in (self.table.title, *self.above))


def look_up(
    question: Question, summaries: Sequence[TableSummary], index: TableSource, scope: Scope
) -> Computation | None:
    """The figure with its row and column; None when no statement in scope has just one."""
    asked = read_spell(question.text)
    wanted = norms(period_words_in(question.text))
    hits = [h for s in summaries if _is_statement(s) for h in _hits(question, asked, wanted, s, index, scope)]
    if not hits or len({h.about.doc_id for h in hits}) > 1:
        return None
    exact = [h for h in hits if norms(h.label) and _place(norms(h.label), wanted) is not None] or hits
    main, whole = [h for h in exact if h.main], [h for h in exact if h.of_whole]
    preferred = (exact, main, [h for h in main if h.of_whole], whole)
    agreed = next((figure for some in preferred if (figure := _agreed(some)) is not None), None)
    if agreed is None:
        return None
    best = next((h for h in exact if h.main and _figure(h) == agreed), next(h for h in exact if _figure(h) == agreed))
    doubtful = best.chosen.assumed or _agreed(exact) is None
    return _computation(best, doubtful, question.language)


def _is_statement(summary: TableSummary) -> bool:
    """Labels first, then at least one column of a period."""
    spells = [read_spell(c) for c in summary.columns[1:]]
    return any(s.days or s.years for s in spells)


def _figure(hit: Hit) -> str:
    return str(parse_number(hit.value))


def _agreed(hits: Sequence[Hit]) -> str | None:
    figures = {_figure(h) for h in hits}
    return figures.pop() if len(figures) == 1 else None


def _hits(
    question: Question, asked: Spell, wanted: Sequence[str], about: TableSummary, index: TableSource, scope: Scope
) -> Iterator[Hit]:
    spells = [Spell(), *(read_spell(c) for c in about.columns[1:])]
    chosen = choose_column(spells, asked, question.periods, about.period)
    if chosen is not None and any(
        _names_column(c, norms(question.text)) for i, c in enumerate(about.columns) if i != chosen.column
    ):
        return  # `the total of Q2` has a column of its own
    table = index.table(about.table_id, scope) if chosen is not None else None
    if table is None or chosen is None or not any(_stands(row.cells[0], wanted) for row in table.rows if row.cells):
        return
    names = frozenset(n for name in _names_said(question, about, index, scope) for n in norms(name))
    lines = index.lines(about.doc_id, (table.rows[0].page,), scope)
    group = about.columns[0]
    for row in table.rows:
        if row.role is RowRole.HEADER or chosen.column >= len(row.cells):
            continue
        label, value = row.cells[0].strip(), row.cells[chosen.column].strip()
        if not any(c.strip() for c in row.cells[1:]):
            group = label
        elif parse_number(value) is not None and _accounts(wanted, label, group, names):
            whole = set(norms(group)) <= set(wanted) | _WHOLE
            yield Hit(table, about, row, label, unique(table.columns)[chosen.column], value, chosen, lines, whole)


def _names_column(header: str, asked: Sequence[str]) -> bool:
    return bool(norms(header)) and _place(norms(header), asked) is not None


def _names_said(question: Question, about: TableSummary, index: TableSource, scope: Scope) -> list[str]:
    """The companies named that the document's first page or its file's name says."""
    first = " ".join(line.text for line in index.lines(about.doc_id, (1,), scope) if line.page == 1)
    said = f"{about.doc_name} {first}".casefold()
    return [n for n in question.names if n.casefold() in said]


def _accounts(wanted: Sequence[str], label: str, group: str, names: frozenset[str]) -> bool:
    """Whether the label stands in the question, and the group, the names and empty words explain all the rest."""
    for spelling in _spellings(label):
        place = _place(spelling, wanted)
        if place is not None:
            rest = {*wanted[: place[0]], *wanted[place[1] :]} - set(norms(group)) - names
            return rest <= _ASKS_NOTHING - {"total"} and ("total" not in rest or "total" in norms(group))
    return False


def _stands(label: str, wanted: Sequence[str]) -> bool:
    return any(_place(spelling, wanted) is not None for spelling in _spellings(label))


def _spellings(label: str) -> Iterator[tuple[str, ...]]:
    """As printed; without what stands in brackets; without a final `net`; without a leading `total`."""
    whole = norms(label)
    plain = norms(re.sub(r"\([^)]*\)", " ", label))
    for words in dict.fromkeys((whole, plain, plain[:-1] if plain[-1:] == ("net",) else plain)):
        if words and any(not w.isdigit() for w in words):
            yield words
            if words[0] == "total" and len(words) > 1:
                yield words[1:]


def _place(words: Sequence[str], within: Sequence[str]) -> tuple[int, int] | None:
    size = len(words)
    return next(
        ((i, i + size) for i in range(len(within) - size + 1) if tuple(within[i : i + size]) == tuple(words)), None
    )


def _computation(hit: Hit, doubtful: bool, language: str) -> Computation:
    table, row = hit.table, hit.row
    view = TableView([table], {table.table_id: hit.about})
    checks = tuple(c for c in check_table(view, 0) if c.name in ("provenance", "orphans"))
    unproven = any((row.index, hit.chosen.column) == cell for cell in table.unproven)
    label_column = table.columns[0].strip() or "label"
    plan = Plan(
        op="lookup",
        column=hit.header,
        where=(Where(column=label_column, op="eq", values=(hit.label,)),),
        table_ids=(table.table_id,),
        interpretation=f"{hit.label} under {hit.header}, {table.title}" if doubtful else "",
    )
    marks = [Mark.AMBIGUOUS_PLAN] * doubtful + [Mark.UNPROVEN_NUMBER] * unproven
    marks += [Mark.EXTRACTION_UNCERTAIN] * bool(table.warnings)
    rows = sum(r.role is not RowRole.HEADER for r in table.rows)
    return Computation(
        computed=Computed(op="lookup", value=hit.value, plan=plan, rows=((table.table_id, row.index),)),
        text=_text(hit, language),
        coverage=Coverage(
            rows_extracted=rows,
            rows_used=1,
            rows_matched_filter=1,
            pages=(row.page,),
            tables=(table.table_id,),
            checks=checks,
        ),
        citations=(_citation(hit),),
        marks=tuple(map(str, marks)),
        table_ids=(table.table_id,),
        confidence=0.95,
    )


def _text(hit: Hit, language: str) -> str:
    header = " ".join(hit.header.replace(" / ", " ").split())
    unit = _unit(hit)
    said = f"{hit.label}: {hit.value}" + (f" ({unit})" if unit else "")
    page = "página" if language == "es" else "page"
    return f"{said}; {header} ({hit.about.doc_name}, {page} {hit.row.page})."


def _unit(hit: Hit) -> str:
    """`in millions`, as the header, the title or the lines above the table say it; rates have none."""
    if "%" in hit.value or _RATE.search(hit.label):
        return ""
    headers = (c for r in hit.table.rows[:3] if r.role is RowRole.HEADER for c in r.cells)
    for text in (hit.header, *headers, *hit.table.columns, *hit.above, hit.table.title):
        if found := _UNIT.search(text):
            return found[1].strip()
    return ""


def _citation(hit: Hit) -> Citation:
    row = hit.row
    return Citation(
        doc_id=hit.about.doc_id,
        doc_name=hit.about.doc_name,
        page=row.page,
        line_start=row.line_start,
        line_end=row.line_end,
        section_title=hit.table.title,
        table_id=hit.table.table_id,
        rows=(row.index,),
        bboxes=(row.bbox,),
    )
