"""The worker: lanes with slots, a turn for each row, nothing twice, and a stop that leaves the rest for later."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event, Lock

import pytest

from passer.domain.sweeps.run import RunState
from passer.errors import ConflictError, LeaseError
from passer.ports import POSTING, Work, WorkKind
from passer.services.work.worker import Lane, Worker
from tests.fake_work import MemoryWork
from tests.fakes import FakeClock
from tests.waiting import wait_until

WITHIN_S = 10.0
INGEST: frozenset[WorkKind] = frozenset({"ingest"})
PULL: frozenset[WorkKind] = frozenset({"pull"})


class ScriptedLane:
    """Takes the first of what waits while a slot is free; `act` is what a turn does."""

    def __init__(
        self, store: MemoryWork, act: Callable[[Work, Event], None], kinds: frozenset[WorkKind] = INGEST, slots: int = 1
    ) -> None:
        self.kinds, self._store, self._act, self._slots = kinds, store, act, slots
        self.begun: list[str] = []
        self.most = self._now = 0
        self._lock = Lock()

    def choose(self, waiting: Sequence[Work], running: Sequence[Work]) -> Work | None:
        return waiting[0] if waiting and len(running) < self._slots else None

    def run(self, work: Work, stop: Event) -> None:
        with self._lock:
            self.begun.append(work.id)
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            self._act(work, stop)
        finally:
            with self._lock:
                self._now -= 1


@pytest.fixture
def store() -> MemoryWork:
    return MemoryWork(FakeClock(), lambda _: RunState.QUEUED)


@pytest.fixture
def started() -> object:
    workers: list[Worker] = []

    def start(store: MemoryWork, *lanes: Lane) -> Worker:
        workers.append(Worker(store, lanes))
        workers[-1].start()
        return workers[-1]

    yield start
    for worker in workers:
        worker.stop()


def add(store: MemoryWork, *names: str, kind: WorkKind = "ingest") -> None:
    for name in names:
        store.add(Work(id=name, kind=kind, created_at=FakeClock().now()), most=100, ttl_s=0)


def ended(store: MemoryWork) -> Callable[[Work, Event], None]:
    def act(work: Work, stop: Event) -> None:
        time.sleep(0.02)
        store.cancel(work.id)

    return act


@pytest.mark.parametrize("slots", [1, 3])
def test_work_is_done_in_order_as_many_at_a_time_as_there_are_slots(store, started, slots):
    add(store, *"abcdef")
    lane = ScriptedLane(store, ended(store), slots=slots)
    started(store, lane)
    wait_until(lambda: [work.id for work in store.waiting()] == [POSTING])
    assert sorted(lane.begun) == list("abcdef")
    if slots == 1:
        assert lane.begun == list("abcdef")
    assert lane.most == slots


def test_projects_take_turns_however_much_one_of_them_has_queued(store, started):
    for project, count in (("a", 4), ("b", 2)):
        for number in range(count):
            work = Work(id=f"{project}{number}", project=project, kind="ingest", created_at=FakeClock().now())
            store.add(work, most=100, ttl_s=0)
    lane = ScriptedLane(store, ended(store))
    started(store, lane)
    wait_until(lambda: [work.id for work in store.waiting()] == [POSTING])
    assert lane.begun == ["a0", "b0", "a1", "b1", "a2", "a3"]


def test_lanes_do_not_wait_for_each_other(store, started):
    over = Event()
    add(store, "long")
    add(store, "short", kind="pull")

    def act(work: Work, stop: Event) -> None:
        over.wait(WITHIN_S)

    busy = ScriptedLane(store, act)
    quick = ScriptedLane(store, ended(store), PULL)
    started(store, busy, quick)
    wait_until(lambda: store.find("short").state is RunState.CANCELLED)
    assert store.find("long").state is RunState.QUEUED
    over.set()


def test_what_is_added_later_is_begun_when_the_worker_is_woken(store, started, monkeypatch):
    monkeypatch.setattr("passer.services.work.worker.LOOK_EVERY_S", 3600.0)
    lane = ScriptedLane(store, ended(store))
    worker = started(store, lane)
    time.sleep(0.1)
    add(store, "late")
    worker.wake()
    wait_until(lambda: lane.begun == ["late"])


def test_what_comes_back_unfinished_rests_and_lets_the_others_go_first(store, started, monkeypatch):
    monkeypatch.setattr("passer.services.work.worker.LOOK_EVERY_S", 0.05)
    add(store, "stuck", "fine")

    def act(work: Work, stop: Event) -> None:
        if work.id == "stuck" and lane.begun.count("stuck") < 3:
            raise ConflictError("Not yet.")
        store.cancel(work.id)

    lane = ScriptedLane(store, act)
    started(store, lane)
    wait_until(lambda: [work.id for work in store.waiting()] == [POSTING])
    assert lane.begun == ["stuck", "fine", "stuck", "stuck"]


def test_what_fails_at_once_does_not_spin(store, started, monkeypatch):
    monkeypatch.setattr("passer.services.work.worker.LOOK_EVERY_S", 0.2)
    add(store, "broken")

    def act(work: Work, stop: Event) -> None:
        raise ConflictError("Never.")

    lane = ScriptedLane(store, act)
    started(store, lane)
    time.sleep(1.0)
    assert 2 <= len(lane.begun) <= 6


def test_what_rests_is_begun_at_once_when_a_person_asks(store, started):
    add(store, "a")
    tries: list[float] = []

    def act(work: Work, stop: Event) -> None:
        tries.append(time.monotonic())
        if len(tries) == 1:
            raise LeaseError("Elsewhere.")
        store.cancel(work.id)

    worker = started(store, ScriptedLane(store, act))
    wait_until(lambda: len(tries) == 1)
    time.sleep(0.05)
    worker.wake()
    wait_until(lambda: len(tries) == 2)
    assert tries[1] - tries[0] < 1.5


def test_what_another_living_process_holds_is_left_alone(store, started):
    add(store, "theirs", "mine")
    store.acquire("theirs", "elsewhere:1:x", ttl_s=3600)
    lane = ScriptedLane(store, ended(store))
    started(store, lane)
    wait_until(lambda: store.find("mine").state is RunState.CANCELLED)
    time.sleep(0.1)
    assert lane.begun == ["mine"]


def test_an_unexpected_error_of_one_piece_of_work_stops_nothing_else(store, started, caplog):
    add(store, "odd", "fine")

    def act(work: Work, stop: Event) -> None:
        if work.id == "odd":
            raise RuntimeError("odd")
        store.cancel(work.id)

    started(store, ScriptedLane(store, act))
    wait_until(lambda: store.find("fine").state is RunState.CANCELLED)
    assert "PaSSER itself failed" in caplog.text


def test_a_lane_that_cannot_choose_keeps_no_other_lane_from_its_work(store, started, caplog):
    class Broken(ScriptedLane):
        def choose(self, waiting: Sequence[Work], running: Sequence[Work]) -> Work | None:
            raise RuntimeError("odd row")

    add(store, "a")
    add(store, "b", kind="pull")
    started(store, Broken(store, ended(store)), ScriptedLane(store, ended(store), PULL))
    wait_until(lambda: store.find("b").state is RunState.CANCELLED)
    assert "PaSSER itself failed" in caplog.text


def test_a_stop_is_heard_and_what_waits_stays_queued(store, started):
    add(store, "running", "queued")

    heard = []

    def act(work: Work, stop: Event) -> None:
        heard.append(stop.wait(WITHIN_S))

    lane = ScriptedLane(store, act)
    worker = started(store, lane)
    wait_until(lambda: lane.begun == ["running"])
    worker.stop()
    assert heard == [True]
    assert lane.begun == ["running"]
    assert [work.id for work in store.waiting()] == [POSTING, "running", "queued"]
