"""The pool behind a CPS: whose rows give minimum and maximum of each metric, and what each metric then weighs."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.base import Frozen
from passer.domain.composite import MetricConstants, Panel
from passer.domain.statistics import Floats
from passer.domain.wording.sentence import Said


class PoolMetric(Frozen):
    """A metric of the panel in one pool."""

    metric: str
    """Column name."""
    weight: float
    """Share of CPS by the panel."""
    effective_weight: float | None
    """Share of the variance of CPS; None where CPS does not vary."""
    higher_is_better: bool
    """Direction."""
    minimum: float
    """Normalises to 0 (to 1 where lower is better)."""
    maximum: float
    """Normalises to 1 (to 0 where lower is better)."""
    is_constant: bool
    """Minimum and maximum are the same: the metric is neutral and tells nothing apart."""
    n_outside: int
    """Rows with a value beyond minimum or maximum, which only constants from before allow; CPS is not clipped."""

    @property
    def bounds(self) -> MetricConstants:
        """Minimum and maximum, to pin another analysis to."""
        return MetricConstants(metric=self.metric, minimum=self.minimum, maximum=self.maximum)


class Pool(Frozen):
    """What CPS is relative to."""

    name: Said
    """In words."""
    run_ids: tuple[str, ...]
    """Whose rows it holds."""
    rows: int
    """How many rows."""
    metrics: tuple[PoolMetric, ...]
    """The panel with its constants."""


def pool_metrics(
    panel: Panel, constants: Sequence[MetricConstants], shares: Floats | None, *, n_outside: Sequence[int]
) -> tuple[PoolMetric, ...]:
    """The panel's metrics with constants, shares of the variance of CPS (None where it does not vary), rows outside."""
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
