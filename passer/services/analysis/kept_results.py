"""Cache keys of the results of a sweep that cannot change any more."""

from __future__ import annotations

from datetime import datetime

from passer.domain.sweeps.run import RunState
from passer.ports import StoredSweep

CacheKey = tuple[str, str, str, tuple[datetime | None, ...]]
"""Id of the sweep, kind of result, name of the sweep, and when its runs finished."""


def is_finished(sweep: StoredSweep) -> bool:
    """Return whether all runs of a sweep are finished."""
    return all(run.state is RunState.FINISHED for run in sweep.runs)


def cache_key(sweep: StoredSweep, of: str) -> CacheKey:
    """Return the cache key of a result of a finished sweep."""
    # A run that is opened again finishes at another time; tables and reports name the sweep.
    return sweep.id, of, sweep.name, tuple(run.finished_at for run in sweep.runs)
