"""Spread of paired differences that earlier sweeps measured, by which the plan of a new one reckons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passer.domain.composite import CPS
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import MeasuredSpread, PlannedSpread
from passer.ports import RunStore, StoredSweep
from passer.services.analysis.kept_results import is_finished
from passer.services.analysis.pooling import UNRECORDED
from passer.services.analysis.sweep_summaries import MOST_AT_ONCE, SweepSummaries, evaluations_of

MOST_READ = 50
"""Newest sweeps that are looked at: a form asks for its plan at each change."""
MOST_USED = 5
"""Newest of the sweeps most like the planned one whose spread counts."""


@dataclass(frozen=True)
class EarlierSpreads:
    """Finds what earlier sweeps of the project say about a planned one."""

    runs: RunStore
    summaries: SweepSummaries
    at_once: int = MOST_AT_ONCE
    """Evaluations of all sweeps together that a plan may wait for; further ones count once they are summarised."""

    def of(self, sweep: Sweep) -> PlannedSpread | None:
        """Return what finished sweeps with the same primary metric measured; None without any.

        Those of the same dataset count alone; without any those of a model that is planned, and then all others.
        """
        metric, models = _metric(sweep), _models(sweep)
        stored = [each for each in self.runs.list_sweeps(limit=MOST_READ) if is_finished(each)]
        alike: dict[str, list[StoredSweep]] = {"dataset": [], "model": [], "project": []}
        for each in stored:
            if _metric(each.sweep) == metric:
                is_of_model = not models.isdisjoint(_models(each.sweep))
                is_of_dataset = each.sweep.config.dataset == sweep.config.dataset
                alike["dataset" if is_of_dataset else "model" if is_of_model else "project"].append(each)
        left = self.at_once
        for source, earlier in alike.items():
            found: dict[str, MeasuredSpread] = {}
            for each in earlier:
                summary = self.summaries.of_stored(each, at_once=left)
                left -= 0 if summary.is_computing else min(left, evaluations_of(each))
                spreads = [model.spread for model in summary.models if model.spread]
                if spreads:
                    # As the verdict of that sweep plans: by the largest one.
                    found[each.id] = max(spreads, key=lambda spread: spread.sd)
                if len(found) == MOST_USED:
                    break
            if found:
                return _planned(source, found)
        return None


def _planned(source: str, found: Mapping[str, MeasuredSpread]) -> PlannedSpread:
    sds = [each.sd for each in found.values()]
    given = {"smallest": min(sds), "largest": max(sds), "sweeps": tuple(found), "source": source}
    return PlannedSpread.model_validate({**given, "critical": max(each.critical for each in found.values())})


def _metric(sweep: Sweep) -> tuple[object, ...]:
    """Return what the primary metric is: CPS by its panel and pool, a judged column by its judge."""
    primary = sweep.primary or CPS
    if primary != CPS:
        return primary, sweep.judge
    return primary, sweep.panel or UNRECORDED[0], sweep.normalisation or UNRECORDED[1]


def _models(sweep: Sweep) -> set[tuple[str, str]]:
    return {(model.provider, model.name) for model in sweep.answering}
