"""The server's worker: runs waiting rows of the table of work, lane by lane, as long as the server runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from threading import Event, Lock, Thread
from time import monotonic
from typing import Protocol

from passer.errors import LeaseError, PasserError, WorkStopped
from passer.ports import WaitingWork, Work, WorkKind
from passer.services.work.lease import is_dead
from passer.services.work.queue import WorkQueue

log = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
"""Seconds between two readings of the table, and pause of work that has just had its turn: what fails at once must not
spin."""
GIVE_UP_AFTER_S = 30.0
"""Seconds that a stopping server waits for running work."""


class Lane(Protocol):
    """Kinds of work that share slots."""

    @property
    def kinds(self) -> frozenset[WorkKind]: ...

    def choose(self, waiting: Sequence[Work], running: Sequence[Work]) -> Work | None:
        """Return the work to begin next, or None; `waiting` is in order of turns, `running` is in progress."""

    def run(self, work: Work, stop: Event) -> None:
        """Do the work to its end, or until `stop` is set; LeaseError if another process does it."""


@dataclass(frozen=True)
class QueueLane:
    """Work of the queue, in order, a few at a time and never two with the same subject."""

    queue_of: Callable[[str], WorkQueue]
    """Returns the queue of a project."""
    kinds: frozenset[WorkKind]
    slots: int = 1
    """Pieces of work side by side, of all projects together."""

    def choose(self, waiting: Sequence[Work], running: Sequence[Work]) -> Work | None:
        """Return the first work that this process can do."""
        if len(running) >= self.slots:
            return None
        busy = {(work.project, work.subject) for work in running}
        free = (work for work in waiting if (work.project, work.subject) not in busy)
        return next((work for work in free if self.queue_of(work.project).can_run(work)), None)

    def run(self, work: Work, stop: Event) -> None:
        """Do the work under its lease."""
        self.queue_of(work.project).run(work, stop)


class Worker:
    """Gives each piece of work a thread while a slot of its lane is free. Projects take turns."""

    def __init__(self, store: WaitingWork, lanes: Sequence[Lane]) -> None:
        self._store, self._lanes = store, lanes
        self._stop, self._wake, self._lock = Event(), Event(), Lock()
        self._running: dict[tuple[str, str], tuple[Work, Thread]] = {}
        self._rests: dict[tuple[str, str], float] = {}
        self._turns: dict[tuple[str, str], int] = {}
        self._project_turns: dict[tuple[Lane, str], int] = {}
        self._turn, self._woken = count(1), 0
        self._thread = Thread(target=self._poll, name="worker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Read the table now, because new work waits, or work that waits after an error must start at once."""
        with self._lock:
            self._woken += 1
            self._rests.clear()
        self._wake.set()

    def stop(self) -> None:
        """Stop at the next commit; unfinished work continues at the next start."""
        self._stop.set()
        self._wake.set()
        with self._lock:
            threads = [thread for _, thread in self._running.values()]
        until = monotonic() + GIVE_UP_AFTER_S
        for thread in (self._thread, *threads):
            if thread.is_alive():
                thread.join(max(0.0, until - monotonic()))

    def _poll(self) -> None:
        while not self._stop.is_set():
            with _logged():
                self._look()
            self._wake.wait(LOOK_EVERY_S)
            self._wake.clear()

    def _look(self) -> None:
        waiting = self._store.waiting()
        with self._lock:
            keys = [work.key for work in waiting]
            # Only of what still waits: a server that runs for months would remember every job.
            self._turns = {key: self._turns[key] for key in keys if key in self._turns}
            now = monotonic()
            free = [
                work
                for work in waiting
                if work.key not in self._running
                and self._rests.get(work.key, now) <= now
                and (work.owner is None or is_dead(work.owner))
            ]
        for lane in self._lanes:
            # What is wrong with one row must not keep the other lanes from theirs.
            with _logged():
                self._fill(lane, [work for work in free if work.kind in lane.kinds])

    def _fill(self, lane: Lane, free: list[Work]) -> None:
        while free and not self._stop.is_set():
            with self._lock:
                running = [work for work, _ in self._running.values() if work.kind in lane.kinds]
            # Anew for each: who has just got a slot goes behind the others.
            free.sort(key=lambda work: self._order(lane, work))
            chosen = lane.choose(free, running)
            if chosen is None:
                return
            free.remove(chosen)
            self._begin(lane, chosen)

    def _order(self, lane: Lane, work: Work) -> tuple[int, int, int]:
        """Return the sort key of work: work without a turn yet comes first, then work whose turn is longest ago.

        Among equals, the project goes first whose last turn in this lane is longest ago: one that queues a hundred
        sweeps must not make the others wait for all of them.
        """
        with self._lock:
            own = self._turns.get(work.key, 0)
        return own, self._project_turns.get((lane, work.project), 0), work.number

    def _begin(self, lane: Lane, work: Work) -> None:
        # A daemon: work that does not stop in time must not keep the server from exiting; its next start continues it.
        thread = Thread(target=self._run, args=(lane, work, self._woken), name=f"{work.kind}-{work.id}", daemon=True)
        with self._lock:
            self._running[work.key] = work, thread
            self._turns[work.key] = self._project_turns[lane, work.project] = next(self._turn)
        thread.start()

    def _run(self, lane: Lane, work: Work, woken: int) -> None:
        try:
            lane.run(work, self._stop)
        except (LeaseError, WorkStopped) as exc:
            log.debug("%s %s: %s", work.kind, work.id, exc.message)
        except PasserError as exc:
            log.warning("%s %s: %s", work.kind, work.id, exc.message)
        except Exception:
            log.exception("%s %s: PaSSER itself failed", work.kind, work.id)
        with self._lock:
            del self._running[work.key]
            # Who called `wake` while it ran wants it at once, and found no rest to clear.
            if woken == self._woken:
                self._rests[work.key] = monotonic() + LOOK_EVERY_S
        self._wake.set()


@contextmanager
def _logged() -> Iterator[None]:
    """Log errors; the worker reads the table again in two seconds."""
    try:
        yield
    except PasserError as exc:
        log.warning("the table of work cannot be read: %s", exc.message)
    except Exception:
        log.exception("the worker: PaSSER itself failed")
