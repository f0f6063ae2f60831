"""The pictures of the README: the console over the sample corpus, taken by Chromium.

    python -m evaluation.screenshots docs/img

Needs Debian's chromium (or ALLROWS_TEST_CHROMIUM) and the package playwright. Each picture stays below 200 KB.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from evaluation.bench_serve import server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COUNT = "How many employees are in the April 2025 salary register?"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDTH = 1160
LIMIT = 200_000


def main(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("ALLROWS_TEST_CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        with server() as address:
            _as_it_is(browser, address.url, folder)
        with server(ALLROWS_COMPRESS_ROWS_AS_SENTENCES="true") as address:
            _with_the_old_fault(browser, address.url, folder)
        browser.close()


def _as_it_is(browser: Browser, url: str, folder: Path) -> None:
    page = _asked(browser, url, height=1310)
    _keep(page, folder / "ask.png")
    page.locator("a.citation").first.click()
    page.locator("#viewer img").wait_for()
    page.wait_for_load_state("networkidle")
    _keep(page, folder / "page.png", height=800)
    page.keyboard.press("Escape")
    page.locator("a[href^='/console/traces/']").first.click()
    page.locator("table.survival").wait_for()
    _keep(page, folder / "trace.png", height=1110)
    page.get_by_role("tab", name="Candidates").click()
    _keep(page, folder / "candidates.png", height=1110)
    page.goto(f"{url}/console/documents")
    _keep(page, folder / "documents.png", height=700)


def _with_the_old_fault(browser: Browser, url: str, folder: Path) -> None:
    """Rows taken for sentences: the incident that the product exists against, as the chart shows it."""
    page = _asked(browser, url, height=1380, scheme="dark")
    _keep(page, folder / "survival.png")


def _asked(browser: Browser, url: str, height: int, scheme: str = "light") -> Page:
    page = browser.new_page(
        viewport={"width": WIDTH, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(url)
    page.get_by_label("Question").fill(COUNT)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("table.survival").wait_for(timeout=120_000)
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    return page


def _keep(page: Page, path: Path, height: int | None = None) -> None:
    """256 colours are enough for a page, and a third of the bytes."""
    if height is not None:
        page.set_viewport_size({"width": WIDTH, "height": height})
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(256).save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path}: {size // 1000} KB")
    if size > LIMIT:
        raise SystemExit(f"{path} has {size} bytes; {LIMIT} are allowed.")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/img"))
