"""One metric of every question under every configuration, with what happened to the question there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.score_rows import Mask
from passer.domain.base import Frozen
from passer.domain.statistics import DECIMALS, Floats, mean_of
from passer.domain.wording.sentence import LocalizedText

MatrixOrder = Literal["number", "spread", "lost", "rise", "fall"]
"""Dataset order; widest spread, most losses of the gold passage, largest gain or largest loss of one column first."""
MatrixFilter = Literal["abstained", "failed", "gold_lost", "sign_changed", "low", "baseline"]
"""Questions with an abstention, a failure or a lost gold passage; gained here and lost there; low in every column;
or with a score under the baseline."""
CellState = Literal["scored", "abstained", "failed", "open"]
STATES: tuple[CellState, ...] = ("scored", "abstained", "failed", "open")

SCALE_SHARE = 0.95
"""Share of the gains that the colour scale covers: beyond it, one outlier would bleach all other cells."""
LOW_SHARE = 0.25
"""Share of all scores that count as low."""


class MatrixColumn(Frozen):
    """One configuration of a matrix."""

    run_id: str
    """Its run; the first of its repetitions."""
    name: LocalizedText
    """Name of the configuration."""
    model: LocalizedText
    """Model, with the other settings that tell its configurations apart."""
    baseline: int | None
    """Column that its gains are relative to; None for a baseline and without one."""
    mean: float | None
    """Mean score over all questions that have one."""


class MatrixCell(Frozen):
    """One question under one configuration."""

    score: float | None
    """Mean over repetitions; None without a score."""
    gain: float | None
    """Score minus the baseline's; None where either has none, and for the baseline."""
    kept: int
    """Number of passages that the cut kept."""
    state: CellState
    """State of the question."""
    gold_lost: bool
    """True if it kept no gold passage although its baseline did."""


class MatrixRow(Frozen):
    """One question under all configurations."""

    number: int
    """Place in the dataset, from 0."""
    question: str
    """Its text."""
    spread: float | None
    """Highest minus lowest score; None below two scores."""
    n_lost: int
    """Configurations that lost the gold passage."""
    cells: tuple[MatrixCell, ...]
    """Cells in the order of the columns."""


class MatrixPage(Frozen):
    """A page of a matrix."""

    metric: str
    """CPS, one of the 24 columns, or the judged column that the sweep recorded as its primary metric."""
    columns: tuple[MatrixColumn, ...]
    """Columns by model: the baseline, thresholds from the lowest, top-k from the smallest, then other cuts."""
    items: tuple[MatrixRow, ...]
    """The rows."""
    total: int
    """Questions that fit, on all pages."""
    gain_bound: float | None
    """95th percentile of the absolute gains: bounds of a diverging colour scale. None without a gain that is not 0."""
    low_below: float | None
    """Lower quartile of all scores: a question is low if no configuration reaches it."""


@dataclass(frozen=True)
class Area:
    """A rectangle in the figure of one configuration against its baseline; both ends belong to it."""

    run_id: str
    """Run of the configuration."""
    before: tuple[float, float]
    """Scores under its baseline, from and to."""
    here: tuple[float, float]
    """Its own scores, from and to."""


