"""The same parts against a real OpenAI-compatible server: llama.cpp with a model of 135 million parameters.

The model is too small to be right; what is tested is that nothing wrong passes unmarked.
"""

import threading

import pytest

from contracts.errors import ModelUnavailable
from contracts.evidence import Role
from contracts.settings import load_settings
from serve.llm.arbitrate import arbitrate
from serve.llm.client import LanguageModel
from serve.llm.generate import generate
from serve.llm.sections import pick_sections
from tests.serve.llm.llama import llama
from tests.serve.llm.test_llm import DISPATCH, EVIDENCE, POOL, QUESTION
from tests.serve.llm.test_sections import OUTLINES

pytestmark = [pytest.mark.llm, pytest.mark.slow, pytest.mark.timeout(600)]


def connect(url: str, timeout: float = 240.0) -> LanguageModel:
    environ = {"OPENAI_BASE_URL": url, "OPENAI_MODEL": "smollm2", "OPENAI_MAX_RETRIES": "0"}
    return LanguageModel(load_settings({**environ, "OPENAI_TIMEOUT_S": str(timeout)})[0])


@pytest.fixture(scope="module")
def server():
    with llama() as running:
        yield running[0]


def test_the_schema_holds_a_small_model_to_a_verdict_for_each(server):
    result = arbitrate(QUESTION, POOL, DISPATCH, connect(server))
    assert not result.fallback
    assert result.arbitration.audit.arbiter == "model"
    assert {c.candidate_id for c in result.arbitration.candidates} == {"A", "B"}
    assert all(c.role in set(Role) and c.reason for c in result.arbitration.candidates)
    assert result.usage.prompt_tokens > 100
    assert result.usage.completion_tokens > 10


def test_the_schema_holds_a_small_model_to_numbers_that_titles_have(server):
    result = pick_sections(QUESTION, OUTLINES, connect(server))
    assert result.problem == ""
    assert result.refused == ()
    assert all(p.section.title in ("2 Fees", "2.1 Due date", "3 Term", "1 Payment") for p in result.picked)
    assert result.usage.prompt_tokens > 100


def test_what_it_writes_stands_in_the_evidence_or_is_not_shown(server):
    prompt = f"<evidence>\n{EVIDENCE}\n</evidence>\n<question>\n{QUESTION.text}\n</question>"
    result = generate(prompt, EVIDENCE, QUESTION.text, "en", connect(server))
    assert result.usage.completion_tokens > 0
    assert result.text is None or result.verified.text == result.text
    assert (result.text is not None) or result.marks


def test_a_server_killed_in_mid_answer():
    with llama() as (url, process):
        threading.Timer(1.0, process.kill).start()
        with pytest.raises(ModelUnavailable):
            connect(url).ask("Write.", "Write a very long story about payroll.", "s", LONG)


LONG = {
    "type": "object",
    "properties": {"story": {"type": "array", "items": {"type": "string"}, "minItems": 400}},
    "required": ["story"],
    "additionalProperties": False,
}
