from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from contracts.documents import RowRole, Table
from serve.pages import SCALE
from tests.serve.browser.conftest import Site, make_register

pytestmark = pytest.mark.browser
APRIL = "How many employees are in the April 2025 salary register?"
JUNE = "How many employees are in the June 2025 salary register?"
Open = Callable[..., Page]
IDENTIFIERS = [f"ST{n:03}" for n in range(1, 13)]


def ask(page: Page, question: str) -> None:
    page.get_by_label("Question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("article.answer")).to_be_visible(timeout=60_000)


def table_of(site: Site, name: str) -> Table:
    summary = next(t for t in site.services.index.table_summaries() if t.doc_name == name)
    table = site.services.index.table(summary.table_id)
    assert table is not None
    return table


def marked_rows(page: Page, table: Table, number: int) -> dict[int, bool]:
    """Row to whether its middle is marked in the picture of the page that the dialog shows."""
    image_address = page.locator("#viewer img").get_attribute("src")
    assert image_address is not None
    response = page.request.get(page.url.rstrip("/") + image_address)
    image = Image.open(io.BytesIO(response.body())).convert("RGB")
    found = {}
    for row in table.rows:
        if row.page == number:
            x0, top, x1, bottom = row.bbox
            box = tuple(round(v * SCALE) for v in (x0, top, x1, bottom))
            inside = image.crop(box)
            blue = sorted(p[2] for _, p in inside.getcolors(inside.width * inside.height) or ())  # type: ignore[index]
            found[row.index] = blue[-1] < 120  # white paper is 255, the marker 82
    return found


def test_ask_answer_citation_and_the_right_rows_on_the_right_page(site: Site, open_page: Open) -> None:
    page = open_page(site)
    ask(page, JUNE)
    expect(page.locator(".answer-text").last).to_contain_text("60")
    expect(page.locator(".proofs")).to_contain_text("60 of 60 rows")
    expect(page.locator(".proofs")).to_contain_text("footing agrees in 1 of 1 columns")
    expect(page.locator(".chip", has_text="rerank")).to_be_visible()
    table = table_of(site, "Branch_Register_June_2025.pdf")
    assert table.pages == (1, 2)
    page.locator("a.citation").click()
    dialog = page.get_by_role("dialog")
    for number in (1, 2):
        if number == 2:
            dialog.get_by_role("link", name="page 2").click()
        expect(dialog.get_by_role("link", name=f"page {number}")).to_have_attribute("aria-current", "page")
        expect(dialog.locator("img")).to_have_js_property("complete", True)
        body = {r.index for r in table.rows if r.role == RowRole.BODY and r.page == number}
        assert body, "the table runs over both pages"
        found = marked_rows(page, table, number)
        assert {row for row, marked in found.items() if marked} == body
        assert set(found) > body, "header and total are there and not marked"
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_the_survival_chart_of_twelve_employees(site: Site, open_page: Open) -> None:
    page = open_page(site)
    ask(page, APRIL)
    chart = page.locator("table.survival")
    expect(chart.locator("tbody th")).to_have_text(IDENTIFIERS)
    expect(chart.locator("thead small")).to_have_text(["12 of 12"] * 6)
    expect(chart.locator("td.kept")).to_have_count(72)
    expect(chart.locator("td.dropped, td.gone")).to_have_count(0)


def test_the_first_drop_is_red(open_site: Callable[..., Any], open_page: Open) -> None:
    """With the fault that the product exists against: rows are taken for sentences."""
    with open_site(compress_rows_as_sentences=True) as faulty:
        page = open_page(faulty)
        ask(page, APRIL)
        expect(page.locator('[data-mark="survival_drop"]')).to_be_visible()
        chart = page.locator("table.survival")
        stages = [t.split("\n")[0] for t in chart.locator("thead th").all_inner_texts()]
        dropped = chart.locator("td.dropped")
        assert dropped.count() > 0
        rows = chart.locator("tbody tr")
        for number in range(rows.count()):
            states = [c or "" for c in (rows.nth(number).locator("td").nth(i).get_attribute("class") for i in range(6))]
            assert re.fullmatch(r"(kept,)*(dropped(,gone|,kept)*)?,?", ",".join(states) + ","), states
            if "dropped" in states:
                assert stages[1 + states.index("dropped")] == "compression"
        colour = dropped.first.evaluate("e => getComputedStyle(e).backgroundColor")
        assert colour == "rgb(210, 59, 48)"


def test_a_degraded_answer_shows_its_mark_and_both_sides(site: Site, open_page: Open) -> None:
    page = open_page(site)
    ask(page, "What is the total net pay in the July 2025 salary register?")
    expect(page.locator('[data-mark="footing_mismatch"]')).to_contain_text("differs from the printed total")
    expect(page.locator(".proofs .bad").last).to_contain_text("the printed total says")
    expect(page.locator(".proofs .bad").last).to_contain_text("999999")


def test_the_tabs_work_with_the_keyboard(site: Site, open_page: Open) -> None:
    page = open_page(site)
    expect(page.get_by_label("Question")).to_be_focused()
    page.keyboard.type(APRIL)
    page.keyboard.press("Enter")
    expect(page.locator("article.answer")).to_be_visible(timeout=60_000)
    tabs = page.get_by_role("tab")
    names = ["Survival", "Computation", "Candidates", "Compression", "Prompt", "Timings", "Settings"]
    expect(tabs).to_have_text(names)
    tabs.first.focus()
    for name in names[1:]:
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    page.get_by_role("tab", name="Prompt").click()
    digest = page.locator(".hash:visible").inner_text()
    assert re.fullmatch("[0-9a-f]{64}", digest)


def test_an_upload_shows_its_progress_and_becomes_a_document(site: Site, open_page: Open, tmp_path: Path) -> None:
    file = make_register(tmp_path / "Shop_Register_August_2025.pdf", "Salary Register - August 2025", 3)
    page = open_page(site)
    page.goto(f"{site.url}/console/documents")
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    line = page.locator("#uploads li")
    expect(line.get_by_role("progressbar")).to_be_visible()
    expect(line.locator(".state")).to_have_text("done", timeout=120_000)
    expect(line.get_by_role("progressbar")).to_have_js_property("value", 1)
    page.get_by_role("link", name=file.name).click()
    expect(page.locator(".drawn img")).to_be_visible()
    expect(page.get_by_role("heading", name="Tables")).to_contain_text("1")
    page.goto(f"{site.url}/console/documents")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name=f"Remove {file.name}").click()
    expect(page.get_by_role("link", name=file.name)).to_have_count(0)


