"""Runs of all sweeps in one list, and the CPS that each has within its sweep."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

from passer.domain.base import Frozen
from passer.domain.statistics import Interval, mean_interval, pair_by_question
from passer.errors import InputError
from passer.ports import EvaluationStore, FoundRuns, RunQuery, RunStore, StoredSweep
from passer.services.analysing import chosen_panel
from passer.services.comparability import baselines, grouped
from passer.services.pairing import mean_of
from passer.services.pooling import Pooled, pooled
from passer.services.score_rows import Side, rows_of

KEPT = 64
"""Sweeps whose composites are remembered: they change only when more is scored."""

_Seen = tuple[str, tuple[tuple[int, int], ...]]


class RunComposite(Frozen):
    """A run's CPS within its sweep."""

    run_id: str
    """Which run."""
    mean_cps: float | None
    """Mean; None where it has no question in the composite."""
    ci: Interval | None
    """Of the mean, 95 %."""
    n: int
    """Questions in the composite."""


class SweepComposites(Frozen):
    """CPS of all runs of a sweep."""

    items: tuple[RunComposite, ...]
    """One for each run that has rows; repetitions share theirs."""
    panel: str | None
    """What CPS is made of."""
    pool_rows: int
    """Rows that it is relative to."""
    reason: str | None = None
    """Why there is none, in one sentence."""


@dataclass(frozen=True)
class Listing:
    """Lists runs."""

    runs: RunStore
    evaluations: EvaluationStore
    _seen: OrderedDict[_Seen, SweepComposites] = field(default_factory=OrderedDict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def find(self, query: RunQuery) -> FoundRuns:
        """A page of runs."""
        return self.runs.find_runs(query)

    def composites(self, sweep_id: str) -> SweepComposites:
        """CPS of a sweep's runs as they are now; remembered until more is scored."""
        sweep = self.runs.load_sweep(sweep_id)
        key = _key(sweep)
        # One at a time: who asks for what is being computed waits for it, and computes nothing again.
        with self._lock:
            if key not in self._seen:
                self._seen[key] = self._composites(sweep)
                while len(self._seen) > KEPT:
                    self._seen.popitem(last=False)
            self._seen.move_to_end(key)
            return self._seen[key]

    def _composites(self, sweep: StoredSweep) -> SweepComposites:
        sides = [Side(run=run, sweep=sweep, scores=self.evaluations.run_scores(run.id)) for run in sweep.runs]
        groups = grouped([side.outline for side in sides])
        places = {run.run_id: place for place, group in enumerate(groups) for run in group.runs}
        answered = {places[side.run.id] for side in sides if side.present.any()}
        there = [side for side in sides if places[side.run.id] in answered]
        if not there:
            return _without("No question is scored yet.")
        models = [group.first.config.model.label for group in groups]
        names = [group.first.name for group in groups]
        rows = rows_of(there, [places[side.run.id] for side in there], names=names, models=models)
        try:
            panel = chosen_panel(rows, None)
            pool = pooled(rows, panel=panel, scope="all", missing="worst", truncated="keep")
        except InputError as exc:
            return _without(exc.message)
        against = baselines(groups, None)
        return SweepComposites(
            items=tuple(
                _composite(run_id, pool, place, against.get(place))
                for run_id, place in places.items()
                if place in answered
            ),
            panel=panel.name,
            pool_rows=sum(int(found.rows.sum()) for found in pool.pools),
        )


def _composite(run_id: str, pool: Pooled, place: int, base: int | None) -> RunComposite:
    """As the sweep's analysis gives it: over the questions paired with the baseline where there is one."""
    own = pool.by_question[place]
    pairs = None if base is None else pair_by_question(own, pool.by_question[base])
    values = pairs.values if pairs is not None and pairs.ids else own.values
    return RunComposite(run_id=run_id, mean_cps=mean_of(values), ci=mean_interval(values), n=len(own.ids))


def _without(reason: str) -> SweepComposites:
    return SweepComposites(items=(), panel=None, pool_rows=0, reason=reason)


def _key(sweep: StoredSweep) -> _Seen:
    """A scored evaluation is final, so that these counts say all that can have changed."""
    return sweep.id, tuple((run.counts.scored, run.counts.failed) for run in sweep.runs)
