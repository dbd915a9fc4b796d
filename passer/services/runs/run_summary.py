"""Summary of a run: the distribution of its 24 columns, and its baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate

import numpy as np

from passer.domain.analysis.run_metrics import MetricSpread, RunMetrics, scoring_of, spreads
from passer.domain.dataset import weights_of
from passer.domain.lru_cache import LruCache
from passer.domain.score import VECTOR_ORDER, ScoreTable
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import NotFoundError
from passer.metrics.registry import infos
from passer.ports import EvaluationStore, RunScores, RunStore, StoredSweep
from passer.services.analysis.comparability import Group, baselines, check_ended, grouped
from passer.services.analysis.kept_results import CacheKey, cache_key, is_finished
from passer.services.runs.run_browser import RunBrowser
from passer.services.runs.score_rows import outline_of

MOST_KEPT = 1000


@dataclass(frozen=True)
class RunSummaries:
    """Reads scores of one configuration at a time."""

    runs: RunStore
    evaluations: EvaluationStore
    run_browser: RunBrowser
    distributions: LruCache[tuple[tuple[str, datetime | None], ...], tuple[MetricSpread, ...]] = field(
        default_factory=lambda: LruCache(MOST_KEPT), compare=False
    )
    """Distributions of finished configurations, by their runs and when each finished; some kilobytes each."""
    kept: LruCache[CacheKey, RunMetrics] = field(default_factory=lambda: LruCache(MOST_KEPT), compare=False)
    """Metrics of the runs of finished sweeps."""

    def metrics(self, run_id: str) -> RunMetrics:
        """Return means and distributions of a run over its repetitions; those of a finished sweep are kept.

        NotFoundError for an unknown run; ConflictError before its sweep has ended.
        """
        sweep = self._sweep(run_id)
        key = cache_key(sweep, run_id) if sweep is not None and is_finished(sweep) else None
        return self.kept.get_or_compute(key, lambda: self._metrics(sweep, run_id))

    def _metrics(self, sweep: StoredSweep | None, run_id: str) -> RunMetrics:
        sweep, groups, place = _found(sweep, run_id)
        check_ended(sweep)
        own, base = groups[place], baselines(groups, None).get(place)
        profile = own.first.config.profile
        table = self._table(own)
        return RunMetrics(
            run_ids=_ids(own),
            name=own.first.name,
            baseline_id=None if base is None else groups[base].first.run_id,
            profile=profile,
            metrics=self._spreads(sweep, own, table),
            scoring=self._scoring(sweep, own, table),
        )

    def scoring(self, run_id: str) -> tuple[LocalizedText, ...]:
        """Return how the answers of a run were scored, one sentence each, at any time.

        Raises NotFoundError if it does not exist.
        """
        sweep, groups, place = _found(self._sweep(run_id), run_id)
        return self._scoring(sweep, groups[place], self._table(groups[place]))

    def _table(self, group: Group) -> ScoreTable:
        return _together([self.evaluations.run_scores(each) for each in _ids(group)])

    def _spreads(self, sweep: StoredSweep, group: Group, table: ScoreTable) -> tuple[MetricSpread, ...]:
        bounds = {info.name: info.bounds for info in infos(group.first.config.profile)}
        finished = tuple((run.id, run.finished_at) for run in sweep.runs if run.id in _ids(group))
        key = finished if all(at is not None for _, at in finished) else None
        return self.distributions.get_or_compute(key, lambda: spreads(table, bounds))

    def _scoring(self, sweep: StoredSweep, group: Group, table: ScoreTable) -> tuple[LocalizedText, ...]:
        return (
            *scoring_of(table, encoder=group.first.identity.get("encoder", "none")),
            *((sentence("scoring.unweighted"),) if weights_of(self.run_browser.questions(sweep)) else ()),
        )

    def _sweep(self, run_id: str) -> StoredSweep | None:
        """Return the run's sweep; None if the id is not that of a run."""
        sweep_id = run_id.rpartition("-")[0]
        return self.runs.load_sweep(sweep_id, counted=False) if sweep_id else None


def _found(sweep: StoredSweep | None, run_id: str) -> tuple[StoredSweep, Sequence[Group], int]:
    """Return the sweep of a run, its configurations, and the place of the run's."""
    groups = grouped([outline_of(run, sweep) for run in sweep.runs]) if sweep else ()
    place = next((place for place, group in enumerate(groups) if run_id in _ids(group)), None)
    if place is None or sweep is None:
        raise NotFoundError(sentence("problem.no-run", run=run_id))
    return sweep, groups, place


def _ids(group: Group) -> tuple[str, ...]:
    return tuple(run.run_id for run in group.runs)


def _together(found: list[RunScores]) -> ScoreTable:
    if len(found) == 1:
        return found[0].table
    tables = [scores.table for scores in found]
    firsts = accumulate((len(table) for table in tables), initial=0)
    return ScoreTable(
        tuple(question for table in tables for question in table.ids),
        VECTOR_ORDER,
        np.concatenate([table.values for table in tables]),
        tuple(reasons for table in tables for reasons in table.reasons),
        {
            first + place: notes
            for first, table in zip(firsts, tables, strict=False)
            for place, notes in table.notes.items()
        },
    )
