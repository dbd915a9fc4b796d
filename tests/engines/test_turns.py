"""Sweeps that wait for the same endpoints are served in turns."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from itertools import groupby

from passer.engines.limits import EndpointLimits, Party
from tests.engines.test_limits import HERE, THERE


class Asking:
    """Threads of one sweep that ask again and again; what they were given stands in `order`."""

    def __init__(self, limits: EndpointLimits, name: str, order: list[str], *, threads: int, times: int) -> None:
        self._limits, self._name, self._order, self._left = limits, name, order, threads * times
        self._party, self._lock = Party(), threading.Lock()
        self.threads = [threading.Thread(target=self._ask, args=(times,)) for _ in range(threads)]

    def _ask(self, times: int) -> None:
        for _ in range(times):
            with self._limits.slot([HERE], party=self._party):
                with self._lock:
                    self._order.append(self._name)
                time.sleep(0.002)


def served_in_order(slots: int, **sweeps: tuple[int, int]) -> list[str]:
    """Who was served one after the other, of sweeps with so many threads that ask so many times each."""
    limits, order = EndpointLimits(slots), list[str]()
    asking = [Asking(limits, name, order, threads=n, times=times) for name, (n, times) in sweeps.items()]
    with ExitStack() as held:
        for _ in range(slots):
            held.enter_context(limits.slot([HERE]))
        threads = [thread for each in asking for thread in each.threads]
        for thread in threads:
            thread.start()
        time.sleep(0.1)  # all of them wait
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()
    return order


def test_sweeps_that_wait_for_one_endpoint_are_served_in_turns() -> None:
    order = served_in_order(1, many=(12, 5), few=(2, 5))
    together = order[: len(order) - order[::-1].index("few")]
    assert order.count("few") == 10
    assert max(len(list(run)) for _, run in groupby(together)) <= 3, "neither waits for more than a turn or two"
    assert 18 <= len(together) <= 26, "every other turn is one of the sweep with few requests"


def test_of_three_sweeps_none_starves_whatever_the_number_of_its_requests() -> None:
    order = served_in_order(2, a=(20, 4), b=(6, 4), c=(6, 4))
    first = order[:36]
    assert min(first.count(name) for name in "abc") >= 9


def test_a_sweep_alone_gets_every_slot() -> None:
    limits, party = EndpointLimits(3), Party()
    with ExitStack() as held:
        slots = [held.enter_context(limits.slot([HERE], party=party)) for _ in range(3)]
        assert [slot.endpoint for slot in slots] == [HERE] * 3


def test_one_that_gives_up_waiting_lets_the_others_go_on() -> None:
    limits, closing, served = EndpointLimits(1), threading.Event(), threading.Event()
    fresh, old = Party(), Party()
    with limits.slot([HERE], party=old):
        pass

    def gives_up() -> None:
        with suppress(CancelledError), limits.slot([HERE], party=fresh, stopped=closing.is_set):
            raise AssertionError("it was not wanted any more")

    def waits() -> None:
        with limits.slot([HERE], party=old):
            served.set()

    threads = [threading.Thread(target=act) for act in (gives_up, waits)]
    with limits.slot([HERE]):
        for thread in threads:
            thread.start()
        time.sleep(0.05)
        closing.set()
        limits.wake()
    assert served.wait(5)
    for thread in threads:
        thread.join(5)


def test_parties_with_several_endpoints_never_wait_for_each_other_in_a_circle() -> None:
    limits = EndpointLimits(1)
    parties = [(Party(), ends) for ends in ([HERE, THERE], [THERE, HERE], [HERE], [THERE])]
    served = threading.Semaphore(0)

    def ask(party: Party, ends: list[tuple[str, str]]) -> None:
        for _ in range(20):
            with limits.slot(ends, party=party):
                served.release()

    threads = [threading.Thread(target=ask, args=given) for given in parties for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(20 * len(threads)):
        assert served.acquire(timeout=10), "somebody waits for ever"
    for thread in threads:
        thread.join(5)
