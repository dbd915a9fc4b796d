"""The tables of the published study, made from the figures of its configurations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Literal

import numpy as np

from passer.domain.analysis.study_configuration import StudyConfiguration
from passer.domain.analysis.study_table import Cell, StudyTable, tabulate
from passer.domain.statistics import Floats, spearman_rho

SIGNIFICANT = 0.05
"""Level of the uncorrected p, as published."""
RANKED = 3
"""Rows per model in the tables of the best."""
MOST_BALANCED = 10
"""Rows of the Balance ranking."""

BandSetting = Literal["phase3", "phase4"]
"""`phase3`: published cut-offs; `phase4`: estimated ones, midway between differing labels of the published table."""

TCPS_BANDS: dict[BandSetting, tuple[tuple[float, str], ...]] = {
    "phase3": ((3.0, "Large improvement"), (1.5, "Moderate improvement"), (0.5, "Small improvement")),
    "phase4": ((8.0, "Large improvement"), (3.3, "Moderate improvement"), (0.5, "Small improvement")),
}
"""Smallest T-CPS improvement in percent for each label; below the last it is minimal."""


def interpretation(tcps_improvement_pct: float | None, setting: BandSetting = "phase3") -> str | None:
    """Return the label of a T-CPS gain, such as `Large improvement`; None without a gain."""
    if tcps_improvement_pct is None:
        return None
    bands = TCPS_BANDS[setting]
    return next((label for bound, label in bands if tcps_improvement_pct >= bound), "Minimal change")


def study_tables(configurations: Sequence[StudyConfiguration], bands: BandSetting = "phase3") -> dict[str, StudyTable]:
    """Return all tables by name; tables that need a baseline have no rows for models without one.

    Rankings leave out what is not ranked. T-CPS ranks by its gain over the paired questions; configurations without a
    judged gain, as published, by its value.
    """
    by_model = ranked_by_model(configurations)
    made = {
        "top_cps": _top_cps(by_model),
        "top_tcps": _top_tcps(by_model, bands),
        "spearman": _spearman(configurations),
        "balance_ranking": _balance_ranking(configurations),
        "agreement": _agreement(by_model),
        "significance_counts": _significance_counts(by_model),
        "best_configurations": _best_configurations(by_model),
    }
    return {name: with_factor(table, configurations) for name, table in made.items()}


def with_factor(table: StudyTable, configurations: Sequence[StudyConfiguration]) -> StudyTable:
    """Return the table with columns of levels instead of thresholds if some configurations are strategies."""
    if all(item.strategy is None for item in configurations):
        return table
    return StudyTable(
        columns=tuple(re.sub(r"(^|_)threshold$", r"\1level", name) for name in table.columns),
        rows=table.rows,
    )


LEVEL: dict[str, Callable[[StudyConfiguration], Cell]] = {"threshold": attrgetter("level")}
"""The column of the threshold holds the strategy where there is one."""
ByModel = dict[str, list[StudyConfiguration]]


def ranked_by_model(configurations: Sequence[StudyConfiguration]) -> ByModel:
    """Return the ranked configurations of each model, without its baseline."""
    models = dict.fromkeys(item.model for item in configurations)
    return {
        model: [item for item in configurations if item.model == model and item.level is not None and item.is_ranked]
        for model in models
    }


def best_by_criterion(items: Sequence[StudyConfiguration]) -> dict[str, StudyConfiguration | None]:
    """Return the best configuration of one model by CPS gain, by T-CPS and by Balance; None if none has a value."""
    criteria = {"cps": _by_cps, "tcps": _by_tcps, "balance": _by_balance}
    return {name: next(iter(_ranked(items, criterion)), None) for name, criterion in criteria.items()}


Criterion = Callable[[StudyConfiguration], float | None]


def _by_cps(item: StudyConfiguration) -> float | None:
    """Return the improvement in CPS; without a baseline the mean CPS."""
    return item.cps_improvement_pct if item.n_pairs is not None else item.mean_cps


def _by_tcps(item: StudyConfiguration) -> float | None:
    """Return the gain in T-CPS over the baseline on the same questions; as published, or without one, T-CPS itself."""
    return item.tcps_improvement_pct if item.judged is not None else item.tcps


_by_balance: Criterion = attrgetter("balance_score")


def _ranked(items: Sequence[StudyConfiguration], criterion: Criterion) -> list[StudyConfiguration]:
    """Sort, the largest first; equal ones keep their order, smaller thresholds first."""
    valued = [(value, item) for item in items if (value := criterion(item)) is not None]
    return [item for _, item in sorted(valued, key=lambda pair: -pair[0])]


def _with_ranks(
    columns: Sequence[str],
    groups: Iterable[Sequence[StudyConfiguration]],
    sources: Mapping[str, Callable[[StudyConfiguration], Cell]] | None = None,
) -> StudyTable:
    """A row of each configuration with its rank, which is its place in its group."""
    cells = {name: attrgetter(name) for name in columns if name != "rank"} | LEVEL | dict(sources or {})
    rows = (
        tuple(cells[name](item) if name in cells else rank for name in columns)
        for group in groups
        for rank, item in enumerate(group, start=1)
    )
    return StudyTable(columns=tuple(columns), rows=tuple(rows))


def _top_cps(by_model: ByModel) -> StudyTable:
    columns = ("model", "rank", "threshold", "mean_cps", "cps_improvement_pct")
    return _with_ranks(columns, (_ranked(items, _by_cps)[:RANKED] for items in by_model.values()))


def _top_tcps(by_model: ByModel, bands: BandSetting) -> StudyTable:
    columns = ("model", "rank", "threshold", "tcps", "tcps_improvement_pct", "cv", "interpretation")
    return _with_ranks(
        columns,
        (_ranked(items, _by_tcps)[:RANKED] for items in by_model.values()),
        {"interpretation": lambda item: interpretation(item.tcps_improvement_pct, bands)},
    )


def _spearman(configurations: Sequence[StudyConfiguration]) -> StudyTable:
    """Return Spearman correlations over all configurations, baselines included."""
    rows = tuple((relationship, rho) for relationship, rho, _ in _correlations(configurations))
    return StudyTable(columns=("relationship", "spearman_rho"), rows=rows)


def spearman_within_model(configurations: Sequence[StudyConfiguration]) -> StudyTable:
    """Return the rank correlations within each model, baseline included, free of differences between models."""
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
        if item.is_ranked and item.is_significant and (item.cps_improvement_pct or 0) > 0
    ]
    columns = ("rank", "model", "threshold", "tcps_improvement_pct", "cv", "balance_score", "significance")
    return _with_ranks(columns, [_ranked(positive, _by_balance)[:MOST_BALANCED]])


def _agreement(by_model: ByModel) -> StudyTable:
    rows = []
    for model, items in by_model.items():
        thresholds = [best.level if best else None for best in best_by_criterion(items).values()]
        chosen = {threshold for threshold in thresholds if threshold is not None}
        if chosen:
            rows.append((model, *thresholds, "Perfect" if len(chosen) == 1 else "Divergent"))
    columns = ("model", "best_cps_threshold", "best_tcps_threshold", "best_balance_threshold", "alignment")
    return StudyTable(columns=columns, rows=tuple(rows))


def _significance_counts(by_model: ByModel) -> StudyTable:
    rows = []
    for model, items in by_model.items():
        compared = [item for item in items if item.n_pairs is not None]
        significant = [item for item in compared if item.is_significant]
        positive = sum(1 for item in significant if (item.cps_improvement_pct or 0) > 0)
        if compared:
            rows.append((model, positive, len(significant) - positive, len(compared) - len(significant)))
    columns = ("model", "significant_positive", "significant_negative", "not_significant")
    return StudyTable(columns=columns, rows=tuple(rows))


def _best_configurations(by_model: ByModel) -> StudyTable:
    columns = (
        "model", "threshold", "cps_improvement_pct", "tcps_improvement_pct", "cv", "balance_score", "significance",
    )  # fmt: skip
    best = [
        item
        for items in by_model.values()
        for item in items
        if any(item in _ranked(items, criterion)[:1] for criterion in (_by_cps, _by_tcps))
    ]
    return tabulate(columns, best, LEVEL)
