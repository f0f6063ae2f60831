"""The table scorer, on a truth of two rows worked out by hand."""

from __future__ import annotations

from pathlib import Path

from evaluation.bench_tables import check_numbers
from evaluation.table_truth import TrueCell, TrueRegion, compare_page, read_truth
from ingest.extract import extract
from tests.ingest.make_pdf import Layout, make_pdf, table

XML = """<document><table id="1"><region id="1" page="2">
<cell start-row="0" start-col="0"><content>Name of
item</content></cell><cell start-row="0" start-col="1"><content>Net</content></cell>
<cell start-row="1" start-col="0"><content>Yarn</content></cell><cell start-row="1" start-col="1"><content>1,200</content></cell>
</region></table></document>"""


def _region() -> TrueRegion:
    texts = [("nameofitem", 0, 0), ("net", 0, 1), ("yarn", 1, 0), ("1,200", 1, 1)]
    cells = tuple(TrueCell(text=t, rows=(r, r), columns=(c, c)) for t, r, c in texts)
    return TrueRegion(page=2, cells=cells)


def test_truth_is_read(tmp_path: Path) -> None:
    (tmp_path / "a-str.xml").write_text(XML)
    assert read_truth(tmp_path / "a-str.xml") == [_region()]


def test_the_same_table_agrees_fully() -> None:
    found = compare_page([_region()], [[["Name of item", "Net"], ["Yarn", "1,200"]]])
    assert (found.recall, found.precision, found.adjacency) == (1.0, 1.0, 1.0)
    assert found.true_relations == 4  # two to the right, two below


def test_a_split_header_and_a_foreign_row_cost() -> None:
    found = compare_page([_region()], [[["Name of", "Net"], ["item", ""], ["Yarn", "1,200"], ["Source", "x"]]])
    assert (found.true_rows, found.found_rows, found.matched) == (2, 3, 1)


def test_half_a_word_is_no_match() -> None:
    assert compare_page([_region()], [[["Yarns", "1,200"], ["Name of items", "Net"]]]).matched == 0


def test_the_second_reader_sees_every_number_and_would_name_a_foreign_one(tmp_path: Path) -> None:
    rows = [["ID", "Net"], ["E1", "1,200.00"], ["E2", "(90.00)"]]
    path = make_pdf(tmp_path / "r.pdf", lambda c: table(c, rows, Layout((60, 80), frozenset({1}), grid=True)))
    parsed = extract(path)
    assert check_numbers(path, parsed)[1] == ()
    last = parsed.tables[0].rows[-1]
    wrong = last.model_copy(update={"cells": ("E2", "90.00")})
    changed = parsed.tables[0].model_copy(update={"rows": (*parsed.tables[0].rows[:-1], wrong)})
    assert check_numbers(path, parsed.model_copy(update={"tables": (changed,)}))[1] == ("page 1: 90.00",)
