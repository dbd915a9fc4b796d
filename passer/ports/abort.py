"""Ending a request in flight whose reply is no longer needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock


class Abort:
    """Abort signal of one request, with a way to end what it waits for; any thread may use it."""

    def __init__(self) -> None:
        self._asked, self._lock = Event(), Lock()
        self._end: Callable[[], None] | None = None

    @property
    def asked(self) -> bool:
        """Return whether the request is unwanted."""
        return self._asked.is_set()

    def ask(self) -> None:
        """End the request; does nothing after its end."""
        with self._lock:
            self._asked.set()
            if self._end:
                self._end()

    def wait(self, seconds: float) -> bool:
        """Wait for this time, or until the request is unwanted; return whether it is."""
        return self._asked.wait(seconds)

    def ends_by(self, end: Callable[[], None]) -> None:
        """Name what ends the wait that begins now."""
        with self._lock:
            self._end = end
            # Asked between two waits of one request, such as during a retry's pause: this one must not begin.
            if self.asked:
                end()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Be the abort of the request that this thread makes inside the block."""
        token = CURRENT_ABORT.set(self)
        try:
            yield
        finally:
            CURRENT_ABORT.reset(token)
            # The connection may serve another request from now on.
            with self._lock:
                self._end = None


CURRENT_ABORT: ContextVar[Abort | None] = ContextVar("abort", default=None)
"""Abort of the request that this thread makes; None outside a request."""


def is_aborted() -> bool:
    """Return whether the request that this thread makes is unwanted by now."""
    abort = CURRENT_ABORT.get()
    return abort is not None and abort.asked
