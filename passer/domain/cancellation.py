"""Cancellation signal of a piece of work, for code that waits for something that cannot be interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_CHECK: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


@contextmanager
def cancellable(check: Callable[[], None]) -> Iterator[None]:
    """Have `raise_if_cancelled` call this in the body; it raises where the work was cancelled."""
    before = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(before)


def raise_if_cancelled() -> None:
    """Raise the exception of the surrounding work if it was cancelled; return if it cannot be cancelled."""
    check = _CHECK.get()
    if check is not None:
        check()
