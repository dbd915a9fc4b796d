"""The figure of one configuration against its baseline, a point for each question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.question_matrix import STATES, QuestionMatrix
from passer.domain.figures.axes import column
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.figures.of_similarity import shares_by_bin
from passer.domain.statistics import Floats, Interval
from passer.domain.verdict.amounts import amount
from passer.domain.wording.sentence import Sentence, sentence

MOST_BINS = 40
"""Bars of a distribution."""
WIDTHS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Widths of bars; the narrowest that needs no more than MOST_BINS is used."""
MOST = 2_000
"""Points that are drawn; of more questions, every second, third, ... one."""
CAUSES = (
    "figure.pairs-lost",
    "figure.pairs-without",
    "figure.pairs-abstained",
    "figure.pairs-low",
    "figure.pairs-other",
)
"""Why a question may score low, the first that holds: the gold passage was lost, or is kept by neither; it was kept and
the model abstained, or did not use it."""
MOST_NAMES = 12
"""Questions that a mark names."""


def pairs_figure(matrix: QuestionMatrix, place: int, ids: Sequence[str]) -> Figure:
    """Return the scores of a column over those of its baseline, by cause. The column has a baseline.

    `ids` are those of all questions, (n,), as the dataset has them.
    """
    here, base = matrix.columns[place], matrix.columns[matrix.columns[place].baseline or 0]
    values, before = matrix.scores[:, place], matrix.scores[:, here.baseline or 0]
    paired = np.flatnonzero(~np.isnan(values) & ~np.isnan(before))
    shown = paired[:: max(1, -(-paired.size // MOST))]
    causes = _causes(matrix, place)
    series = tuple(
        Series(
            name=sentence(name),
            rows=_marks_of(before, values, shown[causes[shown] == cause], ids),
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
        is_sized=True,
        columns=(
            *column("label", sentence("figure.question")),
            *column("x", base.name),
            *column("y", here.name),
            *column("n", sentence("figure.n")),
        ),
        series=tuple(each for each in series if each.rows),
        notes=(
            _pairs_note(values[paired] - before[paired], int(shown.size), matrix.metric),
            *(_low_note(matrix) if (causes[shown] == CAUSES.index("figure.pairs-low")).any() else ()),
        ),
    )


def _pairs_note(differences: Floats, shown: int, metric: str) -> Sentence:
    if not differences.size:
        return sentence("figure.no-pairs")
    gain = amount(metric, float(np.mean(differences)))
    return sentence("figure.pairs-note", n=differences.size, left=differences.size - shown, gain=gain)


def marks(across: Floats, up: Floats, names: Sequence[str]) -> tuple[FigureRow, ...]:
    """Return the marks of points at two values, both (n,), of questions by these names, (n,).

    Points with equal values are one mark, whose n counts them and whose label names their questions.
    """
    places: dict[tuple[float, float], list[str]] = {}
    for x, y, name in zip(across.tolist(), up.tolist(), names, strict=True):
        places.setdefault((x, y), []).append(name)
    return tuple(FigureRow(x=x, y=y, n=len(own), label=_named(own)) for (x, y), own in places.items())


def _marks_of(before: Floats, values: Floats, numbers: NDArray[np.intp], ids: Sequence[str]) -> tuple[FigureRow, ...]:
    return marks(before[numbers], values[numbers], [ids[number] for number in numbers.tolist()])


def _named(every: list[str]) -> Sentence:
    # Several answers to one question name it once.
    names = list(dict.fromkeys(every))
    if len(names) == 1:
        return sentence("figure.question-name", name=names[0])
    more = " …" if len(names) > MOST_NAMES else ""
    return sentence("figure.question-names", names=", ".join(names[:MOST_NAMES]) + more)


def _low_note(matrix: QuestionMatrix) -> tuple[Sentence, ...]:
    return (sentence("figure.pairs-low-note", bound=matrix.low_below or 0.0),)


def differences_figure(matrix: QuestionMatrix, place: int, interval: Interval | None = None) -> Figure:
    """Return the distribution of a column's differences from its baseline, with their mean and its interval.

    It is the margin of `pairs_figure`. `interval` is the simultaneous one of the verdict; None where there is none.
    """
    here = matrix.columns[place]
    base = matrix.columns[here.baseline or 0]
    differences = matrix.scores[:, place] - matrix.scores[:, here.baseline or 0]
    differences = differences[~np.isnan(differences)]
    mean = float(differences.mean()) if differences.size else 0.0
    ends = () if interval is None else (interval.low, interval.high)
    series = Series(name=here.name, rows=shares_by_bin(differences, _edges(differences)) if differences.size else ())
    return Figure(
        id="differences",
        kind="line",
        title=sentence("figure.differences", name=here.name, baseline=base.name),
        x=Axis(label=sentence("figure.difference", metric=matrix.metric)),
        y=Axis(label=sentence("figure.share-of-questions"), unit="%"),
        is_stepped=True,
        verticals=tuple(sorted({0.0, mean, *ends})) if differences.size else (),
        columns=(
            *column("x", sentence("figure.difference", metric=matrix.metric)),
            *column("y", sentence("figure.share-of-questions"), "%"),
            *column("n", sentence("figure.n")),
        ),
        series=(series,) if series.rows else (),
        notes=(_differences_note(differences.size, mean, interval, matrix.metric),),
    )


def _differences_note(n: int, mean: float, interval: Interval | None, metric: str) -> Sentence:
    if not n:
        return sentence("figure.no-pairs")
    gain = amount(metric, mean)
    if interval is None:
        return sentence("figure.differences-note", n=n, mean=gain)
    low, high = (amount(metric, end, "bound") for end in (interval.low, interval.high))
    return sentence("figure.differences-interval", n=n, mean=gain, low=low, high=high)


def _edges(differences: Floats) -> Floats:
    """Return edges of at most MOST_BINS equal bins around all differences, one of them at 0."""
    span = float(differences.max() - differences.min())
    width = next((width for width in WIDTHS if span / width <= MOST_BINS), span / MOST_BINS)
    first, last = np.floor(differences.min() / width), np.floor(differences.max() / width) + 1
    return np.asarray(np.arange(first, last + 1) * width, dtype=np.float64)


def _causes(matrix: QuestionMatrix, place: int) -> NDArray[np.intp]:
    """Return the place in CAUSES of each question."""
    here = matrix.gold_kept[:, place]
    # A comparison with a missing score is false.
    low = (here == 1) & (matrix.scores[:, place] < (matrix.low_below or 0.0))
    abstained = matrix.states[:, place] == STATES.index("abstained")
    holds = [matrix.gold_lost[:, place], here == 0, abstained, low]
    return np.select(holds, range(len(holds)), default=len(holds)).astype(np.intp)
