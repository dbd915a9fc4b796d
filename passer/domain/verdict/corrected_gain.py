"""The gain of a recommended configuration, corrected for its having been chosen.

The best of several configurations looks better than it is, because chance helped to choose it. Each split chooses on
one half of the clusters and measures the gain of what it chose on the other half. It chooses with half of the
questions, so the result is slightly pessimistic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen
from passer.domain.statistics import Floats, mean_of
from passer.domain.verdict.counter_random import splitmix64

SPLITS = 200
"""Repeated random halves."""
STABLE_SHARE = 0.8
"""Share of splits in which the chosen configuration must beat the baseline to be called stable."""

Indices = NDArray[np.intp]
Scores = Callable[[Indices], Floats]
"""Primary metric of every configuration for the given questions, shape (1 + configurations, given), the baseline first;
constants of normalisation are those of the given questions alone. NaN where there is no value."""
Choice = Callable[[Floats, Floats | None], int]
"""Index of the configuration that is chosen from such scores of some questions, and from the questions' weights (None
where all are equal); the baseline is not a choice."""


class CorrectedGain(Frozen):
    """Gain of the best configuration, confirmed by repeated half splits."""

    gain: float
    """Mean gain of the chosen configuration on the other half."""
    optimism: float
    """Mean gain on the half that chose, minus `gain`."""
    better_share: float
    """Share of splits in which the chosen configuration beat the baseline on the other half."""
    chosen_share: tuple[float, ...]
    """Share of splits that chose each configuration."""
    splits: int
    """Number of splits."""

    @property
    def is_stable(self) -> bool:
        """Return whether the chosen configuration beat the baseline in enough splits."""
        return self.better_share >= STABLE_SHARE


def corrected_gain(
    values: Floats,
    scores: Scores,
    choose: Choice,
    *,
    clusters: Sequence[int],
    weights: Floats | None = None,
    seed: int,
    splits: int = SPLITS,
) -> CorrectedGain | None:
    """Return the confirmed gain over seeded half splits by cluster; None with fewer than four clusters.

    `values` are the primary metric of all questions on the scale of the sweep, shape (1 + configurations, questions):
    gains are measured with them, so that they compare with the gain that is printed. (Constants of half of the
    questions are closer together and would stretch every gain.) The choice sees `scores` of its half alone.
    `clusters` and `weights` give those of each question; `choose` must be the rule of the recommendation, over all
    configurations.
    """
    labels, places = np.unique(np.asarray(clusters), return_inverse=True)
    # With fewer, a half would be a single cluster, which cannot show how a choice varies.
    if len(labels) < 4:
        return None
    inside, outside = np.zeros(splits), np.zeros(splits)
    chosen: list[int] = []
    for split in range(splits):
        first = _first_half(len(labels), seed=seed, split=split)[places]
        place = choose(scores(np.flatnonzero(first)), None if weights is None else weights[first])
        chosen.append(place)
        inside[split], outside[split] = (
            _gain(values[place, half] - values[0, half], None if weights is None else weights[half])
            for half in (first, ~first)
        )
    counts = np.bincount(chosen, minlength=values.shape[0])[1:]
    return CorrectedGain(
        gain=float(outside.mean()),
        optimism=float((inside - outside).mean()),
        better_share=float((outside > 0).mean()),
        chosen_share=tuple((counts / splits).tolist()),
        splits=splits,
    )


def _first_half(clusters: int, *, seed: int, split: int) -> NDArray[np.bool_]:
    """Return which clusters choose: those with the smaller random numbers, half of them."""
    # Sorting random numbers by place, not a library's shuffle: the halves must be the same with every version of numpy.
    order = splitmix64(seed, np.arange(split * clusters, (split + 1) * clusters, dtype=np.uint64))
    first = np.zeros(clusters, dtype=np.bool_)
    first[np.argsort(order, kind="stable")[: clusters // 2]] = True
    return first


def _gain(difference: Floats, weights: Floats | None) -> float:
    paired = ~np.isnan(difference)
    # A half without paired questions confirms no gain, so it counts as 0.
    return mean_of(difference[paired], None if weights is None else weights[paired]) or 0.0
