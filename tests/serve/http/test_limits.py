from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from contracts.errors import Busy, TooManyRequests
from serve.http.limits import RateLimiter
from serve.http.pool import Pool, Slots
from tests.serve.http.conftest import World


def test_the_window_slides() -> None:
    now = [0.0]
    limiter = RateLimiter(2, clock=lambda: now[0])
    limiter.check("ann")
    now[0] = 20.0
    limiter.check("ann")
    limiter.check("bob")
    now[0] = 50.5
    with pytest.raises(TooManyRequests) as refused:
        limiter.check("ann")
    assert refused.value.retry_after == 10, "the call at 0 leaves the window at 60"
    now[0] = 60.0
    limiter.check("ann")


def test_a_full_queue_refuses_at_once_and_recovers() -> None:
    async def scenario() -> None:
        pool = Pool("test", workers=1, queue_limit=1)
        gate = threading.Event()
        first, second = pool.submit(gate.wait), pool.submit(lambda: "second")
        with pytest.raises(Busy) as refused:
            pool.submit(lambda: None)
        assert refused.value.retry_after >= 1
        gate.set()
        assert await first is True
        assert await second == "second"
        assert await pool.run(lambda: "third") == "third"
        pool.drain()
        with pytest.raises(Busy, match="stopping"):
            pool.submit(lambda: None)

    asyncio.run(scenario())


def test_work_that_fails_frees_its_place() -> None:
    async def scenario() -> None:
        pool = Pool("test", workers=1, queue_limit=0)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await pool.run(lambda: 1 // 0)
        assert pool.inside == 0
        pool.drain()

    asyncio.run(scenario())


def test_draining_lets_what_runs_finish() -> None:
    async def scenario() -> None:
        pool = Pool("test", workers=1, queue_limit=1)
        done: list[int] = []
        for number in (1, 2):
            pool.submit(lambda n=number: (time.sleep(0.05), done.append(n)))
        await asyncio.to_thread(pool.drain)
        assert done == [1, 2]

    asyncio.run(scenario())


def test_work_outside_leaves_its_place_to_others() -> None:
    """Two questions at a stalled model server once stopped every other one."""

    async def scenario() -> None:
        pool = Pool("test", workers=1, queue_limit=1, outside_limit=2)
        outside, answered = threading.Semaphore(0), threading.Event()
        order: list[str] = []

        def slow(name: str) -> None:
            with pool.step_outside():
                outside.release()
                answered.wait(20)
            order.append(name)

        running = [pool.submit(lambda n=n: slow(n)) for n in ("first", "second")]
        for _ in running:
            assert await asyncio.to_thread(outside.acquire, timeout=20)
        assert (pool.inside, pool.outside) == (0, 2)
        assert await pool.run(lambda: order.append("quick") or "done") == "done"
        with pytest.raises(Busy, match="2 questions wait for another machine"):
            await pool.run(lambda: slow("third"))
        answered.set()
        await asyncio.gather(*running)
        assert order[0] == "quick"
        assert sorted(order[1:]) == ["first", "second"]
        assert (pool.inside, pool.outside) == (0, 0)
        pool.drain()

    asyncio.run(scenario())


def test_who_comes_back_from_outside_takes_a_place_again() -> None:
    """However many come back at once, no more than `workers` run."""

    async def scenario() -> None:
        pool = Pool("test", workers=1, queue_limit=9, outside_limit=4)
        back, running, most = threading.Event(), threading.Semaphore(1), []

        def work() -> None:
            with pool.step_outside():
                back.wait(20)
            most.append(running.acquire(blocking=False))
            time.sleep(0.01)
            running.release()

        waiting = [pool.submit(work) for _ in range(4)]
        back.set()
        await asyncio.gather(*waiting)
        assert most == [True] * 4
        pool.drain()

    asyncio.run(scenario())


def test_a_freed_place_goes_to_whoever_waited_longest() -> None:
    slots, order = Slots(1), []
    slots.take()

    def wait(name: str) -> None:
        slots.take()
        order.append(name)
        slots.give_back()

    threads = [threading.Thread(target=wait, args=(name,)) for name in ("a", "b")]
    for count, thread in enumerate(threads, 1):
        thread.start()
        while len(slots._waiting) < count:
            time.sleep(0.001)
    slots.give_back()
    slots.take()  # a latecomer: the place was handed to `a` already
    order.append("late")
    slots.give_back()
    for thread in threads:
        thread.join()
    assert order == ["a", "b", "late"]


def test_elsewhere_stepping_outside_changes_nothing() -> None:
    pool = Pool("test", workers=1, queue_limit=0)
    with pool.step_outside():
        assert (pool.inside, pool.outside) == (0, 0)
    pool.drain()


def test_past_the_queue_503_with_retry_after_while_health_answers(make: Callable[..., World]) -> None:
    world = make(workers=1, queue_limit=0)
    inside, gate = threading.Event(), threading.Event()

    def wait() -> None:
        inside.set()
        gate.wait(20)

    world.engine.before_answer = wait
    with world.client() as client:
        asking = threading.Thread(target=client.post, args=("/ask",), kwargs={"json": {"question": "slow"}})
        asking.start()
        assert inside.wait(20)
        refused = client.post("/ask", json={"question": "one too many"})
        streamed = client.post("/ask", json={"question": "x"}, headers={"Accept": "text/event-stream"})
        others = [client.get(path).status_code for path in ("/healthz", "/readyz", "/documents", "/traces", "/metrics")]
        gate.set()
        asking.join()
        after = client.post("/ask", json={"question": "and now"})
    assert refused.status_code == streamed.status_code == 503
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["type"] == "urn:allrows:problem:busy"
    assert others == [200] * 5
    assert after.status_code == 200


def test_a_key_over_its_rate_is_told_when(make: Callable[..., World]) -> None:
    world = make(rate_limit_per_minute=3)
    with world.client(world.key("a", "reader", "payroll")) as client:
        other = world.key("b", "reader", "payroll")
        status = [client.get("/me").status_code for _ in range(4)]
        last = client.get("/me")
        assert status == [200, 200, 200, 429]
        assert 1 <= int(last.headers["retry-after"]) <= 60
        assert client.get("/me", headers=other).status_code == 200
        assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_over_the_limit_is_refused(make: Callable[..., World], announced: bool) -> None:
    world = make(max_upload_mb=1)
    big = b"x" * (3 << 20)
    content = big if announced else (big[i : i + 65536] for i in range(0, len(big), 65536))
    with world.client() as client:
        asked = client.post("/ask", content=content, headers={"Content-Type": "application/json"})
        uploaded = client.post("/documents", files={"file": ("a.pdf", big)})
        nearly = client.post("/documents", files={"file": ("a.pdf", b"x" * ((1 << 20) + 10))})
    assert asked.status_code == 413
    assert uploaded.status_code == 413
    assert nearly.status_code == 413
    assert nearly.json()["remedy"] == "Raise ALLROWS_MAX_UPLOAD_MB."
    assert not world.ingested


def test_an_endless_question_is_refused(make: Callable[..., World]) -> None:
    world = make(max_question_chars=10)
    with world.client() as client:
        assert client.post("/ask", json={"question": "0123456789"}).status_code == 200
        refused = client.post("/ask", json={"question": "0123456789a"})
    assert refused.status_code == 422
    assert refused.json()["detail"] == "The question has 11 characters; 10 are allowed."
