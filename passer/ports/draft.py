"""A request in flight: its reply while a model writes it, and its end if the reply is no longer needed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock


class Draft:
    """Text of one reply so far; any thread may read it.

    Clients write no text here: they register a function that returns it. A reply that nobody reads costs nothing;
    otherwise each reading costs one call.
    """

    def __init__(self) -> None:
        self._read: Callable[[], str] | None = None
        self._began = 0.0

    @property
    def is_sent(self) -> bool:
        """Return whether a model server has the request."""
        return self._read is not None

    @property
    def text(self) -> str:
        """The reply so far, a beginning of what the attempt in progress will return; empty while the prompt is read."""
        read = self._read
        return read() if read else ""

    @property
    def seconds(self) -> float:
        """Seconds since the attempt in progress was sent; 0 before."""
        return time.monotonic() - self._began if self.is_sent else 0.0

    def begin(self, read: Callable[[], str]) -> None:
        """Begin an attempt; the text of an earlier one is discarded."""
        self._began, self._read = time.monotonic(), read

    def end(self) -> None:
        """End an attempt; the next one may have to wait for its turn."""
        self._read = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Be the draft of the request that this thread makes inside the block."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)


_CURRENT: ContextVar[Draft | None] = ContextVar("draft", default=None)


@contextmanager
def drafting(read: Callable[[], str]) -> Iterator[None]:
    """Let readers of this thread's request call `read` for its reply inside the block."""
    draft = _CURRENT.get()
    if draft is None:
        yield
        return
    draft.begin(read)
    try:
        yield
    finally:
        draft.end()


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
        """Request the end; no effect after the request has ended."""
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
