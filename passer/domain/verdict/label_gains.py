"""Gains and means of a judged column that ratings by people correct (PPI++).

Gains have one family's simultaneous intervals.

gain_c = lambda_c mean(df') + mean(dY - lambda_c df): dY are differences of labels, df those of the judge on the
labelled questions, df' those on the others (Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453, on paired
differences). The intervals are those of `simultaneous`; labelled and other questions are resampled apart, because the
draw fixes how many there are of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from passer.domain.judging.corrected import FEWEST, label_weights
from passer.domain.statistics import Floats
from passer.domain.verdict.cluster_sums import ClusterSums, cluster_sums
from passer.domain.verdict.counter_random import drawn_indices
from passer.domain.verdict.family import (
    FEWEST_CHANGED,
    FamilyGain,
    FamilyRule,
    NoInterval,
    has_one_amount,
    tested_member,
)
from passer.domain.verdict.judged_rule import DrawnLabels
from passer.domain.verdict.simultaneous import (
    Moments,
    Simultaneous,
    chunk_size,
    extremes_of_shifts,
    of_extremes,
    tallied,
)

_OTHER_STREAM = 0x1ABE_15
"""Keeps the draws of labelled and other questions apart."""


@dataclass(frozen=True)
class Labelled:
    """Values, or differences from the baseline, each of shape (questions, configurations)."""

    labels: Floats
    """Labels by people; NaN where an answer has none, and outside the draw."""
    judged: Floats
    """Values by the judge; NaN where an answer has none."""
    is_drawn: np.ndarray[tuple[int], np.dtype[np.bool_]]
    """True if the draw chose the question, shape (questions,)."""
    is_other: np.ndarray[tuple[int], np.dtype[np.bool_]]
    """True if the draw could have chosen it and did not, shape (questions,)."""
    weights: Floats
    """Weight of each question: the dataset's, divided by the probability of its part of the draw."""
    seed: int
    """Seed of the draw; it assigns the folds in which lambda is estimated."""


@dataclass(frozen=True)
class LabelledMean:
    """Mean of a configuration, corrected by labels."""

    value: float | None
    """None with fewer than 20 labels."""
    standard_error: float | None
    """Standard error by cluster; None with fewer than 20 labels, or where all are of one cluster."""
    rated: int
    """Number of labelled questions."""
    others: int
    """Number of judged questions that the draw did not choose."""


def labelled_differences(
    judged: Floats,
    labels: DrawnLabels,
    ids: Sequence[str],
    compared: Sequence[tuple[Sequence[str], Sequence[str]]],
    *,
    weights: Floats | None = None,
) -> Labelled:
    """Return differences of labels and of judged values, shape (questions, comparisons).

    `compared` gives the runs of both configurations of each comparison; `ids` and `weights` are of the questions.
    """
    sides = (np.stack([_labels_of(labels, ids, pair[side]) for pair in compared], axis=1) for side in (0, 1))
    own, base = sides
    return _labelled(own - base, judged, labels, ids, weights)


def labelled_values(
    judged: Floats,
    labels: DrawnLabels,
    ids: Sequence[str],
    runs: Sequence[Sequence[str]],
    *,
    weights: Floats | None = None,
) -> Labelled:
    """Return labels and judged values, shape (questions, configurations); `runs` are those of each configuration."""
    people = np.stack([_labels_of(labels, ids, own) for own in runs], axis=1)
    return _labelled(people, judged, labels, ids, weights)


def _labelled(
    people: Floats, judged: Floats, labels: DrawnLabels, ids: Sequence[str], weights: Floats | None
) -> Labelled:
    drawn = np.array([labels.drawn.get(question, 0.0) for question in ids])
    others = np.array([labels.others.get(question, 1.0) for question in ids])
    # An answer counts for those that could have been chosen in its place: 1 / pi if drawn, else 1 / (1 - pi).
    share = np.where(drawn > 0, drawn, 1 - others)
    return Labelled(
        labels=people,
        judged=judged,
        is_drawn=drawn > 0,
        is_other=(drawn == 0) & (others < 1),
        weights=np.where(share > 0, 1 / np.where(share > 0, share, 1.0), 1.0) * (1.0 if weights is None else weights),
        seed=labels.seed,
    )


def _labels_of(labels: DrawnLabels, ids: Sequence[str], runs: Sequence[str]) -> Floats:
    """Return the mean label of each question over the runs of a configuration, NaN where nobody rated it."""
    known = [labels.values.get(run, {}) for run in runs]
    of_each = ([own[question] for own in known if question in own] for question in ids)
    return np.array([sum(own) / len(own) if own else np.nan for own in of_each])


