"""The console in Debian's Chromium, over the real stages: sample documents and two that are made here."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

import allrows
from contracts.settings import Settings
from evaluation.corpus import SAMPLES, ingest_here
from serve.http.app import create_app
from serve.services import Services, open_services

CHROMIUM = Path(os.environ.get("ALLROWS_TEST_CHROMIUM", "/usr/bin/chromium"))
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def make_register(path: Path, title: str, people: int, total: int | None = None) -> Path:
    """A ruled salary register; 40 people and more run over two pages. `total` is printed instead of the right one."""
    pay = [30_000 + 100 * n for n in range(people)]
    rows = [["Emp ID", "Name", "Net Pay"]]
    rows += [[f"BR{n + 1:03}", f"Person {n + 1}", f"{p:,}.00"] for n, p in enumerate(pay)]
    rows.append(["Total", "", f"{sum(pay) if total is None else total:,}.00"])
    table = Table(rows, repeatRows=1, colWidths=(90, 200, 120))
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, "black"), ("ALIGN", (2, 0), (2, -1), "RIGHT")]))
    heading = Paragraph(title, getSampleStyleSheet()["Heading1"])
    SimpleDocTemplate(str(path), pagesize=A4).build([heading, table])
    return path


@contextmanager
def listening(app: Any) -> Iterator[str]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@dataclass(frozen=True)
class Site:
    """A running console and what stands behind it."""

    url: str
    services: Services
    state: Any


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("corpus") / "salary_register"  # a folder's name is its documents' type
    folder.mkdir()
    files = [
        make_register(folder / "Branch_Register_June_2025.pdf", "Salary Register - June 2025", 60),
        make_register(folder / "Depot_Register_July_2025.pdf", "Salary Register - July 2025", 6, total=999_999),
    ]
    services = open_services(Settings(data_dir=tmp_path_factory.mktemp("data")), create=True)
    try:
        ingest_here([SAMPLES, *files], services)
        yield services
    finally:
        services.close()


@pytest.fixture(scope="module")
def open_site(corpus: Services, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """A site over the corpus with a data folder and settings of its own."""

    @contextmanager
    def opened(**changes: Any) -> Iterator[Site]:
        settings = corpus.settings.model_copy(update={"data_dir": tmp_path_factory.mktemp("site"), **changes})
        services = replace(corpus, settings=settings, traces=None)
        app = create_app(services, allrows._ingestor(services))
        with listening(app) as url:
            yield Site(url, services, app.state.allrows)

    return opened


@pytest.fixture(scope="module")
def site(open_site: Callable[..., Any]) -> Iterator[Site]:
    with open_site() as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.fail(f"{CHROMIUM} is missing; `make test` installs it: apt-get install chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Pages that are watched: an error in the console or a request to another host fails the test."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def opened(site: Site, expected_status: int = 200, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": 1200, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        refusal = f"status of {expected_status}"
        page.on(
            "console",
            lambda m: wrong.append(m.text) if m.type in ("error", "warning") and refusal not in m.text else None,
        )
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda r: None if r.url.startswith((site.url, "data:")) else wrong.append(r.url))
        page.goto(site.url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong
