"""A dead model server costs a few time-outs, not one for each question."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import pytest

from contracts.errors import Busy, ModelUnavailable
from serve.llm.breaker import FAILURES, PAUSE_S, Breaker
from serve.llm.client import LanguageModel
from tests.serve.llm.scripted import scripted
from tests.serve.llm.test_llm import model_of


def ask(model: LanguageModel) -> str:
    return model.ask("s", "u", "answer", {"type": "object"}).text


def failed(model: LanguageModel) -> str:
    with pytest.raises(ModelUnavailable) as error:
        ask(model)
    return str(error.value)


def test_after_three_failures_in_a_row_it_is_left_alone_and_then_tried_once():
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    for _ in range(FAILURES - 1):
        breaker.failed()
    breaker.check()
    breaker.failed()
    with pytest.raises(ModelUnavailable, match="failed 3 times in a row and is left alone for 30 s"):
        breaker.check()
    assert breaker.rest_s() == PAUSE_S
    now[0] = PAUSE_S + 1
    assert breaker.rest_s() == 0
    breaker.check()  # one call tries
    with pytest.raises(ModelUnavailable):
        breaker.check()  # the others do not wait for its outcome
    breaker.succeeded()
    breaker.check()
    breaker.check()


def test_one_success_forgets_the_failures():
    breaker = Breaker(lambda: 0.0)
    for _ in range(3):
        breaker.failed()
        breaker.failed()
        breaker.succeeded()
    breaker.check()


def test_a_server_that_keeps_failing_is_not_asked_again():
    with scripted(lambda body: 500) as server:
        model = model_of(server.url)
        for _ in range(FAILURES):
            assert "InternalServerError" in failed(model)
        assert "left alone" in failed(model)
        assert len(server.requests) == FAILURES


def test_a_refused_request_says_nothing_about_the_server():
    with scripted(lambda body: 400) as server:
        model = model_of(server.url)
        for _ in range(FAILURES + 1):
            assert "BadRequestError" in failed(model)
        assert len(server.requests) == FAILURES + 1


def test_a_failing_server_is_tried_again_within_the_time_out(monkeypatch):
    monkeypatch.setattr("serve.llm.client.RETRY_AFTER_S", 0.001)
    replies = iter([500, 429, "fine"])
    with scripted(lambda body: next(replies)) as server:
        model = model_of(server.url, retries=2)
        assert ask(model) == "fine"
        assert len(server.requests) == 3


def test_a_stalled_server_is_not_tried_again():
    """Three tries with the whole time-out each would keep an answer for three times as long."""
    with scripted(lambda body: "STALL") as server:
        model = model_of(server.url, timeout=0.3, retries=2)
        failed(model)
        assert len(server.requests) == 1


def test_calls_wait_where_they_are_told_and_too_many_are_refused():
    places = threading.Semaphore(1)

    @contextmanager
    def waiting():
        if not places.acquire(blocking=False):
            raise Busy("1 questions wait for another machine already.")
        try:
            yield
        finally:
            places.release()

    with scripted(lambda body: "fine") as server:
        model = model_of(server.url).waiting_in(waiting)
        assert ask(model) == "fine"
        with places:
            assert "wait for another machine already" in failed(model)
        assert ask(model) == "fine"
