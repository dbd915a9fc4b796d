"""Scores with repetitions averaged: one cell for each question of each configuration. All tests use this table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.score_rows import Configuration, ScoreRows, number_of_each
from passer.domain.statistics import Floats

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Pairs:
    """One metric of two configurations side by side, question by question."""

    questions: Places
    """Numbers of the questions that both have, ascending."""
    values: Floats
    """Values of the configuration, shape (pairs,)."""
    baseline: Floats
    """Values of the baseline, same order."""
    only_here: int
    """Questions left out because the baseline lacks them."""
    only_baseline: int
    """Questions left out because the configuration lacks them."""
    weights: Floats | None = None
    """Weights of the questions, same order; None where all are equal."""

    @property
    def differences(self) -> Floats:
        """Return configuration minus baseline, shape (questions,)."""
        return self.values - self.baseline


@dataclass(frozen=True, eq=False)
class QuestionTable:
    """Cells by configuration, then by question. Missing cells are not stored, so memory grows with the rows only."""

    ids: tuple[str, ...]
    """Ids of the questions, in order of first appearance."""
    configurations: tuple[Configuration, ...]
    """Configurations in the order of the analysis."""
    metrics: tuple[str, ...]
    """Names of the columns."""
    questions: Places
    """Number of each cell's question, shape (cells,)."""
    starts: Places
    """Index of the first cell of each configuration, and of the end, shape (configurations + 1,)."""
    values: Floats
    """Means over repetitions, shape (cells, metrics); NaN where no repetition has a value."""
    repeats: Places
    """Number of rows averaged in each cell."""
    squares: Floats
    """Sum of squared deviations of the first metric's rows from their cell's mean, by configuration."""
    weights: Floats | None = None
    """Weight of each question in means and tests, shape (len(ids),); None where all are equal."""

    @classmethod
    def averaged(
        cls,
        ids: Sequence[str],
        places: Places,
        values: Floats,
        *,
        configurations: Sequence[Configuration],
        metrics: Sequence[str],
        weights: Mapping[str, float] | None = None,
    ) -> QuestionTable:
        """Average the rows of each question of each configuration; `values` (rows, metrics) is NaN where missing.

        `weights` are those of the questions by id; without any, all are equal.
        """
        names = tuple(dict.fromkeys(ids))
        keys = places * len(names) + number_of_each(ids)
        cells, cell_of, repeats = np.unique(keys, return_inverse=True, return_counts=True)
        there = ~np.isnan(values)
        columns = []
        for place in range(values.shape[1]):
            sums = np.bincount(cell_of, weights=np.where(there[:, place], values[:, place], 0.0), minlength=len(cells))
            counts = np.bincount(cell_of, weights=there[:, place], minlength=len(cells))
            columns.append(np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))
        means = np.column_stack(columns)
        rest = np.nan_to_num(values[:, 0] - means[cell_of, 0])
        bounds = np.arange(len(configurations) + 1) * len(names)
        return cls(
            ids=names,
            configurations=tuple(configurations),
            metrics=tuple(metrics),
            questions=cells % max(1, len(names)),
            starts=np.searchsorted(cells, bounds),
            values=means,
            repeats=repeats,
            squares=np.bincount(places, weights=rest**2, minlength=len(configurations)).astype(np.float64),
            weights=np.array([weights[name] for name in names], dtype=np.float64) if weights else None,
        )

    @classmethod
    def of_scores(cls, rows: ScoreRows) -> QuestionTable:
        """Return a table of all metrics as scored, without CPS."""
        return cls.averaged(
            rows.table.ids,
            rows.places,
            np.where(rows.present, rows.table.values, np.nan),
            configurations=rows.configurations,
            metrics=rows.table.columns,
            weights=rows.weights,
        )

    def cells(self, place: int) -> slice:
        """Return the slice of the cells of one configuration."""
        return slice(self.starts[place], self.starts[place + 1])

    def column(self, place: int, metric: int = 0) -> Floats:
        """Return the values of one configuration, one for each question that has a value."""
        return self._known(place, metric)[1]

    def weights_of(self, place: int, metric: int = 0) -> Floats | None:
        """Return the weights of the same questions as `column`; None where all are equal."""
        return None if self.weights is None else self.weights[self._known(place, metric)[0]]

    def pairs(self, place: int, baseline: int, metric: int = 0) -> Pairs:
        """Pair two configurations by question; questions missing on one side are excluded and counted."""
        (here, ours), (there, theirs) = self._known(place, metric), self._known(baseline, metric)
        shared, left, right = np.intersect1d(here, there, assume_unique=True, return_indices=True)
        return Pairs(
            questions=shared,
            values=ours[left],
            baseline=theirs[right],
            only_here=len(here) - len(shared),
            only_baseline=len(there) - len(shared),
            weights=None if self.weights is None else self.weights[shared],
        )

    def wide(self, places: Sequence[int], metric: int = 0) -> Floats:
        """Return one metric, shape (questions, places); NaN if a configuration lacks the question."""
        found = np.full((len(self.ids), len(places)), np.nan)
        for column, place in enumerate(places):
            found[self.questions[self.cells(place)], column] = self.values[self.cells(place), metric]
        return found

    def gains(self, comparisons: Sequence[tuple[int, int]], metric: int = 0) -> Floats:
        """Return configuration minus baseline, shape (questions, comparisons); NaN if either lacks the question."""
        left, right = zip(*comparisons, strict=True) if comparisons else ((), ())
        return self.wide(left, metric) - self.wide(right, metric)

    def shared(self, places: Sequence[int]) -> Places:
        """Return the numbers of the questions that all these configurations have, ascending."""
        first, *others = (self.questions[self.cells(place)] for place in places)
        return reduce(partial(np.intersect1d, assume_unique=True), others, first)

    def complete(self, places: Sequence[int]) -> Floats:
        """Return all metrics of the questions that these configurations share, shape (places, questions, metrics)."""
        shared = self.shared(places)
        found = np.empty((len(places), len(shared), self.values.shape[1]))
        for number, place in enumerate(places):
            here = self.cells(place)
            found[number] = self.values[here][np.searchsorted(self.questions[here], shared)]
        return found

    def within_sd(self, place: int) -> float | None:
        """Return the pooled SD of the first metric over repetitions of a question; None without repetitions."""
        repeats = self.repeats[self.cells(place)]
        freedom = int(repeats.sum()) - repeats.size
        return float(np.sqrt(self.squares[place] / freedom)) if freedom else None

    def mean_inverse_repeats(self, place: int) -> float:
        """Return the mean over questions of 1 / repetitions: the share of generation noise that averaging leaves."""
        return float(np.mean(1 / self.repeats[self.cells(place)]))

    def size(self, place: int) -> int:
        """Return the number of questions of one configuration."""
        return int(self.starts[place + 1] - self.starts[place])

    @cached_property
    def comparisons(self) -> tuple[tuple[int, int], ...]:
        """Return the places (configuration, baseline) of all configurations that have a baseline."""
        return tuple(
            (place, item.baseline) for place, item in enumerate(self.configurations) if item.baseline is not None
        )

    def _known(self, place: int, metric: int) -> tuple[Places, Floats]:
        here = self.cells(place)
        there = ~np.isnan(self.values[here, metric])
        return self.questions[here][there], self.values[here, metric][there]
