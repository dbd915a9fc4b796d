"""The figure of one configuration against its baseline, a point for each question."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.question_matrix import STATES, QuestionMatrix
from passer.domain.figures.axes import column
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.wording.sentence import sentence

MOST = 2_000
"""Points that are drawn; of more questions, every second, third, ... one."""
CAUSES = ("figure.pairs-lost", "figure.pairs-abstained", "figure.pairs-other")
"""Why a question may score low, the first that holds."""


def pairs_figure(matrix: QuestionMatrix, place: int) -> Figure:
    """Return the scores of a column over those of its baseline, by cause. The column has a baseline."""
    here, base = matrix.columns[place], matrix.columns[matrix.columns[place].baseline or 0]
    values, before = matrix.scores[:, place], matrix.scores[:, here.baseline or 0]
    paired = np.flatnonzero(~np.isnan(values) & ~np.isnan(before))
    shown = paired[:: max(1, -(-paired.size // MOST))]
    causes = _causes(matrix, place)
    points = 100 * float(np.mean(values[paired] - before[paired])) if paired.size else 0.0
    series = tuple(
        Series(
            name=sentence(name),
            rows=tuple(
                FigureRow(
                    x=float(before[number]),
                    y=float(values[number]),
                    label=sentence("figure.question-number", number=int(number) + 1),
                )
                for number in shown[causes[shown] == cause]
            ),
        )
        for cause, name in enumerate(CAUSES)
    )
    return Figure(
        id="pairs",
        kind="scatter",
        title=sentence("figure.pairs", name=here.name, baseline=base.name),
        x=Axis(label=sentence("figure.pairs-axis", metric=matrix.metric, name=base.name)),
        y=Axis(label=sentence("figure.pairs-axis", metric=matrix.metric, name=here.name)),
        has_diagonal=True,
        columns=(
            *column("label", sentence("figure.question")),
            *column("x", base.name),
            *column("y", here.name),
        ),
        series=tuple(each for each in series if each.rows),
        notes=(sentence("figure.pairs-note", n=int(paired.size), shown=int(shown.size), gain=points),),
    )


def _causes(matrix: QuestionMatrix, place: int) -> NDArray[np.intp]:
    """Return the place in CAUSES of each question."""
    abstained = matrix.states[:, place] == STATES.index("abstained")
    return np.where(matrix.gold_lost[:, place], 0, np.where(abstained, 1, 2)).astype(np.intp)
