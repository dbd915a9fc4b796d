"""Summaries of sweeps for lists: those of short sweeps at once, those of long ones by a background thread."""

from __future__ import annotations

import logging
from collections.abc import Hashable
from threading import Lock, Thread

from passer.domain.analysis.analysis import SweepSummary
from passer.domain.lru_cache import LruCache
from passer.errors import PasserError
from passer.ports import StoredSweep
from passer.services.analysis.sweep_results import SweepResults

log = logging.getLogger(__name__)

MOST_AT_ONCE = 20_000
"""Evaluations of a sweep that a list may wait for."""
MOST_KEPT = 4096
"""Summaries in memory; one takes about a kilobyte."""
NOTHING = SweepSummary(models=())
LATER = SweepSummary(models=(), is_computing=True)


class SweepSummaries:
    """Summarises sweeps that have ended: finished, cancelled and failed ones."""

    def __init__(self, results: SweepResults, *, at_once: int = MOST_AT_ONCE) -> None:
        self._results, self._at_once = results, at_once
        self._kept: LruCache[Hashable, SweepSummary] = LruCache(MOST_KEPT)
        # Sweeps to be summarised, by what their summary is kept under; the first one is in progress.
        self._waiting: dict[Hashable, str] = {}
        self._lock = Lock()

    def of(self, sweep_id: str) -> SweepSummary:
        """Return the summary of a sweep; of a long one `is_computing` until it is known, which takes some seconds.

        Without models before the sweep has ended, and where nothing can be concluded.
        """
        return self.of_stored(self._results.runs.load_sweep(sweep_id), at_once=self._at_once)

    def of_stored(self, sweep: StoredSweep, *, at_once: int) -> SweepSummary:
        """Return the same of a sweep that is loaded; it is a long one with more evaluations than `at_once`."""
        if not sweep.state.is_final:
            return NOTHING
        key = self._key(sweep)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        if evaluations_of(sweep) <= at_once:
            return self._computed(key, sweep.id)
        self._compute_later(key, sweep.id)
        return LATER

    def _key(self, sweep: StoredSweep) -> Hashable:
        """Return a value that changes whenever the summary can: also answers that arrive after a cancel change it."""
        runs = tuple((run.state, run.finished_at, run.counts) for run in sweep.runs)
        return sweep.id, runs, self._results.judged_columns.version(sweep)

    def _computed(self, key: Hashable, sweep_id: str) -> SweepSummary:
        try:
            found = SweepSummary.of(self._results.analyse(sweep_id))
        except PasserError:
            # No answer was scored, or the panel cannot be computed; the page of the sweep shows the reason.
            found = NOTHING
        return self._kept.put(key, found)

    def _compute_later(self, key: Hashable, sweep_id: str) -> None:
        with self._lock:
            is_idle = not self._waiting
            self._waiting.setdefault(key, sweep_id)
        if is_idle:
            # One thread: several analyses side by side would slow down every request.
            Thread(target=self._compute_waiting, name="summaries", daemon=True).start()

    def _compute_waiting(self) -> None:
        while True:
            with self._lock:
                key, sweep_id = next(iter(self._waiting.items()))
            try:
                self._computed(key, sweep_id)
            except Exception:
                log.exception("sweep %s cannot be summarised", sweep_id)
                self._kept.put(key, NOTHING)
            with self._lock:
                del self._waiting[key]
                if not self._waiting:
                    return


def evaluations_of(sweep: StoredSweep) -> int:
    """Return the number of evaluations that a sweep plans."""
    return sweep.questions * len(sweep.runs)
