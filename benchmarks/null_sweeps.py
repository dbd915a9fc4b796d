"""Simulated sweeps in which the right outcome is known: how often the verdict's rule is wrong about them.

Sweeps of nine correlated configurations in shapes of differences and numbers of questions, with fixed seeds: null
sweeps, sweeps at the margin, clusters of questions, two looks, and the best of ten equal configurations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import stats

from passer.domain.verdict.corrected_gain import corrected_gain
from passer.domain.verdict.family import FamilyRule, FirstLook, family_gains
from passer.domain.verdict.sample_size import questions_needed
from passer.domain.verdict.two_looks import spent_alpha

CONFIGURATIONS = 9
QUESTIONS = (20, 60, 140)
SHARED = 0.7
"""Correlation of the configurations: neighbouring thresholds change the same questions."""
MARGIN = 0.02

RAREST = "rarest_losses"
"""Its goals hold where every configuration shows a loss. In a quarter of its null sweeps of 60 questions some
configuration loses nothing: such a sample is equal to one of a configuration that is better, so no method can tell
them apart. Rows print the rates of all sweeps."""
LOSS = -0.15
"""A question below it has lost its gold passage."""

CLUSTERS = ((10, 6), (12, 5), (20, 3))
"""Clusters and questions in each; an interval needs ten clusters that differ."""

Shape = Callable[[np.random.Generator, int], np.ndarray]
"""Differences of true mean 0, shape (questions, configurations)."""


def correlated(rng: np.random.Generator, n: int) -> np.ndarray:
    """Standard normal values, correlated by SHARED between configurations."""
    common, own = rng.standard_normal((n, 1)), rng.standard_normal((n, CONFIGURATIONS))
    return np.asarray(np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * own)


def normal(rng: np.random.Generator, n: int) -> np.ndarray:
    return 0.1 * correlated(rng, n)


def lognormal(sigma: float) -> Shape:
    """Minus a lognormal value, centred, with standard deviation .1."""
    mean, spread = np.exp(sigma**2 / 2), np.sqrt((np.exp(sigma**2) - 1) * np.exp(sigma**2))
    return lambda rng, n: 0.1 * (mean - np.exp(sigma * correlated(rng, n))) / spread


def rare_losses(share: float, spread: float) -> Shape:
    """A share of the questions loses its gold passage and .3; the others gain a little, so that the mean is 0."""

    def shape(rng: np.random.Generator, n: int) -> np.ndarray:
        lost = stats.norm.cdf(correlated(rng, n)) < share
        return np.where(lost, -0.3, 0.0) + 0.3 * share + spread * correlated(rng, n)

    return shape


def zero_inflated(rng: np.random.Generator, n: int) -> np.ndarray:
    """Seven prompts in ten do not change at all."""
    changed = stats.norm.cdf(correlated(rng, n)) < 0.3
    return np.where(changed, 0.1 * correlated(rng, n), 0.0)


def one_amount(rng: np.random.Generator, n: int) -> np.ndarray:
    """Two configurations gain .1 in 19 questions of 20 and lose 1.9 in the others; beside them seven lose gold."""
    values = correlated(rng, n)
    found = rare_losses(0.08, 0.04)(rng, n)
    found[:, :2] = np.where(stats.norm.cdf(values[:, :2]) < 0.05, -1.9, 0.1)
    return found


SHAPES: dict[str, Shape] = {
    "normal": normal,
    "mild_skew": lognormal(0.5),
    "strong_skew": lognormal(1.0),
    "rare_losses": rare_losses(0.08, 0.04),
    "zero_inflated": zero_inflated,
    "one_amount": one_amount,
    RAREST: rare_losses(0.05, 0.02),
}


def rates(shape: Shape, n: int, *, sweeps: int, draws: int) -> dict[str, float]:
    """Shares of simulated sweeps: any "better", intervals that all cover, any "as good" at the margin, any by t.

    `seen` is the share in which every configuration shows a loss; `better_seen` and `coverage_seen` are among these.
    """
    better = covered = as_good = by_t = seen = better_seen = covered_seen = 0
    for sweep in range(sweeps):
        rng = np.random.default_rng((n, sweep))
        differences = shape(rng, n)
        rule = FamilyRule(margin=MARGIN, draws=draws, seed=sweep)
        gains = family_gains(differences, rule)
        is_better = any(gain.outcome == "better" for gain in gains)
        bounds = [gain for gain in gains if gain.reason is None]
        holds = all((gain.low is None or gain.low <= 0) and (gain.high is None or gain.high >= 0) for gain in bounds)
        is_seen = bool((differences < LOSS).any(axis=0).all())
        better, covered, seen = better + is_better, covered + holds, seen + is_seen
        better_seen, covered_seen = better_seen + (is_seen and is_better), covered_seen + (is_seen and holds)
        shifted = family_gains(differences - MARGIN, rule)
        as_good += any(gain.outcome in ("as_good", "better") for gain in shifted)
        by_t += _better_by_t(differences)
    return {
        "better": better / sweeps,
        "coverage": covered / sweeps,
        "as_good": as_good / sweeps,
        "t": by_t / sweeps,
        "seen": seen / sweeps,
        "better_seen": better_seen / max(1, seen),
        "coverage_seen": covered_seen / max(1, seen),
    }


def _better_by_t(differences: np.ndarray) -> bool:
    """Whether Holm's correction of paired t-tests finds any gain at .05."""
    with np.errstate(invalid="ignore", divide="ignore"):
        # Not ttest_1samp, which warns of equal differences.
        t = differences.mean(axis=0) / stats.sem(differences)
    ordered = np.sort(np.where(t > 0, 2 * stats.t.sf(t, len(differences) - 1), 1.0))
    return bool(ordered[0] * CONFIGURATIONS < 0.05)


