"""Rank correlations of metrics, and the pairs that say the same twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.base import Frozen
from passer.domain.statistics import Floats, average_ranks

REDUNDANT = 0.95
"""Two metrics whose |rho| exceeds this rank answers alike."""


class CorrelationTable(Frozen):
    """Spearman's rho of every pair."""

    columns: tuple[str, ...]
    """Names of rows and columns."""
    rho: tuple[tuple[float | None, ...], ...]
    """Symmetric; None where a metric is constant."""
    n: int
    """Rows behind it."""


class RedundantPair(Frozen):
    """Two metrics that rank answers alike."""

    one: str
    """Column name."""
    other: str
    """Column name."""
    rho: float
    """Spearman's."""


def rank_correlations(columns: Sequence[str], values: Floats) -> CorrelationTable:
    """Spearman's rho between the columns of values, shape (n, m), finite."""
    ranks = np.column_stack([average_ranks(values[:, place]) for place in range(values.shape[1])])
    ranks -= ranks.mean(axis=0)
    products = ranks.T @ ranks
    lengths = np.sqrt(np.diag(products))
    varies = lengths > 0
    scale = np.where(varies, lengths, 1.0)
    rho = np.clip(products / np.outer(scale, scale), -1.0, 1.0)
    known = np.outer(varies, varies)
    rows = tuple(
        tuple(float(value) if there else None for value, there in zip(line, mask, strict=True))
        for line, mask in zip(rho, known, strict=True)
    )
    return CorrelationTable(columns=tuple(columns), rho=rows, n=len(values))


def redundant_pairs(table: CorrelationTable, bound: float = REDUNDANT) -> tuple[RedundantPair, ...]:
    """Pairs with |rho| above the bound, strongest first."""
    found = [
        RedundantPair(one=table.columns[i], other=table.columns[j], rho=rho)
        for i, row in enumerate(table.rho)
        for j, rho in enumerate(row)
        if j > i and rho is not None and abs(rho) > bound
    ]
    return tuple(sorted(found, key=lambda pair: -abs(pair.rho)))
