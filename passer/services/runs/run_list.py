"""Runs of all sweeps in one list, and the CPS that each has within its sweep."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from cachetools import LRUCache

from passer.domain.analysis.composites import Composites, composed
from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.base import Frozen
from passer.domain.dataset import weights_of
from passer.domain.statistics import Interval, drawn_interval, mean_of
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import ConflictError, InputError
from passer.ports import EvaluationStore, FoundRuns, RunQuery, RunStore, StoredSweep
from passer.services.analysis.comparability import arm_labels, baselines, check_ended, grouped
from passer.services.analysis.pooling import rules_of
from passer.services.analysis.score_rows import configurations_of
from passer.services.runs.run_browser import RunBrowser
from passer.services.runs.score_rows import ScoredRun

CACHED = 64
"""Sweeps whose composites are remembered: they change only when more is scored."""

_Seen = tuple[str, tuple[tuple[int, int], ...]]


class RunComposite(Frozen):
    """A run's CPS within its sweep."""

    run_id: str
    """The run."""
    mean_cps: float | None
    """Mean; None where it has no question in the composite."""
    ci: Interval | None
    """95 % interval of the mean."""
    n: int
    """Questions in the composite."""


class SweepComposites(Frozen):
    """CPS of all runs of a sweep."""

    items: tuple[RunComposite, ...]
    """One for each run that has rows; repetitions share theirs."""
    panel: str | None
    """The panel of CPS."""
    pool_rows: int
    """Rows that it is relative to."""
    reason: LocalizedText | None = None
    """Reason why there is none, in one sentence."""


@dataclass(frozen=True)
class RunList:
    """Lists runs."""

    run_browser: RunBrowser
    runs: RunStore
    evaluations: EvaluationStore
    _cached: LRUCache[_Seen, SweepComposites] = field(default_factory=lambda: LRUCache(CACHED), init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def find(self, query: RunQuery) -> FoundRuns:
        """Return a page of runs."""
        return self.runs.find_runs(query)

    def composites(self, sweep_id: str) -> SweepComposites:
        """Return the CPS of the runs of a sweep that has ended; cached until more is scored.

        Before that they are withheld, as the gains are that could be read off them.
        """
        sweep = self.runs.load_sweep(sweep_id)
        try:
            check_ended(sweep)
        except ConflictError as exc:
            return _without(exc.message)
        key = _key(sweep)
        # One at a time: a second request for a summary that is being computed waits for it.
        with self._lock:
            if key not in self._cached:
                self._cached[key] = self._composites(sweep)
            return self._cached[key]

    def _composites(self, sweep: StoredSweep) -> SweepComposites:
        sides = [ScoredRun(run=run, sweep=sweep, scores=self.evaluations.run_scores(run.id)) for run in sweep.runs]
        groups = grouped([side.outline for side in sides])
        places = {run.run_id: place for place, group in enumerate(groups) for run in group.runs}
        answered = {places[side.run.id] for side in sides if side.present.any()}
        there = [side for side in sides if places[side.run.id] in answered]
        if not there:
            return _without(sentence("problem.nothing-scored"))
        against = baselines(groups, None)
        rows = ScoreRows.stacked(
            [(places[side.run.id], side.scores.table) for side in there],
            configurations_of(groups, arm_labels(groups), against),
            weights=weights_of(self.run_browser.questions(sweep)),
        )
        try:
            found = composed(rows, rules_of(rows, [side.outline for side in there]))
        except InputError as exc:
            return _without(exc.message)
        return SweepComposites(
            items=tuple(
                _composite(run_id, found, place, against.get(place))
                for run_id, place in places.items()
                if place in answered
            ),
            panel=found.panel.name,
            pool_rows=sum(int(pool.rows.sum()) for pool in found.pools),
        )


def _composite(run_id: str, found: Composites, place: int, base: int | None) -> RunComposite:
    """Return the composite of the sweep's analysis: over the questions paired with the baseline where there is one."""
    table = found.questions
    values, weights = own, _ = table.column(place), table.weights_of(place)
    if base is not None and (pairs := table.pairs(place, base)).values.size:
        values, weights = pairs.values, pairs.weights
    ci = drawn_interval(values, weights, is_bounded=found.rules.constants is None)
    return RunComposite(run_id=run_id, mean_cps=mean_of(values, weights), ci=ci, n=own.size)


def _without(reason: str) -> SweepComposites:
    return SweepComposites(items=(), panel=None, pool_rows=0, reason=reason)


def _key(sweep: StoredSweep) -> _Seen:
    # A scored evaluation is final, so these counts show every possible change.
    return sweep.id, tuple((run.counts.scored, run.counts.failed) for run in sweep.runs)
