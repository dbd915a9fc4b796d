"""Agreement of a judge with people in one column: correlation, bias, chance-corrected agreement, the human ceiling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from passer.domain.agreement_measures import (
    ROUNDING,
    Limits,
    RankCorrelation,
    bland_altman,
    cohen_kappa,
    kappa_of,
    kendall_tau_b,
    krippendorff_alpha,
    spearman_interval,
)
from passer.domain.base import Frozen
from passer.domain.judging.alt_test import AltTest, alt_test
from passer.domain.share_intervals import FEWEST_CLUSTERS, clustered_share, resampled_interval
from passer.domain.statistics import Floats, Interval, levels_of, spearman_of_levels, spearman_rho, wilson_interval

Places = NDArray[np.intp]
MOST_LEVELS = 11
"""Most different values for which a confusion table and kappa are computed; more are a continuous scale."""
DRAWS = 2000
"""Resamples of the bootstrap."""
_SMALLEST_VALID = 0.5
"""Share of the resamples that must have a correlation or kappa; below it no interval is shown."""


class Categories(Frozen):
    """Agreement on a scale of few levels."""

    levels: tuple[float, ...]
    """Values that people or judge gave, ascending."""
    table: tuple[tuple[int, ...], ...]
    """Number of items by value of the people (rows) and of the judge (columns)."""
    same: float
    """Share of the items on which both give the same value."""
    same_interval: Interval | None
    """95 % interval of this share: by Wilson (1927) where each item has a question of its own, else by whole questions,
    and then None below six."""
    kappa: float | None
    """Cohen's kappa: quadratic weights with three levels or more, none with two; None if chance never disagrees."""
    ac: float | None
    """Gwet's AC1, or AC2 with quadratic weights: unlike kappa it does not fall where one level is frequent."""
    kappa_interval: Interval | None = None
    """95 % interval of kappa by a bootstrap of whole questions; None below six questions, and where the resamples are
    all equal, as in perfect agreement: they show no error then."""
    precision: float | None = None
    """Share of the judge's ones that are the people's, with the levels 0 and 1; None if it says none."""
    sensitivity: float | None = None
    """Share of the people's ones that the judge finds (recall), with the levels 0 and 1."""
    specificity: float | None = None
    """Share of the people's zeros that the judge finds, with the levels 0 and 1."""
    precision_interval: Interval | None = None
    """95 % interval of the precision, as of `same`."""
    sensitivity_interval: Interval | None = None
    """95 % interval of the sensitivity, as of `same`."""
    specificity_interval: Interval | None = None
    """95 % interval of the specificity, as of `same`."""


class Agreement(Frozen):
    """Agreement of a judge with people on the items that both have rated."""

    n: int
    """Number of items with a label and a judged value."""
    labelled: int
    """Number of items with a label."""
    human_mean: float
    """Mean of the labels; an item with several raters counts with their mean."""
    judge_mean: float
    """Mean of the judge's values."""
    error: float
    """Mean absolute difference."""
    limits: Limits
    """Bias (judge minus people) and Bland-Altman limits of agreement."""
    rho: float | None
    """Spearman's rank correlation; None if one side is constant."""
    rho_interval: Interval | None
    """95 % interval of rho by a bootstrap of whole questions; None where kappa would have none."""
    rho_by_formula: Interval | None
    """The same by the formula of Bonett and Wright (2000), which assumes that no values are equal and that items are
    independent: for comparison with published ones. None below four items, and for a rho of -1 or 1."""
    tau: RankCorrelation | None
    """Kendall's tau-b with its p value; None if one side is constant."""
    categories: Categories | None
    """Confusion, kappa and AC on scales of at most 11 levels."""


class Ceiling(Frozen):
    """Agreement of the judge with each rater, and of the raters with each other: the most that a judge can reach."""

    judge: tuple[float, ...]
    """Kappa of the judge with each rater."""
    people: tuple[float, ...]
    """Kappa of each pair of raters."""
    z: float | None
    """(Mean of `judge` - mean of `people`) / standard deviation of `people` (ddof 1); None below three raters.

    Within 1 the judge agrees like a person. Above 1 it is more consistent than people, which is a warning, not praise.
    """
    alpha: float | None = None
    """Krippendorff's alpha of the raters: nominal where people and judge give two values, ordinal with up to 11, else
    interval; None where all values are the same."""
    alpha_with_judge: float | None = None
    """The same with the judge as one more rater, on the items that it has judged."""
    alternative: AltTest | None = None
    """Test whether the judge can replace a rater; None with fewer than 30 items that two raters rated."""


