"""The Composite Performance Score and what is made from it: T-CPS, CV, Balance, effective weights.

CPS = sum_i w_i [ d_i (m_i - min_i) / (max_i - min_i) + (1 - d_i) / 2 ], d = +1 where higher is better, else -1.
Minimum and maximum come from a pool of rows, so a CPS means something only beside its pool.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from passer.domain.base import Frozen
from passer.domain.score import CAUSED_BY_SYSTEM, ScoreTable
from passer.errors import InputError

ALPHA = 0.1
"""Weight of stability (1 - CV) in T-CPS."""
BETA = 0.05
"""Weight of the penalty CV^2 in T-CPS; it is not multiplied by the mean."""
NEUTRAL = 0.5
"""Normalised value of a metric that is the same everywhere in the pool: it favours nobody."""

PRESENT, BY_SYSTEM, BY_MEASURING = 0, 1, 2
"""Codes of `PanelScores.missing`."""

Floats = NDArray[np.float64]
MissingPolicy = Literal["worst", "drop"]
"""`worst`: the pool's worst value where the system is at fault; where the measuring is, the question leaves everywhere.
`drop`: rows with a missing score are left out of their own configuration."""


class PanelMetric(Frozen):
    """A metric's place in a composite."""

    metric: str
    """Column name."""
    weight: float = Field(gt=0, le=1)
    """Share of the composite."""
    higher_is_better: bool = True
    """Direction."""


class Panel(Frozen):
    """The metrics of a composite with their weights, which sum to 1."""

    name: str
    """Printed beside every composite."""
    metrics: tuple[PanelMetric, ...] = Field(min_length=1)
    """Each metric once."""

    @model_validator(mode="after")
    def _weights_sum_to_one(self) -> Panel:
        if abs(sum(item.weight for item in self.metrics) - 1) > 1e-9:
            raise ValueError("the weights of a panel must sum to 1")
        if len(set(self.columns)) != len(self.columns):
            raise ValueError("a panel holds each metric once")
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names, in order."""
        return tuple(item.metric for item in self.metrics)

    @property
    def weights(self) -> Floats:
        """Weights, shape (m,)."""
        return np.array([item.weight for item in self.metrics])

    def without(self, metric: str) -> Panel:
        """The panel without one metric: its weights rescaled, its name says so."""
        left = [item for item in self.metrics if item.metric != metric]
        total = sum(item.weight for item in left)
        rescaled = tuple(item.model_copy(update={"weight": item.weight / total}) for item in left)
        return Panel(name=f"{self.name}-no-{metric.lower()}", metrics=rescaled)


def _panel(name: str, weights: Mapping[str, float]) -> Panel:
    return Panel(
        name=name,
        metrics=tuple(
            PanelMetric(metric=metric, weight=weight, higher_is_better="Perplexity" not in metric)
            for metric, weight in weights.items()
        ),
    )


_PHASE2 = _panel(
    "phase2",
    {"METEOR": 0.15, "BLEU": 0.15, "Rouge-1.f": 0.075, "Rouge-l.f": 0.075, "Cosine similarity": 0.1}
    | {"Pearson correlation": 0.1, "F1 Score": 0.2, "Laplace Perplexity": 0.075, "Lidstone Perplexity": 0.075},
)
_PHASE3 = _panel(
    "phase3",
    {"METEOR": 0.15, "Rouge-2.f": 0.075, "Rouge-l.f": 0.075, "Bert-Score.f1": 0.125, "B-RT.average": 0.125}
    | {"F1 Score": 0.15, "B-RT.fluency": 0.1, "Laplace Perplexity": 0.1, "Lidstone Perplexity": 0.1},
)
PANELS: dict[str, Panel] = {panel.name: panel for panel in (_PHASE2, _PHASE3, _PHASE3.without("METEOR"))}
"""The named panels: phase2, phase3 (default), phase3-no-meteor."""


def panel_named(name: str) -> Panel:
    """One of the named panels; InputError lists them."""
    if name not in PANELS:
        raise InputError(f"There is no panel {name!r}: choose one of {', '.join(PANELS)}.", field="panel")
    return PANELS[name]


class MetricConstants(Frozen):
    """What a metric is normalised by."""

    metric: str
    """Column name."""
    minimum: float
    """Smallest value in the pool."""
    maximum: float
    """Largest value in the pool."""

    @model_validator(mode="after")
    def _in_order(self) -> MetricConstants:
        if self.minimum > self.maximum:
            raise ValueError("minimum must not exceed maximum")
        return self

    @property
    def is_constant(self) -> bool:
        """Whether the metric tells nothing apart in this pool."""
        return self.minimum == self.maximum


@dataclass(frozen=True)
class PanelScores:
    """The scores that a panel needs: `values` float64 (n, m), finite; `missing` uint8 (n, m), of the codes above."""

    values: Floats
    missing: NDArray[np.uint8]

    @classmethod
    def of(cls, table: ScoreTable, panel: Panel) -> PanelScores:
        """The panel's columns of a table; InputError where the table lacks one."""
        lacking = [column for column in panel.columns if column not in table.columns]
        if lacking:
            raise InputError(f"The scores have no column {lacking[0]}, which the panel {panel.name} needs.")
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
    """Rows that enter the composite; bool, shape (n,).

    `question_codes` numbers each row's question from 0. Under `worst` a score that the measuring lost takes its
    question out of every configuration; under `drop` any missing score takes out its own row.
    """
    if policy == "drop":
        return np.asarray(~(scores.missing != PRESENT).any(axis=1))
    lost = np.zeros(int(question_codes.max(initial=-1)) + 1, dtype=bool)
    lost[question_codes[(scores.missing == BY_MEASURING).any(axis=1)]] = True
    return np.asarray(~lost[question_codes])


