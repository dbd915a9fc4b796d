"""Possible values of each column, by which impossible cells of a result sheet are found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.labels import LabelOrder, true_label
from passer.domain.sheets.sheet import Sheet

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
    """Return the mask of cells within the range of their metric, same shape as the values.

    `order` says which metric a heading means; headings that hold no known metric do not exist in a sheet.
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