def agreement(
    human: Floats, judge: Floats, questions: Sequence[str], *, labelled: int, seed: int = 1, draws: int = DRAWS
) -> Agreement | None:
    """Return the agreement of labels and judged values, both (n,); None without items.

    `questions` names the question of each item: whole questions are resampled. `labelled` counts all labelled items,
    also those that the judge gave no value.
    """
    if not human.size:
        return None
    rho = spearman_rho(human, judge)
    return Agreement(
        n=human.size,
        labelled=labelled,
        human_mean=float(human.mean()),
        judge_mean=float(judge.mean()),
        error=float(np.abs(judge - human).mean()),
        limits=bland_altman(judge - human) or Limits(bias=0.0, low=None, high=None),
        rho=rho,
        rho_interval=_rho_interval(human, judge, questions, seed=seed, draws=draws),
        rho_by_formula=None if rho is None else spearman_interval(rho, human.size),
        tau=kendall_tau_b(human, judge),
        categories=_categories(human, judge, questions, _resamples(questions, seed=seed, draws=draws)),
    )


def people_means(raters: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the mean over raters of each item."""
    by_item: dict[str, list[float]] = defaultdict(list)
    for values in raters.values():
        for item, value in values.items():
            by_item[item].append(value)
    return {item: float(np.mean(values)) for item, values in by_item.items()}


def _quadratic_weights(levels: Sequence[float]) -> Floats:
    """Return the weight of each pair of levels, shape (levels, levels): 1 where they are equal, 0 for the extremes."""
    return 1 - (np.subtract.outer(levels, levels) / (levels[-1] - levels[0])) ** 2


def gwet_ac(one: Floats, other: Floats, levels: Sequence[float]) -> float | None:
    """Return Gwet's AC1 of two raters, or AC2 with quadratic weights for three levels or more; None with one level.

    Quadratic weights are 1 - (difference / largest difference)^2 of the levels as numbers (Gwet, 2014).
    AC1 = (po - pe) / (1 - pe), pe = sum_k pi_k (1 - pi_k) / (K - 1), pi_k = mean of both marginals (Gwet, 2008).
    """
    k = len(levels)
    if k < 2:
        return None
    places = {level: number for number, level in enumerate(levels)}
    rows, columns = ([places[float(value)] for value in side] for side in (one, other))
    weights = np.eye(k) if k == 2 else _quadratic_weights(levels)
    observed = float(np.mean(weights[rows, columns]))
    shares = (np.bincount(rows, minlength=k) + np.bincount(columns, minlength=k)) / (2 * len(rows))
    expected = float(weights.sum()) / (k * (k - 1)) * float((shares * (1 - shares)).sum())
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def ceiling(raters: Mapping[str, Mapping[str, float]], judge: Mapping[str, float]) -> Ceiling | None:
    """Return the human ceiling from each rater's values by item and the judge's; None below two raters who overlap."""
    judged = [_kappa(values, judge) for values in raters.values()]
    pairs = [_kappa(one, other) for one, other in combinations(raters.values(), 2)]
    of_judge = tuple(value for value in judged if value is not None)
    of_people = tuple(value for value in pairs if value is not None)
    if not of_judge or not of_people:
        return None
    spread = float(np.std(of_people, ddof=1)) if len(of_people) > 1 else 0.0
    z = (float(np.mean(of_judge)) - float(np.mean(of_people))) / spread if spread > 0 else None
    people = list(raters.values())
    shared = {item: value for item, value in judge.items() if any(item in values for values in people)}
    # One level for both: alphas of two levels cannot be compared.
    level = _level([*people, shared])
    return Ceiling(
        judge=of_judge,
        people=of_people,
        z=z,
        alpha=krippendorff_alpha(people, level=level),
        alpha_with_judge=krippendorff_alpha([*people, shared], level=level),
        alternative=alt_test(raters, judge),
    )


def _level(raters: Sequence[Mapping[str, float]]) -> Literal["nominal", "ordinal", "interval"]:
    values = {round(value, 6) for given in raters for value in given.values()}
    if len(values) > MOST_LEVELS:
        return "interval"
    return "nominal" if len(values) < 3 else "ordinal"


def _kappa(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    both = [key for key in one if key in other]
    if not both:
        return None
    found = _categories(np.array([one[key] for key in both]), np.array([other[key] for key in both]), both)
    return None if found is None else found.kappa


def _categories(
    human: Floats, judge: Floats, questions: Sequence[str], resamples: Iterator[Places] | None = None
) -> Categories | None:
    # Grades are stored as shares of 10 or 2: rounding makes equal grades equal.
    mine, theirs = np.round(human, 6), np.round(judge, 6)
    levels = tuple(float(level) for level in np.unique(np.concatenate((mine, theirs))))
    if len(levels) > MOST_LEVELS:
        return None
    table = tuple(tuple(int(((mine == row) & (theirs == column)).sum()) for column in levels) for row in levels)
    same, asked = mine == theirs, np.array(questions)
    of = {"precision": theirs == 1, "sensitivity": mine == 1, "specificity": mine == 0}
    hits = {name: (same[among], asked[among]) for name, among in of.items()} if set(levels) <= {0.0, 1.0} else {}
    weights: Literal["none", "quadratic"] = "none" if len(levels) < 3 else "quadratic"
    values = None if weights == "none" else np.array(levels)
    cells = np.searchsorted(levels, mine) * len(levels) + np.searchsorted(levels, theirs)
    tables = (np.bincount(cells[chosen], minlength=len(levels) ** 2) for chosen in resamples or ())
    kappas = [kappa_of(each.reshape(len(levels), -1).astype(float), values) for each in tables]
    return Categories(
        levels=levels,
        table=table,
        same=float(same.mean()),
        same_interval=_share_interval(same.tolist(), questions),
        kappa=cohen_kappa(mine.tolist(), theirs.tolist(), levels, weights=weights),
        ac=gwet_ac(mine, theirs, levels),
        kappa_interval=_percentiles(kappas),
        **{name: float(found.mean()) for name, (found, _) in hits.items() if found.size},
        **{f"{name}_interval": _share_interval(found.tolist(), own.tolist()) for name, (found, own) in hits.items()},
    )


def _share_interval(hits: Sequence[bool], questions: Sequence[str]) -> Interval | None:
    if len(set(questions)) == len(questions):
        return wilson_interval(sum(hits), len(hits))
    return clustered_share(hits, questions)


def error_difference(
    one: Floats, other: Floats, questions: Sequence[str], *, seed: int = 1, draws: int = DRAWS
) -> Interval | None:
    """Return the 95 % interval of mean(other) - mean(one), paired; None as for kappa.

    `one` and `other` are absolute errors of two judges on the same items, shape (n,); whole questions are resampled.
    """
    resampled = _resamples(questions, seed=seed, draws=draws)
    if resampled is None:
        return None
    differences = other - one
    drawn = np.array([float(differences[chosen].mean()) for chosen in resampled])
    if np.ptp(drawn) <= ROUNDING:
        return None
    return resampled_interval(drawn, float(differences.mean()), len(set(questions)))


def _rho_interval(human: Floats, judge: Floats, questions: Sequence[str], *, seed: int, draws: int) -> Interval | None:
    """Percentile interval of rho over resamples of whole questions."""
    resampled = _resamples(questions, seed=seed, draws=draws)
    if resampled is None:
        return None
    one, other = levels_of(human), levels_of(judge)
    return _percentiles([spearman_of_levels(one[chosen], other[chosen]) for chosen in resampled])


def _percentiles(resampled: Sequence[float | None]) -> Interval | None:
    """95 % percentile interval; None where too few resamples have a value, or all have the same."""
    found = [value for value in resampled if value is not None]
    if not found or len(found) < _SMALLEST_VALID * len(resampled):
        return None
    low, high = np.quantile(found, (0.025, 0.975))
    # [1, 1] from 20 items on which both agree would claim that they never differ; the items only show no difference.
    return None if high - low <= ROUNDING else Interval(low=float(low), high=float(high))


def _resamples(questions: Sequence[str], *, seed: int, draws: int) -> Iterator[Places] | None:
    """Items of whole questions drawn with replacement; None below six questions."""
    names, places = np.unique(np.array(questions), return_inverse=True)
    if len(names) < FEWEST_CLUSTERS:
        return None
    members = [np.flatnonzero(places == number) for number in range(len(names))]
    generator = np.random.default_rng(seed)
    return (
        np.concatenate([members[number] for number in generator.integers(len(names), size=len(names))])
        for _ in range(draws)
    )
