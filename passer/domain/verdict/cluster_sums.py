"""Paired differences summed by cluster: the one input of every interval and test of a verdict.

A cluster is a set of questions that are drawn together, such as those of one source document; without declared
clusters each question is one. Standard errors, degrees of freedom and resamples all use the same sums, so they cannot
disagree about what a cluster is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passer.domain.statistics import Floats

ROUNDING = 1e-12
"""Standard error, as a share of the gain, at or below which it is 0: all differences are equal."""
SAME = 1e-6
"""Mean differences of clusters are one amount within this share of their spread: resamples of these clusters alone
count as without spread (the square root of the bound of `simultaneous`)."""


@dataclass(frozen=True)
class ClusterSums:
    """Weighted sums of differences and of weights, by cluster and configuration."""

    sums: Floats
    """Sum of w d within each cluster, shape (clusters, configurations)."""
    weights: Floats
    """Sum of w within each cluster, shape (clusters, configurations); 0 where a configuration has no value."""

    @property
    def gains(self) -> Floats:
        """Return the weighted mean difference of each configuration, shape (configurations,)."""
        return np.asarray(self.sums.sum(axis=0) / self.weights.sum(axis=0))

    @property
    def influence(self) -> Floats:
        """Return the influence of each cluster on the gains, shape (clusters, configurations).

        psi_gc = sum over q in g of w_q (d_qc - gain_c) / sum w (Miller 2024, arXiv 2411.00640, clustered errors).
        """
        return np.asarray((self.sums - self.weights * self.gains) / self.weights.sum(axis=0))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Return the number of clusters with a value, by configuration."""
        return np.asarray((self.weights > 0).sum(axis=0))

    @property
    def standard_errors(self) -> Floats:
        """Return sqrt(G / (G - 1) sum over g of psi_gc^2) by configuration; needs at least two clusters."""
        errors = np.sqrt(self.sizes / (self.sizes - 1) * np.square(self.influence).sum(axis=0))
        # Equal differences such as 1/3 leave the rounding of their mean, which is no spread: a gain divided by it would
        # be significant, in any direction.
        return np.asarray(np.where(errors > ROUNDING * np.abs(self.gains), errors, 0.0 * errors))

    def changed(self, *, tolerance: float = 1e-12) -> NDArray[np.intp]:
        """Return the number of clusters whose difference is not 0, by configuration."""
        return np.asarray((np.abs(self.sums) > tolerance).sum(axis=0))

    def most_frequent(self) -> list[tuple[int, float]]:
        """Return the most frequent mean difference of a cluster and the number of its clusters, by configuration.

        Where no cluster has a value the number is 0.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            means, widths = self.sums / self.weights, SAME * self.standard_errors * np.sqrt(self.sizes)
        return [_most_frequent(np.sort(own[~np.isnan(own)]), width) for own, width in zip(means.T, widths, strict=True)]

    def of(self, configurations: Sequence[int]) -> ClusterSums:
        """Return the sums of some configurations, by index."""
        return ClusterSums(self.sums[:, configurations], self.weights[:, configurations])

    def minus(self, other: ClusterSums) -> ClusterSums:
        """Return the sums of the differences from another set of configurations, column by column.

        A cluster in which one of the two has no value gets weight 0.
        """
        both = (self.weights > 0) & (other.weights > 0)
        return ClusterSums(np.where(both, self.sums - other.sums, 0.0), np.where(both, self.weights, 0.0))


def _most_frequent(values: Floats, width: float) -> tuple[int, float]:
    """Return how many sorted values lie within a width, and their median."""
    if not values.size:
        return 0, 0.0
    counts = np.searchsorted(values, values + np.nan_to_num(width), side="right") - np.arange(values.size)
    first = int(counts.argmax())
    count = int(counts[first])
    return count, float(values[first + (count - 1) // 2])


def cluster_sums(
    differences: Floats, *, clusters: Sequence[int] | None = None, weights: Floats | None = None
) -> ClusterSums:
    """Sum paired differences by cluster.

    `differences` has shape (questions, configurations), NaN where a pair is missing. `clusters` gives each question's
    cluster (any integers), by default its own. `weights` are positive, shape (questions,), by default 1.
    """
    questions = differences.shape[0]
    _, places = np.unique(np.arange(questions) if clusters is None else np.asarray(clusters), return_inverse=True)
    one = np.ones(questions) if weights is None else weights
    weight = np.where(np.isnan(differences), 0.0, one[:, None])
    shape = (int(places.max(initial=-1)) + 1, differences.shape[1])
    sums, totals = np.zeros(shape), np.zeros(shape)
    # A missing pair has weight 0, but NaN times 0 is NaN: it would spread over its whole cluster.
    np.add.at(sums, places, weight * np.nan_to_num(differences))
    np.add.at(totals, places, weight)
    return ClusterSums(sums, totals)
