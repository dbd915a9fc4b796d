"""How far a sweep is and how long it will still take, kept where any tab, CLI or machine can read it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Literal

from passer.domain.run import Run
from passer.ports import Clock, LeaseStore, RecentFailure, StoredSweep, SweepProgress

REPORT_EVERY_S = 0.5
RATE_OVER_S = 60.0
"""The rate is that of the last so many seconds ..."""
RATE_OVER_COUNT = 100
"""... or of the last so many evaluations, where those took longer."""
BURST_S = 0.05
"""What is done within so short a time came together, and says nothing of the speed."""

MOST_FAILURES = 5
"""How many of the last failures are told one by one."""

Stage = Literal["retrieving", "answering", "waiting", "done"]


class _Lane:
    """The runs of one model server, which share its speed."""

    def __init__(self) -> None:
        self.left: dict[str, int] = {}
        """Evaluations to do, by run."""
        self._done = 0
        self._history: deque[tuple[float, int]] = deque()
        """When how many were done. It begins with the first that came back, so that no start counts as work."""

    def advance(self, run_id: str, now: float) -> None:
        """One evaluation less to do."""
        if self.left.get(run_id):
            self.left[run_id] -= 1
        self._done += 1
        history = self._history
        if history and now - history[-1][0] < BURST_S:
            history[-1] = (history[-1][0], self._done)
        else:
            history.append((now, self._done))
        while len(history) > 2 and now - history[1][0] > RATE_OVER_S and self._done - history[1][1] >= RATE_OVER_COUNT:
            history.popleft()

    def rate(self, now: float) -> float | None:
        """Evaluations per second of late; None before two moments are known.

        It counts to the last one done: waiting for the next is no slowness, until it takes longer than all before.
        """
        if len(self._history) < 2:
            return None
        (began, before), (last, done) = self._history[0], self._history[-1]
        until = last if now - last <= last - began else now
        return (done - before) / (until - began)


class ProgressMeter:
    """Counts evaluations that need nothing more, and reports now and then."""

    def __init__(
        self, store: LeaseStore, sweep: StoredSweep, clock: Clock, *, lane_of: Callable[[Run], Hashable]
    ) -> None:
        self._store, self._sweep_id, self._clock = store, sweep.id, clock
        self.total = sweep.questions * len(sweep.runs)
        self.done = sum(run.counts.scored + run.counts.failed for run in sweep.runs)
        self._lanes: dict[Hashable, _Lane] = {}
        self._lane_of: dict[str, _Lane] = {}
        for run in sweep.runs:
            lane = self._lane_of[run.id] = self._lanes.setdefault(lane_of(run), _Lane())
            if not (run.state.is_final or run.held):
                lane.left[run.id] = sweep.questions - run.counts.scored - run.counts.failed
        self._reported = float("-inf")
        known = sweep.progress.still_failing(sweep.runs).failures if sweep.progress else ()
        self._failures = deque(known, maxlen=MOST_FAILURES)

    def retrieved(self, done: int, total: int) -> None:
        """So many questions are looked up."""
        self._report("retrieving", force=done == total)

    def advance(self, run_id: str) -> None:
        """One more evaluation of a run needs nothing more."""
        self.done += 1
        self._lane_of[run_id].advance(run_id, self._clock.monotonic())

    def failed(self, run_id: str, *, number: int, question_id: str, reason: str) -> None:
        """A question could not be answered."""
        now = self._clock.now()
        self._failures.appendleft(
            RecentFailure(run_id=run_id, number=number, question_id=question_id, reason=reason, at=now)
        )

    def drop(self, run_id: str) -> None:
        """A person stopped a run: what it had left is not waited for."""
        self._lane_of[run_id].left.pop(run_id, None)

    def tick(self, stage: Stage) -> None:
        """Report, unless that was just done."""
        self._report(stage, force=stage == "done")

    def _report(self, stage: Stage, *, force: bool) -> None:
        now = self._clock.monotonic()
        if not force and now - self._reported < REPORT_EVERY_S:
            return
        self._reported = now
        rates = [(sum(lane.left.values()), lane.rate(now)) for lane in self._lanes.values()]
        known = [rate for _, rate in rates if rate]
        self._store.report(
            self._sweep_id,
            SweepProgress(
                stage=stage,
                done=self.done,
                total=self.total,
                rate_per_s=sum(known) if known else None,
                eta_s=_longest([left / rate if rate else None for left, rate in rates if left]),
                failures=tuple(self._failures),
                updated_at=self._clock.now(),
            ),
        )


def _longest(times: list[float | None]) -> float | None:
    """Servers work side by side, so the slowest counts; None while one of them cannot be told."""
    told = [each for each in times if each is not None]
    return max(told, default=0.0) if len(told) == len(times) else None
