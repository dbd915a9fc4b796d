"""Ending a request in flight whose reply is no longer needed."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Protocol


class Abort(Protocol):
    """Whether one request is unwanted by now, and how to end what it waits for."""

    @property
    def asked(self) -> bool:
        """Whether the request is unwanted."""
        ...

    def ends_by(self, end: Callable[[], None]) -> None:
        """Name what ends the wait that begins now."""
        ...


CURRENT_ABORT: ContextVar[Abort | None] = ContextVar("abort", default=None)
"""Abort of the request that this thread makes, set by the engine around it; None outside a request."""


def is_aborted() -> bool:
    """Return whether the request that this thread makes is unwanted by now."""
    abort = CURRENT_ABORT.get()
    return abort is not None and abort.asked