@dataclass(frozen=True, eq=False)
class QuestionMatrix:
    """All cells as arrays, shape (questions, columns)."""

    metric: str
    columns: tuple[MatrixColumn, ...]
    scores: Floats
    """NaN where there is none."""
    kept: NDArray[np.int32]
    """Passages kept."""
    states: NDArray[np.uint8]
    """State of each cell, as an index of STATES."""
    gold_kept: NDArray[np.int8]
    """1 if a gold passage was kept, else 0; -1 if the collection has none or it is unknown."""
    repeats: Floats | None = None
    """Scores of the repetitions, shape (questions, columns, repetitions); None without repetitions."""
    mean_prompt_tokens: float | None = None
    """Over all answers whose server counts."""
    mean_generation_s: float | None = None
    """Seconds, over all answers with a measured time."""

    @property
    def size(self) -> int:
        """Return the number of values in memory."""
        return self.scores.size + (0 if self.repeats is None else self.repeats.size)

    def against(self, baseline: int | None) -> QuestionMatrix:
        """Return the matrix with one column as the baseline of all others."""
        if baseline is None:
            return self
        columns = [
            column.model_copy(update={"baseline": None if place == baseline else baseline})
            for place, column in enumerate(self.columns)
        ]
        return replace(self, columns=tuple(columns))

    @cached_property
    def gains(self) -> Floats:
        """Return scores minus the scores of each column's baseline; NaN without a baseline."""
        gains = np.full(self.scores.shape, np.nan)
        for place, column in enumerate(self.columns):
            if column.baseline is not None:
                gains[:, place] = self.scores[:, place] - self.scores[:, column.baseline]
        # The rounding error of a difference is no gain.
        return np.round(gains, DECIMALS)

    @cached_property
    def gold_lost(self) -> Mask:
        """Cells without a gold passage whose baseline kept one, as in the verdict; none without a baseline."""
        lost = np.zeros(self.gold_kept.shape, dtype=bool)
        for place, column in enumerate(self.columns):
            if column.baseline is not None:
                lost[:, place] = (self.gold_kept[:, place] == 0) & (self.gold_kept[:, column.baseline] == 1)
        return lost

    @cached_property
    def spread(self) -> Floats:
        """Return highest minus lowest score of each question, shape (questions,); NaN with fewer than two scores."""
        known = ~np.isnan(self.scores)
        high = np.where(known, self.scores, -np.inf).max(axis=1)
        low = np.where(known, self.scores, np.inf).min(axis=1)
        return np.where(known.sum(axis=1) > 1, high - low, np.nan)

    @property
    def mean_score(self) -> float | None:
        """Return the mean of all scores; None without any."""
        return mean_of(self.scores[~np.isnan(self.scores)])

    @property
    def mean_kept(self) -> float | None:
        """Return the mean number of passages kept where a question was reached; None if none was."""
        return mean_of(self.kept[self.states != STATES.index("open")].astype(np.float64))

    @cached_property
    def gain_bound(self) -> float | None:
        """Return the half width of the colour scale; None if all gains are 0 or missing."""
        sizes = np.abs(self.gains[~np.isnan(self.gains)])
        bound = float(np.quantile(sizes, SCALE_SHARE)) if sizes.size else 0.0
        # Where fewer than 5 % of the cells differ at all, the largest difference bounds the scale.
        return bound or float(sizes.max(initial=0.0)) or None

    @cached_property
    def low_below(self) -> float | None:
        """Return the lower quartile of all scores; None without scores."""
        known = self.scores[~np.isnan(self.scores)]
        return float(np.quantile(known, LOW_SHARE)) if known.size else None

    def chosen(
        self, *, order: MatrixOrder, filters: Collection[MatrixFilter] = (), of: int | None = None
    ) -> NDArray[np.intp]:
        """Return the numbers of the questions that pass all filters, in this order; equal ones as in the dataset.

        With a column `of`, abstentions, failures and lost gold passages count there only; `rise` and `fall` need one.
        """
        passing = np.ones(len(self.scores), dtype=bool)
        for name in filters:
            passing &= self._passes(name, of)
        numbers = np.flatnonzero(passing)
        key = self._key(order, of)[numbers]
        return numbers[np.argsort(np.where(np.isnan(key), np.inf, key), kind="stable")]

    def within(self, place: int, area: Area) -> Mask:
        """Return the questions whose scores under a column and under its baseline lie in a rectangle.

        None does without a baseline; a score counts as inside up to the rounding of a difference.
        """
        base = self.columns[place].baseline
        if base is None:
            return np.zeros(len(self.scores), dtype=bool)
        inside = np.ones(len(self.scores), dtype=bool)
        for column, (low, high) in ((base, area.before), (place, area.here)):
            values = np.round(self.scores[:, column], DECIMALS)
            inside &= (values >= round(low, DECIMALS)) & (values <= round(high, DECIMALS))
        return inside

    def _passes(self, name: MatrixFilter, of: int | None) -> Mask:
        here = slice(None) if of is None else slice(of, of + 1)
        if name == "sign_changed":
            return np.asarray((self.gains > 0).any(axis=1) & (self.gains < 0).any(axis=1))
        if name == "baseline":
            bases = [place for place, column in enumerate(self.columns) if column.baseline is None]
            return np.asarray(~np.isnan(self.scores[:, bases]).any(axis=1))
        if name == "low":
            known = ~np.isnan(self.scores)
            reached = (np.where(known, self.scores, -np.inf) >= (self.low_below or 0.0)).any(axis=1)
            return np.asarray(known.any(axis=1) & ~reached)
        found = self.gold_lost if name == "gold_lost" else self.states == STATES.index(name)
        return np.asarray(found[:, here].any(axis=1))

    def _key(self, order: MatrixOrder, of: int | None) -> Floats:
        if order == "spread":
            return np.asarray(-self.spread)
        if order == "lost":
            return np.asarray(-self.gold_lost.sum(axis=1), dtype=np.float64)
        if order in ("rise", "fall") and of is not None:
            return np.asarray(self.gains[:, of] * (-1.0 if order == "rise" else 1.0))
        return np.arange(len(self.scores), dtype=np.float64)

    def repeats_of(self, number: int, place: int) -> tuple[float, ...]:
        """Return the scores of a cell's repetitions; empty for a configuration without repetitions."""
        if self.repeats is None:
            return ()
        values = self.repeats[number, place]
        return tuple(values[~np.isnan(values)].tolist())

    def rows(self, numbers: Sequence[int], texts: Sequence[str]) -> tuple[MatrixRow, ...]:
        """Return these questions; `texts` are those of all questions."""
        return tuple(
            MatrixRow(
                number=number,
                question=texts[number],
                spread=_known(self.spread[number]),
                n_lost=int(self.gold_lost[number].sum()),
                cells=tuple(self._cell(number, place) for place in range(len(self.columns))),
            )
            for number in numbers
        )

    def _cell(self, number: int, place: int) -> MatrixCell:
        return MatrixCell(
            score=_known(self.scores[number, place]),
            gain=_known(self.gains[number, place]),
            kept=int(self.kept[number, place]),
            state=STATES[self.states[number, place]],
            gold_lost=bool(self.gold_lost[number, place]),
        )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
