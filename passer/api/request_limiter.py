"""Limits concurrent costly requests: otherwise forty slow analyses would hold all threads, and no page would open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Request

from passer.api.rules import rule_of
from passer.domain.wording.sentence import sentence
from passer.errors import QueueFull

AT_ONCE = 8
"""Costly requests that run side by side; the rest of the threads answer the others."""
WAITING = 64
"""Costly requests that wait for a slot; further ones are refused."""


class RequestLimiter:
    """Semaphore for costly requests; waiting requests hold no thread."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._most, self._inside = at_once + waiting, 0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it; QueueFull if too many requests wait already."""
        if self._inside >= self._most:
            raise QueueFull(sentence("problem.too-busy"))
        self._inside += 1
        try:
            async with self._free:
                yield
        finally:
            self._inside -= 1


async def limit_costly(request: Request) -> AsyncIterator[None]:
    """Dependency of every route: holds a slot while a costly request runs."""
    if rule_of(request).is_costly:
        async with request.app.state.request_limiter.slot():
            yield
    else:
        yield