def test_a_wrong_key_and_a_reader(open_site: Callable[..., Any], open_page: Open) -> None:
    with open_site() as keyed:
        key = keyed.state.keys.add("desk", "reader", ["everyone"])
        page = open_page(keyed, expected_status=401)
        expect(page).to_have_url(re.compile("/login"))
        page.get_by_label("Key").fill("ar_00000000_wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_have_text("This key is not known here.")
        page.get_by_label("Key").fill(key)
        page.get_by_role("button", name="Sign in").click()
        ask(page, APRIL)
        expect(page.locator(".proofs")).to_contain_text("12 of 12 rows")
        expect(page.locator("a.citation")).to_be_visible()
        expect(page.get_by_role("tab")).to_have_count(0)
        expect(page.locator("a[href*='/console/traces']")).to_have_count(0)
        expect(page.get_by_role("navigation", name="Pages").get_by_role("link")).to_have_text(["Ask"])
        page.get_by_role("button", name="Sign out").click()
        expect(page).to_have_url(re.compile("/login"))


def test_a_reader_is_refused_the_traces(open_site: Callable[..., Any], open_page: Open) -> None:
    with open_site() as keyed:
        key = keyed.state.keys.add("desk", "reader", ["everyone"])
        page = open_page(keyed, expected_status=403)
        page.get_by_label("Key").fill(key)
        page.get_by_role("button", name="Sign in").click()
        page.goto(f"{keyed.url}/console/traces")
        expect(page.get_by_role("alert")).to_contain_text("The role reader may not do this.")


def test_traces_are_found_compared_and_judged(site: Site, open_page: Open) -> None:
    page = open_page(site)
    for question in (APRIL, "What is the highest net pay in April 2025?"):
        ask(page, question)
        page.goto(site.url)
    page.goto(f"{site.url}/console/traces")
    page.get_by_label("Question contains").fill("highest")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("table.traces tbody tr")).to_have_count(1)
    page.get_by_role("link", name="What is the highest net pay in April 2025?").click()
    page.get_by_role("button", name="Wrong…").click()
    page.get_by_label("Why?").fill("It is another.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".said")).to_have_text("Thank you, noted.")
    page.reload()
    expect(page.locator("main")).to_contain_text("says wrong: It is another.")
    page.goto(f"{site.url}/console/traces")
    boxes = page.get_by_role("checkbox", name="Compare:")
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.get_by_role("button", name="Compare the two ticked").click()
    expect(page.locator(".compare article")).to_have_count(2)
    expect(page.get_by_role("row", name="question")).to_contain_text("highest")


def test_it_works_without_scripts(site: Site, open_page: Open) -> None:
    page = open_page(site, java_script_enabled=False)
    ask(page, APRIL)
    expect(page.locator(".answer-text").last).to_contain_text("12")
    expect(page.locator("section.panel")).to_have_count(7)
    page.locator("a.citation").click()
    expect(page.locator("figcaption")).to_contain_text("12 places marked")


def test_dark_is_dark(site: Site, open_page: Open) -> None:
    colours = []
    for scheme in ("light", "dark"):
        page = open_page(site, color_scheme=scheme)
        colours.append(page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor"))
    assert colours == ["rgb(246, 247, 245)", "rgb(20, 25, 23)"]
    page.get_by_role("button", name="Light or dark").click()
    assert page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor") == colours[0]


def test_a_service_that_is_full_says_so(open_site: Callable[..., Any], open_page: Open) -> None:
    with open_site() as busy:
        page = open_page(busy, expected_status=503)
        busy.state.pool.queue_limit = -busy.state.pool.workers
        page.get_by_label("Question").fill(APRIL)
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("the limit is reached")
