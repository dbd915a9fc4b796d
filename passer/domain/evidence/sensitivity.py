"""Sensitivity of the result to alpha and beta of T-CPS, to the weights of the panel, and to the normalisation."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen
from passer.domain.composite import PERCENTILES, normalised
from passer.domain.defaults import TCPS_ALPHA, TCPS_BETA
from passer.domain.panel import Panel
from passer.domain.statistics import Floats

ALPHAS: tuple[float, ...] = (0.05, 0.10, 0.15, 0.20, 0.25)
BETAS: tuple[float, ...] = (0.025, 0.05, 0.075, 0.10, 0.15)
CONCENTRATION = 50.0
"""Concentration of the Dirichlet draws: a weight of .15 varies by .05 (standard deviation)."""
_MOST_COUNTED = 10_000_000
"""Counts of drawn questions in memory at a time, 16 bytes each."""

AnyNormalisation = Literal["min-max", "winsorised", "log-perplexity", "rank"]
"""`winsorised`: minimum and maximum are the 1st and 99th percentile, values beyond are cut; `log-perplexity`: the
logarithm of perplexities, then min-max; `rank`: ranks within the pool."""
NORMALISATIONS: tuple[AnyNormalisation, ...] = ("min-max", "winsorised", "log-perplexity", "rank")


class GridSensitivity(Frozen):
    """One configuration over all pairs of alpha and beta."""

    rank: int
    """Rank by T-CPS at the default pair, from 1."""
    best_rank: int
    """Best rank over all pairs."""
    worst_rank: int
    """Worst rank over all pairs."""
    changed: int
    """Pairs at which its rank differs from that at the default pair."""
    pairs: int
    """Number of pairs."""
    alpha_share: float | None
    """Share of the variance of its T-CPS over the grid that alpha makes; beta makes the rest; None without any."""


def grid_sensitivity(means: Floats, cvs: Floats) -> tuple[GridSensitivity, ...]:
    """Return ranks of configurations over 25 pairs (a, b) of T-CPS = mu (1 + a (1 - CV)) - b CV^2; inputs (k,)."""
    alphas, betas = np.repeat(ALPHAS, len(BETAS)), np.tile(BETAS, len(ALPHAS))
    rewards, penalties = means * (1 - cvs), cvs * cvs
    values = means + alphas[:, None] * rewards - betas[:, None] * penalties
    ranks = np.array([_places(row) for row in values])
    default = _places(means + TCPS_ALPHA * rewards - TCPS_BETA * penalties)
    # T-CPS is a sum of a term in alpha and a term in beta, so that on a full grid their variances add up.
    by_alpha, by_beta = np.var(ALPHAS) * rewards**2, np.var(BETAS) * penalties**2
    total = by_alpha + by_beta
    return tuple(
        GridSensitivity(
            rank=int(default[place]),
            best_rank=int(ranks[:, place].min()),
            worst_rank=int(ranks[:, place].max()),
            changed=int((ranks[:, place] != default[place]).sum()),
            pairs=len(values),
            alpha_share=float(by_alpha[place] / total[place]) if total[place] > 0 else None,
        )
        for place in range(len(means))
    )


def _places(values: Floats) -> NDArray[np.intp]:
    """Return ranks from 1, the largest first; equal values keep their order."""
    places = np.empty(len(values), dtype=np.intp)
    places[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return places


class WeightSensitivity(Frozen):
    """Share of draws in which each configuration is best, with weights around the panel's and resampled questions."""

    best_share: tuple[float, ...]
    """Share of each configuration, summing to 1; ties go to the first."""
    draws: int
    """Number of random weightings."""


def weight_sensitivity(
    normalised: Floats,
    panel: Panel,
    *,
    seed: int,
    draws: int = 2_000,
) -> WeightSensitivity:
    """Return how often each configuration has the best mean CPS with random weights and resampled questions.

    Weights are drawn from Dirichlet(CONCENTRATION x panel weights). `normalised` holds metrics in [0, 1], higher is
    better, shape (configurations, questions, metrics). Weights alone would call a lead certain that a few questions
    decide.
    """
    configurations, questions, metrics = normalised.shape
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(CONCENTRATION * panel.weights, size=draws)
    flat = normalised.transpose(1, 0, 2).reshape(questions, configurations * metrics)
    together = max(1, _MOST_COUNTED // questions)
    means = np.concatenate(
        [_resampled(flat, rng, min(together, draws - start)) for start in range(0, draws, together)]
    ).reshape(draws, configurations, metrics)
    best = np.einsum("dkm,dm->dk", means, weights).argmax(axis=1)
    shares = np.bincount(best, minlength=configurations) / draws
    return WeightSensitivity(best_share=tuple(shares.tolist()), draws=draws)


def _resampled(flat: Floats, rng: np.random.Generator, draws: int) -> Floats:
    """Return the means of each column, shape (questions, columns), over questions drawn anew each time."""
    questions = len(flat)
    counts = rng.multinomial(questions, np.full(questions, 1 / questions), size=draws)
    means: Floats = counts @ flat / questions
    return means


def normalise(values: Floats, panel: Panel, method: AnyNormalisation) -> Floats:
    """Return metrics in [0, 1], higher is better, shape (rows, metrics); a constant metric becomes .5.

    `values` contains the panel's columns over the whole pool.
    """
    from scipy.stats import rankdata

    scaled = values.copy()
    if method == "log-perplexity":
        perplexities = ["Perplexity" in item.metric for item in panel.metrics]
        # A perplexity of 0 is no perplexity, but an imported sheet may contain one: its logarithm must stay finite.
        scaled[:, perplexities] = np.log(np.maximum(values[:, perplexities], np.finfo(np.float64).tiny))
    elif method == "winsorised":
        scaled = np.clip(values, *np.quantile(values, PERCENTILES, axis=0))
    elif method == "rank":
        scaled = rankdata(values, axis=0)
    return normalised(scaled, panel, scaled.min(axis=0), scaled.max(axis=0))