def label_corrected_gains(
    given: Labelled, rule: FamilyRule, *, clusters: Sequence[int] | None = None
) -> tuple[FamilyGain, ...]:
    """Judge every configuration by its label-corrected gain, as one family; fewer than 20 labels give no interval.

    `clusters` are as in `cluster_sums`; a cluster with labelled and other questions counts in both parts.
    """
    labelled, others = _parts(given)
    own, rest = (_filled(cluster_sums(part, clusters=clusters, weights=given.weights)) for part in (labelled, others))
    counts = (~np.isnan(labelled)).sum(axis=0)
    changed = (np.abs(own.sums) > 1e-12).sum(axis=0)
    gains, errors = _gains(own, rest)
    frequent = own.most_frequent()
    reasons = [
        _reason(*each, rule)
        for each in zip(counts, changed, errors, own.sizes, (alike for alike, _ in frequent), strict=True)
    ]
    members = [place for place, reason in enumerate(reasons) if reason is None]
    found = _simultaneous(own.of(members), rest.of(members), rule) if members else None
    result = []
    for place, reason in enumerate(reasons):
        n = int(counts[place] + (~np.isnan(others[:, place])).sum())
        sizes: dict[str, Any] = {"pairs": n, "clusters": int(own.sizes[place]), "changed": int(changed[place])}
        gain = float(gains[place]) if counts[place] > 1 else None
        # Ratings of one cluster alone have no spread between clusters.
        error = float(errors[place]) if own.sizes[place] > 1 else None
        if found is None or reason is not None:
            if reason == "one_amount":
                sizes["alike"], sizes["amount"] = frequent[place]
            result.append(FamilyGain(gain=gain, standard_error=error, outcome="undecided", reason=reason, **sizes))
            continue
        tested = tested_member(found, members.index(place), rule)
        result.append(FamilyGain(gain=gain, standard_error=error, **tested, **sizes))
    return tuple(result)


def _reason(labels: int, changed: int, error: float, size: int, alike: int, rule: FamilyRule) -> NoInterval | None:
    """Return why a gain has no interval; the number of labels, of changed, of all and of equal clusters is given."""
    if labels < FEWEST:
        return "too_few"
    if changed < FEWEST_CHANGED:
        return "few_changed"
    if rule.old_family:
        return None if error > 0 else "few_changed"
    return "one_amount" if has_one_amount(size, alike) or not error > 0 else None


def label_corrected_means(given: Labelled, *, clusters: Sequence[int] | None = None) -> tuple[LabelledMean, ...]:
    """Return the mean of each configuration by the estimator of the gains; `given` has values, not differences."""
    labelled, others = _parts(given)
    own, rest = (_filled(cluster_sums(part, clusters=clusters, weights=given.weights)) for part in (labelled, others))
    values, errors = _gains(own, rest)
    counts, beside = ((~np.isnan(part)).sum(axis=0) for part in (labelled, others))
    return tuple(
        LabelledMean(
            value=float(values[place]) if counts[place] >= FEWEST else None,
            standard_error=float(errors[place]) if counts[place] >= FEWEST and own.sizes[place] > 1 else None,
            rated=int(counts[place]),
            others=int(beside[place]),
        )
        for place in range(labelled.shape[1])
    )


def _parts(given: Labelled) -> tuple[Floats, Floats]:
    """Return dY - lambda df of labelled questions and lambda df' of the others, NaN elsewhere."""
    shape = given.judged.shape
    labelled, others = np.full(shape, np.nan), np.full(shape, np.nan)
    for place in range(shape[1]):
        judged, labels = given.judged[:, place], given.labels[:, place]
        here = given.is_drawn & ~np.isnan(labels) & ~np.isnan(judged)
        there = given.is_other & ~np.isnan(judged)
        weights = label_weights(labels[here], judged[here], judged[there], seed=given.seed)
        labelled[here, place] = labels[here] - weights * judged[here]
        # Without unlabelled questions the judge adds no information, so lambda is 0.
        others[there, place] = (float(weights.mean()) if weights.size else 0.0) * judged[there]
    return labelled, others


def _filled(sums: ClusterSums) -> ClusterSums:
    """Return the sums without clusters in which no configuration has a value."""
    here = (sums.weights > 0).any(axis=1)
    return ClusterSums(sums.sums[here], sums.weights[here])


def _gains(own: ClusterSums, rest: ClusterSums) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [(each.gains, each.standard_errors) for each in (own, rest)]
    (gains, errors), (beside, of_beside) = parts
    return gains + np.nan_to_num(beside), np.hypot(errors, np.nan_to_num(of_beside))


def _simultaneous(own: ClusterSums, rest: ClusterSums, rule: FamilyRule) -> Simultaneous:
    gains, errors = _gains(own, rest)
    chunk = chunk_size(max(own.sums.shape[0], rest.sums.shape[0], 1))
    # A single unlabelled cluster has no variance; with none, only the labels count.
    moments, beside = Moments.of(own), Moments.of(rest) if rest.sums.shape[0] > 1 else None
    largest, smallest = [], []
    for first in range(0, rule.draws, chunk):
        n = min(chunk, rule.draws - first)
        shift, variance = _resampled(moments, first, n, rule.seed)
        if beside is not None:
            more, spread = _resampled(beside, first, n, rule.seed ^ _OTHER_STREAM)
            has_spread = rest.sizes > 1
            shift, variance = shift + np.where(has_spread, more, 0.0), variance + np.where(has_spread, spread, 0.0)
        high, low = extremes_of_shifts(shift, variance, errors)
        largest.append(high)
        smallest.append(low)
    return of_extremes(gains, errors, np.concatenate(largest), np.concatenate(smallest), alpha=rule.alpha)


def _resampled(moments: Moments, first: int, draws: int, seed: int) -> tuple[Floats, Floats]:
    """Return shift and variance of one part in each resample."""
    size = len(moments.columns)
    return moments.shifts(tallied(drawn_indices(seed, first=first, draws=draws, size=size), size))