def pool_constants(scores: PanelScores, panel: Panel, rows: NDArray[np.bool_]) -> tuple[MetricConstants, ...]:
    """Minimum and maximum of each metric over the pool's rows; InputError where a metric has no value in the pool."""
    constants = []
    for place, column in enumerate(panel.columns):
        values = scores.values[rows & (scores.missing[:, place] == PRESENT), place]
        if not values.size:
            raise InputError(
                f"No row of the pool has a value of {column}, so the panel {panel.name} cannot be computed: "
                "choose a panel without it, or score the runs again.",
                field="panel",
            )
        constants.append(MetricConstants(metric=column, minimum=float(values.min()), maximum=float(values.max())))
    return tuple(constants)


def contributions(scores: PanelScores, panel: Panel, constants: Sequence[MetricConstants]) -> Floats:
    """Weighted normalised metrics, shape (n, m): a row's CPS is the sum of its contributions.

    A missing score counts as the pool's worst value, which normalises to 0; a constant metric is neutral for all.
    Values beyond given constants are not clipped.
    """
    by_metric = {item.metric: item for item in constants}
    result = np.empty_like(scores.values)
    for place, item in enumerate(panel.metrics):
        if item.metric not in by_metric:
            raise InputError(f"The given constants lack {item.metric}, which the panel {panel.name} needs.")
        bounds = by_metric[item.metric]
        if bounds.is_constant:
            result[:, place] = item.weight * NEUTRAL
            continue
        column = scores.values[:, place]
        distance = column - bounds.minimum if item.higher_is_better else bounds.maximum - column
        normalised = distance / (bounds.maximum - bounds.minimum)
        result[:, place] = item.weight * np.where(scores.missing[:, place] == PRESENT, normalised, 0.0)
    return result


def effective_weights(weighted: Floats) -> Floats | None:
    """Share of the variance of CPS that each metric holds, shape (m,), summing to 1; None where CPS does not vary.

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


def coefficient_of_variation(values: Floats) -> float | None:
    """CV = sigma / mu (ddof 1); None below two values, and at mu <= 0, where it means nothing."""
    if values.size < 2:
        return None
    mean = float(values.mean())
    if mean <= 0:
        return None
    ratio = float(values.std(ddof=1)) / mean
    return ratio if np.isfinite(ratio) else None


def tcps(*, mean: float, cv: float | None, alpha: float = ALPHA, beta: float = BETA) -> float | None:
    """T-CPS = mu (1 + alpha (1 - CV)) - beta CV^2; None without a CV."""
    return None if cv is None else mean * (1 + alpha * (1 - cv)) - beta * cv * cv


def improvement_pct(*, value: float | None, baseline: float | None) -> float | None:
    """Gain over the baseline in percent of it; None where either is missing or the baseline is not positive."""
    if value is None or baseline is None or baseline <= 0:
        return None
    return (value - baseline) / baseline * 100


def balance(*, tcps_improvement_pct: float | None, cv: float | None) -> float | None:
    """Balance = (T-CPS improvement % / 100) / CV; None at CV = 0 or where either is missing."""
    if tcps_improvement_pct is None or not cv:
        return None
    return tcps_improvement_pct / 100 / cv
