"""Detection of the metric that a column of a result sheet contains, and of cells that it cannot contain.

The exports of the original program up to Phase III print the score vector under labels in another order, so that ten
ROUGE and BLEU labels are wrong. The numbers of a sheet show which order it has: the F of ROUGE-1 is made from
its neighbours, F(p, r) = 2pr / (p + r + 1e-8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.sheet import Sheet

SHIFTED_LABELS: dict[str, str] = {
    "BLEU": "Rouge-1.r",
    "Rouge-1.r": "Rouge-1.p",
    "Rouge-1.p": "Rouge-1.f",
    "Rouge-1.f": "Rouge-2.r",
    "Rouge-2.r": "Rouge-2.p",
    "Rouge-2.p": "Rouge-2.f",
    "Rouge-2.f": "Rouge-l.r",
    "Rouge-l.r": "Rouge-l.p",
    "Rouge-l.p": "Rouge-l.f",
    "Rouge-l.f": "BLEU",
}
"""Label under which a sheet with shifted labels has each column."""

ROUNDING = 1e-8
"""Largest difference between a stored and a recomputed F: the 1e-8 in the published F changes it by at most half as
much."""

LabelOrder = Literal["right", "shifted", "unclear"]
"""Labels belong to their own columns; ten are shifted; unknown."""
RANGES: dict[str, tuple[float, float]] = dict.fromkeys(VECTOR_ORDER, (0.0, 1.0)) | {
    **dict.fromkeys(("Laplace Perplexity", "Lidstone Perplexity"), (1.0, np.inf)),
    **dict.fromkeys(("Cosine similarity", "Pearson correlation"), (-1.0, 1.0)),
    **dict.fromkeys(("Bert-Score.precision", "Bert-Score.recall", "Bert-Score.f1"), (-1.0, 1.0)),
    **dict.fromkeys(("B-RT.coherence", "B-RT.fluency"), (0.0, 5.0)),
    **dict.fromkeys(("B-RT.consistency", "B-RT.relevance"), (-5.0, 5.0)),
    "B-RT.average": (-2.5, 5.0),
}
"""The wider range of both profiles; a test compares it with the metrics."""
_SLACK = 1e-6
"""A cosine of equal vectors may exceed 1 by rounding."""


@dataclass(frozen=True)
class LabelCheck:
    """Evidence of a sheet's numbers on its labels."""

    order: LabelOrder
    contradicting: tuple[int, ...] = ()
    """Rows that fit neither order, or not the one that all others fit; only where it is unclear."""


def f_measure(precision: NDArray[np.float64], recall: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return F = 2pr / (p + r + 1e-8), as the published program computes it."""
    return np.asarray(2 * precision * recall / (precision + recall + 1e-8))


def check_labels(sheet: Sheet) -> LabelCheck:
    """Return whether labels are shifted or correct, if one order fits all rows and the other does not; else unclear."""
    needed = ("Rouge-1.r", "Rouge-1.p", "Rouge-1.f", "Rouge-2.r")
    if not len(sheet) or any(name not in sheet.columns for name in needed):
        return LabelCheck("unclear")
    places = [sheet.columns.index(name) for name in needed]
    first, second, third, fourth = sheet.values[:, places].T
    complete = sheet.present[:, places].all(axis=1)
    shifted = abs(f_measure(second, third) - fourth) <= ROUNDING
    right = abs(f_measure(first, second) - third) <= ROUNDING
    if complete.any() and shifted[complete].all() != right[complete].all():
        return LabelCheck("shifted" if shifted[complete].all() else "right")
    likelier = shifted if shifted[complete].sum() >= right[complete].sum() else right
    return LabelCheck("unclear", tuple(sheet.row_numbers[place] for place in np.flatnonzero(complete & ~likelier)))


def true_label(column: str, order: LabelOrder) -> str:
    """Return the label under which a sheet stores a column."""
    return SHIFTED_LABELS.get(column, column) if order == "shifted" else column


class ImpossibleCell(NamedTuple):
    """A number that its metric cannot have."""

    row: int
    """Row number in a spreadsheet program: the header is row 1."""
    label: str
    """Heading of the cell's column."""
    value: float
    low: float
    high: float


def possible(sheet: Sheet, order: LabelOrder) -> NDArray[np.bool_]:
    """Return the mask of cells within the range of their metric, with the shape of the values.

    `order` maps headings to metrics; a heading without a known metric cannot occur in a sheet.
    """
    metrics = {true_label(column, order): column for column in VECTOR_ORDER}
    low, high = np.array([RANGES[metrics[label]] for label in sheet.columns]).T
    return np.asarray((sheet.values >= low - _SLACK) & (sheet.values <= high + _SLACK))


def impossible_cells(sheet: Sheet, order: LabelOrder) -> Iterator[ImpossibleCell]:
    """Return the cells with a number outside the range of their metric, by row."""
    metrics = {true_label(column, order): column for column in VECTOR_ORDER}
    for row, column in np.argwhere(sheet.present & ~possible(sheet, order)):
        label = sheet.columns[column]
        yield ImpossibleCell(sheet.row_numbers[row], label, float(sheet.values[row, column]), *RANGES[metrics[label]])
