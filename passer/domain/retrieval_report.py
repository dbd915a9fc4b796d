"""Retrievers compared by retrieval alone: means over questions with intervals, and gains over the first retriever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from passer.domain.base import Frozen
from passer.domain.distances import BandFigures, Distances, Rated, Rating, band_figures, distances, rating
from passer.domain.model import Model
from passer.domain.retrieval import Rewriting
from passer.domain.retrieval_at_k import FIGURES, By, Grades, at_k, f1_of_means, figure_name, unjudged
from passer.domain.retriever import Dense, Retriever, models_of
from passer.domain.statistics import Floats, Interval
from passer.domain.verdict.counter_random import drawn_indices
from passer.domain.verdict.family import FamilyGain, FamilyRule, family_gains
from passer.domain.wording.sentence import Said

DRAWS = 1_999
"""Resamples of the questions for the interval of a mean."""
CELLS = 1_000_000
"""Counts of one chunk of resamples; bounds memory."""
DEFAULT_KS = (1, 3, 5, 10)


class RetrievalRequest(Frozen):
    """Which retrievers to compare, on which questions."""

    dataset: str = Field(min_length=1)
    """Name of the dataset; its gold passages say what is relevant."""
    collection: str = Field(min_length=1)
    """Name of the collection."""
    retrievers: tuple[Retriever, ...] = Field(default=(Dense(),), min_length=1, max_length=20)
    """Retrievers; gains are over the first one."""
    ks: tuple[int, ...] = Field(default=DEFAULT_KS, min_length=1, max_length=20)
    """Cuts, ascending."""
    by: By = "passage"
    """What is counted: passages, or the documents that they are of."""
    group: str | None = None
    """Only the questions of this group; None for all."""
    category: str | None = None
    """Only the questions of this category; None for all."""
    questions: int | None = Field(default=None, ge=1, le=10_000_000)
    """Only the first questions of the dataset; None for all."""

    @property
    def models(self) -> tuple[Model, ...]:
        """Return every model that a retriever asks."""
        return tuple(dict.fromkeys(model for retriever in self.retrievers for model in models_of(retriever)))

    @model_validator(mode="after")
    def _cuts_ascend(self) -> Self:
        if any(not 1 <= k <= 1000 for k in self.ks) or list(self.ks) != sorted(set(self.ks)):
            raise ValueError("ks are different numbers from 1 to 1000 in ascending order")
        if len({retriever.key for retriever in self.retrievers}) != len(self.retrievers):
            raise ValueError("a retriever occurs twice; name each one once")
        return self


class FigureAtK(Frozen):
    """The mean of one figure at one cut, over the questions with something relevant."""

    name: str
    """Name of the column, such as `R@5`."""
    mean: float
    """Mean over the questions, weighted as the dataset states, in [0, 1]."""
    interval: Interval | None = None
    """95 % percentile interval of the mean by a bootstrap of questions; None below 5 questions."""
    gain: FamilyGain | None = None
    """Gain over the first retriever, judged as a family over all retrievers; None for the first one."""
    rating: Rating | None = None
    """Rating of the mean, for P and R."""


class RankedFor(Frozen):
    """What one ranking gave for one question."""

    question_id: str
    names: tuple[str, ...]
    """The first names, as many as the largest cut."""
    first_relevant: int | None
    """Rank of the first relevant one, from 1; None if none is among them, or nothing is known to be relevant."""
    rewriting: Rewriting | None = None
    """What was searched for; None if that was the question as it was asked."""
    distances: Distances | None = None
    """Distances of these names; None for an imported run."""


class RankingFigures(Frozen):
    """Figures of one retriever, or of one imported run."""

    label: str
    """Name in tables."""
    retriever: Retriever | None = None
    """The retriever; None for an imported run."""
    figures: tuple[FigureAtK, ...]
    """Each figure at each cut; empty where nothing is known to be relevant."""
    f1_of_means: dict[str, float] = Field(default_factory=dict)
    """F1 of mean precision and mean recall, by cut, beside the mean of F1."""
    unjudged: dict[str, float] = Field(default_factory=dict)
    """Mean share without a grade among the first K, by cut; they count as not relevant."""
    distances: dict[str, BandFigures] = Field(default_factory=dict)
    """Distances of the first K from their questions, by cut; empty for an imported run."""
    questions: tuple[RankedFor, ...]
    """Question by question."""


class RetrievalReport(Frozen):
    """Retrievers compared on the questions of a dataset."""

    dataset: str
    collection: str
    by: By
    ks: tuple[int, ...]
    n_questions: int
    """Questions ranked."""
    n_judged: int
    """Questions with something relevant, which the figures count."""
    rankings: tuple[RankingFigures, ...]
    """In the order of the request; imported runs follow."""
    grades: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Grade of each relevant passage or document, by question id."""
    warnings: tuple[Said, ...] = ()
    """What limits the figures."""


Ranked = Mapping[str, Sequence[str]]
"""Names in order, by question id."""


class RankedNames(NamedTuple):
    """One ranking of all questions, and what is known of it."""

    label: str
    retriever: Retriever | None
    """None for an imported run."""
    names: Ranked
    similarities: Mapping[str, Sequence[float]] = {}
    """Similarity of each name with its question, by question id; empty for an imported run."""
    rewritings: Mapping[str, Rewriting] = {}
    """What was searched for, by question id, where a retriever rewrites questions."""


