"""The 24 columns of one configuration: mean, spread, and how the values are distributed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from passer.domain.base import Frozen
from passer.domain.score import Profile, Reasons, ScoreTable, missing_by_reason
from passer.domain.statistics import Floats

BINS = 20
"""Equal parts of a distribution's range."""

Bounds = tuple[float | None, float | None]
"""Smallest and largest possible value of a metric; None where there is none."""


class MetricSpread(Frozen):
    """One of the 24 columns over a configuration's rows."""

    metric: str
    """Column name."""
    mean: float | None
    """Over the rows that have a value; None where none has."""
    n: int
    """Rows that have a value."""
    minimum: float | None = None
    """Smallest value; None without any."""
    median: float | None = None
    """Half of the values lie below; None without any."""
    maximum: float | None = None
    """Largest value; None without any."""
    low: float | None = None
    """Where the first bin begins: at the smallest possible value, or at the smallest there is."""
    high: float | None = None
    """Where the last bin ends: at the largest possible value, or at the largest there is."""
    bins: tuple[int, ...] = ()
    """Values in each of 20 equal parts from `low` to `high`; the last holds `high` itself. Empty without values."""
    missing: dict[str, int]
    """Rows without a value, by reason."""


class RunMetrics(Frozen):
    """What the scores of a run look like, its repetitions together."""

    run_ids: tuple[str, ...]
    """The run, or all repetitions of its configuration."""
    name: str
    """Of the configuration."""
    baseline_id: str | None
    """The run that it is compared with; None for a baseline, or without one."""
    profile: Profile
    """Definitions of the columns."""
    metrics: tuple[MetricSpread, ...]
    """In vector order, over all scored and failed rows."""


def spreads(table: ScoreTable, bounds: Mapping[str, Bounds]) -> tuple[MetricSpread, ...]:
    """Mean and distribution of each column; a table without any value says nothing of what is missing."""
    present = table.present
    kinds: Counter[Reasons] = Counter(table.reasons if present.any() else ())
    return tuple(
        _spread(
            column,
            table.values[present[:, place], place],
            bounds.get(column, (None, None)),
            missing=missing_by_reason(kinds, place),
        )
        for place, column in enumerate(table.columns)
    )


def _spread(column: str, values: Floats, bounds: Bounds, *, missing: dict[str, int]) -> MetricSpread:
    if values.size == 0:
        return MetricSpread(metric=column, mean=None, n=0, missing=missing)
    smallest, largest = float(values.min()), float(values.max())
    # A value that rounding puts beyond what is possible still lies in a bin.
    low = smallest if bounds[0] is None else min(bounds[0], smallest)
    high = largest if bounds[1] is None else max(bounds[1], largest)
    if low < high:
        bins = tuple(int(count) for count in np.histogram(values, bins=BINS, range=(low, high))[0])
    else:
        bins = (*(0,) * (BINS - 1), int(values.size))
    return MetricSpread(
        metric=column,
        mean=float(values.sum() / values.size),
        n=int(values.size),
        minimum=smallest,
        median=float(np.median(values)),
        maximum=largest,
        low=low,
        high=high,
        bins=bins,
        missing=missing,
    )
