"""The tables of the published study, made from the figures of its configurations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.statistics import Floats, spearman_rho

SIGNIFICANT = 0.05
"""Level of the uncorrected p, as published."""
RANKED = 3
"""Rows per model in the tables of the best."""
MOST_BALANCED = 10
"""Rows of the Balance ranking."""

BandSetting = Literal["phase3", "phase4"]
"""`phase3`: published cut-offs; `phase4`: unpublished ones, put midway between the table's differing labels."""

TCPS_BANDS: dict[BandSetting, tuple[tuple[float, str], ...]] = {
    "phase3": ((3.0, "Large improvement"), (1.5, "Moderate improvement"), (0.5, "Small improvement")),
    "phase4": ((8.0, "Large improvement"), (3.3, "Moderate improvement"), (0.5, "Small improvement")),
}
"""Smallest T-CPS improvement in percent for each label; below the last it is minimal."""


class StudyConfiguration(Frozen):
    """One configuration as the study prints it."""

    model: str
    """Label."""
    threshold: float | None
    """None is the baseline."""
    n: int
    """Rows, or questions after averaging."""
    n_pairs: int | None = None
    """Rows or questions compared with the baseline."""
    mean_cps: float | None
    """Over the compared rows; over all where there is nothing to compare with."""
    mean_cps_all_rows: float | None = Field(default=None, exclude_if=lambda value: value is None)
    """Over all rows; absent under `corrected`."""
    cps_improvement_pct: float | None = None
    """Of mean_cps over the baseline's, in percent."""
    cv: float | None
    """Standard deviation / mean, ddof 1."""
    tcps: float | None
    """Mean rewarded for stability."""
    tcps_improvement_pct: float | None = None
    """Over the baseline's, in percent."""
    t_statistic: float | None = None
    """Of the paired t-test."""
    p_value: float | None = None
    """Two-sided, uncorrected."""
    cohens_d: float | None = None
    """For pairs, ddof 1."""
    balance_score: float | None = None
    """(T-CPS improvement % / 100) / CV."""
    significance: str | None = None
    """`***` .001, `**` .01, `*` .05, `ns`."""


Cell = str | int | float | None


class StudyTable(Frozen):
    """A table: columns and rows."""

    columns: tuple[str, ...]
    """Names, in order."""
    rows: tuple[tuple[Cell, ...], ...]
    """One value per column."""


def interpretation(tcps_improvement_pct: float | None, setting: BandSetting = "phase3") -> str | None:
    """The label of a T-CPS improvement; None without one."""
    if tcps_improvement_pct is None:
        return None
    bands = TCPS_BANDS[setting]
    return next((label for bound, label in bands if tcps_improvement_pct >= bound), "Minimal change")


def study_tables(configurations: Sequence[StudyConfiguration], bands: BandSetting = "phase3") -> dict[str, StudyTable]:
    """All tables by name; those that need a baseline are empty for models without one."""
    models = dict.fromkeys(item.model for item in configurations)
    by_model = {
        model: [item for item in configurations if item.model == model and item.threshold is not None]
        for model in models
    }
    return {
        "top_cps": _top_cps(by_model),
        "top_tcps": _top_tcps(by_model, bands),
        "spearman": _spearman(configurations),
        "balance_ranking": _balance_ranking(configurations),
        "agreement": _agreement(by_model),
        "significance_counts": _significance_counts(by_model),
        "best_configurations": _best_configurations(by_model),
    }


ByModel = dict[str, list[StudyConfiguration]]
Criterion = Callable[[StudyConfiguration], float | None]


def _by_cps(item: StudyConfiguration) -> float | None:
    """Improvement; without a baseline the mean itself."""
    return item.cps_improvement_pct if item.n_pairs is not None else item.mean_cps


def _by_tcps(item: StudyConfiguration) -> float | None:
    return item.tcps


def _by_balance(item: StudyConfiguration) -> float | None:
    return item.balance_score


def _ranked(items: Sequence[StudyConfiguration], criterion: Criterion) -> list[StudyConfiguration]:
    """Largest first; equals keep their order, smaller thresholds first."""
    valued = [(value, item) for item in items if (value := criterion(item)) is not None]
    return [item for _, item in sorted(valued, key=lambda pair: -pair[0])]


def _top_cps(by_model: ByModel) -> StudyTable:
    rows = [
        (model, rank, item.threshold, item.mean_cps, item.cps_improvement_pct)
        for model, items in by_model.items()
        for rank, item in enumerate(_ranked(items, _by_cps)[:RANKED], start=1)
    ]
    return StudyTable(columns=("model", "rank", "threshold", "mean_cps", "cps_improvement_pct"), rows=tuple(rows))


