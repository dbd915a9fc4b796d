"""How far a sweep is and how long it will still take, kept where any tab, CLI or machine can read it."""

from __future__ import annotations

from collections import deque
from typing import Literal

from passer.ports import Clock, LeaseStore, StoredSweep, SweepProgress

REPORT_EVERY_S = 0.5
RATE_OVER_S = 60.0
"""The rate is that of the last so many seconds."""


class ProgressMeter:
    """Counts evaluations that need nothing more, and reports now and then."""

    def __init__(self, store: LeaseStore, sweep: StoredSweep, clock: Clock) -> None:
        self._store, self._sweep_id, self._clock = store, sweep.id, clock
        self.total = sweep.questions * len(sweep.runs)
        self.done = sum(run.counts.scored + run.counts.failed for run in sweep.runs)
        self._history: deque[tuple[float, int]] = deque([(clock.monotonic(), self.done)])
        self._reported = float("-inf")

    def retrieved(self, done: int, total: int) -> None:
        """So many questions are looked up."""
        self._report("retrieving", force=done == total)

    def advance(self, count: int) -> None:
        """So many more evaluations need nothing more."""
        self.done += count

    def tick(self, stage: Literal["answering", "waiting", "done"]) -> None:
        """Report, unless that was just done."""
        self._report(stage, force=stage == "done")

    def _report(self, stage: Literal["retrieving", "answering", "waiting", "done"], *, force: bool) -> None:
        now = self._clock.monotonic()
        if not force and now - self._reported < REPORT_EVERY_S:
            return
        self._reported = now
        rate = self._rate(now)
        self._store.report(
            self._sweep_id,
            SweepProgress(
                stage=stage,
                done=self.done,
                total=self.total,
                rate_per_s=rate,
                eta_s=(self.total - self.done) / rate if rate else None,
                updated_at=self._clock.now(),
            ),
        )

    def _rate(self, now: float) -> float | None:
        self._history.append((now, self.done))
        while len(self._history) > 2 and now - self._history[1][0] > RATE_OVER_S:
            self._history.popleft()
        (then, before) = self._history[0]
        return (self.done - before) / (now - then) if now > then and self.done > before else None
