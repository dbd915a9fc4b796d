"""How many requests an endpoint gets at a time: fewer when it says it is overloaded, more again while all goes well.

One `EndpointLimits` serves all engines of a process, so that two sweeps together ask an endpoint no more than one does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition

from passer.domain.run import Server
from passer.errors import GeneratorUnavailable

REST_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""How long an endpoint that is gone is left alone while others do its work; the last one repeats."""
LOOK_AGAIN_S = 1.0
"""Longest wait without a look at whether it still makes sense to wait."""


class StillGone(GeneratorUnavailable):
    """All endpoints are gone, and others are finding out already whether they are back."""


@dataclass
class _Endpoint:
    """One address of a model server."""

    limit: float
    in_flight: int = 0
    halvings: int = 0
    losses: int = 0
    """Requests in a row that found nobody there; 0 while it answers."""
    not_before: float = float("-inf")
    said: str = ""
    """Why it counts as gone."""

    @property
    def allowed(self) -> int:
        """One request finds out whether a vanished endpoint is back."""
        return 1 if self.losses else int(self.limit)

    @property
    def free(self) -> int:
        return self.allowed - self.in_flight


@dataclass(frozen=True)
class Slot:
    """One of the allowed requests; what happened before it was sent tells old news from new."""

    endpoint: Server
    halvings: int
    losses: int


class EndpointLimits:
    """Additive increase, multiplicative decrease, between 1 and `most` for each endpoint.

    A success adds 1/limit, so a full round of them adds one; an overload halves, but requests that were sent before
    the last halving say nothing new. Retry-After holds every request of the endpoint back. Of several endpoints, the
    one with the most free slots is asked; one that is gone is tried now and then, by one request.
    """

    def __init__(self, most: int = 4, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._monotonic = monotonic
        self._changed = Condition()
        self._endpoints: dict[Server, _Endpoint] = {}

    def limits(self) -> dict[Server, int]:
        """Requests allowed at a time now, by provider and address."""
        with self._changed:
            return {key: endpoint.allowed for key, endpoint in self._endpoints.items()}

    @contextmanager
    def slot(self, endpoints: Sequence[Server], *, stopped: Callable[[], bool] = lambda: False) -> Iterator[Slot]:
        """Wait for one of the allowed requests; CancelledError once `stopped`, StillGone where waiting is in vain."""
        with self._changed:
            while (chosen := self._choose(endpoints)) is None and not stopped():
                self._changed.wait(self._wait_s(endpoints))
            if chosen is None or stopped():
                raise CancelledError
            taken = self._of(chosen)
            taken.in_flight += 1
            slot = Slot(chosen, taken.halvings, taken.losses)
        try:
            yield slot
        finally:
            with self._changed:
                taken.in_flight -= 1
                self._changed.notify_all()

    def succeeded(self, slot: Slot) -> None:
        """The endpoint answered, be it with a refusal of this one question."""
        with self._changed:
            endpoint = self._of(slot.endpoint)
            endpoint.limit = min(float(self.most), endpoint.limit + 1 / endpoint.limit)
            self._there(endpoint)

    def refused(self, slot: Slot) -> None:
        """The endpoint is there, and could not answer this question."""
        with self._changed:
            self._there(self._of(slot.endpoint))

    def overloaded(self, slot: Slot, *, retry_after_s: float | None = None) -> None:
        """The endpoint refused for being too busy, and may have said for how long."""
        with self._changed:
            endpoint = self._of(slot.endpoint)
            if slot.halvings == endpoint.halvings:
                endpoint.halvings += 1
                endpoint.limit = max(1.0, endpoint.limit / 2)
            self._there(endpoint)
            if retry_after_s is not None:
                endpoint.not_before = max(endpoint.not_before, self._monotonic() + retry_after_s)

    def lost(self, slot: Slot, said: str) -> None:
        """Nobody was there."""
        with self._changed:
            endpoint = self._of(slot.endpoint)
            if slot.losses == endpoint.losses:
                endpoint.said = said
                endpoint.not_before = self._monotonic() + REST_S[min(endpoint.losses, len(REST_S) - 1)]
                endpoint.losses += 1

    def wake(self) -> None:
        """Let everyone who waits look whether they are still wanted."""
        with self._changed:
            self._changed.notify_all()

    def _of(self, key: Server) -> _Endpoint:
        return self._endpoints.setdefault(key, _Endpoint(float(self.most)))

    def _there(self, endpoint: _Endpoint) -> None:
        if endpoint.losses:
            endpoint.losses, endpoint.not_before = 0, float("-inf")
        self._changed.notify_all()

    def _choose(self, keys: Sequence[Server]) -> Server | None:
        now = self._monotonic()
        ready = [key for key in keys if self._of(key).free > 0 and self._of(key).not_before <= now]
        if ready:
            return max(ready, key=lambda key: self._of(key).free)
        if not all(self._of(key).losses for key in keys):
            return None
        # Nobody else could do it: the rest is cut short, by one request, and the others need not wait for it.
        idle = [key for key in keys if self._of(key).free > 0]
        if not idle:
            raise StillGone(self._of(keys[0]).said)
        return min(idle, key=lambda key: self._of(key).not_before)

    def _wait_s(self, keys: Sequence[Server]) -> float:
        now = self._monotonic()
        held = [self._of(key).not_before - now for key in keys]
        return min([wait for wait in held if wait > 0] + [LOOK_AGAIN_S])
