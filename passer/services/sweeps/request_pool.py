"""Requests in flight: one per distinct key. Those of a model server that cannot be reached are parked until it is back.

The pool knows nothing of what a reply is for. The sender of a request names what waits for the reply (an
evaluation of a sweep, say); several may wait for the same one, and each belongs to an owner that can be stopped.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from queue import Queue
from typing import Generic, Protocol, TypeVar

from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Server
from passer.errors import GenerationError, GeneratorUnavailable, PasserError
from passer.ports import Clock, Engine
from passer.ports.draft import Draft

log = logging.getLogger(__name__)

PROBE_AFTER_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds between two probes of a model server that does not respond; the last value repeats."""

# Not SimpleQueue: on Python 3.11.7 a short wait for it may never end, because its C code looks again with what is left
# of the time even if that is negative. A sweep would then commit nothing until the next reply.
Arrived = Queue[Callable[[], None]]
"""Results of other threads, as calls that the writing thread makes."""

W = TypeVar("W")


class RequestOwners(Protocol):
    """Owners of waiting requests, such as the runs of a sweep."""

    def is_live(self, owner: str) -> bool:
        """Return whether anything more is to be done for an owner."""

    def pause(self, owners: Collection[str], reason: str) -> None:
        """Record that the model server of these owners cannot be reached."""

    def resume(self, owners: Collection[str]) -> None:
        """Record that the model server of these owners is back."""


@dataclass
class _Pending(Generic[W]):
    """A request without a reply, and everything that waits for it."""

    request: ChatRequest
    waiting: list[W]
    future: Future[Completion] | None = None
    """None while it is parked."""
    draft: Draft = field(default_factory=Draft)
    """The reply while it is written."""

    @property
    def server(self) -> Server:
        return self.request.model.server


@dataclass
class _Outage:
    """One model server that cannot be reached."""

    since: float
    """Time of the first failed request, in seconds of the clock."""
    parked: list[str] = field(default_factory=list)
    """Keys of its requests."""
    paused: set[str] = field(default_factory=set)
    """Owners that wait for it."""
    probing: str | None = None
    """Key of the request that was sent to find out whether it is back."""
    probes: int = 0
    probe_at: float = 0.0


