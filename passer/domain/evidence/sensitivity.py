"""How much the result hangs on choices: alpha and beta of T-CPS, the weights of the panel, the way of normalising."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen
from passer.domain.composite import ALPHA, BETA, Panel
from passer.domain.statistics import Floats, average_ranks

ALPHAS: tuple[float, ...] = (0.05, 0.10, 0.15, 0.20, 0.25)
BETAS: tuple[float, ...] = (0.025, 0.05, 0.075, 0.10, 0.15)
CONCENTRATION = 50.0
"""Of the Dirichlet draws: a weight of .15 varies by .05 (standard deviation)."""

Normalisation = Literal["min-max", "winsorised", "log-perplexity", "rank"]
"""`winsorised`: minimum and maximum are the 1st and 99th percentile, values beyond are cut; `log-perplexity`: the
logarithm of perplexities, then min-max; `rank`: ranks within the pool."""
NORMALISATIONS: tuple[Normalisation, ...] = ("min-max", "winsorised", "log-perplexity", "rank")


class GridSensitivity(Frozen):
    """One configuration over all pairs of alpha and beta."""

    rank: int
    """By T-CPS at the default pair, from 1."""
    best_rank: int
    """Over all pairs."""
    worst_rank: int
    """Over all pairs."""
    changed: int
    """Pairs at which its rank is another than at the default pair."""
    pairs: int
    """How many pairs."""
    alpha_share: float | None
    """Share of the variance of its T-CPS over the grid that alpha makes; beta makes the rest; None without any."""


def grid_sensitivity(means: Floats, cvs: Floats) -> tuple[GridSensitivity, ...]:
    """Ranks of configurations over 25 pairs; T-CPS = mu (1 + a (1 - CV)) - b CV^2. Both of shape (k,)."""
    alphas, betas = np.repeat(ALPHAS, len(BETAS)), np.tile(BETAS, len(ALPHAS))
    rewards, penalties = means * (1 - cvs), cvs * cvs
    values = means + alphas[:, None] * rewards - betas[:, None] * penalties
    ranks = np.array([_places(row) for row in values])
    default = _places(means + ALPHA * rewards - BETA * penalties)
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
    """Places from 1, the largest first; equals keep their order."""
    places = np.empty(len(values), dtype=np.intp)
    places[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return places


class WeightSensitivity(Frozen):
    """How often each configuration is best when weights are drawn around the panel's."""

    best_share: tuple[float, ...]
    """Of each configuration, summing to 1; ties go to the first."""
    draws: int
    """Random weightings."""
    concentration: float
    """Of the Dirichlet distribution: larger stays nearer to the panel."""


def weight_sensitivity(
    normalised: Sequence[Floats],
    panel: Panel,
    *,
    seed: int,
    draws: int = 2_000,
    concentration: float = CONCENTRATION,
) -> WeightSensitivity:
    """Best by mean CPS under weights drawn from Dirichlet(concentration x panel weights).

    `normalised` holds each configuration's metrics in [0, 1], higher is better, shape (rows, metrics).
    """
    means = np.array([rows.mean(axis=0) for rows in normalised])
    weights = np.random.default_rng(seed).dirichlet(concentration * panel.weights, size=draws)
    best = (weights @ means.T).argmax(axis=1)
    shares = np.bincount(best, minlength=len(means)) / draws
    return WeightSensitivity(best_share=tuple(shares.tolist()), draws=draws, concentration=concentration)


def normalise(values: Floats, panel: Panel, method: Normalisation) -> Floats:
    """Metrics in [0, 1], higher is better, shape (rows, metrics); a metric that is the same everywhere becomes .5.

    `values` holds the panel's columns over the whole pool.
    """
    columns = []
    for place, item in enumerate(panel.metrics):
        column = values[:, place]
        if method == "log-perplexity" and "Perplexity" in item.metric:
            column = np.log(np.maximum(column, np.finfo(np.float64).tiny))
        elif method == "winsorised":
            low, high = np.quantile(column, (0.01, 0.99))
            column = np.clip(column, low, high)
        elif method == "rank":
            column = average_ranks(column)
        low, high = float(column.min()), float(column.max())
        scaled = (column - low) / (high - low) if high > low else np.full(len(column), 0.5)
        columns.append(scaled if item.higher_is_better or high == low else 1 - scaled)
    return np.column_stack(columns)
