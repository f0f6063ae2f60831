"""Which faults of a server are tried again, how long, and what the user is told."""

from __future__ import annotations

import grpc
import pytest
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from contracts.errors import AllrowsError, ConfigError, IndexError_, IndexMismatch, StoreUnavailable
from store.faults import StoreBusy, retrying, translated


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


class Flaky:
    """Raises the given errors one after the other, then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


def attempt(call: Flaky, time: Time, budget: float = 60, attempts: int = 5, jitter: float = 1.0) -> str:
    return retrying(call, budget, attempts, sleep=time.sleep, clock=time.clock, jitter=lambda: jitter)


def test_waits_double_and_stay_in_the_upper_half() -> None:
    for jitter, slept in ((1.0, [0.1, 0.2, 0.4]), (0.0, [0.05, 0.1, 0.2])):
        time = Time()
        assert attempt(Flaky(*[StoreUnavailable("x")] * 3), time, jitter=jitter) == "done"
        assert time.slept == pytest.approx(slept)


def test_retry_after_is_kept_to() -> None:
    time = Time()
    assert attempt(Flaky(StoreBusy("x", 7.0)), time) == "done"
    assert time.slept == [7.0]


def test_no_wait_beyond_the_budget() -> None:
    time, call = Time(), Flaky(StoreBusy("x", 7.0))
    with pytest.raises(StoreBusy):
        attempt(call, time, budget=5)
    assert time.slept == [] and call.calls == 1


def test_attempts_end() -> None:
    call = Flaky(*[StoreUnavailable("x")] * 9)
    with pytest.raises(StoreUnavailable):
        attempt(call, Time(), attempts=3)
    assert call.calls == 3


@pytest.mark.parametrize("error", [IndexError_("x"), ConfigError("x"), ValueError("x")])
def test_what_trying_again_cannot_mend_is_not_tried_again(error: Exception) -> None:
    call = Flaky(error)
    with pytest.raises(type(error)):
        attempt(call, Time())
    assert call.calls == 1


class GrpcFault(grpc.RpcError):
    def __init__(self, code: grpc.StatusCode, text: str = "details") -> None:
        self._code, self._text = code, text

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._text


def rest(status: int, text: str = "details") -> UnexpectedResponse:
    return UnexpectedResponse(status, "reason", text.encode(), None)


UNINDEXED = 'Index required but not found for "doc_type" of one of the following types: [keyword]'


@pytest.mark.parametrize(
    ("raised", "ours"),
    [
        (rest(500), StoreUnavailable),
        (rest(503), StoreUnavailable),
        (rest(408), StoreUnavailable),
        (rest(429), StoreBusy),
        (rest(400), IndexError_),
        (rest(404), IndexError_),
        (rest(409), IndexError_),
        (rest(401), ConfigError),
        (rest(403), ConfigError),
        (rest(400, UNINDEXED), IndexMismatch),
        (ResourceExhaustedResponse("slow down", 3), StoreBusy),
        (ResponseHandlingException(OSError("refused")), StoreUnavailable),
        (GrpcFault(grpc.StatusCode.UNAVAILABLE), StoreUnavailable),
        (GrpcFault(grpc.StatusCode.DEADLINE_EXCEEDED), StoreUnavailable),
        (GrpcFault(grpc.StatusCode.INTERNAL), StoreUnavailable),
        (GrpcFault(grpc.StatusCode.RESOURCE_EXHAUSTED), StoreBusy),
        (GrpcFault(grpc.StatusCode.UNAUTHENTICATED), ConfigError),
        (GrpcFault(grpc.StatusCode.NOT_FOUND), IndexError_),
        (GrpcFault(grpc.StatusCode.INVALID_ARGUMENT, UNINDEXED), IndexMismatch),
    ],
    ids=lambda v: v.__name__ if isinstance(v, type) else "",
)
def test_every_fault_has_our_name_and_a_remedy(raised: Exception, ours: type[AllrowsError]) -> None:
    with pytest.raises(AllrowsError) as caught, translated("http://q:6333"):
        raise raised
    assert type(caught.value) is ours
    assert caught.value.message.startswith("http://q:6333") and caught.value.remedy


def test_a_bug_of_ours_is_not_dressed_up() -> None:
    with pytest.raises(ZeroDivisionError), translated("http://q:6333"):
        raise ZeroDivisionError