class RequestPool(Generic[W]):
    """Sends requests to the engine; `completed` and `failed` are called in the writing thread, for all that waited."""

    def __init__(
        self,
        *,
        engine: Engine,
        arrived: Arrived,
        clock: Clock,
        owners: RequestOwners,
        owner_of: Callable[[W], str],
        completed: Callable[[list[W], ChatRequest, Completion], None],
        failed: Callable[[list[W], str], None],
    ) -> None:
        self._engine, self._arrived, self._clock = engine, arrived, clock
        self._owners, self._owner_of = owners, owner_of
        self._completed, self._failed = completed, failed
        self._pending: dict[str, _Pending[W]] = {}
        self._in_flight: dict[Server, int] = {}
        self._chains: dict[Server, Counter[str]] = {}
        self._outages: dict[Server, _Outage] = {}

    def __len__(self) -> int:
        return len(self._pending)

    def __contains__(self, key: str) -> bool:
        return key in self._pending

    @property
    def servers(self) -> frozenset[Server]:
        """Return the servers with a request in flight."""
        return frozenset(self._in_flight)

    @property
    def drafts(self) -> list[tuple[list[W], Draft]]:
        """Return the unfinished replies, each with what waits for it; the only member for other threads."""
        # Copying a dictionary's values is one step of the interpreter, so that no lock is needed.
        return [(pending.waiting, pending.draft) for pending in list(self._pending.values())]

    @property
    def streams(self) -> bool:
        """Return whether drafts hold replies while they are written."""
        return self._engine.streams

    @property
    def is_busy(self) -> bool:
        """Return whether a server that can be reached has a request without a reply."""
        return any(not self.is_gone(server) for server in self._in_flight)

    def chains(self, server: Server) -> int:
        """Return the number of chains that have a request without a reply at a server."""
        return len(self._chains.get(server, ()))

    def in_flight(self, server: Server) -> int:
        """Return the number of requests that a server has not answered."""
        return self._in_flight.get(server, 0)

    def waited_s(self, server: Server) -> float:
        """Return the seconds since a model server was missed; 0 while it can be reached."""
        outage = self._outages.get(server)
        return self._clock.monotonic() - outage.since if outage else 0.0

    def is_gone(self, server: Server) -> bool:
        """Return whether a model server cannot be reached."""
        return server in self._outages

    def send(self, request: ChatRequest, waiting: W) -> None:
        """Send a request, or join those that wait for the same reply."""
        if request.key in self._pending:
            self._pending[request.key].waiting.append(waiting)
            return
        server = request.model.server
        self._pending[request.key] = _Pending(request, [waiting])
        self._in_flight[server] = self.in_flight(server) + 1
        self._chains.setdefault(server, Counter())[request.chain_key] += 1
        self._submit(request.key)

    def probe(self) -> None:
        """Send one parked request per server that is due, to find out whether the server is back."""
        # One at a time: a server that has just started must not meet hundreds of requests that all time out.
        for outage in list(self._outages.values()):
            if outage.parked and outage.probing is None and self._clock.monotonic() >= outage.probe_at:
                outage.probing = outage.parked.pop(0)
                self._submit(outage.probing)

    def drop(self, owner: str, *, abort: bool = False) -> None:
        """Remove the waiters of a stopped owner; a request without other waiters is cancelled.

        A request in flight is ended with `abort`; without it, its reply is stored for equal requests.
        """
        # Newest first: a request that ends frees its slot, which must not be taken by one that is to be cancelled next.
        for key, pending in reversed(list(self._pending.items())):
            pending.waiting = [waiting for waiting in pending.waiting if self._owner_of(waiting) != owner]
            if not pending.waiting and _is_cancelled(pending.future, abort=abort):
                self._forget(key)
        self._end_empty_outages()

    def drop_unsent(self) -> bool:
        """Remove the requests that no server has begun; return whether there were any."""
        # A request in flight stays: cutting it would lose a reply that is being paid for, and it would be asked again.
        pending = reversed(list(self._pending.items()))
        unsent = [key for key, each in pending if _is_cancelled(each.future, abort=False)]
        for key in unsent:
            self._forget(key)
        self._end_empty_outages()
        return bool(unsent)

    def _submit(self, key: str) -> None:
        pending = self._pending[key]
        future = pending.future = self._engine.complete(pending.request, draft=pending.draft)
        future.add_done_callback(lambda done: self._arrived.put(lambda: self._on_reply(key, done)))

    def _on_reply(self, key: str, future: Future[Completion]) -> None:
        # The reply of an attempt that was cancelled meanwhile; its request was forgotten or sent again.
        if key not in self._pending or self._pending[key].future is not future:
            return
        request, server = self._pending[key].request, self._pending[key].server
        try:
            completion = future.result()
        except CancelledError:
            self._ended(key)
        except GeneratorUnavailable as exc:
            self._park(key, exc.message)
        except GenerationError as exc:
            self._is_back(server)
            self._failed(self._forget(key), exc.message)
        except PasserError as exc:
            # Refused before it was sent, for example because the model does not fit into memory.
            self._failed(self._forget(key), exc.message)
            self._end_if_empty(server)
        except Exception:
            # One odd reply costs its own question, never the sweep.
            log.exception("request %s failed", key)
            self._failed(self._forget(key), "PaSSER failed unexpectedly. Check the server log, then retry.")
            self._end_if_empty(server)
        else:
            self._is_back(server)
            self._completed(self._forget(key), request, completion)

    def _ended(self, key: str) -> None:
        """Remove a request that was ended, unless another sender has joined it meanwhile."""
        if self._pending[key].waiting:
            self._submit(key)
            return
        server = self._pending[key].server
        self._forget(key)
        self._end_if_empty(server)

    def _forget(self, key: str) -> list[W]:
        """Remove a request; returns what waited for it."""
        pending = self._pending.pop(key)
        left = self._in_flight[pending.server] - 1
        chains, chain = self._chains[pending.server], pending.request.chain_key
        chains[chain] -= 1
        if not chains[chain]:
            del chains[chain]
        if left:
            self._in_flight[pending.server] = left
        else:
            del self._in_flight[pending.server]
        outage = self._outages.get(pending.server)
        if outage and outage.probing == key:
            outage.probing = None
        if outage and key in outage.parked:
            outage.parked.remove(key)
        return pending.waiting

    def _park(self, key: str, reason: str) -> None:
        """Keep a request whose server cannot be reached, pause its owners, and schedule the next probe."""
        pending, now = self._pending[key], self._clock.monotonic()
        pending.future = None
        pending.waiting = [each for each in pending.waiting if self._owners.is_live(self._owner_of(each))]
        is_first = pending.server not in self._outages
        outage = self._outages.setdefault(pending.server, _Outage(since=now))
        # All requests in flight fail when a server vanishes. Only the first and the probes say when to ask again: each
        # of hundreds would put the next probe off further.
        if is_first or key == outage.probing:
            outage.probing = None
            outage.probe_at = now + PROBE_AFTER_S[min(outage.probes, len(PROBE_AFTER_S) - 1)]
            outage.probes += 1
        if not pending.waiting:
            self._forget(key)
            self._end_if_empty(pending.server)
            return
        outage.parked.append(key)
        owners = {self._owner_of(each) for each in pending.waiting}
        outage.paused |= owners
        self._owners.pause(owners, reason)

    def _is_back(self, server: Server) -> None:
        """End an outage: any response of the server, even a refusal, shows that it is back."""
        outage = self._outages.pop(server, None)
        if outage is None:
            return
        for key in outage.parked:
            self._submit(key)
        self._owners.resume(outage.paused)

    def _end_empty_outages(self) -> None:
        for server in list(self._outages):
            self._end_if_empty(server)

    def _end_if_empty(self, server: Server) -> None:
        """End an outage that has no request left to probe with: the next request will find out."""
        outage = self._outages.get(server)
        if outage and not (outage.parked or outage.probing):
            self._is_back(server)


def _is_cancelled(future: Future[Completion] | None, *, abort: bool) -> bool:
    """Cancel a request that no server has begun, with `abort` any; return whether no reply of it will come."""
    if future is None:
        return True
    # `cancel` also ends a request in flight: it ends soon, and its reply is a CancelledError.
    return (abort or not future.running()) and future.cancel()
