"""Every command that README and docs give for a figure exists: make targets, modules and subcommands."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import evaluation
from allrows import app

ROOT = Path(evaluation.__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "DECISIONS.md", *sorted((ROOT / "docs").glob("*.md"))]
FIGURE = re.compile(r"\b\d+(?:\.\d+)? ?(?:ms|MB/s|pages/s)\b|\b\d{1,3}(?:\.\d+)? ?%")
COMMAND = re.compile(r"\b(make [a-z]|python -m |allrows [a-z]|pytest )")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z][\w-]*):", text_of(ROOT / "Makefile"), re.M))
    named = set(re.findall(r"`make ([a-z][\w-]*)", text_of(page))) | set(
        re.findall(r"^\s*(?:\$ )?make ([a-z][\w-]*)", text_of(page), re.M)
    )
    assert named - targets == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_modules_exist(page: Path) -> None:
    named = set(re.findall(r"python -m ((?:evaluation|serve|ingest|store|encode)[\w.]*)", text_of(page)))
    assert {name for name in named if importlib.util.find_spec(name) is None} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_subcommands_exist(page: Path) -> None:
    commands = {c.name or c.callback.__name__ for c in app.registered_commands if c.callback is not None}
    commands |= {group.name for group in app.registered_groups if group.name is not None}
    named = set(re.findall(r"^\s*(?:\$ )?allrows ([a-z]+)", _code(text_of(page)), re.M))
    assert named - commands == set()


def _code(text: str) -> str:
    """Fenced blocks and inline code that start with the command."""
    fenced = re.findall(r"```[a-z]*\n(.*?)```", text, re.S)
    inline = re.findall(r"`(allrows [^`]+)`", text)
    return "\n".join([*fenced, *inline])


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "DECISIONS.md"], ids=lambda p: p.name)
def test_a_page_with_figures_names_a_command_that_makes_them(page: Path) -> None:
    text = text_of(page)
    assert not FIGURE.search(text) or COMMAND.search(text)
