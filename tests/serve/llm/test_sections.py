"""The outline call: what is listed, what is taken from a reply, what is refused."""

import json

import pytest

from contracts.documents import Document, Section
from contracts.questions import Question
from serve.llm import sections
from serve.llm.client import Usage
from serve.llm.sections import pick_sections
from tests.serve.llm.scripted import scripted
from tests.serve.llm.test_llm import model_of

QUESTION = Question(text="When are invoices due?")


def outline(name: str, *titles: str) -> tuple[Document, tuple[Section, ...]]:
    """`> ` in front of a title puts it one level down."""
    made = tuple(
        Section(section_id=f"s{n}", level=1 + t.count("> "), title=t.replace("> ", ""), page=1, line=n)
        for n, t in enumerate(titles, 1)
    )
    return Document(doc_id=name, name=name, source=name), made


OUTLINES = (outline("Contract.pdf", "2 Fees", "> 2.1 Due date", "3 Term"), outline("Amendment.pdf", "1 Payment"))


def replied(*numbers: object) -> str:
    return json.dumps({"sections": numbers})


def picks(reply: object):
    with scripted(lambda body: reply) as server:
        return pick_sections(QUESTION, OUTLINES, model_of(server.url)), server.requests


def test_the_titles_stand_one_a_line_with_their_numbers_under_their_document():
    result, requests = picks(replied(2, 4))
    listing = requests[0]["messages"][1]["content"].split("<outline>\n")[1]
    assert listing == (
        "document: Contract.pdf\n[1] 2 Fees\n  [2] 2.1 Due date\n[3] 3 Term\n"
        "document: Amendment.pdf\n[4] 1 Payment\n</outline>"
    )
    assert [(p.document.name, p.section.title) for p in result.picked] == [
        ("Contract.pdf", "2.1 Due date"),
        ("Amendment.pdf", "1 Payment"),
    ]
    assert result.usage == Usage(calls=1, prompt_tokens=11, completion_tokens=7)
    assert (result.listed, result.problem) == (4, "")


def test_numbers_that_no_title_has_are_refused():
    result, _ = picks(replied(9, 0, "2", True, {"number": 1}, 3, 3))
    assert [p.section.title for p in result.picked] == ["3 Term"]
    assert result.refused == ("9", "0", "2", "True", "{'number': 1}")
    assert result.problem == ""


def test_nothing_but_unknown_numbers_is_a_problem():
    result, _ = picks(replied(77))
    assert result.picked == ()
    assert result.problem == "the model named no section that there is (77)"


def test_a_model_that_finds_none_fitting_has_answered():
    result, _ = picks('{"sections": []}')
    assert (result.picked, result.problem) == ((), "")


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("no JSON", "not the JSON asked for"),
        ('{"sections": 4}', "not the JSON asked for"),
        (500, "failed"),
        (("CUT", '{"sec'), "broke off"),
    ],
)
def test_an_unusable_reply_picks_nothing_and_says_why(reply, problem):
    result, _ = picks(reply)
    assert result.picked == ()
    assert problem in result.problem
    assert result.usage.calls == 1


def test_of_a_listing_too_long_for_a_call_the_upper_levels_are_shown(monkeypatch):
    monkeypatch.setattr(sections, "MOST_TITLES", 3)
    result, requests = picks(replied(3))
    assert result.listed == 3
    assert "2.1 Due date" not in requests[0]["messages"][1]["content"]
    assert [p.section.title for p in result.picked] == ["1 Payment"]
