"""Limit of simultaneous requests to an endpoint: lowered when it reports overload, raised again while it succeeds.

One `EndpointLimits` serves all engines of a process, so that two sweeps together ask an endpoint no more than one does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Condition

from passer.domain.models.model import Server
from passer.errors import GeneratorUnavailable

REST_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds for which an unavailable endpoint gets no requests while others do its work; the last value repeats."""
LOOK_AGAIN_S = 1.0
"""Longest wait without a look at whether it still makes sense to wait."""


class EndpointsUnavailable(GeneratorUnavailable):
    """All endpoints are gone, and others are finding out already whether they are back."""


@dataclass
class _Endpoint:
    """One address of a model server."""

    limit: float
    taken: set[int] = field(default_factory=set)
    """Numbers of the slots in use."""
    halvings: int = 0
    losses: int = 0
    """Requests in a row that found nobody there; 0 while it answers."""
    not_before: float = float("-inf")
    said: str = ""
    """Why it counts as gone."""

    @property
    def allowed(self) -> int:
        """Return the number of requests allowed now."""
        # A lost endpoint gets one request at a time, which finds out whether it is back.
        return 1 if self.losses else int(self.limit)

    @property
    def free(self) -> int:
        return self.allowed - len(self.taken)

    def occupy(self, wanted: int | None) -> int:
        """Take a slot: the requested one if it is free, else the first free one."""
        number = wanted if wanted is not None and wanted not in self.taken else next(self._unused())
        self.taken.add(number)
        return number

    def _unused(self) -> Iterator[int]:
        return (number for number in count() if number not in self.taken)


@dataclass(frozen=True)
class Slot:
    """A permitted request; the state at sending distinguishes old news from new."""

    endpoint: Server
    number: int
    """Place at the endpoint, from 0; no other request in flight has it."""
    halvings: int
    losses: int


@dataclass(eq=False)
class Party:
    """The requests of one sweep, which share the limits with those of other sweeps."""

    served: dict[Server, int] = field(default_factory=dict)
    """Position, among all requests, of the latest one that each endpoint served for this party."""


@dataclass(frozen=True, eq=False)
class _Waiter:
    """A request that waits for a slot."""

    party: Party
    endpoints: Sequence[Server]
    home: Server | None = None
    """Endpoint to prefer: it has read the beginning of this prompt."""

    def served(self, endpoint: Server) -> int:
        return self.party.served.get(endpoint, 0)


