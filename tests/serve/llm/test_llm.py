"""What a model does with the product, and what it cannot do to it: every reply a server can give."""

import json

import pytest

from contracts.chunks import Chunk
from contracts.errors import ModelUnavailable
from contracts.evidence import Candidate, Dispatch, Role
from contracts.marks import Mark
from contracts.questions import Keyword, Question
from contracts.settings import load_settings
from serve.llm.arbitrate import arbitrate
from serve.llm.client import LanguageModel, Usage
from serve.llm.generate import generate
from serve.llm.verify import verify
from tests.serve.llm.scripted import scripted

QUESTION = Question(text="How long is the notice period?", keywords=(Keyword(term="notice period"),))
DISPATCH = Dispatch(strategy="hybrid", run=("dense", "bm25"), reasons={})


def model_of(url: str, timeout: float = 5.0, retries: int = 0) -> LanguageModel:
    environ = {"OPENAI_BASE_URL": url, "OPENAI_MODEL": "m", "OPENAI_TIMEOUT_S": str(timeout)}
    environ["OPENAI_MAX_RETRIES"] = str(retries)
    return LanguageModel(load_settings(environ)[0])


def candidate(name: str, text: str) -> Candidate:
    chunk = Chunk(
        chunk_id=name,
        doc_id="d",
        kind="prose",
        text=text,
        ordinal=0,
        page_start=1,
        page_end=1,
        line_start=1,
        line_end=2,
    )
    return Candidate(candidate_id=name, chunk=chunk, doc_name="c.pdf", doc_type="contract", methods=("dense", "bm25"))


POOL = (candidate("A", "The notice period is 30 days."), candidate("B", "The cafeteria closes at noon."))


def verdicts(*items: tuple[str, str, str], contradictions=()) -> str:
    return json.dumps(
        {
            "verdicts": [{"candidate_id": i, "role": r, "reason": why} for i, r, why in items],
            "contradictions": list(contradictions),
        }
    )


def roles(result) -> dict[str, Role]:
    return {c.candidate_id: c.role for c in result.arbitration.candidates}


def test_a_verdict_for_each_candidate_in_one_call():
    reply = verdicts(("c1", "supporting", "sets the scene"), ("c2", "primary", "says so"))
    with scripted(lambda body: reply) as server:
        result = arbitrate(QUESTION, POOL, DISPATCH, model_of(server.url))
    assert len(server.requests) == 1
    assert sorted(roles(result).values()) == [Role.PRIMARY, Role.SUPPORTING]
    assert result.arbitration.audit.arbiter == "model"
    assert result.usage == Usage(calls=1, prompt_tokens=11, completion_tokens=7)
    assert server.requests[0]["temperature"] == 0
    assert server.requests[0]["response_format"]["type"] == "json_schema"


def test_a_missing_verdict_is_repaired_once():
    replies = iter([verdicts(("c1", "primary", "x")), verdicts(("c2", "discarded", "y"))])
    with scripted(lambda body: next(replies)) as server:
        result = arbitrate(QUESTION, POOL, DISPATCH, model_of(server.url))
    assert len(server.requests) == 2
    assert set(roles(result).values()) == {Role.PRIMARY, Role.DISCARDED}
    assert result.usage.calls == 2


def test_what_stays_without_a_verdict_says_so_and_unknown_ids_are_refused():
    reply = verdicts(("c1", "primary", "x"), ("c9", "primary", "made up"), ("c1", "discarded", "second thoughts"))
    with scripted(lambda body: reply) as server:
        result = arbitrate(QUESTION, POOL, DISPATCH, model_of(server.url))
    assert len(server.requests) == 2
    assert len(result.arbitration.candidates) == 2
    reasons = [c.reason for c in result.arbitration.candidates]
    assert sum(r.startswith("no verdict") for r in reasons) == 1
    assert "refused unknown ids: c9" in result.arbitration.audit.arbiter_reason


def test_a_contradiction_needs_two_known_candidates():
    clashes = [
        {"candidate_ids": ["c1", "c2"], "explanation": "30 days against 60 days"},
        {"candidate_ids": ["c1", "c7"], "explanation": "invented"},
    ]
    reply = verdicts(("c1", "primary", "x"), ("c2", "primary", "y"), contradictions=clashes)
    with scripted(lambda body: reply) as server:
        result = arbitrate(QUESTION, POOL, DISPATCH, model_of(server.url))
    assert [c.explanation for c in result.arbitration.contradictions] == ["30 days against 60 days"]


