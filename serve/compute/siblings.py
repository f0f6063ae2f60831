"""Tables of one document told apart by what stands over them: a workbook with a sheet for each month or each plant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contracts.dates import MONTHS
from contracts.documents import TableSummary
from contracts.periods import covers, months
from serve.compute.words import norms, word_stems
from serve.period_finder import find_periods

SHEET_END = ": "
"""Between the name of a sheet and the title printed on it."""
_TELLING = 3
"""Letters of a word that may tell one title from another."""


def with_own_periods(summaries: Sequence[TableSummary]) -> list[TableSummary]:
    """Summaries with the month that their own title names, in documents whose tables are of different months.

    A document has one period; a workbook of twelve sheets has twelve, and April's rows are no answer about May.
    """
    own = {s.table_id: period for s in summaries if (period := _month_of(s)) is not None}
    several = {
        s.doc_id
        for s in summaries
        if len({own[t.table_id] for t in summaries if t.doc_id == s.doc_id and t.table_id in own}) > 1
    }
    return [
        s.model_copy(update={"period": own[s.table_id]}) if s.doc_id in several and s.table_id in own else s
        for s in summaries
    ]


def _month_of(summary: TableSummary) -> str | None:
    """The one month that the title names; a sheet called `Apr` is of the document's year."""
    found = {p for p in find_periods(f"in {summary.title}") if len(months(p)) == 1}
    if len(found) == 1:
        return found.pop()
    sheet = norms(summary.title.partition(SHEET_END)[0])
    years = {y for y, _ in months(summary.period or "")}
    if found or len(sheet) != 1 or sheet[0] not in MONTHS or not years:
        return None
    at = {f"{y}-{MONTHS[sheet[0]]:02d}" for y in years}
    inside = [p for p in at if covers(summary.period or "", p)]
    return inside[0] if len(inside) == 1 else None


def named_in(
    text: str, summaries: Sequence[TableSummary], held: Callable[[str], bool] = lambda stem: False
) -> tuple[TableSummary, ...]:
    """The tables whose title holds the words of `text` that only some titles hold; all when there are no such words.

    `held`: stems that cells or headers hold, which choose rows and no table.
    """
    dated = any(s.period for s in summaries)  # then months have chosen among them already
    asked = tuple(w for w in norms(text) if not (dated and _is_time(w)))
    sheets = [norms(s.title.partition(SHEET_END)[0]) for s in summaries]
    named = tuple(
        s
        for s, sheet in zip(summaries, sheets, strict=True)
        if sheet and _within(sheet, asked) and not all(held(stem) for stem in word_stems(" ".join(sheet)))
    )
    if named and len(named) < len(summaries):
        return named
    titles = [frozenset(word_stems(s.title)) for s in summaries]
    if not all(titles):
        return tuple(summaries)  # a part without a title may be the rest of one that has it
    stems = {w for w in word_stems(" ".join(asked)) if len(w) >= _TELLING and not held(w)}
    telling = {w for w in stems if 0 < sum(w in t for t in titles) < len(titles)}
    if not telling:
        return tuple(summaries)
    all_of_them = tuple(s for s, t in zip(summaries, titles, strict=True) if telling <= t)
    return all_of_them or tuple(s for s, t in zip(summaries, titles, strict=True) if telling & t)


def _is_time(word: str) -> bool:
    return word in MONTHS or (word.isdigit() and len(word) == 4)


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    return any(tuple(whole[i : i + len(part)]) == tuple(part) for i in range(len(whole) - len(part) + 1))


def titles_differ(summaries: Sequence[TableSummary]) -> bool:
    """Whether tables of one document stand under different titles: one figure over them adds what may be apart."""
    documents = {s.doc_id for s in summaries}
    return any(len({s.title for s in summaries if s.doc_id == d}) > 1 for d in documents)
