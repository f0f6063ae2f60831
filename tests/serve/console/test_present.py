from __future__ import annotations

from contracts.answers import Answer, StageRecord, Survival
from contracts.documents import Table
from contracts.evidence import Citation
from contracts.plans import Check, Computed, Coverage, Excluded, Plan
from serve.console.present import (
    MAX_IDENTIFIERS,
    citation_groups,
    computed_table,
    differences,
    proofs,
    survival_grid,
    view,
    waterfall,
)
from tests.serve.http.fakes import make_document, make_table


def cite(page: int, rows: tuple[int, ...] = (), table: str | None = "t1", line: int = 3) -> Citation:
    return Citation(
        doc_id="d", doc_name="a.pdf", page=page, line_start=line, line_end=line + 1, table_id=table, rows=rows
    )


def answer(**changes: object) -> Answer:
    return Answer(answer="x", mode="computed", **changes)  # type: ignore[arg-type]


def test_a_table_over_two_pages_is_one_source() -> None:
    groups = citation_groups([cite(1, (1, 2)), cite(2, (3,)), cite(4, (), None), cite(4, (), None, 9)])
    assert [(g.table_id, g.rows, g.pages, g.lines) for g in groups] == [
        ("t1", (1, 2, 3), (1, 2), ""),
        (None, (), (4,), "3-4"),
        (None, (), (4,), "9-10"),
    ]
    assert [g.label for g in groups] == ["pages 1–2, 3 rows", "page 4, lines 3–4", "page 4, lines 9–10"]
    assert citation_groups([cite(7, (5,))])[0].label == "page 7, 1 row"


def test_the_proof_says_rows_footing_and_what_failed() -> None:
    checks = (
        Check(name="footing", passed=True, column="Basic", computed="10", printed="10"),
        Check(name="footing", passed=False, column="Net", computed="900.00", printed="999.00"),
        Check(name="serials", passed=True),
        Check(name="orphans", passed=False, detail="1 line with numbers belongs to no row"),
    )
    found = proofs(answer(coverage=Coverage(rows_extracted=12, rows_used=12, checks=checks)))
    assert [(p.text, p.passed) for p in found] == [
        ("12 of 12 rows", True),
        ("footing agrees in 1 of 2 columns", False),
        ("serial numbers run without gaps", True),
        ("Net: the rows say 900.00, the printed total says 999.00", False),
        ("1 line with numbers belongs to no row", False),
    ]
    assert proofs(answer()) == ()
    matched = [
        [p.text for p in proofs(answer(coverage=Coverage(rows_extracted=12, rows_used=1, rows_matched_filter=n)))]
        for n in (None, 1, 4, 12)
    ]
    assert matched == [
        ["1 of 12 rows"],
        ["1 of 12 rows"],
        ["1 of 12 rows", "4 rows match the condition"],
        ["1 of 12 rows"],
    ]
    incomplete = proofs(answer(coverage=Coverage(rows_extracted=12, rows_used=7, complete=False)))
    assert [(p.text, p.passed) for p in incomplete] == [("7 of 12 rows", False)]


def test_the_chart_shows_the_first_loss_of_each_identifier() -> None:
    """Twelve employees, two of whom reached the prompt: the incident that the product exists against."""
    ids = tuple(f"ST{n:03}" for n in range(1, 13))
    stages = {"retrieval": ids, "rerank": ids, "compression": ids[:2], "prompt": ids[:2]}
    grid = survival_grid(Survival(identifiers=ids, stages=stages))
    assert grid.counts == (12, 12, 2, 2)
    assert (grid.total, grid.lost, grid.hidden, grid.first_stage) == (12, 10, 0, "compression")
    assert [r.identifier for r in grid.rows] == [*ids[2:], *ids[:2]], "what was lost comes first"
    assert grid.rows[0].cells == ("kept", "kept", "dropped", "gone")
    assert grid.rows[-1].cells == ("kept",) * 4


def test_rows_that_the_prompt_names_as_left_out_are_no_silent_loss() -> None:
    ids = ("ST001", "ST002", "ST003")
    fits = Survival(identifiers=ids, stages={"rerank": ids, "compression": ids[:2], "prompt": ids[:2]})
    assert survival_grid(fits, ("table_truncated",)).announced
    assert not survival_grid(fits).announced
    assert not survival_grid(fits, ("table_truncated", "survival_drop")).announced
    reranked = Survival(identifiers=ids, stages={"rerank": ids[:2], "compression": ids[:2], "prompt": ids[:2]})
    assert not survival_grid(reranked, ("table_truncated",)).announced


def test_no_lost_identifier_is_ever_hidden() -> None:
    ids = tuple(f"E{n}" for n in range(MAX_IDENTIFIERS + 200))
    kept = survival_grid(Survival(identifiers=ids, stages={"prompt": ids}))
    assert (len(kept.rows), kept.hidden, kept.first_stage) == (MAX_IDENTIFIERS, 200, None)
    lost = survival_grid(Survival(identifiers=ids, stages={"prompt": ids[:10]}))
    assert sum(r.cells == ("dropped",) for r in lost.rows) == len(ids) - 10


def test_bars_follow_each_other() -> None:
    bars = waterfall(
        [
            StageRecord(name="a", ms=25, count_in=1, count_out=1),
            StageRecord(name="b", ms=75, count_in=1, count_out=0, detail={"error": "Boom: x"}),
            StageRecord(name="c", ms=0, count_in=0, count_out=0),
        ]
    )
    assert [(b.start, b.width) for b in bars] == [(0, 250), (250, 750), (1000, 3)]
    assert bars[1].error == "Boom: x"
    assert waterfall([]) == ()


def test_each_row_says_what_became_of_it() -> None:
    table: Table = make_table(make_document("a.pdf", "everyone"))
    shown = computed_table(
        table,
        answer(
            computed=Computed(op="count", value="1", plan=Plan(op="count"), rows=((table.table_id, 1), ("another", 2))),
            coverage=Coverage(
                rows_extracted=4,
                rows_used=1,
                excluded=(
                    Excluded(row=0, reason="header", table_id=table.table_id),
                    Excluded(row=3, reason="total", table_id="another"),
                ),
            ),
        ),
    )
    assert [(row, state, reason) for row, _, state, reason in shown.rows] == [
        (0, "excluded", "header"),
        (1, "used", ""),
        (2, "unused", ""),
        (3, "unused", ""),
        (4, "unused", ""),
    ]


def test_differences_are_leaves() -> None:
    left = {"a": 1, "b": {"c": 2, "d": 3}, "e": [1]}
    right = {"a": 1, "b": {"c": 9, "d": 3}, "f": 0}
    assert differences(left, right) == [("b.c", 2, 9), ("e", [1], None), ("f", None, 0)]


def test_a_mark_comes_with_its_meaning() -> None:
    shown = view(answer(degraded=("rerank_timeout", "of_the_future")))
    assert shown.marks == (
        ("rerank_timeout", "the cross-encoder ran out of its time budget; the fused order stands"),
        ("of_the_future", ""),
    )
