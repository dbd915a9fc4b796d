"""A few threads and a bounded queue. The threads are daemons: a model that thinks for ten minutes holds no exit up.

Jobs may belong to a chain: one thread does them one after the other, so that a server that has just read the beginning
of their prompts finds it in memory. The threads advance chains by themselves: if the thread that writes results did it,
a slot would stand idle during each commit.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from dataclasses import dataclass, field
from itertools import count
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Any, TypeVar

from passer.domain.models.chat import Chain

T = TypeVar("T")

LOOK_AGAIN_S = 1.0
"""Seconds after which a thread that waits for a larger share looks again."""


@dataclass(order=True)
class _Job:
    """One job of a chain; the earliest place comes first, then the earliest submission."""

    place: int
    number: int
    future: Future[Any] = field(compare=False)
    act: Callable[[], Any] = field(compare=False)
    fans_out: bool = field(compare=False, default=False)


class Pool:
    """Runs chains in order of submission, at most `threads` at a time; submit waits while `queue_size` jobs wait.

    `share` may lower the number of chains that are begun at a time, when others use the same servers.
    """

    def __init__(self, name: str, *, threads: int, queue_size: int, share: Callable[[], int] | None = None) -> None:
        self._name, self._most, self._queue_size = name, threads, queue_size
        self._share = share or (lambda: threads)
        self._lock = Lock()
        # Two conditions, so that each event wakes one thread: waking all for every job costs more than a short job.
        self._chain_waits, self._has_room = Condition(self._lock), Condition(self._lock)
        self._chains: OrderedDict[str, list[_Job]] = OrderedDict()
        self._under_way: set[str] = set()
        """Chains that a thread works on; the others of a chain wait for it, in `_chains`."""
        self._waiting = 0
        self._open: set[Future[Any]] = set()
        self._threads: list[Thread] = []
        self._idle = 0
        self._closed = False
        self._numbers = count()

    def submit(self, act: Callable[[], T], *, chain: Chain | None = None, future: Future[T] | None = None) -> Future[T]:
        """Run a job; after `close` its future is cancelled from the start."""
        future = future or Future()
        with self._lock:
            while self._waiting >= self._queue_size and not self._closed:
                self._has_room.wait()
            if not self._closed:
                number = next(self._numbers)
                given = chain or Chain(key=f"alone {number}")
                self._add(given.key, _Job(given.place, number, future, act, given.fans_out))
                self._open.add(future)
                self._staff()
                if given.key not in self._under_way:
                    self._chain_waits.notify()
                return future
        _cancel(future)
        return future

    def close(self, *, timeout_s: float) -> None:
        """Give up what waits and what runs; wait at most so long for the threads to notice."""
        with self._lock:
            self._closed = True
            waiting = [job.future for jobs in self._chains.values() for job in jobs]
            running = self._open.difference(waiting)
            self._chains.clear()
            self._waiting = 0
            self._chain_waits.notify_all()
            self._has_room.notify_all()
        # Outside the lock, because callbacks of a future run at once and may submit again.
        for future in waiting:
            _cancel(future)
        for future in running:
            if not future.cancel():
                _settle(future, error=CancelledError())
        deadline = monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))

    def _add(self, key: str, job: _Job) -> None:
        heapq.heappush(self._chains.setdefault(key, []), job)
        self._waiting += 1

    def _staff(self) -> None:
        if self._idle < len(self._chains) and len(self._threads) < self._most:
            thread = Thread(target=self._work, name=f"passer-{self._name}-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _next(self, key: str | None) -> tuple[str, _Job] | None:
        """Return the next job of a running chain, or the first of an idle one; None at the end."""
        with self._lock:
            if key is not None and key not in self._chains:
                self._under_way.discard(key)
                key = None
            self._idle += 1
            while not self._closed and key is None and (key := self._begun()) is None:
                self._chain_waits.wait(LOOK_AGAIN_S if self._chains else None)
            self._idle -= 1
            if self._closed or key is None:
                return None
            jobs = self._chains[key]
            job = heapq.heappop(jobs)
            if not jobs:
                del self._chains[key]
            self._waiting -= 1
            self._has_room.notify()
            return key, job

    def _begun(self) -> str | None:
        """Return the chain to begin now, if there is one and the share allows it."""
        if not self._chains or len(self._under_way) >= self._share():
            return None
        key = next((key for key in self._chains if key not in self._under_way), None)
        if key is not None:
            self._under_way.add(key)
        return key

    def _work(self) -> None:
        key: str | None = None
        while (item := self._next(key)) is not None:
            key, job = item
            future = job.future
            if future.set_running_or_notify_cancel():
                try:
                    _settle(future, value=job.act())
                except BaseException as exc:  # The future passes any exception to its waiters.
                    _settle(future, error=exc)
            with self._lock:
                self._open.discard(future)
                if job.fans_out:
                    self._fan_out(key)
            # A thread that waits for its next job must not keep the texts of the last one in memory.
            del future, job, item

    def _fan_out(self, key: str) -> None:
        """Let all threads take the remaining jobs of a chain."""
        # The server has now cached the beginning that the prompts of this chain share.
        rest = [(f"{key} {job.number}", job) for job in sorted(self._chains.pop(key, ()), reverse=True)]
        for own, job in rest:
            job.fans_out = False
            self._chains[own] = [job]
            self._chains.move_to_end(own, last=False)
        for _ in rest:
            self._staff()
        self._chain_waits.notify_all()


def _cancel(future: Future[Any]) -> None:
    """Cancel a future that no thread has started, and notify its waiters."""
    future.cancel()
    future.set_running_or_notify_cancel()


def _settle(future: Future[Any], *, value: Any = None, error: BaseException | None = None) -> None:
    """Set the outcome of a future, unless `close` came first."""
    try:
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)
    except InvalidStateError:
        return
