"""Recommended configuration and its corrected gain: chosen on half of the questions, tested on the others.

The best of several configurations looks better than it is, because chance helped to choose it. Each split chooses on
one half, with constants of that half and this model alone, and measures the gain of what was chosen on the other half
with the same constants. The rule is that of the recommendation: of the configurations that gain significantly
(paired t-test, Holm over the declared family), the one with the highest T-CPS, and the baseline where none does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.gains import Spread
from passer.domain.base import Frozen
from passer.domain.composite import PUBLISHED, Normalisation, TcpsWeights, composites_by_part, normalised_within
from passer.domain.panel import Panel
from passer.domain.statistics import DECIMALS, Floats, Interval, adjusted_p_values, paired_p_values
from passer.domain.verdict.family import FamilyRule, family_gains

SPLITS = 200
"""Repeated random halves."""
_LEVEL = 0.05


class SplitChoice(Frozen):
    """Recommendation of repeated half splits for one model."""

    chosen_share: tuple[float, ...]
    """Share of splits in which each configuration was chosen."""
    baseline_share: float
    """Share of splits in which no configuration gained significantly, so that the baseline was kept."""
    confirmed_gain: float
    """Mean gain of the chosen on the other half."""
    confirmed_range: Interval
    """2.5th and 97.5th percentile of that gain over the splits; splits share questions, so it is no test."""
    optimism: float
    """Mean gain on the choosing half minus that on the other half."""
    best: int | None
    """Index of the configuration that the same rule chooses by all questions; None if none gains significantly."""
    not_told_apart: tuple[int, ...]
    """Places of configurations whose CPS cannot be distinguished from the best one, which is included.

    By the simultaneous intervals of the verdict, all against the best; the baseline is the best where nothing gains.
    """
    baseline_is_alike: bool
    """True if the baseline cannot be distinguished from the best one."""
    splits: int
    """Number of half splits."""
    n_questions: int
    """Questions that the baseline and all configurations have."""


def split_choice(
    baseline: Floats,
    others: Sequence[Floats],
    panel: Panel,
    *,
    seed: int,
    normalisation: Normalisation = "min-max",
    splits: int = SPLITS,
    family_size: int | None = None,
    stability: TcpsWeights = PUBLISHED,
) -> SplitChoice:
    """Choose among configurations with a significant gain (Holm, .05) the one with the highest T-CPS.

    Equal T-CPS goes to the earlier one, no significant gain to the baseline.

    `baseline` and each of the `others` hold the panel's columns, shape (questions, metrics), in the same order of at
    least four questions. `family_size` counts the comparisons of all models, by default these alone.
    """
    family = len(others) if family_size is None else family_size
    pool = np.stack([baseline, *others])

    def chosen_by(cps: Floats) -> int | None:
        return _best(cps, family=family, stability=stability)

    taken, inside, outside = _gains_of_halves(
        pool, panel, chosen_by, normalisation=normalisation, splits=splits, seed=seed
    )
    shares = np.bincount(taken, minlength=len(pool)) / splits
    cps = normalised_within(pool, panel, pool.reshape(-1, pool.shape[-1]), normalisation) @ panel.weights
    best = chosen_by(cps)
    baseline_is_alike, alike = _not_distinguished(cps, best)
    low, high = np.quantile(outside, (0.025, 0.975))
    return SplitChoice(
        chosen_share=tuple(shares[1:].tolist()),
        baseline_share=float(shares[0]),
        confirmed_gain=float(outside.mean()),
        confirmed_range=Interval(low=float(low), high=float(high)),
        optimism=float((inside - outside).mean()),
        best=best,
        not_told_apart=alike,
        baseline_is_alike=baseline_is_alike,
        splits=splits,
        n_questions=pool.shape[1],
    )


def _gains_of_halves(
    pool: Floats,
    panel: Panel,
    chosen_by: Callable[[Floats], int | None],
    *,
    normalisation: Normalisation,
    splits: int,
    seed: int,
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Return for each split what was chosen (0 is the baseline), and its gain on the choosing and on the other half.

    `pool` has the shape (1 + others, questions, metrics), the baseline first.
    """
    n = pool.shape[1]
    rng = np.random.default_rng(seed)
    taken = np.zeros(splits, dtype=np.int64)
    gains = np.zeros((2, splits))
    composites = composites_by_part(pool, panel, normalisation)
    for split in range(splits):
        order = rng.permutation(n)
        halves = order[: n // 2], order[n // 2 :]
        # Constants of the choosing half alone: those of all questions would let the other half take part in the choice.
        cps = composites(halves[0])
        place = chosen_by(cps[:, halves[0]])
        taken[split] = 0 if place is None else place + 1
        gains[:, split] = [(cps[taken[split], half] - cps[0, half]).mean() for half in halves]
    return taken, gains[0], gains[1]


def _best(cps: Floats, *, family: int, stability: TcpsWeights) -> int | None:
    """Return the index of the configuration that the rule of `split_choice` chooses.

    `cps` has the shape (1 + others, questions), the baseline first.

    Other comparisons of the family count as larger p values, which is the strictest that Holm can be.
    """
    corrected = adjusted_p_values(paired_p_values(cps[1:], cps[0]), "holm", family_size=family)
    means = cps.mean(axis=1)
    better = [
        place for place, p in enumerate(corrected) if p is not None and p < _LEVEL and means[1 + place] > means[0]
    ]
    scores = [_rounded_tcps(cps[1 + place], stability) for place in better]
    return better[scores.index(max(scores))] if better else None


def _rounded_tcps(cps: Floats, stability: TcpsWeights) -> float:
    """Return T-CPS, or minus infinity where there is none.

    Rounded, because sums in another order differ in the last digits. Scores that differ only there count as equal.
    """
    score = Spread.of(cps, stability=stability).tcps
    return float("-inf") if score is None else round(score, DECIMALS)


def _not_distinguished(cps: Floats, best: int | None) -> tuple[bool, tuple[int, ...]]:
    """Return whether the baseline, and which others, have an interval of the difference to the best that contains 0."""
    of = 0 if best is None else best + 1
    rest = [place for place in range(len(cps)) if place != of]
    gains = family_gains((cps[rest] - cps[of]).T, FamilyRule())
    alike = {of} | {place for place, gain in zip(rest, gains, strict=True) if gain.outcome not in ("better", "worse")}
    return 0 in alike, tuple(sorted(place - 1 for place in alike if place))
