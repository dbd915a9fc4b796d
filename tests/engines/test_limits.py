"""How the limit of an endpoint moves."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError

import pytest

from passer.engines.limits import EndpointLimit


def test_an_overload_halves_once_for_all_that_were_under_way() -> None:
    limit = EndpointLimit(8)
    with limit.slot() as first, limit.slot() as second:
        limit.overloaded(first)
        assert limit.limit == 4
        limit.overloaded(second)
        assert limit.limit == 4
    with limit.slot() as third:
        limit.overloaded(third)
    assert limit.limit == 2


def test_it_never_falls_below_one_and_grows_back_to_the_most() -> None:
    limit = EndpointLimit(4)
    for _ in range(5):
        with limit.slot() as mark:
            limit.overloaded(mark)
    assert limit.limit == 1
    limit.succeeded()
    assert limit.limit == 2  # 1 + 1/1
    limit.succeeded()
    limit.succeeded()
    assert limit.limit == 2  # 2 + 1/2 + 1/2.5 = 2.9
    for _ in range(20):
        limit.succeeded()
    assert limit.limit == 4


def test_no_more_than_the_limit_are_under_way() -> None:
    limit = EndpointLimit(2)
    lock, under_way, most = threading.Lock(), [0], [0]
    gate = threading.Event()

    def work() -> None:
        with limit.slot():
            with lock:
                under_way[0] += 1
                most[0] = max(most[0], under_way[0])
            gate.wait(0.02)
            with lock:
                under_way[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == [2]


def test_retry_after_holds_everybody_back() -> None:
    now = [100.0]

    def clock() -> float:
        now[0] += 0.02
        return now[0]

    limit = EndpointLimit(4, monotonic=clock)
    with limit.slot() as mark:
        limit.overloaded(mark, retry_after_s=0.05)
    with limit.slot():
        assert now[0] >= 100.05


def test_closing_wakes_and_refuses() -> None:
    limit = EndpointLimit(1)
    refused = threading.Event()

    def wait_in_vain() -> None:
        try:
            with limit.slot():
                pass
        except CancelledError:
            refused.set()

    with limit.slot():
        thread = threading.Thread(target=wait_in_vain)
        thread.start()
        limit.close()
        assert refused.wait(5)
        thread.join(5)
    with pytest.raises(CancelledError), limit.slot():
        pass
