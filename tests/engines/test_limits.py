"""How the limits of endpoints move."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from contextlib import ExitStack

import pytest

from passer.engines.limits import EndpointLimits, EndpointsUnavailable, Party

HERE = ("ollama", "http://here")
THERE = ("ollama", "http://there")


class Clock:
    def __init__(self, tick_s: float = 0.0) -> None:
        self.time, self._tick_s = 100.0, tick_s

    def __call__(self) -> float:
        self.time += self._tick_s
        return self.time


def test_an_overload_halves_once_for_all_that_were_under_way() -> None:
    limits = EndpointLimits(8)
    with limits.slot([HERE]) as first, limits.slot([HERE]) as second:
        limits.overloaded(first)
        assert limits.limits() == {HERE: 4}
        limits.overloaded(second)
        assert limits.limits() == {HERE: 4}
    with limits.slot([HERE]) as third:
        limits.overloaded(third)
    assert limits.limits() == {HERE: 2}


def test_it_never_falls_below_one_and_grows_back_to_the_most() -> None:
    limits = EndpointLimits(4)
    for _ in range(5):
        with limits.slot([HERE]) as slot:
            limits.overloaded(slot)
    assert limits.limits() == {HERE: 1}
    limits.succeeded(slot)
    assert limits.limits() == {HERE: 2}  # 1 + 1/1
    limits.succeeded(slot)
    limits.succeeded(slot)
    assert limits.limits() == {HERE: 2}  # 2 + 1/2 + 1/2.5 = 2.9
    for _ in range(20):
        limits.succeeded(slot)
    assert limits.limits() == {HERE: 4}


def test_no_more_than_the_limit_are_under_way() -> None:
    limits = EndpointLimits(2)
    lock, under_way, most = threading.Lock(), [0], [0]
    gate = threading.Event()

    def work() -> None:
        with limits.slot([HERE]):
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
    clock = Clock(tick_s=0.02)
    limits = EndpointLimits(4, monotonic=clock)
    with limits.slot([HERE]) as slot:
        limits.overloaded(slot, retry_after_s=0.05)
    with limits.slot([HERE]):
        assert clock.time >= 100.05


def test_the_endpoint_with_the_most_free_slots_is_asked() -> None:
    limits = EndpointLimits(4)
    with limits.slot([HERE, THERE]) as first, limits.slot([HERE, THERE]) as second:
        assert {first.endpoint, second.endpoint} == {HERE, THERE}
        limits.overloaded(first)  # 2 left of one, 4 of the other
        with limits.slot([HERE, THERE]) as third, limits.slot([HERE, THERE]) as fourth:
            assert (third.endpoint, fourth.endpoint) == (second.endpoint, second.endpoint)


def test_one_that_is_held_back_leaves_the_work_to_the_other() -> None:
    limits = EndpointLimits(4, monotonic=Clock())
    with limits.slot([HERE]) as slot:
        limits.overloaded(slot, retry_after_s=60)
    with limits.slot([HERE, THERE]) as slot:
        assert slot.endpoint == THERE


def test_one_that_is_gone_rests_longer_each_time_and_is_tried_by_one_request() -> None:
    clock = Clock()
    limits = EndpointLimits(4, monotonic=clock)
    for rest_s in (1.0, 2.0, 5.0, 10.0, 30.0, 30.0):
        with limits.slot([HERE]) as slot:
            limits.lost(slot, "gone")
        clock.time += rest_s - 0.01
        with limits.slot([HERE, THERE]) as slot:
            assert slot.endpoint == THERE, "it is left alone"
        clock.time += 0.02
    both = [HERE, THERE]
    with (
        limits.slot([THERE]),
        limits.slot([THERE]),
        limits.slot([THERE]),
        limits.slot(both) as a,
        limits.slot(both) as b,
    ):
        assert {a.endpoint, b.endpoint} == {HERE, THERE}, "it has one slot, the other one left"
    with limits.slot([HERE]) as slot:
        limits.succeeded(slot)
    assert limits.limits()[HERE] == 4


def test_while_one_finds_out_whether_all_are_gone_the_others_need_not_wait() -> None:
    limits = EndpointLimits(4)
    with limits.slot([HERE]) as slot:
        limits.lost(slot, "Start it.")
    with limits.slot([HERE]):
        with pytest.raises(EndpointsUnavailable, match=r"^Start it\.$"), limits.slot([HERE]):
            pytest.fail("nobody else is let through")
        with limits.slot([HERE, THERE]) as slot:
            assert slot.endpoint == THERE


def test_a_loss_is_news_only_once_for_all_that_were_under_way() -> None:
    clock = Clock()
    limits = EndpointLimits(4, monotonic=clock)
    with limits.slot([HERE]) as first, limits.slot([HERE]) as second:
        limits.lost(first, "gone")
        limits.lost(second, "gone")
    clock.time += 1.01
    with limits.slot([HERE]) as slot:
        assert slot.losses == 1
    assert limits.limits()[HERE] == 1, "one request finds out"


def test_who_is_not_wanted_any_more_is_woken_and_refused() -> None:
    limits = EndpointLimits(1)
    closing, refused = threading.Event(), threading.Event()

    def wait_in_vain() -> None:
        try:
            with limits.slot([HERE], stopped=closing.is_set):
                pass
        except CancelledError:
            refused.set()

    with limits.slot([HERE]):
        thread = threading.Thread(target=wait_in_vain)
        thread.start()
        closing.set()
        limits.wake()
        assert refused.wait(5)
        thread.join(5)
    with pytest.raises(CancelledError), limits.slot([HERE], stopped=closing.is_set):
        pass
    with limits.slot([HERE]):
        """Another engine's requests go on."""


def test_each_request_in_flight_has_a_slot_of_its_own_and_keeps_it_where_it_can() -> None:
    limits = EndpointLimits(3)
    with limits.slot([HERE]) as first, limits.slot([HERE]) as second:
        assert (first.number, second.number) == (0, 1)
    with limits.slot([HERE], before=second) as again, limits.slot([HERE], before=second) as other:
        assert (again.number, other.number) == (1, 0)


def test_a_chain_that_goes_on_stays_at_its_endpoint_and_a_new_one_goes_where_there_is_room() -> None:
    limits = EndpointLimits(4)
    with limits.slot([HERE, THERE]) as mine, limits.slot([HERE]), limits.slot([HERE]):
        pass
    with ExitStack() as busy:
        for _ in range(3):
            busy.enter_context(limits.slot([HERE]))
        with limits.slot([HERE, THERE], before=mine, stays=True) as on:
            assert on.endpoint == HERE
        with limits.slot([HERE, THERE], before=mine) as new:
            assert new.endpoint == THERE


def test_those_who_ask_the_same_endpoint_share_its_slots() -> None:
    limits, one, other, elsewhere = EndpointLimits(4), Party(), Party(), Party()
    for party, endpoint in ((one, HERE), (other, HERE), (elsewhere, THERE)):
        limits.join(party)
        with limits.slot([endpoint], party=party):
            pass
    assert limits.share([HERE], one) == 2
    assert limits.share([THERE], elsewhere) == 4
    limits.leave(other)
    assert limits.share([HERE], one) == 4
