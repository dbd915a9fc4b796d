"""Requests in flight, for something that is no sweep: what waits are words, their first letters are the owners."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import CancelledError, Future
from queue import Empty
from threading import Thread

import pytest

from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.errors import GenerationError, GeneratorUnavailable
from passer.ports.draft import Draft
from passer.services.sweeps.request_pool import PROBE_AFTER_S, Arrived, RequestPool


class Engine:
    """Hands out futures that the test settles."""

    def __init__(self) -> None:
        self.sent: list[tuple[ChatRequest, Future[Completion]]] = []

    def complete(self, request: ChatRequest, *, draft: Draft | None = None) -> Future[Completion]:
        self.sent.append((request, Future()))
        return self.sent[-1][1]


class Owners:
    def __init__(self) -> None:
        self.stopped: set[str] = set()
        self.noted: list[tuple[str, list[str]]] = []

    def is_live(self, owner: str) -> bool:
        return owner not in self.stopped

    def pause(self, owners: Collection[str], reason: str) -> None:
        self.noted.append((reason, sorted(owners)))

    def resume(self, owners: Collection[str]) -> None:
        self.noted.append(("resumed", sorted(owners)))


class Clock:
    time = 0.0

    def monotonic(self) -> float:
        return self.time


class Pool:
    """A pool of words, and what became of them."""

    def __init__(self) -> None:
        self.engine, self.owners, self.clock = Engine(), Owners(), Clock()
        self.arrived = Arrived()
        self.replies: list[tuple[list[str], str, str]] = []
        self.failures: list[tuple[list[str], str]] = []
        self.pool = RequestPool[str](
            engine=self.engine,
            arrived=self.arrived,
            clock=self.clock,
            owners=self.owners,
            owner_of=lambda word: word[0],
            completed=lambda words, request, completion: self.replies.append((words, request.key, completion.text)),
            failed=lambda words, reason: self.failures.append((words, reason)),
        )

    def send(self, key: str, word: str) -> None:
        message = Message(role="user", content=key)
        model = Model(provider="ollama", name="m", base_url="http://h")
        self.pool.send(ChatRequest(key=key, messages=(message,), model=model, options=GenerationOptions()), word)

    def settle(self, place: int, outcome: str | Exception) -> None:
        future = self.engine.sent[place][1]
        future.set_running_or_notify_cancel()
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(Completion(text=outcome))
        self.settle_arrived()

    def settle_arrived(self) -> None:
        while not self.arrived.empty():
            self.arrived.get_nowait()()


def test_equal_requests_are_sent_once_and_all_that_wait_get_the_reply() -> None:
    made = Pool()
    made.send("k", "apple")
    made.send("k", "berry")
    made.send("other", "cherry")
    assert len(made.engine.sent) == len(made.pool) == 2
    made.settle(0, "Because.")
    assert made.replies == [(["apple", "berry"], "k", "Because.")]
    assert "k" not in made.pool
    assert "other" in made.pool


def test_a_failure_reaches_all_that_wait_and_nothing_else() -> None:
    made = Pool()
    made.send("k", "apple")
    made.send("other", "cherry")
    made.settle(0, GenerationError("The reply was cut.", reason="connection_lost"))
    assert made.failures == [(["apple"], "The reply was cut.")]
    assert made.owners.noted == []
    assert len(made.pool) == 1


def test_requests_of_a_server_that_is_gone_are_parked_and_probed_one_at_a_time() -> None:
    made = Pool()
    for key, word in (("k1", "apple"), ("k2", "berry")):
        made.send(key, word)
    made.settle(0, GeneratorUnavailable("gone"))
    made.settle(1, GeneratorUnavailable("gone"))
    assert made.owners.noted == [("gone", ["a"]), ("gone", ["b"])]
    made.pool.probe()
    assert len(made.engine.sent) == 2, "it is too early"
    made.clock.time = PROBE_AFTER_S[0]
    made.pool.probe()
    made.pool.probe()
    assert [request.key for request, _ in made.engine.sent[2:]] == ["k1"]
    made.settle(2, "back")
    assert made.owners.noted[-1] == ("resumed", ["a", "b"])
    made.settle(3, "too")
    assert [words for words, _, _ in made.replies] == [["apple"], ["berry"]]
    assert len(made.pool) == 0


def test_a_request_under_way_is_ended_for_a_cancelled_owner_and_answered_for_a_paused_one() -> None:
    for abort in (True, False):
        made = Pool()
        made.send("k", "apple")
        future = made.engine.sent[0][1]
        future.set_running_or_notify_cancel()
        made.pool.drop("a", abort=abort)
        future.set_exception(CancelledError()) if abort else future.set_result(Completion(text="Paid for."))
        made.settle_arrived()
        assert made.failures == []
        assert made.replies == ([] if abort else [([], "k", "Paid for.")])
        assert len(made.pool) == 0


def test_without_a_budget_left_only_requests_are_dropped_that_no_server_has_begun(monkeypatch) -> None:
    made = Pool()
    made.send("begun", "apple")
    made.send("waiting", "berry")
    begun, waiting = (future for _, future in made.engine.sent)
    begun.set_running_or_notify_cancel()
    # To cancel a request in flight would end it, and its tokens are paid for.
    monkeypatch.setattr(begun, "cancel", lambda: pytest.fail("a request in flight was cancelled"))
    assert made.pool.drop_unsent()
    assert waiting.cancelled()
    assert not made.pool.drop_unsent()
    begun.set_result(Completion(text="Paid for."))
    made.settle_arrived()
    assert made.replies == [(["apple"], "begun", "Paid for.")]
    assert len(made.pool) == 0


def test_who_joins_a_request_that_is_being_ended_gets_it_sent_again() -> None:
    made = Pool()
    made.send("k", "apple")
    future = made.engine.sent[0][1]
    future.set_running_or_notify_cancel()
    made.pool.drop("a", abort=True)
    made.send("k", "berry")
    future.set_exception(CancelledError())
    made.settle_arrived()
    made.settle(1, "Because.")
    assert made.replies == [(["berry"], "k", "Because.")]


def test_what_waits_for_a_stopped_owner_is_dropped_and_its_request_cancelled() -> None:
    made = Pool()
    made.send("k", "apple")
    made.send("shared", "avocado")
    made.send("shared", "berry")
    made.pool.drop("a")
    assert made.engine.sent[0][1].cancelled()
    assert "k" not in made.pool
    made.settle(1, "Because.")
    assert made.replies == [(["berry"], "shared", "Because.")]


def test_a_wait_for_what_arrives_ends_however_short_it_is():
    arrived = Arrived()
    for _ in range(2000):
        # What arrives while somebody waits leaves a lock of SimpleQueue free, with which a short wait begins anew.
        putting = Thread(target=arrived.put, args=(int,))
        putting.start()
        arrived.get(timeout=10)
        putting.join()
        for _ in range(2):
            arrived.put(int)
        for _ in range(2):
            arrived.get_nowait()
        with pytest.raises(Empty):
            arrived.get(timeout=1e-9)
