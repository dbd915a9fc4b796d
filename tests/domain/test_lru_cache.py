"""The cache: order of use, weights, age, and use from several threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier, Event

import pytest

from passer.domain.lru_cache import LruCache


def test_the_least_recently_used_value_is_dropped_first():
    cache: LruCache[str, int] = LruCache(3)
    for key, value in (("a", 1), ("b", 2), ("c", 3)):
        assert cache.put(key, value) == value
    assert cache.get("a") == 1
    cache.put("d", 4)
    assert cache.get("b") is None
    assert [cache.get(key) for key in "acd"] == [1, 3, 4]


def test_values_together_stay_within_the_capacity():
    cache: LruCache[str, bytes] = LruCache(10, weigh=len)
    cache.put("a", b"1234")
    cache.put("b", b"1234")
    cache.put("b", b"123456")
    assert (cache.get("a"), cache.get("b")) == (b"1234", b"123456")
    cache.put("c", b"1")
    assert cache.get("a") is None


def test_a_value_heavier_than_the_cache_is_returned_and_not_stored():
    cache: LruCache[str, bytes] = LruCache(3, weigh=len)
    cache.put("a", b"1")
    assert cache.put("big", b"1234") == b"1234"
    assert cache.get("big") is None
    assert cache.get("a") == b"1", "the others stay"
    cache.put("a", b"1234")
    assert cache.get("a") is None, "the value that it replaces is out of date"


def test_a_value_is_computed_once_and_again_after_it_was_discarded():
    cache: LruCache[str, int] = LruCache(3)
    made = iter(range(9))
    assert [cache.get_or_compute("a", lambda: next(made)) for _ in range(2)] == [0, 0]
    cache.discard("a")
    cache.discard("never stored")
    assert cache.get_or_compute("a", lambda: next(made)) == 1


def test_a_value_is_dropped_at_its_age():
    now = [0.0]
    cache: LruCache[str, int] = LruCache(3, max_age_s=60, monotonic=lambda: now[0])
    cache.put("a", 1)
    now[0] = 59.9
    assert cache.get("a") == 1
    now[0] = 60.0
    assert cache.get("a") is None


def test_many_threads_use_one_cache():
    cache: LruCache[int, int] = LruCache(8)

    def use(seed: int) -> None:
        draw = Random(seed)
        for _ in range(2000):
            key = draw.randrange(32)
            assert cache.get_or_compute(key, lambda key=key: key * key) == key * key
            if draw.random() < 0.1:
                cache.discard(key)

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(use, seed) for seed in range(8)]:
            done.result()


def test_threads_that_want_what_is_being_computed_wait_for_it():
    cache: LruCache[str, int] = LruCache(8)
    begun, may_end, calls = Event(), Event(), []

    def compute() -> int:
        calls.append("slow")
        begun.set()
        assert may_end.wait(timeout=60)
        return 7

    with ThreadPoolExecutor(5) as pool:
        first = pool.submit(cache.get_or_compute, "slow", compute)
        assert begun.wait(timeout=60)
        others = [pool.submit(cache.get_or_compute, "slow", compute) for _ in range(3)]
        assert cache.get_or_compute("other", lambda: 1) == 1, "other keys do not wait"
        may_end.set()
        assert [first.result(), *(each.result() for each in others)] == [7] * 4
    assert calls == ["slow"]


def test_an_error_is_that_of_all_who_waited_and_the_next_computes_again():
    cache: LruCache[str, int] = LruCache(8)
    together = Barrier(3)

    def fail() -> int:
        raise ValueError("not now")

    def ask() -> int:
        together.wait(timeout=60)
        return cache.get_or_compute("key", fail)

    with ThreadPoolExecutor(3) as pool:
        for each in [pool.submit(ask) for _ in range(3)]:
            with pytest.raises(ValueError, match="not now"):
                each.result()
    assert cache.get_or_compute("key", lambda: 5) == 5
