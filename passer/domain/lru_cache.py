"""In-process LRU cache for immutable results."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

from cachetools import Cache, LRUCache, TTLCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Thread-safe LRU cache whose values together weigh at most `capacity`; each weighs 1 unless `weigh` says more.

    With `max_age_s`, a value is dropped that many seconds after it was stored.
    """

    def __init__(
        self,
        capacity: int,
        *,
        weigh: Callable[[V], int] | None = None,
        max_age_s: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._values: Cache[K, V] = (
            LRUCache(capacity, getsizeof=weigh)
            if max_age_s is None
            else TTLCache(capacity, max_age_s, timer=monotonic, getsizeof=weigh)
        )
        self._running: dict[K, Future[V]] = {}
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """Return the value, which becomes the most recently used one, or None."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        """Store a value and return it; a value heavier than the whole cache is returned without being stored."""
        with self._lock:
            self._values.pop(key, None)
            if self._values.getsizeof(value) <= self._values.maxsize:
                self._values[key] = value
        return value

    def get_or_compute(self, key: K | None, compute: Callable[[], V]) -> V:
        """Return the stored value, or compute and store it; raises what `compute` raises. With None nothing is stored.

        Threads that ask for what another thread is computing wait for its value or its error: without that, fifty
        people who open the same page compute it fifty times side by side, and every page waits.
        """
        if key is None:
            return compute()
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                return value
            running = self._running.get(key)
            if running is None:
                own = self._running[key] = Future[V]()
        if running is not None:
            return running.result()
        # Computed without the lock: one slow computation must not block readers of other keys.
        try:
            own.set_result(self.put(key, compute()))
        except BaseException as exc:
            own.set_exception(exc)
        finally:
            with self._lock:
                del self._running[key]
        return own.result()

    def discard(self, key: K) -> None:
        """Remove a value if it is stored."""
        with self._lock:
            self._values.pop(key, None)
