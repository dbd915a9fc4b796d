"""Spread of paired differences that earlier sweeps measured, by which the plan of a new one reckons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from passer.domain.composite import CPS
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import MeasuredSpread, PlannedSpread
from passer.ports import RunStore
from passer.services.analysis.kept_results import is_finished
from passer.services.analysis.pooling import UNRECORDED
from passer.services.analysis.sweep_summaries import SweepSummaries

MOST_READ = 50
"""Newest sweeps that are looked at: a form asks for its plan at each change."""
MOST_USED = 5
"""Newest of the sweeps most like the planned one whose spread counts."""


@dataclass(frozen=True)
class EarlierSpreads:
    """Finds what earlier sweeps of the project say about a planned one."""

    runs: RunStore
    summaries: SweepSummaries

    def of(self, sweep: Sweep) -> PlannedSpread | None:
        """Return what finished sweeps with the same primary metric measured; None without any.

        Those of the same dataset count alone; without any those of a model that is planned, and then all others.
        """
        metric, models = _metric(sweep), _models(sweep)
        stored = [each for each in self.runs.list_sweeps(limit=MOST_READ) if is_finished(each)]
        earlier = [each for each in stored if _metric(each.sweep) == metric]
        is_alike: dict[str, Callable[[Sweep], bool]] = {
            "dataset": lambda other: other.config.dataset == sweep.config.dataset,
            "model": lambda other: not models.isdisjoint(_models(other)),
            "project": lambda _: True,
        }
        for source, is_one in is_alike.items():
            known = ((each.id, self._widest(each.id)) for each in earlier if is_one(each.sweep))
            found = dict(islice(((id_, spread) for id_, spread in known if spread), MOST_USED))
            if found:
                sds = [each.sd for each in found.values()]
                given = {"smallest": min(sds), "largest": max(sds), "sweeps": tuple(found), "source": source}
                critical = max(each.critical for each in found.values())
                return PlannedSpread.model_validate({**given, "critical": critical})
        return None

    def _widest(self, sweep_id: str) -> MeasuredSpread | None:
        """Return the largest spread of a sweep, as its verdict plans by; None while a long one is summarised."""
        known = (each.spread for each in self.summaries.of(sweep_id).models if each.spread)
        return max(known, key=lambda each: each.sd, default=None)


def _metric(sweep: Sweep) -> tuple[object, ...]:
    """Return what the primary metric is: CPS by its panel and pool, a judged column by its judge."""
    primary = sweep.primary or CPS
    if primary != CPS:
        return primary, sweep.judge
    return primary, sweep.panel or UNRECORDED[0], sweep.normalisation or UNRECORDED[1]


def _models(sweep: Sweep) -> set[tuple[str, str]]:
    return {(model.provider, model.name) for model in sweep.answering}