def ranking_figures(
    ranked: Sequence[RankedNames],
    grades: Mapping[str, Grades],
    *,
    ks: Sequence[int],
    rule: FamilyRule | None = None,
    groups: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> tuple[RankingFigures, ...]:
    """Compare rankings of the same questions; questions without a relevant name in `grades` have no figures.

    `groups` has the group of each question that is in one, `weights` how much each question counts, by id.
    """
    judged = [question for question, found in grades.items() if any(grade >= 1 for grade in found.values())]
    tables = [_table(each.names, judged, grades, ks) for each in ranked]
    own = np.array([weights[question] for question in judged]) if weights else None
    gains = _gains(tables, rule or FamilyRule(), own) if judged else {}
    return tuple(
        RankingFigures(
            label=each.label,
            retriever=each.retriever,
            figures=_figures(tables[place], ks, gains.get(place), own) if judged else (),
            f1_of_means={str(k): f1_of_means(*_means(tables[place], at, own)) for at, k in enumerate(ks)}
            if judged
            else {},
            unjudged={str(k): _unjudged(each.names, judged, grades, k, own) for k in ks} if judged else {},
            distances={str(k): band_figures(each.similarities, k, groups or {}) for k in ks if each.similarities},
            questions=tuple(_ranked_for(question, each, grades, max(ks)) for question in each.names),
        )
        for place, each in enumerate(ranked)
    )


def bootstrap_interval(
    values: Floats, weights: Floats | None = None, *, alpha: float = 0.05, seed: int = 20_260_101
) -> list[Interval] | None:
    """Return 95 % percentile bootstrap intervals of column means; values of shape (questions, columns).

    With `weights`, shape (questions,), each resample has the weighted means of the questions drawn.
    """
    count = len(values)
    if count < 5:
        return None
    weights = np.ones(count) if weights is None else weights
    # All resamples of 10,000 questions at once would take hundreds of megabytes.
    at_once = max(1, CELLS // count)
    means = np.concatenate(
        [
            _resampled_means(values, weights, seed, first, min(at_once, DRAWS - first))
            for first in range(0, DRAWS, at_once)
        ]
    )
    low, high = np.quantile(means, (alpha / 2, 1 - alpha / 2), axis=0)
    return [Interval(low=float(one), high=float(other)) for one, other in zip(low, high, strict=True)]


def _resampled_means(values: Floats, weights: Floats, seed: int, first: int, draws: int) -> Floats:
    """Return the means of the columns in some resamples from number `first`, shape (draws, columns)."""
    drawn = drawn_indices(seed, first=first, draws=draws, size=len(values))
    counts = np.stack([np.bincount(row, minlength=len(values)) for row in drawn])
    return np.asarray(counts @ (weights[:, None] * values) / (counts @ weights)[:, None])


def _table(ranked: Ranked, judged: Sequence[str], grades: Mapping[str, Grades], ks: Sequence[int]) -> Floats:
    """Return every figure at every cut, shape (questions, cuts * figures)."""
    rows = [
        [value for k in ks for value in at_k(ranked.get(question, ()), grades[question], k).values()]
        for question in judged
    ]
    return np.array(rows, dtype=np.float64).reshape(len(judged), len(ks) * len(FIGURES))


def _gains(tables: Sequence[Floats], rule: FamilyRule, weights: Floats | None) -> dict[int, list[FamilyGain]]:
    """Return the gains of all rankings over the first, by position: one family for each column."""
    if len(tables) < 2:
        return {}
    columns = [
        family_gains(
            np.stack([table[:, column] - tables[0][:, column] for table in tables[1:]], axis=1), rule, weights=weights
        )
        for column in range(tables[0].shape[1])
    ]
    return {place: [column[place - 1] for column in columns] for place in range(1, len(tables))}


def _figures(
    table: Floats, ks: Sequence[int], gains: Sequence[FamilyGain] | None, weights: Floats | None
) -> tuple[FigureAtK, ...]:
    names = [figure_name(figure, k) for k in ks for figure in FIGURES]
    intervals = bootstrap_interval(table, weights)
    means = np.average(table, axis=0, weights=weights).tolist()
    return tuple(
        FigureAtK(
            name=name,
            mean=means[column],
            rating=_rating(name, means[column]),
            interval=intervals[column] if intervals else None,
            gain=gains[column] if gains else None,
        )
        for column, name in enumerate(names)
    )


def _means(table: Floats, cut: int, weights: Floats | None) -> tuple[float, float]:
    """Return mean precision and mean recall at a cut."""
    first = cut * len(FIGURES)
    precision, recall = (
        float(np.average(table[:, first + FIGURES.index(name)], weights=weights)) for name in ("P", "R")
    )
    return precision, recall


def _unjudged(
    ranked: Ranked, judged: Sequence[str], grades: Mapping[str, Grades], k: int, weights: Floats | None
) -> float:
    shares = [unjudged(ranked.get(question, ()), grades[question], k) for question in judged]
    return float(np.average(shares, weights=weights))


def _rating(name: str, mean: float) -> Rating | None:
    """Return the rating of a precision or recall at K; None for other figures."""
    rated: dict[str, Rated] = {"P": "P", "R": "R"}
    figure, _, rest = name.partition("@")
    return rating(rated[figure], mean) if figure in rated and " " not in rest else None


def _ranked_for(question: str, ranked: RankedNames, grades: Mapping[str, Grades], most: int) -> RankedFor:
    names, known = ranked.names[question][:most], grades.get(question, {})
    ranks = (rank for rank, name in enumerate(names, start=1) if known.get(name, 0) >= 1)
    near = ranked.similarities.get(question)
    return RankedFor(
        question_id=question,
        names=tuple(names),
        first_relevant=next(ranks, None),
        rewriting=ranked.rewritings.get(question),
        distances=None if near is None else distances(near[:most]),
    )
