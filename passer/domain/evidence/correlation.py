"""Rank correlations of metrics, and pairs of redundant metrics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.base import Frozen
from passer.domain.statistics import Floats

REDUNDANT = 0.95
"""Two metrics whose |rho| exceeds this rank answers equally."""
ALL_MODELS = "all models"
"""Name of the pooled table."""
_FEWEST_ROWS = 2


class CorrelationTable(Frozen):
    """Spearman's rho of every pair."""

    columns: tuple[str, ...]
    """Names of rows and columns."""
    rho: tuple[tuple[float | None, ...], ...]
    """Symmetric; None where a metric is constant."""
    n: int
    """Number of rows."""


class RedundantPair(Frozen):
    """Two metrics that rank answers equally."""

    one: str
    """Column name."""
    other: str
    """Column name."""
    rho: float
    """Spearman's rank correlation, -1 to 1."""


def rank_correlations(columns: Sequence[str], values: Floats) -> CorrelationTable:
    """Return Spearman's rho between the columns of finite values, shape (n, m), as shape (m, m)."""
    from scipy.stats import rankdata

    # Column by column: ranking all at once takes several copies of the largest array of an analysis.
    ranks = np.empty(values.shape)
    for place in range(values.shape[1]):
        ranks[:, place] = rankdata(values[:, place])
    rho = np.full((len(columns), len(columns)), np.nan)
    # A constant column has no rank correlation, and numpy would warn of it.
    varies = np.ptp(ranks, axis=0) > 0 if len(ranks) else np.zeros(len(columns), dtype=bool)
    rho[np.ix_(varies, varies)] = np.corrcoef(ranks if varies.all() else ranks[:, varies], rowvar=False)
    rows = tuple(tuple(None if np.isnan(value) else float(value) for value in line) for line in rho)
    return CorrelationTable(columns=tuple(columns), rho=rows, n=len(values))


def correlations_of(rows: ScoreRows) -> list[tuple[str, CorrelationTable]]:
    """Return rank correlations of the metrics that all configurations have, over complete rows: pooled, then by label.

    Whatever the composite leaves out: constants and truncation do not enter.
    """
    owned = [rows.present[rows.of(place)].any(axis=0) for place in range(len(rows.configurations))]
    columns = np.flatnonzero(np.all([own for own in owned if own.any()], axis=0))
    complete = rows.present[:, columns].all(axis=1)
    names = [rows.table.columns[column] for column in columns]
    labels = [item.label for item in rows.configurations]
    found: list[tuple[str, CorrelationTable]] = []
    for name in (ALL_MODELS, *dict.fromkeys(labels)):
        own = [place for place, label in enumerate(labels) if name in (ALL_MODELS, label)]
        here = complete & np.isin(rows.places, own)
        if here.sum() >= _FEWEST_ROWS:
            # Of a single model these are the rows that were ranked before.
            is_pooled = bool(found) and len(own) == len(labels)
            table = found[0][1] if is_pooled else rank_correlations(names, rows.table.values[np.ix_(here, columns)])
            found.append((name, table))
    return found


def redundant_pairs(table: CorrelationTable) -> tuple[RedundantPair, ...]:
    """Return the pairs of metrics with |rho| above REDUNDANT, strongest first."""
    found = [
        RedundantPair(one=table.columns[i], other=table.columns[j], rho=rho)
        for i, row in enumerate(table.rho)
        for j, rho in enumerate(row)
        if j > i and rho is not None and abs(rho) > REDUNDANT
    ]
    return tuple(sorted(found, key=lambda pair: -abs(pair.rho)))
