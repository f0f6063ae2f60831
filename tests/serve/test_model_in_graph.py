"""A language model in the whole graph: whatever it says, the answer is right, quoted, or marked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.marks import Mark
from contracts.questions import AskRequest
from contracts.settings import load_settings
from evaluation.corpus import SAMPLES, ingested
from serve.graph import ask
from serve.llm.client import LanguageModel
from serve.regenerate import regenerate
from tests.serve.llm.scripted import scripted

CAP = "What is the liability cap?"
APRIL = "How many employees are in the April 2025 salary register?"


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    settings, _ = load_settings({"ALLROWS_INGEST_WORKERS": "1"})
    with ingested([SAMPLES / "contracts", SAMPLES / "payroll"], settings, Path(tmp_path_factory.mktemp("m"))) as made:
        yield made


def asked(services, question, script, **more):
    with scripted(script) as server:
        environ = {"OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "m", "OPENAI_MAX_RETRIES": "0"}
        settings, _ = load_settings({**environ, "OPENAI_TIMEOUT_S": "3", "ALLROWS_PRICE_PER_1K_INPUT": "2", **more})
        answer = ask(AskRequest(question=question), replace(services, settings=settings, model=LanguageModel(settings)))
    return answer, server.requests


def writes(text: str, found: bool = True):
    """Verdicts: every candidate primary; answer: the text."""

    def script(body):
        schema = body["response_format"]["json_schema"]
        if schema["name"] == "answer":
            return json.dumps({"found": found, "answer": text})
        ids = schema["schema"]["properties"]["verdicts"]["items"]["properties"]["candidate_id"]["enum"]
        verdicts = [{"candidate_id": i, "role": "primary", "reason": "it may hold it"} for i in ids]
        return json.dumps({"verdicts": verdicts, "contradictions": []})

    return script


def test_a_supported_answer_is_generated_with_tokens_and_cost(services):
    answer, requests = asked(services, CAP, writes("The liability cap is INR 50,00,000 in any contract year."))
    assert (answer.mode, answer.answer) == ("generated", "The liability cap is INR 50,00,000 in any contract year.")
    assert answer.citations
    assert answer.pipeline.audit.arbiter == "model"
    assert len(requests) == 2
    assert answer.pipeline.tokens == {"calls": 2, "prompt_tokens": 22, "completion_tokens": 14}
    assert answer.pipeline.cost == pytest.approx(0.044)
    assert requests[1]["messages"][1]["content"] == answer.pipeline.prompt


def test_an_invented_number_never_passes(services):
    answer, _ = asked(services, CAP, writes("The liability cap is INR 99,00,000."))
    assert "99,00,000" not in answer.answer
    assert "50,00,000" in answer.answer
    assert answer.mode == "quoted"
    assert Mark.UNSUPPORTED_CLAIM in answer.degraded


def test_what_code_computed_is_never_rewritten_and_waits_for_no_model(services):
    answer, requests = asked(services, APRIL, writes("There is one employee."))
    assert answer.mode == "computed"
    assert "12 employees" in answer.answer
    assert requests == []
    assert Mark.ARBITER_FALLBACK not in answer.degraded


@pytest.mark.parametrize("reply", ["garbage", 500, ("CUT", '{"found"'), "STALL"])
def test_a_broken_model_leaves_the_answer_to_rules_and_quotation_marked(services, reply):
    answer, _ = asked(services, CAP, lambda body: reply)
    assert "50,00,000" in answer.answer
    assert answer.mode == "quoted"
    assert {Mark.ARBITER_FALLBACK, Mark.MODEL_UNAVAILABLE} <= set(answer.degraded)
    assert answer.pipeline.audit.arbiter == "rules"


def test_a_model_that_discards_the_computed_table_does_not_lose_its_rows(services):
    def script(body):
        names = body["response_format"]["json_schema"]["schema"]["properties"]["verdicts"]["items"]
        ids = names["properties"]["candidate_id"]["enum"]
        verdicts = [{"candidate_id": i, "role": "discarded", "reason": "no"} for i in ids]
        return json.dumps({"verdicts": verdicts, "contradictions": []})

    answer, _ = asked(services, APRIL, script)
    assert answer.pipeline.survival.first_drop() == {}
    assert len(answer.pipeline.survival.stages["prompt"]) == 12
    assert Mark.SURVIVAL_DROP not in answer.degraded


def test_both_tables_of_a_comparison_reach_the_prompt(services):
    question = "Who is in the April 2025 register but not in March 2025?"
    with_rules = ask(AskRequest(question=question), services)
    assert with_rules.mode == "computed"
    assert "ST012" in with_rules.answer
    assert with_rules.pipeline.survival.first_drop() == {}
    assert {c.doc_name for c in with_rules.pipeline.candidates if "table" in c.methods} == {
        "Salary_Register_April_2025.pdf",
        "Salary_Register_March_2025.pdf",
    }


def test_absence_that_is_proven_is_not_put_to_the_model(services):
    answer, requests = asked(services, "What is the net pay of ST999 in April 2025?", writes("It is 50,000."))
    assert answer.not_found
    assert "answer" not in [r["response_format"]["json_schema"]["name"] for r in requests]


def test_a_model_that_finds_nothing_is_heard(services):
    answer, _ = asked(services, CAP, writes("", found=False))
    assert Mark.MODEL_FOUND_NOTHING in answer.degraded
    assert Mark.MODEL_UNAVAILABLE not in answer.degraded
    assert answer.mode == "quoted"


DESK = "What happens when our staff write to the desk?"
LONG = {"ALLROWS_OUTLINE_CALL_SECTIONS": "10"}
"""The contract has more sections than that, the amendment fewer."""


def picks(title: str):
    """The section with that title, then every candidate primary, then the answer."""

    def script(body):
        if body["response_format"]["json_schema"]["name"] != "sections":
            return writes("The first response comes within four working hours.")(body)
        lines = body["messages"][1]["content"].splitlines()
        number = next(line.split("]")[0].strip(" [") for line in lines if line.endswith(title))
        return json.dumps({"sections": [int(number)]})

    return script


def calls(requests) -> list[str]:
    return [r["response_format"]["json_schema"]["name"] for r in requests]


def stage(answer, name):
    return next(s for s in answer.pipeline.stages if s.name == name)


def test_an_outline_of_usual_length_costs_no_call(services):
    answer, requests = asked(services, DESK, picks("1.1.2 Help desk"))
    assert calls(requests) == ["verdicts", "answer"]
    assert "outline_model" in answer.pipeline.audit.methods_skipped
    assert answer.pipeline.audit.skipped_reasons["outline_model"] == "no outline in scope has more than 200 sections"


def test_sections_picked_from_a_very_long_outline_bring_their_passages(services):
    answer, requests = asked(services, DESK, picks("1.1.2 Help desk"), **LONG)
    assert calls(requests) == ["sections", "verdicts", "answer"]
    brought = [c for c in answer.pipeline.candidates if "outline_model" in c.methods]
    assert [c.chunk.section_title.split(" › ")[-1] for c in brought] == ["1.1.2 Help desk"]
    assert brought[0].role == "primary"
    assert "outline_model" in answer.pipeline.audit.methods_run
    assert stage(answer, "pick_sections").detail["picked"] == ["Service_Contract.pdf: 1.1.2 Help desk"]
    assert "Amendment_1.pdf" not in requests[0]["messages"][1]["content"]
    assert answer.pipeline.tokens == {"calls": 3, "prompt_tokens": 33, "completion_tokens": 21}
    assert answer.pipeline.cost == pytest.approx(0.066)
    assert "four working hours" in answer.answer


def test_a_picked_chapter_brings_what_stands_below_it(services):
    answer, _ = asked(services, DESK, picks("1 Services"), **LONG)
    brought = [c for c in answer.pipeline.candidates if "outline_model" in c.methods]
    titles = {c.chunk.section_title.split(" › ")[-1] for c in brought}
    assert titles == {"1.1.1 Payroll processing", "1.1.2 Help desk", "1.2 Acceptance"}


@pytest.mark.parametrize("reply", ["garbage", 500, "STALL", '{"sections": [999]}'])
def test_without_a_usable_pick_the_search_goes_on_and_says_so(services, reply):
    def script(body):
        name = body["response_format"]["json_schema"]["name"]
        return reply if name == "sections" else writes("The liability cap is INR 50,00,000 in any contract year.")(body)

    answer, _ = asked(services, CAP, script, **LONG, OPENAI_TIMEOUT_S="1")
    assert "50,00,000" in answer.answer
    assert Mark.OUTLINE_FALLBACK in answer.degraded
    assert stage(answer, "pick_sections").detail["problem"]
    assert not [c for c in answer.pipeline.candidates if "outline_model" in c.methods]


def test_a_model_kept_to_writing_is_not_asked_for_sections(services):
    _, requests = asked(services, DESK, picks("1.1.2 Help desk"), **LONG, ALLROWS_ARBITER="rules")
    assert calls(requests) == ["answer"]


def test_both_halves_of_a_question_are_quoted_with_the_change_of_one(services):
    answer = ask(AskRequest(question="What is the monthly fee and when are invoices due?"), services)
    assert answer.mode == "quoted"
    assert all(figure in answer.answer for figure in ("INR 2,40,000", "30 days", "45 days"))
    assert Mark.CONTRADICTION in answer.degraded
    assert Mark.PARTLY_ANSWERED not in answer.degraded
    assert regenerate(answer, services).answer == answer.answer


def test_a_half_that_is_not_there_is_named(services):
    answer = ask(AskRequest(question="What is the notice period and what is the stock option plan?"), services)
    assert not answer.not_found
    assert "60 days" in answer.answer
    assert "Not found (“what is the stock option plan”): no document in scope mentions stock option" in answer.answer
    assert Mark.PARTLY_ANSWERED in answer.degraded
    assert regenerate(answer, services).answer == answer.answer


@pytest.mark.parametrize("strategy", ["hybrid", "dispatch"])
def test_an_amendment_is_found_whatever_methods_were_chosen(services, strategy):
    answer = ask(AskRequest(question="When are invoices due?", strategy=strategy), services)
    assert "45 days" in answer.answer and "30 days" in answer.answer
    assert Mark.CONTRADICTION in answer.degraded


def test_not_found_contradicts_nothing(services):
    answer = ask(AskRequest(question="What is the net pay of ST999 in April 2025?"), services)
    assert answer.not_found
    assert Mark.CONTRADICTION not in answer.degraded
