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
from tests.serve.llm.scripted import scripted

CAP = "What is the liability cap?"
APRIL = "How many employees are in the April 2025 salary register?"


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    settings, _ = load_settings({"ALLROWS_INGEST_WORKERS": "1"})
    with ingested([SAMPLES / "contracts", SAMPLES / "payroll"], settings, Path(tmp_path_factory.mktemp("m"))) as made:
        yield made


def asked(services, question, script):
    with scripted(script) as server:
        environ = {"OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "m", "OPENAI_MAX_RETRIES": "0"}
        settings, _ = load_settings({**environ, "OPENAI_TIMEOUT_S": "3", "ALLROWS_PRICE_PER_1K_INPUT": "2"})
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


def test_what_code_computed_is_never_rewritten(services):
    answer, requests = asked(services, APRIL, writes("There is one employee."))
    assert answer.mode == "computed"
    assert "12 employees" in answer.answer
    assert [r["response_format"]["json_schema"]["name"] for r in requests] == ["verdicts"]


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
