"""Spread of paired differences that earlier sweeps measured, which the plan of a new sweep uses."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from passer.domain.composite import CPS
from passer.domain.lru_cache import LruCache
from passer.domain.sheets.spread import sheet_spread
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import MeasuredSpread, PlannedSpread
from passer.ports import ImportStore, RunStore, StoredSweep
from passer.services.analysis.kept_results import is_finished
from passer.services.analysis.pooling import UNRECORDED
from passer.services.analysis.sweep_summaries import MOST_AT_ONCE, SweepSummaries, evaluations_of

MOST_READ = 50
"""Most sweeps that are read, newest first: a form requests its plan at each change."""
MOST_USED = 5
"""Newest of the sweeps most like the planned one whose spread counts."""


MOST_KEPT = 256
"""Spreads of imported sheets in memory, by primary metric."""
EVERYTHING = 2**53
"""Evaluations that a command waits for: no other command could use what is computed in the background."""


@dataclass(frozen=True)
class EarlierSpreads:
    """Finds the spreads that earlier sweeps of the project measured, to plan a new one."""

    runs: RunStore
    summaries: SweepSummaries
    imports: ImportStore
    at_once: int = MOST_AT_ONCE
    """Evaluations of all sweeps together that a plan may wait for; further ones count once they are summarised."""
    _of_sheets: LruCache[Hashable, tuple[MeasuredSpread | None]] = field(
        default_factory=lambda: LruCache(MOST_KEPT), init=False
    )

    def of(self, sweep: Sweep, *, at_once: int | None = None) -> PlannedSpread | None:
        """Return what finished sweeps and imported sheets measured in the same primary metric; None without any.

        Sweeps of the same dataset count alone; without any the imported sheets of this dataset, then sweeps of a model
        that is planned, then all other sweeps, and then other sheets. `at_once` replaces that of the object.
        """
        metric, models = _metric(sweep), _models(sweep)
        stored = [each for each in self.runs.list_sweeps(limit=MOST_READ) if is_finished(each)]
        alike: dict[str, list[StoredSweep]] = {"dataset": [], "model": [], "project": []}
        for each in stored:
            if _metric(each.sweep) == metric:
                is_of_model = not models.isdisjoint(_models(each.sweep))
                is_of_dataset = each.sweep.config.dataset == sweep.config.dataset
                alike["dataset" if is_of_dataset else "model" if is_of_model else "project"].append(each)
        left = self.at_once if at_once is None else at_once
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
            if source == "dataset" and (found := self._sheets(sweep, left, is_of_dataset=True)):
                return _planned("sheets-dataset", found)
        found = self._sheets(sweep, left, is_of_dataset=False)
        return _planned("sheets", found) if found else None

    def _sheets(self, sweep: Sweep, left: int, *, is_of_dataset: bool) -> dict[str, MeasuredSpread]:
        """Return what the newest imports of this dataset, or of others, measured, as far as rows may be waited for."""
        found: dict[str, MeasuredSpread] = {}
        listed = [] if sweep.judge is not None else self.imports.list_imports()[:MOST_READ]
        for each in listed:
            # The id follows from the contents, so what was measured stays the same.
            key = each.id, _metric(sweep)
            known = self._of_sheets.get(key)
            is_wanted = (each.dataset == sweep.config.dataset) is is_of_dataset and len(found) < MOST_USED
            if is_wanted and known is None and each.rows <= left:
                left -= each.rows
                known = self._of_sheets.put(key, (self._measured(each.id, sweep),))
            if is_wanted and known is not None and known[0] is not None:
                found[each.id] = known[0]
        return found

    def _measured(self, import_id: str, sweep: Sweep) -> MeasuredSpread | None:
        return sheet_spread(
            self.imports.load_import(import_id, with_answers=False).sheets,
            sweep.primary or CPS,
            panel=sweep.panel or UNRECORDED[0],
            normalisation=sweep.normalisation or UNRECORDED[1],
        )


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