@pytest.mark.parametrize(
    "reply", ["this is no JSON", "[]", '{"verdicts": "none"}', '{"verdicts": [3, null]}', 500, 400, ("CUT", '{"ver')]
)
def test_an_unusable_reply_leaves_the_rules_in_charge(reply):
    with scripted(lambda body: reply) as server:
        result = arbitrate(QUESTION, POOL, DISPATCH, model_of(server.url))
    assert result.fallback
    assert result.arbitration.audit.arbiter == "rules"
    assert result.arbitration.audit.arbiter_reason == result.fallback
    assert roles(result)["A"] is Role.PRIMARY


def test_a_server_that_stalls_is_given_up_within_the_time_out():
    with scripted(lambda body: "STALL") as server, pytest.raises(ModelUnavailable):
        model_of(server.url, timeout=0.3).ask("s", "u", "n", {"type": "object"})


def test_a_server_that_is_not_there():
    with pytest.raises(ModelUnavailable, match="OPENAI_BASE_URL"):
        model_of("http://127.0.0.1:9/v1").ask("s", "u", "n", {"type": "object"})


def test_the_key_is_not_in_the_error():
    environ = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "m", "OPENAI_API_KEY": "sk-very-secret"}
    model = LanguageModel(load_settings({**environ, "OPENAI_MAX_RETRIES": "0"})[0])
    with pytest.raises(ModelUnavailable) as raised:
        model.ask("s", "u", "n", {"type": "object"})
    assert "sk-very-secret" not in f"{raised.value!r} {raised.value}"


EVIDENCE = "The notice period is 30 days. Meridian Foods pays INR 2,40,000 a month under STL/2025-26/003."


def written(reply) -> object:
    with scripted(lambda body: reply) as server:
        return generate("prompt", EVIDENCE, QUESTION.text, "en", model_of(server.url))


def test_a_supported_answer_is_shown():
    result = written(json.dumps({"found": True, "answer": "The notice period is 30 days."}))
    assert result.text == "The notice period is 30 days."
    assert result.marks == ()


def test_an_unsupported_sentence_is_taken_out_and_marked():
    answer = "The notice period is 30 days. It was 90 days before."
    result = written(json.dumps({"found": True, "answer": answer}))
    assert result.text == "The notice period is 30 days."
    assert result.marks == (Mark.UNSUPPORTED_CLAIM,)
    assert result.verified.unsupported == ("90",)


def test_when_nothing_is_supported_nothing_is_shown():
    result = written(json.dumps({"found": True, "answer": "It is 999 days."}))
    assert result.text is None
    assert result.marks == (Mark.UNSUPPORTED_CLAIM,)


@pytest.mark.parametrize(
    "reply", ["garbage", '{"found": true}', '{"answer": 7}', 503, ("CUT", '{"found": true, "answer"')]
)
def test_garbage_gives_no_text_and_a_mark(reply):
    result = written(reply)
    assert result.text is None
    assert result.marks == (Mark.MODEL_UNAVAILABLE,)


def test_a_model_that_found_nothing_says_so():
    result = written(json.dumps({"found": False, "answer": "not there"}))
    assert (result.text, result.found, result.marks) == (None, False, (Mark.MODEL_FOUND_NOTHING,))


@pytest.mark.parametrize(
    ("answer", "unsupported"),
    [
        ("The fee is INR 240,000.", ()),  # same value, other grouping
        ("See clause 1.2.3.4.", ("1.2.3.4",)),
        ("Meridian Foods pays monthly.", ()),
        ("The client is Zenith Foods.", ("Zenith",)),
        ("It is under STL/2025-26/004.", ("STL/2025-26/004",)),
        ("It is under STL/2025-26/003.", ()),
        ("Notice is thirty days.", ()),
    ],
)
def test_verification_by_value_code_and_name(answer, unsupported):
    assert set(unsupported) <= set(verify(answer, EVIDENCE, "Who pays?").unsupported)
    assert bool(verify(answer, EVIDENCE, "Who pays?").unsupported) == bool(unsupported)


def test_a_number_of_the_question_is_no_support():
    assert verify("Yes, it is 45 days.", EVIDENCE, "Is it 45 days?").text == ""
