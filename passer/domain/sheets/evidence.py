"""The evidence behind imported sheets: their rows as arms, their metrics correlated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.composite import Panel
from passer.domain.evidence.arms import Arm, arm_of
from passer.domain.evidence.correlation import CorrelationTable, rank_correlations
from passer.domain.evidence.found import Evidence
from passer.domain.evidence.permutation import DRAWS
from passer.domain.evidence.weighing import SEED, weigh
from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.composites import SheetComposites
from passer.domain.sheets.labels import check_labels, true_label
from passer.domain.sheets.sheet import Sheet
from passer.domain.statistics import Floats


def evidence_of_sheets(
    sheets: Sequence[Sheet],
    names: Sequence[str],
    composites: SheetComposites,
    panel: Panel,
    *,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Evidence:
    """All tests of `corrected` composites; `names` label each sheet's model."""
    arms = arms_of_sheets(sheets, names, composites)
    return weigh(arms, panel, correlations_of_sheets(sheets, names), seed=seed, draws=draws)


def arms_of_sheets(sheets: Sequence[Sheet], names: Sequence[str], composites: SheetComposites) -> list[Arm]:
    """Each sheet as the arm of a model, a question's rows averaged."""
    return [
        arm_of(name, sheet.threshold, keys=keys, cps=cps, scores=scores)
        for sheet, name, keys, cps, scores in zip(
            sheets, names, composites.keys, composites.cps, composites.scores, strict=True
        )
    ]


def correlations_of_sheets(sheets: Sequence[Sheet], names: Sequence[str]) -> list[tuple[str, CorrelationTable]]:
    """Of all metrics that every sheet has, over rows that have them all: pooled, then within each model."""
    orders = [check_labels(sheet).order for sheet in sheets]
    columns = [
        column
        for column in VECTOR_ORDER
        if all(true_label(column, order) in sheet.columns for sheet, order in zip(sheets, orders, strict=True))
    ]
    rows: list[Floats] = []
    for sheet, order in zip(sheets, orders, strict=True):
        places = [sheet.columns.index(true_label(column, order)) for column in columns]
        rows.append(sheet.values[:, places][sheet.present[:, places].all(axis=1)])
    tables = [("all models", rank_correlations(columns, np.concatenate(rows)))]
    for name in dict.fromkeys(names):
        own = [part for part, owner in zip(rows, names, strict=True) if owner == name]
        tables.append((name, rank_correlations(columns, np.concatenate(own))))
    return tables
