"""The Composite Performance Score and what is made from it: T-CPS, CV, Balance, effective weights.

CPS = sum_i w_i [ d_i (m_i - min_i) / (max_i - min_i) + (1 - d_i) / 2 ], d = +1 where higher is better, else -1.
Minimum and maximum come from a pool of rows, so a CPS means something only beside its pool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from passer.domain.base import Frozen
from passer.domain.defaults import TCPS_ALPHA, TCPS_BETA
from passer.domain.panel import Panel
from passer.domain.score import CAUSED_BY_SYSTEM, ScoreTable
from passer.domain.statistics import Floats, mean_of, spread_of
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

CPS = "CPS"
"""Name of the composite where a metric is named, besides the 24 columns."""
LARGEST_WEIGHT = 10.0
"""Largest alpha and beta: beyond it T-CPS hardly depends on the mean."""
NEUTRAL = 0.5
"""Normalised value of a metric that is the same everywhere in the pool: it favours nobody."""

PRESENT, BY_SYSTEM, BY_MEASURING = 0, 1, 2
"""Codes of `PanelScores.missing`."""

MissingPolicy = Literal["worst", "drop"]
"""`worst`: the pool's worst value where the system is at fault; where the measuring is, the question leaves everywhere.
`drop`: rows with a missing score are left out of their own configuration."""
Normalisation = Literal["min-max", "winsorised"]
"""`min-max`: by the smallest and largest value of the pool, as published. `winsorised`: by its 1st and 99th percentile;
values beyond are cut to them, so that one outlier does not move the CPS of all."""
PERCENTILES = (0.01, 0.99)
"""Bounds of winsorised pools, as shares of the values."""
FINE, TINY = 1e-6, 1e-280
"""Share of its distance from a centre at which a span is too small to be computed by it, and a distance that is 0."""


class TcpsWeights(Frozen):
    """Weights of stability in T-CPS; the published ones by default."""

    alpha: float = Field(default=TCPS_ALPHA, ge=0, le=LARGEST_WEIGHT)
    """Weight of the reward 1 - CV; 0 removes it."""
    beta: float = Field(default=TCPS_BETA, ge=0, le=LARGEST_WEIGHT)
    """Weight of the penalty CV^2; 0 removes it."""


PUBLISHED = TcpsWeights()
"""Weights of the published study."""


class MetricConstants(Frozen):
    """Constants that normalise a metric."""

    metric: str
    """Column name."""
    minimum: float
    """Smallest value in the pool."""
    maximum: float
    """Largest value in the pool."""

    @model_validator(mode="after")
    def _in_order(self) -> MetricConstants:
        if self.minimum > self.maximum:
            raise ValueError(sentence("analysis.constants-order"))
        return self

    @property
    def is_constant(self) -> bool:
        """Return whether the metric is constant in this pool."""
        return self.minimum == self.maximum


@dataclass(frozen=True)
class PanelScores:
    """The scores that a panel needs: `values` float64 (n, m), finite; `missing` uint8 (n, m), of the codes above."""

    values: Floats
    missing: NDArray[np.uint8]

    @classmethod
    def of(cls, table: ScoreTable, panel: Panel) -> PanelScores:
        """Return the panel's columns of a table; InputError if the table lacks one."""
        lacking = [column for column in panel.columns if column not in table.columns]
        if lacking:
            raise InputError(sentence("analysis.scores-lack", column=lacking[0], panel=panel.name))
        places = [table.columns.index(column) for column in panel.columns]
        codes = {None: PRESENT} | dict.fromkeys(CAUSED_BY_SYSTEM, BY_SYSTEM)
        kinds, kind_of = table.lacks
        missing = np.array(
            [[codes.get(row[place], BY_MEASURING) for place in places] for row in kinds], dtype=np.uint8
        ).reshape(len(kinds), len(places))
        return cls(values=table.values[:, places], missing=missing[kind_of])


def usable_rows(
    scores: PanelScores, question_codes: NDArray[np.intp], *, policy: MissingPolicy = "worst"
) -> NDArray[np.bool_]:
    """Return the mask of rows that are part of the composite; bool, shape (n,).

    `question_codes` numbers each row's question from 0. Under `worst` a score that the measuring lost takes its
    question out of every configuration; under `drop` any missing score takes out its own row.
    """
    if policy == "drop":
        return np.asarray(~(scores.missing != PRESENT).any(axis=1))
    lost = np.zeros(int(question_codes.max(initial=-1)) + 1, dtype=bool)
    lost[question_codes[(scores.missing == BY_MEASURING).any(axis=1)]] = True
    return np.asarray(~lost[question_codes])


def pool_constants(
    scores: PanelScores, panel: Panel, rows: NDArray[np.bool_], normalisation: Normalisation = "min-max"
) -> tuple[MetricConstants, ...]:
    """Return the bounds of each metric over the rows of a pool; InputError if a metric has no value."""
    constants = []
    ends = PERCENTILES if normalisation == "winsorised" else (0.0, 1.0)
    for place, column in enumerate(panel.columns):
        # Only scores that exist: a lost one counts as the pool's worst, which must not depend on it.
        values = scores.values[rows & (scores.missing[:, place] == PRESENT), place]
        if not values.size:
            raise InputError(sentence("analysis.pool-lacks", column=column, panel=panel.name), field="panel")
        low, high = np.quantile(values, ends)
        constants.append(MetricConstants(metric=column, minimum=float(low), maximum=float(high)))
    return tuple(constants)


