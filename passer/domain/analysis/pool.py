"""Pools of CPS: the rows that give each metric's minimum and maximum, and the resulting weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from passer.domain.base import Frozen
from passer.domain.composite import BY_SYSTEM, PRESENT, MetricConstants, PanelScores, contributions
from passer.domain.panel import Panel, PanelMetric
from passer.domain.score import Score
from passer.domain.statistics import Floats
from passer.domain.wording.sentence import LocalizedText


class PoolMetric(Frozen):
    """A metric of the panel in one pool."""

    metric: str
    """Column name."""
    weight: float
    """Share of CPS by the panel."""
    effective_weight: float | None
    """Share of the variance of CPS; None where CPS does not vary."""
    higher_is_better: bool
    """True if higher values are better."""
    minimum: float
    """Normalises to 0 (to 1 where lower is better)."""
    maximum: float
    """Normalises to 1 (to 0 where lower is better)."""
    is_constant: bool
    """True if minimum and maximum are equal: the metric is neutral and distinguishes nothing."""
    n_outside: int
    """Rows with a value beyond minimum or maximum: those of a winsorised pool are cut, others are not."""

    @property
    def bounds(self) -> MetricConstants:
        """Return the metric's minimum and maximum as constants for another analysis."""
        return MetricConstants(metric=self.metric, minimum=self.minimum, maximum=self.maximum)


class Pool(Frozen):
    """Rows and constants that CPS is relative to."""

    name: LocalizedText
    """Name in words."""
    run_ids: tuple[str, ...]
    """Ids of the runs whose rows it contains."""
    rows: int
    """Number of rows."""
    metrics: tuple[PoolMetric, ...]
    """The panel with its constants."""
    is_clipped: bool = False
    """True if values beyond the constants are cut to them: the pool is winsorised."""

    def parts(self, scores: Mapping[str, Score]) -> dict[str, float]:
        """Return what each metric adds to the CPS of an answer, largest weight first; a missing score adds nothing."""
        metrics = sorted(self.metrics, key=lambda each: -each.weight)
        panel = Panel(
            name=self.name,
            metrics=tuple(
                PanelMetric(metric=each.metric, weight=each.weight, higher_is_better=each.higher_is_better)
                for each in metrics
            ),
        )
        values = [scores[each.metric].value for each in metrics]
        row = PanelScores(
            values=np.array([[0.0 if value is None else value for value in values]]),
            missing=np.array([[BY_SYSTEM if value is None else PRESENT for value in values]], dtype=np.uint8),
        )
        added = contributions(row, panel, [each.bounds for each in metrics], clip=self.is_clipped)[0]
        return dict(zip(panel.columns, added.tolist(), strict=True))


def pool_metrics(
    panel: Panel, constants: Sequence[MetricConstants], shares: Floats | None, *, n_outside: Sequence[int]
) -> tuple[PoolMetric, ...]:
    """Return the panel's metrics with constants, share of the variance of CPS (None if constant) and rows outside."""
    return tuple(
        PoolMetric(
            metric=item.metric,
            weight=item.weight,
            effective_weight=None if shares is None else float(shares[place]),
            higher_is_better=item.higher_is_better,
            minimum=bounds.minimum,
            maximum=bounds.maximum,
            is_constant=bounds.is_constant,
            n_outside=n_outside[place],
        )
        for place, (item, bounds) in enumerate(zip(panel.metrics, constants, strict=True))
    )