def planned_power(*, sweeps: int, draws: int) -> float:
    """Power of one comparison at a true gain of .02 with the planned number of questions; .8 was asked for."""
    n = questions_needed(margin=MARGIN, difference_variance=0.1**2)
    found = 0
    for sweep in range(sweeps):
        differences = np.random.default_rng((7, sweep)).normal(MARGIN, 0.1, (n, 1))
        found += family_gains(differences, FamilyRule(draws=draws, seed=sweep))[0].outcome == "better"
    return found / sweeps


def clustered_rates(clusters: int, size: int, *, sweeps: int, draws: int) -> dict[str, float]:
    """Rates with questions in clusters that share a part of their differences (intraclass correlation .3)."""
    better = covered = 0
    numbers = np.repeat(np.arange(clusters), size)
    for sweep in range(sweeps):
        rng = np.random.default_rng((clusters, size, sweep))
        shared = np.repeat(rng.standard_normal((clusters, CONFIGURATIONS)), size, axis=0)
        differences = 0.1 * (np.sqrt(0.3) * shared + np.sqrt(0.7) * correlated(rng, clusters * size))
        gains = family_gains(differences, FamilyRule(draws=draws, seed=sweep), clusters=numbers.tolist())
        better += any(gain.outcome == "better" for gain in gains)
        covered += all((gain.low or -1.0) <= 0 <= (gain.high or 1.0) for gain in gains)
    return {"better": better / sweeps, "coverage": covered / sweeps}


def better_by_two_looks(shape: Shape, first: int, second: int, *, sweeps: int, draws: int) -> float:
    """Share of null sweeps with any "better" when the second look is taken whenever the first one finds nothing."""
    found, share = 0, first / second
    looked = FirstLook(np.arange(second) < first, share)
    for sweep in range(sweeps):
        differences = shape(np.random.default_rng((first, second, sweep)), second)
        early = FamilyRule(draws=max(draws, 4999), seed=sweep, alpha=spent_alpha(0.05, share))
        gains = family_gains(differences[:first], early)
        if not any(gain.outcome == "better" for gain in gains):
            gains = family_gains(differences, FamilyRule(draws=draws, seed=sweep), looks=looked)
        found += any(gain.outcome == "better" for gain in gains)
    return found / sweeps


def correction_bias(*, sweeps: int, splits: int) -> float:
    """Bias of the corrected gain of the best of ten equal configurations, in standard errors of a gain."""
    gains, error = [], 0.1 * np.sqrt(2 / 60)
    for sweep in range(sweeps):
        scores = np.random.default_rng((11, sweep)).normal(0.5, 0.1, (11, 60))
        found = corrected_gain(
            scores, partial(_columns, scores), _largest_mean, clusters=range(60), seed=sweep, splits=splits
        )
        gains.append(0.0 if found is None else found.gain)
    return float(np.mean(gains) / error)


def _columns(scores: np.ndarray, half: np.ndarray) -> np.ndarray:
    return np.asarray(scores[:, half])


def _largest_mean(scores: np.ndarray, _weights: np.ndarray | None) -> int:
    return 1 + int(np.argmax(scores[1:].mean(axis=1)))
