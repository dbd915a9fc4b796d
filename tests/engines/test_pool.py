"""Chains of jobs: who does what, in which order, and how many at a time."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait

import pytest

from passer.domain.models.chat import Chain
from passer.engines.pool import Pool

Make = Callable[..., Pool]


@pytest.fixture
def make() -> Iterator[Make]:
    pools: list[Pool] = []

    def made(threads: int, **given: object) -> Pool:
        pools.append(Pool("test", threads=threads, queue_size=10_000, **given))  # type: ignore[arg-type]
        return pools[-1]

    yield made
    for pool in pools:
        pool.close(timeout_s=2)


def test_a_chain_is_done_by_one_thread_from_its_first_place_to_its_last(make: Make) -> None:
    pool, gate, done = make(3), threading.Event(), []
    pool.submit(gate.wait)
    pool.submit(gate.wait)
    pool.submit(gate.wait)
    time.sleep(0.05)  # all threads are busy, so that everything below is queued
    futures = [
        pool.submit(
            lambda name=name, place=place: done.append((name, place, threading.current_thread().name)),
            chain=Chain(key=name, place=place),
        )
        for place in (30, 10, 20)
        for name in ("a", "b", "c")
    ]
    gate.set()
    wait(futures, timeout=5)
    for name in ("a", "b", "c"):
        own = [(place, thread) for chain, place, thread in done if chain == name]
        assert [place for place, _ in own] == [10, 20, 30]
        assert len({thread for _, thread in own}) == 1


def test_two_jobs_of_a_chain_are_never_under_way_together_and_all_threads_are_busy(make: Make) -> None:
    pool, lock, busy, most = make(4), threading.Lock(), Counter(), Counter()

    def job(name: str) -> None:
        with lock:
            busy[name] += 1
            most[name] = max(most[name], busy[name])
            most["all"] = max(most["all"], sum(busy.values()))
        time.sleep(0.002)
        with lock:
            busy[name] -= 1

    futures = [
        pool.submit(lambda name=f"chain {n % 12}": job(name), chain=Chain(key=f"chain {n % 12}", place=n))
        for n in range(240)
    ]
    assert not wait(futures, timeout=20).not_done
    assert most.pop("all") == 4
    assert set(most.values()) == {1}


def test_the_others_of_a_chain_that_fans_out_follow_its_first_together(make: Make) -> None:
    pool, all_sent, together, order = make(4), threading.Event(), threading.Barrier(3), []

    def job(place: int) -> None:
        order.append(place)
        if place == 0:
            all_sent.wait(timeout=5)
        else:
            together.wait(timeout=5)  # breaks if the three are not under way at the same time

    futures = [
        pool.submit(lambda place=place: job(place), chain=Chain(key="q", place=place, fans_out=True))
        for place in (0, 1, 2, 3)
    ]
    all_sent.set()
    wait(futures, timeout=10)
    assert [future.exception() for future in futures] == [None] * 4
    assert order[0] == 0


def test_a_smaller_share_lets_chains_end_before_others_begin(make: Make) -> None:
    share = [2]
    pool, lock, under_way, most = make(4, share=lambda: share[0]), threading.Lock(), [0], [0]

    def job() -> None:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        time.sleep(0.01)
        with lock:
            under_way[0] -= 1

    wait([pool.submit(job, chain=Chain(key=str(n % 8))) for n in range(32)], timeout=10)
    assert most == [2]
    share[0], most[0] = 4, 0
    wait([pool.submit(job, chain=Chain(key=str(n % 8))) for n in range(32)], timeout=10)
    assert most == [4]


def test_closing_cancels_what_waits_in_chains(make: Make) -> None:
    pool, gate = make(1), threading.Event()
    first = pool.submit(gate.wait, chain=Chain(key="q"))
    rest: list[Future[None]] = [pool.submit(lambda: None, chain=Chain(key="q", place=n)) for n in range(5)]
    threading.Timer(0.1, gate.set).start()
    pool.close(timeout_s=5)
    for future in (first, *rest):
        with pytest.raises(CancelledError):
            future.result(timeout=1)
