"""Figures of rankings over many questions: means with intervals, and gains over the first ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from passer.domain.retrieval.at_k import (
    FIGURES,
    SPAN_RECALL,
    GoldSpans,
    Grades,
    at_k,
    f1_of_means,
    figure_and_cut,
    figure_name,
    unjudged,
)
from passer.domain.retrieval.distances import Rated, Rating, band_figures, distances, rating
from passer.domain.retrieval.passages import Rewriting
from passer.domain.retrieval.report import FigureAtK, RankedFor, RankingFigures
from passer.domain.retrieval.retriever import Retriever
from passer.domain.share_intervals import unit_mean_interval
from passer.domain.statistics import FEWEST_DRAWN, Floats, Interval
from passer.domain.verdict.family import FamilyGain, FamilyRule, family_gains
from passer.domain.verdict.verdict import decided

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
    """Texts that were searched for, by question id, if a retriever rewrites questions."""


class StoredRankings(NamedTuple):
    """The rankings of a sweep on one collection."""

    collection: str
    rankings: Sequence[RankedNames]
    """One for each retriever."""
    grades: Mapping[str, Grades]
    """Its gold passages, by question id; without the questions of which none is known."""


@dataclass(frozen=True)
class JudgedQuestions:
    """Known facts of the questions, by id."""

    grades: Mapping[str, Grades]
    """Grades; questions without a relevant name have no figures."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """The group of each question that is in one."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Weight of each question; empty if each counts once."""
    spans: GoldSpans | None = None
    """Positions of gold quotes, for span recall; None leaves it out."""
    unanswerable: frozenset[str] = frozenset()
    """Questions that are declared to have no relevant passage."""

    @cached_property
    def judged(self) -> tuple[str, ...]:
        """Return the questions with something relevant."""
        return tuple(question for question, found in self.grades.items() if any(grade >= 1 for grade in found.values()))

    @cached_property
    def own(self) -> Floats | None:
        """Return the weights of the questions with something relevant; None where each counts once."""
        return np.array([self.weights[question] for question in self.judged]) if self.weights else None

    @cached_property
    def of_groups(self) -> dict[str, Floats]:
        """Return the weight of each judged question in its group's mean, by group; empty without two groups."""
        names = sorted({self.groups[question] for question in self.judged if question in self.groups})
        own = np.ones(len(self.judged)) if self.own is None else self.own
        member = {
            name: np.array([float(self.groups.get(question) == name) for question in self.judged]) for name in names
        }
        return {name: own * inside for name, inside in member.items()} if len(names) > 1 else {}

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the figures that are computed at each cut."""
        return FIGURES if self.spans is None else (*FIGURES, SPAN_RECALL)


def ranking_figures(
    ranked: Sequence[RankedNames], asked: JudgedQuestions, *, ks: Sequence[int]
) -> tuple[RankingFigures, ...]:
    """Compare rankings of the same questions."""
    tables = [_table(each.names, asked, ks) for each in ranked]
    gains = _gains(tables, asked.own) if asked.judged else {}
    return tuple(
        RankingFigures(
            label=each.label,
            retriever=each.retriever,
            **(_judged_figures(each, tables[place], asked, ks, gains.get(place)) if asked.judged else {"figures": ()}),
            distances={
                str(k): band_figures(each.similarities, k, asked.groups, asked.unanswerable)
                for k in ks
                if each.similarities
            },
            questions=tuple(_ranked_for(question, each, asked.grades, max(ks)) for question in each.names),
        )
        for place, each in enumerate(ranked)
    )


def _judged_figures(
    ranked: RankedNames, table: Floats, asked: JudgedQuestions, ks: Sequence[int], gains: Sequence[FamilyGain] | None
) -> dict[str, Any]:
    """Return the parts of the figures of one ranking that need relevance."""
    figures = _figures(table, asked, ks, gains)
    by_name = {each.name: each for each in figures}
    pairs = {str(k): (by_name[figure_name("P", k)], by_name[figure_name("R", k)]) for k in ks}
    return {
        "figures": figures,
        "f1_of_means": {k: f1_of_means(precision.mean, recall.mean) for k, (precision, recall) in pairs.items()},
        "f1_of_group_means": {
            k: f1_of_means(precision.over_groups, recall.over_groups)
            for k, (precision, recall) in pairs.items()
            if precision.over_groups is not None and recall.over_groups is not None
        },
        "unjudged": {str(k): _unjudged(ranked.names, asked, k) for k in ks},
    }


def _table(ranked: Ranked, asked: JudgedQuestions, ks: Sequence[int]) -> Floats:
    """Return every figure at every cut, shape (questions, cuts * figures)."""

    def row(question: str, names: Sequence[str]) -> Iterator[float]:
        for k in ks:
            yield from at_k(names, asked.grades[question], k).values()
            if asked.spans is not None:
                yield asked.spans.recall(question, names[:k])

    rows = [list(row(question, ranked.get(question, ()))) for question in asked.judged]
    return np.array(rows, dtype=np.float64).reshape(len(asked.judged), len(ks) * len(asked.columns))


def _gains(tables: Sequence[Floats], weights: Floats | None) -> dict[int, list[FamilyGain]]:
    """Return the gains of all rankings over the first, by position: one family for each column."""
    if len(tables) < 2:
        return {}
    columns = [
        family_gains(
            np.stack([table[:, column] - tables[0][:, column] for table in tables[1:]], axis=1),
            FamilyRule(),
            weights=weights,
        )
        for column in range(tables[0].shape[1])
    ]
    return {place: [decided(column[place - 1]) for column in columns] for place in range(1, len(tables))}


def _figures(
    table: Floats, asked: JudgedQuestions, ks: Sequence[int], gains: Sequence[FamilyGain] | None
) -> tuple[FigureAtK, ...]:
    names = [figure_name(figure, k) for k in ks for figure in asked.columns]
    means = np.average(table, axis=0, weights=asked.own).tolist()
    of_groups = {name: np.average(table, axis=0, weights=weights).tolist() for name, weights in asked.of_groups.items()}
    return tuple(
        FigureAtK(
            name=name,
            mean=means[column],
            groups={group: found[column] for group, found in of_groups.items()},
            over_groups=float(np.mean([found[column] for found in of_groups.values()])) if of_groups else None,
            rating=_rating(name, means[column]),
            interval=_interval(table[:, column], asked.own),
            gain=gains[column] if gains else None,
        )
        for column, name in enumerate(names)
    )


def _interval(values: Floats, weights: Floats | None) -> Interval | None:
    return unit_mean_interval(values, weights) if values.size >= FEWEST_DRAWN else None


def _unjudged(ranked: Ranked, asked: JudgedQuestions, k: int) -> float:
    shares = [unjudged(ranked.get(question, ()), asked.grades[question], k) for question in asked.judged]
    return float(np.average(shares, weights=asked.own))


def _rating(name: str, mean: float) -> Rating | None:
    """Return the rating of a precision or recall at K; None for other figures."""
    rated: dict[str, Rated] = {"P": "P", "R": "R"}
    figure, _ = figure_and_cut(name)
    return rating(rated[figure], mean) if figure in rated else None


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
