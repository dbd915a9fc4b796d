"""A few threads and a bounded queue. The threads are daemons: a model that thinks for ten minutes holds no exit up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from threading import Condition, Thread
from time import monotonic
from typing import Any, TypeVar

T = TypeVar("T")


class Pool:
    """Runs jobs in order of submission, at most `threads` at a time; submit waits while `queue_size` are waiting."""

    def __init__(self, name: str, *, threads: int, queue_size: int) -> None:
        self._name, self._most, self._queue_size = name, threads, queue_size
        self._changed = Condition()
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._open: set[Future[Any]] = set()
        self._threads: list[Thread] = []
        self._idle = 0
        self._closed = False

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Run a job; after `close` its future is cancelled from the start."""
        future: Future[T] = Future()
        with self._changed:
            while len(self._waiting) >= self._queue_size and not self._closed:
                self._changed.wait()
            if not self._closed:
                self._waiting.append((future, job))
                self._open.add(future)
                self._staff()
                self._changed.notify_all()
                return future
        _cancel(future)
        return future

    def close(self, *, timeout_s: float) -> None:
        """Give up what waits and what runs; wait at most so long for the threads to notice."""
        with self._changed:
            self._closed = True
            waiting = [future for future, _ in self._waiting]
            running = self._open.difference(waiting)
            self._waiting.clear()
            self._changed.notify_all()
        for future in waiting:
            _cancel(future)
        for future in running:
            if not future.cancel():
                _settle(future, error=CancelledError())
        deadline = monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))

    def _staff(self) -> None:
        if self._idle < len(self._waiting) and len(self._threads) < self._most:
            thread = Thread(target=self._work, name=f"passer-{self._name}-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _next(self) -> tuple[Future[Any], Callable[[], Any]] | None:
        with self._changed:
            self._idle += 1
            while not self._waiting and not self._closed:
                self._changed.wait()
            self._idle -= 1
            if self._closed:
                return None
            self._changed.notify_all()
            return self._waiting.popleft()

    def _work(self) -> None:
        while (item := self._next()) is not None:
            future, job = item
            if future.set_running_or_notify_cancel():
                try:
                    _settle(future, value=job())
                except BaseException as exc:  # a future carries whatever happened to whoever waits for it
                    _settle(future, error=exc)
            with self._changed:
                self._open.discard(future)
            del future, job, item


def _cancel(future: Future[Any]) -> None:
    """Cancel a future that no thread has taken, and tell whoever waits for it."""
    future.cancel()
    future.set_running_or_notify_cancel()


def _settle(future: Future[Any], *, value: Any = None, error: BaseException | None = None) -> None:
    """Give a future its outcome, unless `close` was first."""
    try:
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)
    except InvalidStateError:
        return