def _top_tcps(by_model: ByModel, bands: BandSetting) -> StudyTable:
    rows = [
        (model, rank, item.threshold, item.tcps, gain, item.cv, interpretation(gain, bands))
        for model, items in by_model.items()
        for rank, item in enumerate(_ranked(items, _by_tcps)[:RANKED], start=1)
        for gain in [item.tcps_improvement_pct]
    ]
    columns = ("model", "rank", "threshold", "tcps", "tcps_improvement_pct", "cv", "interpretation")
    return StudyTable(columns=columns, rows=tuple(rows))


def _spearman(configurations: Sequence[StudyConfiguration]) -> StudyTable:
    """Over all configurations, baselines included."""
    rows = tuple((relationship, rho) for relationship, rho, _ in _correlations(configurations))
    return StudyTable(columns=("relationship", "spearman_rho"), rows=rows)


def spearman_within_model(configurations: Sequence[StudyConfiguration]) -> StudyTable:
    """The same over the configurations of each model, its baseline included: differences between models are out."""
    rows = [
        (model, relationship, rho, n)
        for model in dict.fromkeys(item.model for item in configurations)
        for relationship, rho, n in _correlations([item for item in configurations if item.model == model])
        if n
    ]
    return StudyTable(columns=("model", "relationship", "spearman_rho", "n_configurations"), rows=tuple(rows))


def _correlations(configurations: Sequence[StudyConfiguration]) -> list[tuple[str, float | None, int]]:
    """rho of T-CPS with CPS and with CV, each with its configurations; CPS of all rows where the procedure has it."""
    valued = [
        (item.tcps, item.mean_cps if item.mean_cps_all_rows is None else item.mean_cps_all_rows, item.cv)
        for item in configurations
        if item.tcps is not None
    ]
    columns: Floats = np.array(valued, dtype=np.float64).reshape(len(valued), 3).T
    return [
        ("rho(T-CPS, CPS)", spearman_rho(columns[0], columns[1]), len(valued)),
        ("rho(T-CPS, CV)", spearman_rho(columns[0], columns[2]), len(valued)),
    ]


def _balance_ranking(configurations: Sequence[StudyConfiguration]) -> StudyTable:
    positive = [
        item
        for item in configurations
        if item.p_value is not None and item.p_value < SIGNIFICANT and (item.cps_improvement_pct or 0) > 0
    ]
    rows = [
        (
            rank,
            item.model,
            item.threshold,
            item.tcps_improvement_pct,
            item.cv,
            item.balance_score,
            item.significance,
        )
        for rank, item in enumerate(_ranked(positive, _by_balance)[:MOST_BALANCED], start=1)
    ]
    columns = ("rank", "model", "threshold", "tcps_improvement_pct", "cv", "balance_score", "significance")
    return StudyTable(columns=columns, rows=tuple(rows))


def _agreement(by_model: ByModel) -> StudyTable:
    rows = []
    for model, items in by_model.items():
        best = [_ranked(items, criterion)[:1] for criterion in (_by_cps, _by_tcps, _by_balance)]
        thresholds = [found[0].threshold if found else None for found in best]
        told = {threshold for threshold in thresholds if threshold is not None}
        if told:
            rows.append((model, *thresholds, "Perfect" if len(told) == 1 else "Divergent"))
    columns = ("model", "best_cps_threshold", "best_tcps_threshold", "best_balance_threshold", "alignment")
    return StudyTable(columns=columns, rows=tuple(rows))


def _significance_counts(by_model: ByModel) -> StudyTable:
    rows = []
    for model, items in by_model.items():
        compared = [item for item in items if item.n_pairs is not None]
        significant = [item for item in compared if item.p_value is not None and item.p_value < SIGNIFICANT]
        positive = sum(1 for item in significant if (item.t_statistic or 0) > 0)
        if compared:
            rows.append((model, positive, len(significant) - positive, len(compared) - len(significant)))
    columns = ("model", "significant_positive", "significant_negative", "not_significant")
    return StudyTable(columns=columns, rows=tuple(rows))


def _best_configurations(by_model: ByModel) -> StudyTable:
    rows = []
    for model, items in by_model.items():
        best = [*_ranked(items, _by_cps)[:1], *_ranked(items, _by_tcps)[:1]]
        rows += [
            (
                model,
                item.threshold,
                item.cps_improvement_pct,
                item.tcps_improvement_pct,
                item.cv,
                item.balance_score,
                item.significance,
            )
            for item in items
            if any(item is chosen for chosen in best)
        ]
    columns = (
        "model", "threshold", "cps_improvement_pct", "tcps_improvement_pct", "cv", "balance_score", "significance",
    )  # fmt: skip
    return StudyTable(columns=columns, rows=tuple(rows))