def normalised_within(values: Floats, panel: Panel, pool: Floats, normalisation: Normalisation) -> Floats:
    """Scale the panel's metrics (last dimension) to 0 (worst) to 1 (best) by the bounds of a pool.

    `pool` has shape (rows, metrics); a winsorised pool cuts the values to its bounds.
    """
    if normalisation == "winsorised":
        low, high = np.quantile(pool, PERCENTILES, axis=0)
        return normalised(np.clip(values, low, high), panel, low, high)
    return normalised(values, panel, pool.min(axis=0), pool.max(axis=0))


def composites_by_part(
    pool: Floats, panel: Panel, normalisation: Normalisation
) -> Callable[[NDArray[np.intp]], Floats]:
    """Return a function from some questions to the CPS of all by the bounds of these alone: for hundreds of parts.

    `pool` has shape (configurations, questions, metrics), the CPS (configurations, questions).
    """

    def exact(part: NDArray[np.intp]) -> Floats:
        own = pool[:, part].reshape(-1, pool.shape[-1])
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(normalised_within(pool, panel, own, normalisation) @ panel.weights)

    if normalisation == "winsorised":
        return exact
    # Bounds of a part are those of its questions' bounds. Between them CPS is linear in the metrics, so one product is
    # all that a part needs. Centred first: one outlier elsewhere would otherwise cost the product its last digits.
    least, most, centre = pool.min(axis=0), pool.max(axis=0), np.median(pool[0], axis=0)
    centred = pool - centre
    signs = np.where([item.higher_is_better for item in panel.metrics], 1.0, -1.0)

    def linear(part: NDArray[np.intp]) -> Floats:
        low, high = least[part].min(axis=0), most[part].max(axis=0)
        varies, span = high > low, np.where(high > low, high - low, 1.0)
        # Centring rounds: a part whose values differ by little more than that needs its own bounds subtracted.
        if (span <= FINE * (np.maximum(np.abs(low - centre), np.abs(high - centre)) + TINY)).any():
            return exact(part)
        slopes = np.where(varies, panel.weights * signs / span, 0.0)
        worst = np.where(signs > 0, low, high) - centre
        return np.asarray(centred @ slopes + float(np.where(varies, -slopes * worst, NEUTRAL * panel.weights).sum()))

    return linear


def normalised(values: Floats, panel: Panel, low: Floats, high: Floats) -> Floats:
    """Scale the panel's metrics (last dimension) to 0 (worst) to 1 (best) between `low` and `high` of each.

    A metric that is the same everywhere is neutral. Values beyond the bounds are not clipped.
    """
    span = high - low
    distance = np.where([item.higher_is_better for item in panel.metrics], values - low, high - values)
    return np.where(span > 0, distance / np.where(span > 0, span, 1.0), NEUTRAL)


def contributions(
    scores: PanelScores, panel: Panel, constants: Sequence[MetricConstants], *, clip: bool = False
) -> Floats:
    """Return weighted normalised metrics, shape (n, m); the CPS of a row is their sum.

    A missing score counts as the pool's worst value, which normalises to 0; a constant metric is neutral for all.
    Values beyond given constants are cut to them with `clip`, as in a winsorised pool, else not.
    """
    by_metric = {item.metric: item for item in constants}
    lacking = [column for column in panel.columns if column not in by_metric]
    if lacking:
        raise InputError(sentence("analysis.fixed-lack", column=lacking[0], panel=panel.name))
    bounds = [by_metric[column] for column in panel.columns]
    low, high = np.array([item.minimum for item in bounds]), np.array([item.maximum for item in bounds])
    values = np.clip(scores.values, low, high) if clip else scores.values
    counted = normalised(values, panel, low, high)
    return panel.weights * np.where((scores.missing == PRESENT) | (low == high), counted, 0.0)


def effective_weights(weighted: Floats) -> Floats | None:
    """Return each metric's share of the variance of CPS, shape (m,), sum 1; None if CPS is constant.

    The share is cov(contribution, CPS) / var(CPS), so a metric that works against the others can be negative.
    """
    if len(weighted) < 2:
        return None
    centred = weighted - weighted.mean(axis=0)
    total = centred.sum(axis=1)
    variance = float(total @ total)
    if variance <= 1e-24 * len(weighted):
        return None
    return np.asarray(centred.T @ total / variance)


def coefficient_of_variation(values: Floats, weights: Floats | None = None) -> float | None:
    """Return CV = sigma / mu (ddof 1); None with fewer than two values or mu <= 0, where it is meaningless."""
    mean = mean_of(values, weights)
    if values.size < 2 or mean is None or mean <= 0:
        return None
    ratio = spread_of(values, weights) / mean
    return ratio if np.isfinite(ratio) else None


def tcps(*, mean: float, cv: float | None, weights: TcpsWeights = PUBLISHED) -> float | None:
    """Return T-CPS = mu (1 + alpha (1 - CV)) - beta CV^2; None without a CV."""
    return None if cv is None else mean * (1 + weights.alpha * (1 - cv)) - weights.beta * cv * cv


def improvement_pct(*, value: float | None, baseline: float | None) -> float | None:
    """Return the gain in percent of the baseline; None if either is missing or the baseline is not positive."""
    if value is None or baseline is None or baseline <= 0:
        return None
    return (value - baseline) / baseline * 100


def balance(*, tcps_improvement_pct: float | None, cv: float | None) -> float | None:
    """Return Balance = (T-CPS gain % / 100) / CV; None if CV is 0 or either is missing."""
    if tcps_improvement_pct is None or not cv:
        return None
    return tcps_improvement_pct / 100 / cv
