"""Slots for sweeps that run at the same time, and the order of those that wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Literal

from passer.domain.base import Frozen
from passer.domain.models.model import Loaded, Model, Server
from passer.domain.sweeps.run import Run
from passer.errors import PasserError
from passer.ports import RunStore, StoredSweep, Work, WorkKind
from passer.services.sweeps.runner import SweepRunner

PATIENCE_S = 15.0
"""Seconds for which a sweep without its model server keeps a slot that another sweep waits for."""


WaitReason = Literal["same_server", "timing", "slots", "next"]


class QueuePlace(Frozen):
    """Place of a sweep in the queue, and the reason why it waits."""

    place: int
    """Place among the sweeps that wait, from 1."""
    reason: WaitReason
    """`same_server`: another sweep has other models or windows loaded there; `timing`: one of the two measures times;
    `slots`: as many sweeps run as may run side by side; `next`: it begins as soon as a server looks."""
    ahead: str | None
    """Id of the sweep that it waits for; None where it waits for none."""
    ahead_name: str | None = None
    """Name of that sweep."""


@dataclass(frozen=True)
class _Needs:
    """Resources that a sweep occupies."""

    is_timed: bool
    """True if it measures times, so that no other sweep may run."""
    is_alone: bool
    """True if no other sweep may use the same servers: batched with others, its answers would not be repeatable."""
    is_elsewhere: bool
    """True if it asks functions, which only the process that created it can call, and not all answers are stored."""
    models: Mapping[Server, frozenset[Loaded]]
    """Models that it asks for, as they are loaded, by endpoint."""

    def clash(self, other: _Needs) -> bool:
        """Return whether two sweeps would disturb each other.

        If two models, or two context windows of one model, share an endpoint, a server with memory for one would reload
        at every turn: a question would take minutes.
        """
        shared = self.models.keys() & other.models.keys()
        if self.is_timed or other.is_timed:
            return True
        alone = self.is_alone or other.is_alone
        return any(alone or self.models[each] != other.models[each] for each in shared)


@dataclass(frozen=True)
class SweepRoom:
    """Parts of one project that a lane needs to run its sweeps."""

    runner: SweepRunner
    runs: RunStore
    located: Callable[[Model], Model]
    """Returns a model with the addresses of its servers."""
    lacking: Callable[[StoredSweep, Sequence[Run]], str | None] = lambda _sweep, _runs: None
    """Returns the name of a system that this process cannot ask, without all its answers; None where there is none."""
    finished: Callable[[str], None] = lambda _: None
    """Called with the id of a sweep that was run, such as to have its answers judged."""


class SweepLane:
    """Runs a few sweeps at a time, of all projects together.

    A later sweep never overtakes one that it would clash with, so none waits for ever. Why more than one: a short sweep
    need not wait for a long one, and another model server need not stand idle. Why few: each holds a scorer's cache
    in memory.
    """

    kinds: frozenset[WorkKind] = frozenset({"sweep"})

    def __init__(self, room_of: Callable[[str], SweepRoom], *, slots: int) -> None:
        """Run at most `slots` sweeps side by side, each in the room of its project; none of 0: other servers do."""
        self._room_of, self._slots = room_of, slots
        self._known: dict[tuple[str, str], _Needs] = {}
        self._patience: dict[tuple[str, str], float | None] = {}

    def choose(self, waiting: Sequence[Work], running: Sequence[Work]) -> Work | None:
        """Return the first sweep that conflicts neither with a running one nor with one that waits before it."""
        if len(running) >= self._slots:
            return None
        ahead = [self._needs(work) for work in running]
        for work in waiting:
            needs = self._needs(work)
            # Passed over without a place ahead: only the process that has its functions can run it, which may never
            # come back.
            if needs.is_elsewhere:
                continue
            if not any(needs.clash(other) for other in ahead):
                self._patience[work.key] = self._patience_beside(work, waiting, free=self._slots - len(running))
                return work
            ahead.append(needs)
        return None

    def run(self, work: Work, stop: Event) -> None:
        """Run a sweep to its end; if others wait, only as long as its model server is available."""
        try:
            room = self._room_of(work.project)
            room.runner.run(work.id, stop=stop, patience_s=self._patience.get(work.key))
            room.finished(work.id)
        finally:
            self._known.pop(work.key, None)

    def place_of(self, sweep_id: str, works: Sequence[Work]) -> QueuePlace | None:
        """Return the place of a waiting sweep; None for one that does not wait.

        `works` are those of its project, in order of turns: what other projects do is not for its members.
        """
        waiting = [work for work in works if work.kind == "sweep" and work.owner is None]
        place = next((number for number, work in enumerate(waiting) if work.id == sweep_id), None)
        if place is None:
            return None
        needs = self._needs(waiting[place])
        running = [work for work in works if work.kind == "sweep" and work.owner is not None]
        ahead = next((each for each in (*running, *waiting[:place]) if needs.clash(self._needs(each))), None)
        if ahead is not None:
            other = self._needs(ahead)
            reason: WaitReason = "timing" if needs.is_timed or other.is_timed else "same_server"
        # How many run side by side elsewhere is not known here.
        elif 0 < self._slots <= len(running) + place:
            reason, ahead = "slots", next(iter((*running, *waiting[:place])), None)
        else:
            reason = "next"
        if ahead is None:
            return QueuePlace(place=place + 1, reason=reason, ahead=None)
        name = self._room_of(ahead.project).runs.load_sweep(ahead.id, counted=False).name
        return QueuePlace(place=place + 1, reason=reason, ahead=ahead.id, ahead_name=name)

    def _patience_beside(self, work: Work, waiting: Sequence[Work], *, free: int) -> float | None:
        needs = self._needs(work)
        clashing = any(needs.clash(self._needs(other)) for other in waiting if other.key != work.key)
        return PATIENCE_S if clashing or len(waiting) > free else None

    def _needs(self, work: Work) -> _Needs:
        """Return the needs of a sweep, which are fixed when it is created."""
        known = self._known.get(work.key)
        if known is not None:
            return known
        room = self._room_of(work.project)
        try:
            sweep = room.runs.load_sweep(work.id, counted=False)
        except (PasserError, ValueError):
            return _Needs(
                is_timed=False, is_alone=False, is_elsewhere=False, models={}
            )  # the error is reported when it runs
        models: dict[Server, set[Loaded]] = {}
        for run in sweep.runs:
            for endpoint in room.located(run.config.model).endpoints:
                models.setdefault(endpoint, set()).add(run.config.loaded)
        by_endpoint = {endpoint: frozenset(names) for endpoint, names in models.items()}
        found = _Needs(
            is_timed=sweep.sweep.timing is not None,
            is_alone=sweep.sweep.config.answers == "repeatable",
            is_elsewhere=room.lacking(sweep, sweep.runs) is not None,
            models=by_endpoint,
        )
        # Its answers may be stored later, by the process that has its systems.
        return found if found.is_elsewhere else self._known.setdefault(work.key, found)
