"""How many requests an endpoint gets at a time: fewer when it says it is overloaded, more again while all goes well."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from threading import Condition


class EndpointLimit:
    """Additive increase, multiplicative decrease, between 1 and `most`.

    A success adds 1/limit, so a full round of them adds one; an overload halves, but requests that were sent before
    the last halving say nothing new. Retry-After holds every request of the endpoint back.
    """

    def __init__(self, most: int, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._monotonic = monotonic
        self._changed = Condition()
        self._limit = float(most)
        self._in_flight = 0
        self._halvings = 0
        self._not_before = float("-inf")
        self._closed = False

    @property
    def limit(self) -> int:
        """Requests allowed at a time now."""
        return int(self._limit)

    @contextmanager
    def slot(self) -> Iterator[int]:
        """Wait for one of the allowed requests; gives the mark to hand to `overloaded`; CancelledError once closed."""
        with self._changed:
            while not self._closed:
                held_s = self._not_before - self._monotonic()
                if held_s <= 0 and self._in_flight < self.limit:
                    break
                self._changed.wait(held_s if held_s > 0 else None)
            if self._closed:
                raise CancelledError
            self._in_flight += 1
            mark = self._halvings
        try:
            yield mark
        finally:
            with self._changed:
                self._in_flight -= 1
                self._changed.notify_all()

    def succeeded(self) -> None:
        """The endpoint answered."""
        with self._changed:
            self._limit = min(float(self._most), self._limit + 1 / self._limit)
            self._changed.notify_all()

    def overloaded(self, mark: int, *, retry_after_s: float | None = None) -> None:
        """The endpoint refused for being too busy, and may have said for how long."""
        with self._changed:
            if mark == self._halvings:
                self._halvings += 1
                self._limit = max(1.0, self._limit / 2)
            if retry_after_s is not None:
                self._not_before = max(self._not_before, self._monotonic() + retry_after_s)

    def close(self) -> None:
        """Wake and refuse everyone who waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
