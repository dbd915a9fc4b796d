"""Ending one request of this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

from passer.ports.abort import CURRENT_ABORT


class RequestAbort:
    """ports.abort.Abort for one request."""

    def __init__(self) -> None:
        self._asked, self._lock = Event(), Lock()
        self._end: Callable[[], None] | None = None

    @property
    def asked(self) -> bool:
        return self._asked.is_set()

    def ask(self) -> None:
        """End the request; does nothing after its end."""
        with self._lock:
            self._asked.set()
            if self._end:
                self._end()

    def wait(self, seconds: float) -> bool:
        """Wait for this time, or until the request is unwanted; whether it is."""
        return self._asked.wait(seconds)

    def ends_by(self, end: Callable[[], None]) -> None:
        with self._lock:
            self._end = end
            if self.asked:
                end()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Be the abort of what this thread does inside the block."""
        token = CURRENT_ABORT.set(self)
        try:
            yield
        finally:
            CURRENT_ABORT.reset(token)
            # The connection may serve another request from now on.
            with self._lock:
                self._end = None
