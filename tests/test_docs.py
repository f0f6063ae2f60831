"""What the documentation points at is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_relative_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_the_first_thirty_lines_show_the_sentence_the_set_up_and_an_answer():
    opening = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:30])
    for needed in ("proof that every row reached the prompt", "make demo", "allrows ask", "12 of 12 rows"):
        assert needed in opening
