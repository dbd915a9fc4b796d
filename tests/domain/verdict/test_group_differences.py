"""The permutation test of a difference between groups: by hand, and its level."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from passer.domain.verdict.group_differences import difference_between_groups


def _welch(one: list[float], other: list[float]) -> float:
    """The squared Welch t: with two groups, Q is this."""
    errors = [np.var(values, ddof=1) / len(values) for values in (one, other)]
    return float((np.mean(one) - np.mean(other)) ** 2 / sum(errors))


def test_the_p_value_is_that_of_all_permutations():
    values = [0.0, 0.1, 0.3, 0.2, 0.9, 0.4]
    everywhere = [
        _welch([values[place] for place in chosen], [values[place] for place in range(6) if place not in chosen])
        for chosen in combinations(range(6), 3)
    ]
    # The first three against the last three: of the 20 ways to choose three, so many are as far apart.
    exact = float(np.mean(np.array(everywhere) >= everywhere[0] - 1e-12))
    found = difference_between_groups(np.array(values), [0, 0, 0, 1, 1, 1], seed=7)
    assert found == pytest.approx(exact, abs=0.03)


def test_a_difference_is_found_and_equal_groups_of_skewed_differences_are_not_told_apart():
    rng = np.random.default_rng(4)
    gains = rng.normal(0, 0.05, 90)
    groups = [0] * 60 + [1] * 30
    assert difference_between_groups(np.where(np.arange(90) < 60, gains, gains + 0.1), groups, seed=3) < 0.01
    # One question in ten loses its gold passage, in a large and a small group alike.
    rejected = 0
    for seed in range(200):
        skewed = np.where(rng.random(60) < 0.1, -0.3, rng.normal(0, 0.02, 60))
        p = difference_between_groups(skewed, [0] * 40 + [1] * 20, seed=seed)
        rejected += p is not None and p <= 0.05
    assert rejected <= 20, "at most a tenth of 200, expected a twentieth"


def test_clusters_are_permuted_whole_and_must_lie_within_groups():
    gains = np.array([0.1, 0.1, 0.3, 0.3, 0.6, 0.6, 0.9, 0.9])
    groups = [0, 0, 0, 0, 1, 1, 1, 1]
    clusters = [0, 0, 1, 1, 2, 2, 3, 3]
    # Four clusters, two in each group: a third of the ways to choose two is as far apart as this one.
    assert difference_between_groups(gains, groups, clusters=clusters, seed=1) == pytest.approx(1 / 3, abs=0.03)
    assert difference_between_groups(gains, [0, 1] * 4, clusters=clusters, seed=1) is None


def test_what_cannot_be_tested_has_no_p():
    gains = np.array([0.1, 0.2, 0.4, np.nan])
    assert difference_between_groups(gains, [0, 0, 0, 1], seed=1) is None, "a second group without a pair"
    assert difference_between_groups(gains, [0, 0, 1, 1], seed=1) is None, "a group of one question"
    assert difference_between_groups(np.array([0.0, 0.0, 0.1, 0.2]), [0, 0, 1, 1], seed=1) is None, "no spread"
    assert difference_between_groups(gains, [0, 0, -1, -1], seed=1) is None, "one group"


def test_weights_decide_what_the_gain_of_a_group_is():
    # In the second group every other question gains .2; with weights of 9 on these, its mean is .18 instead of .1.
    rng = np.random.default_rng(2)
    gains = rng.normal(0, 0.02, 60) + np.where(np.arange(60) < 40, 0.1, np.where(np.arange(60) % 2, 0.2, 0.0))
    groups = [0] * 40 + [1] * 20
    weights = np.where((np.arange(60) >= 40) & (np.arange(60) % 2 == 1), 9.0, 1.0)
    assert difference_between_groups(gains, groups, seed=2) > 0.5
    assert difference_between_groups(gains, groups, weights=weights, seed=2) < 0.05
