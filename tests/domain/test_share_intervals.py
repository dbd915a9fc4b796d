"""Intervals of shares, of means of values between 0 and 1, and of figures over resampled questions."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from passer.domain.judging.agreement import error_difference
from passer.domain.share_intervals import clustered_share, column_interval, resampled_interval, unit_mean_interval
from passer.domain.statistics import Interval, mean_interval, wilson_interval

Z = stats.norm.ppf(0.975)


def test_one_observation_a_question_gives_wilsons_interval() -> None:
    for right in range(9):
        found = clustered_share([n < right for n in range(8)], [f"q{n}" for n in range(8)])
        expected = stats.binomtest(right, 8).proportion_ci(method="wilson")
        assert found is not None
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_equal_verdicts_of_a_question_count_once_by_hand() -> None:
    # Six questions of three games, all won or all lost; with one more of each, 4 of 8 are won. The variance of whole
    # questions is 8/7 x 8 x 1.5^2 / 24^2 = 1/28, that of 24 independent games 1/4 / 23: a design effect of 23/7.
    hits = [question < 3 for question in range(6) for _ in range(3)]
    found = clustered_share(hits, [f"q{question}" for question in range(6) for _ in range(3)])
    size = 18 / (1 + (23 / 7 - 1) * (stats.t.ppf(0.975, 5) / Z) ** 2)
    half = Z * sqrt(0.25 / size + Z**2 / (4 * size**2)) / (1 + Z**2 / size)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half))


def test_five_questions_have_no_interval() -> None:
    assert clustered_share([True, False] * 50, [f"q{n % 5}" for n in range(100)]) is None
    assert clustered_share([], []) is None


@pytest.mark.parametrize("questions", [6, 20])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_the_interval_holds_the_share_where_games_of_a_question_agree(questions: int, share: float) -> None:
    # Beta-binomial with a correlation of .3 within questions, 15 games each.
    rng = np.random.default_rng(4)
    a, b = (part * 0.7 / 0.3 for part in (share, 1 - share))
    names = [f"q{n}" for n in range(questions) for _ in range(15)]
    held = held_by_games = 0
    for _ in range(300):
        hits = (rng.random((questions, 15)) < rng.beta(a, b, questions)[:, None]).ravel().tolist()
        found, by_games = clustered_share(hits, names), wilson_interval(sum(hits), len(hits))
        assert found is not None
        assert by_games is not None
        held += found.low <= share <= found.high
        held_by_games += by_games.low <= share <= by_games.high
    assert held >= 0.93 * 300
    assert held_by_games < 0.75 * 300


def test_the_interval_of_values_between_zero_and_one_by_hand() -> None:
    # .2, .9, 1 with an eighth of 0 and of 1: centre .684615, variance .138994 of at most .215917, a ratio of .643737;
    # with (t / z)^2 = 4.819187 as informative as 3 / (.643737 (1 + .356263 x 3.819187)) = 1.974180 zeros and ones.
    found = unit_mean_interval(np.array([0.2, 0.9, 1.0]))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.172714, 0.963068), abs=1e-5)


def test_zeros_and_ones_are_a_share() -> None:
    for right in range(8):
        found = unit_mean_interval(np.array([1.0] * right + [0.0] * (7 - right)))
        expected = stats.binomtest(right, 7).proportion_ci(method="wilson")
        assert found is not None
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    # Kish's size of weights 3, 3, 1, 1, 1, 1 is 100 / 22.
    found = unit_mean_interval(np.zeros(6), np.array([3.0, 3, 1, 1, 1, 1]))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0, Z**2 / (100 / 22 + Z**2)))
    assert unit_mean_interval(np.array([0.5])) is None
    assert unit_mean_interval(np.zeros(0)) is None


def test_with_many_values_it_is_the_large_sample_interval() -> None:
    dice = np.random.default_rng(2)
    values, weights = dice.random(4000), dice.uniform(0.5, 1.5, 4000)
    for own in (None, weights):
        found, expected = unit_mean_interval(values, own), mean_interval(values, own)
        assert found is not None
        assert expected is not None
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=2e-4)


@pytest.mark.parametrize("questions", [5, 10, 20, 60])
@pytest.mark.parametrize("shape", ["reciprocal ranks", "recall near 1", "small values"])
def test_it_holds_the_mean_of_skewed_values(questions: int, shape: str) -> None:
    rng = np.random.default_rng(8)
    samples, mean = {
        "reciprocal ranks": (rng.choice([1, 1 / 2, 0], (1000, questions), p=[0.85, 0.1, 0.05]), 0.9),
        "recall near 1": (rng.choice([1, 0.5, 0], (1000, questions), p=[0.9, 0.08, 0.02]), 0.94),
        "small values": (rng.beta(1, 8, (1000, questions)), 1 / 9),
    }[shape]  # fmt: skip
    found = [unit_mean_interval(values) for values in samples]
    assert sum(each is not None and each.low <= mean <= each.high for each in found) >= 930


def test_columns_with_other_bounds_have_students_interval() -> None:
    # Perplexity: 1, 2, 3 of at least 1; without an upper bound.
    perplexity = column_interval(np.array([1.0, 2.0, 3.0]), None, (1.0, None))
    assert perplexity is not None
    assert perplexity.low == 1.0
    assert perplexity.high == pytest.approx(2 + 4.302653 * 0.577350, abs=1e-5)
    # All perplexities 1 are no share of three in three.
    assert column_interval(np.ones(3), None, (1.0, None)) == Interval(low=1.0, high=1.0)


def test_resamples_of_few_questions_are_widened_by_hand() -> None:
    # The resamples have the deviation 1 around 0: t(5) sqrt(6/5) of it, while their percentiles end at -1 and 1.
    found = resampled_interval(np.array([-1.0, 1.0] * 50), 0.25, 6)
    half = stats.t.ppf(0.975, 5) * sqrt(6 / 5)
    assert (found.low, found.high) == pytest.approx((0.25 - half, 0.25 + half))
    # Skewed resamples of many questions keep their percentiles.
    skewed = np.concatenate((np.zeros(95), np.full(5, 10.0)))
    assert resampled_interval(skewed, 0.5, 400).high == 10.0


def test_a_mean_difference_of_six_questions_is_held() -> None:
    # Percentiles held it in .86 of 300.
    rng = np.random.default_rng(6)
    names = [f"q{n}" for n in range(6) for _ in range(3)]
    held = 0
    for seed in range(300):
        differences = 0.05 + np.repeat(rng.normal(0, 0.1, 6), 3) + rng.normal(0, 0.1, 18)
        found = error_difference(np.zeros(18), differences, names, seed=seed, draws=300)
        assert found is not None
        held += found.low <= 0.05 <= found.high
    assert held >= 0.93 * 300