class EndpointLimits:
    """Additive increase, multiplicative decrease, between 1 and `most` for each endpoint.

    A success adds 1/limit, so a full round of them adds one; an overload halves, but requests that were sent before
    the last halving say nothing new. Retry-After holds every request of the endpoint back. Of several endpoints, the
    one with the most free slots is asked; one that is gone is tried now and then, by one request. Parties that wait for
    the same endpoint get its slots in turns, however many requests each has waiting.
    """

    def __init__(self, most: int = 4, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._monotonic = monotonic
        self._changed = Condition()
        self._endpoints: dict[Server, _Endpoint] = {}
        self._waiting: list[_Waiter] = []
        self._parties: list[Party] = []
        self._order = count(1)

    def limits(self) -> dict[Server, int]:
        """Return the number of requests allowed at a time now, by provider and address."""
        with self._changed:
            return {key: endpoint.allowed for key, endpoint in self._endpoints.items()}

    @contextmanager
    def slot(
        self,
        endpoints: Sequence[Server],
        *,
        party: Party | None = None,
        before: Slot | None = None,
        stays: bool = False,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[Slot]:
        """Wait for a permit; CancelledError once `stopped`, EndpointsUnavailable if waiting is useless.

        `before` is the slot that the caller had last: its number is kept where possible, its endpoint if it `stays`.
        """
        waiter = _Waiter(party or Party(), endpoints, home=before.endpoint if before and stays else None)
        with self._changed:
            chosen = self._wait(waiter, stopped)
            taken = self._of(chosen)
            number = taken.occupy(before.number if before and before.endpoint == chosen else None)
            waiter.party.served[chosen] = next(self._order)
            slot = Slot(chosen, number, taken.halvings, taken.losses)
        try:
            yield slot
        finally:
            with self._changed:
                taken.taken.discard(slot.number)
                self._changed.notify_all()

    def share(self, endpoints: Sequence[Server], party: Party) -> int:
        """Return how many requests a party should have in flight, so that all parties have equal shares.

        Otherwise two sweeps would have twice as many chains as there are slots, and each would evict the prompts of the
        other from the cache of the server.
        """
        with self._changed:
            parties = {id(each) for each in self._parties if any(key in each.served for key in endpoints)} | {id(party)}
            return max(1, -(-sum(self._of(key).allowed for key in endpoints) // len(parties)))

    def join(self, party: Party) -> None:
        """Register a party that shares the slots, until it leaves."""
        with self._changed:
            self._parties.append(party)

    def leave(self, party: Party) -> None:
        """Remove a party that sends no more requests."""
        with self._changed:
            if party in self._parties:
                self._parties.remove(party)

    def succeeded(self, slot: Slot) -> None:
        """Note that the endpoint answered, even if it refused this one question."""
        with self._changed:
            endpoint = self._of(slot.endpoint)
            endpoint.limit = min(float(self.most), endpoint.limit + 1 / endpoint.limit)
            self._there(endpoint)

    def refused(self, slot: Slot) -> None:
        """Note that the endpoint responded, but could not answer this question."""
        with self._changed:
            self._there(self._of(slot.endpoint))

    def overloaded(self, slot: Slot, *, retry_after_s: float | None = None) -> None:
        """Note that the endpoint is overloaded, and for how long it asks to wait."""
        with self._changed:
            endpoint = self._of(slot.endpoint)
            if slot.halvings == endpoint.halvings:
                endpoint.halvings += 1
                endpoint.limit = max(1.0, endpoint.limit / 2)
            self._there(endpoint)
            if retry_after_s is not None:
                endpoint.not_before = max(endpoint.not_before, self._monotonic() + retry_after_s)

    def lost(self, slot: Slot, said: str) -> None:
        """Note that the endpoint did not respond."""
        with self._changed:
            endpoint = self._of(slot.endpoint)
            # Requests in flight together report the same outage; only the first of them counts.
            if slot.losses == endpoint.losses:
                endpoint.said = said
                endpoint.not_before = self._monotonic() + REST_S[min(endpoint.losses, len(REST_S) - 1)]
                endpoint.losses += 1

    def wake(self) -> None:
        """Wake all waiting requests, so that they check whether they were cancelled."""
        with self._changed:
            self._changed.notify_all()

    def _wait(self, waiter: _Waiter, stopped: Callable[[], bool]) -> Server:
        """Return the endpoint whose slot this request may take."""
        self._waiting.append(waiter)
        try:
            while (chosen := self._turn(waiter)) is None and not stopped():
                self._changed.wait(self._wait_s(waiter.endpoints))
            if chosen is None or stopped():
                raise CancelledError
            return chosen
        finally:
            self._waiting.remove(waiter)
            # Another sweep may be waiting because it let this one pass, and no other event would wake it.
            if any(other.party is not waiter.party for other in self._waiting):
                self._changed.notify_all()

    def _turn(self, waiter: _Waiter) -> Server | None:
        """Return an endpoint with a free slot, unless another party waits for just that one and was served before."""
        chosen = self._choose(waiter)
        if chosen is None:
            return None
        for other in self._waiting:
            is_before = other.party is not waiter.party and other.served(chosen) < waiter.served(chosen)
            # Only a request that would take this same slot goes first: otherwise parties with several endpoints could
            # wait for each other in a circle.
            if is_before and chosen in other.endpoints and self._choose(other) == chosen:
                return None
        return chosen

    def _of(self, key: Server) -> _Endpoint:
        return self._endpoints.setdefault(key, _Endpoint(float(self.most)))

    def _there(self, endpoint: _Endpoint) -> None:
        if endpoint.losses:
            endpoint.losses, endpoint.not_before = 0, float("-inf")
        self._changed.notify_all()

    def _choose(self, waiter: _Waiter) -> Server | None:
        keys, now = waiter.endpoints, self._monotonic()
        ready = [key for key in keys if self._of(key).free > 0 and self._of(key).not_before <= now]
        if waiter.home in ready:
            return waiter.home
        if ready:
            return max(ready, key=lambda key: self._of(key).free)
        if not all(self._of(key).losses for key in keys):
            return None
        # All endpoints are lost: one request tries again at once, and the others fail without waiting for it.
        idle = [key for key in keys if self._of(key).free > 0]
        if not idle:
            raise EndpointsUnavailable(self._of(keys[0]).said)
        return min(idle, key=lambda key: self._of(key).not_before)

    def _wait_s(self, keys: Sequence[Server]) -> float:
        now = self._monotonic()
        held = [self._of(key).not_before - now for key in keys]
        return min([wait for wait in held if wait > 0] + [LOOK_AGAIN_S])
