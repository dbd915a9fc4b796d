"""Processes that read files, kept for the next services of a process that runs tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from passer.adapters.reading.limits import ReaderLimits
from passer.adapters.reading.pool import ReaderPool

MOST = 2
"""As many of equal limits as one pool has."""
_CLOSE, _CHILD = ReaderPool.close, ReaderPool._child


@contextmanager
def kept() -> Iterator[None]:
    """Give the idle processes of a pool that is closed to the next pool with the same limits."""
    idle: dict[ReaderLimits, list[Any]] = {}

    def keep(pool: ReaderPool) -> None:
        with pool._lock:
            waiting = idle.setdefault(pool.limits, [])
            while pool._idle and len(waiting) < MOST:
                waiting.append(pool._idle.pop())
        _CLOSE(pool)

    def take(pool: ReaderPool) -> Any:
        with pool._lock:
            if not pool._idle:
                pool._idle, idle[pool.limits] = idle.get(pool.limits, []), []
        return _CHILD(pool)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReaderPool, "close", keep)
        patch.setattr(ReaderPool, "_child", take)
        yield
    for each in (each for waiting in idle.values() for each in waiting):
        each.end()


@contextmanager
def ended() -> Iterator[None]:
    """Let each pool start and end its own processes again, for tests of these."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReaderPool, "close", _CLOSE)
        patch.setattr(ReaderPool, "_child", _CHILD)
        yield
