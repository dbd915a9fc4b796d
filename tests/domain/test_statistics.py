"""Hand-worked cases, and scipy for what it computes too."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from passer.domain.statistics import (
    adjusted_p_values,
    effect_band,
    effective_size,
    mean_interval,
    mean_of,
    paired_t_test,
    spread_of,
    standard_error,
    stars,
    wilson_interval,
)


def test_paired_t_by_hand() -> None:
    # Differences 1, 2, 3: mean 2, sd 1, d = 2, t = 2 sqrt(3); t(.975, 2) = 4.302653
    test = paired_t_test(np.array([2.0, 4.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    assert test.n_pairs == 3
    assert test.mean_difference == pytest.approx(2)
    assert test.cohens_d == pytest.approx(2)
    assert test.t == pytest.approx(2 * 3**0.5)
    assert test.ci is not None
    assert test.ci.low == pytest.approx(2 - 4.302653 / 3**0.5, abs=1e-6)
    assert test.ci.high == pytest.approx(2 + 4.302653 / 3**0.5, abs=1e-6)


@pytest.mark.parametrize(("n", "shift"), [(2, 0.1), (5, 0.0), (60, 0.05), (371, 0.02), (371, 0.9)])
def test_paired_t_is_scipys(n: int, shift: float) -> None:
    random = np.random.default_rng(n)
    values, baseline = random.normal(0.5 + shift, 0.1, n), random.normal(0.5, 0.1, n)
    ours, theirs = paired_t_test(values, baseline), stats.ttest_rel(values, baseline)
    interval = theirs.confidence_interval(0.95)
    assert ours.t == pytest.approx(theirs.statistic, rel=1e-10)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.ci is not None
    assert (ours.ci.low, ours.ci.high) == pytest.approx((interval.low, interval.high), rel=1e-9)


def test_identical_answers_have_no_t() -> None:
    test = paired_t_test(np.array([0.1, 0.2]), np.array([0.1, 0.2]))
    assert (test.t, test.p, test.cohens_d, test.reason) == (None, None, None, "identical")
    assert test.mean_difference == 0


def test_the_same_difference_everywhere_has_no_t() -> None:
    values = np.linspace(0, 1, 11)
    test = paired_t_test(values + 0.1, values)
    assert (test.t, test.p, test.cohens_d, test.reason) == (None, None, None, "no_spread")
    assert test.mean_difference == pytest.approx(0.1)


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_pairs_have_no_t(n: int) -> None:
    test = paired_t_test(np.ones(n), np.zeros(n))
    assert (test.n_pairs, test.p, test.ci, test.reason) == (n, None, None, "too_few")
    assert test.mean_difference == (1.0 if n else None)


def test_interval_of_a_mean() -> None:
    # 1, 2, 3: mean 2, s / sqrt(3) = .57735, t(.975, 2) = 4.302653
    interval = mean_interval(np.array([1.0, 2.0, 3.0]))
    assert interval is not None
    assert interval.high - 2 == pytest.approx(4.302653 * 0.577350, abs=1e-5)
    assert mean_interval(np.array([1.0])) is None


def test_the_interval_of_weighted_values() -> None:
    # Weights 1, 1 and 2: mean .75; influence -1/16, -1/16 and 1/8; error sqrt(3/2 * (2/256 + 1/64)).
    weighted = mean_interval(np.array([0.5, 0.5, 1.0]), np.array([1.0, 1.0, 2.0]))
    assert weighted is not None
    assert weighted.high - 0.75 == pytest.approx(4.302653 * (3 / 2 * (2 / 256 + 1 / 64)) ** 0.5, rel=1e-6)


def test_holm_by_hand() -> None:
    # Sorted .01, .02, .03, .04 with factors 4, 3, 2, 1: .04, .06, .06 (.06), .06 (.04)
    assert adjusted_p_values([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_benjamini_hochberg_by_hand_and_by_scipy() -> None:
    p = [0.01, 0.04, 0.03, 0.5]
    # m p / rank: .04, .16/3 = .05333, .12/2 = .06, .5; from the largest down: .5, .05333, .05333, .04
    assert adjusted_p_values(p, "benjamini-hochberg") == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.5])
    random = np.random.default_rng(3).random(40) ** 3
    assert adjusted_p_values(list(random), "benjamini-hochberg") == pytest.approx(
        list(stats.false_discovery_control(random))
    )


def test_corrections_and_rank_correlations_load_no_scipy_stats() -> None:
    # It takes most of a second, which the first analysis of every process would wait for.
    program = (
        "import sys, numpy as np; from passer.domain.statistics import adjusted_by_each, spearman_rho\n"
        "adjusted_by_each([0.1, 0.2]), spearman_rho(np.arange(3.0), np.arange(3.0))\n"
        "sys.exit('scipy.stats' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_bonferroni_by_hand() -> None:
    assert adjusted_p_values([0.01, 0.4, 0.5], "bonferroni") == pytest.approx([0.03, 1.0, 1.0])


def test_a_comparison_without_p_still_counts_in_the_family() -> None:
    assert adjusted_p_values([None, 0.01]) == [None, pytest.approx(0.02)]
    assert adjusted_p_values([0.01], family_size=10) == [pytest.approx(0.1)]
    assert adjusted_p_values([]) == []
    assert adjusted_p_values([None]) == [None]
    with pytest.raises(ValueError, match="cannot be smaller"):
        adjusted_p_values([0.1, 0.2], family_size=1)


@pytest.mark.parametrize(
    ("p", "mark"), [(0.0009, "***"), (0.001, "**"), (0.01, "*"), (0.05, "ns"), (1.0, "ns"), (None, "")]
)
def test_stars(p: float | None, mark: str) -> None:
    assert stars(p) == mark


@pytest.mark.parametrize(
    ("d", "band"), [(0.19, "negligible"), (-0.2, "small"), (0.5, "medium"), (-0.9, "large"), (None, "")]
)
def test_effect_bands(d: float | None, band: str) -> None:
    assert effect_band(d) == band


@pytest.mark.parametrize(("successes", "n"), [(0, 12), (12, 12), (3, 60), (41, 60), (1, 1)])
def test_wilson_intervals_are_those_of_scipy(successes, n):
    expected = stats.binomtest(successes, n).proportion_ci(method="wilson")
    found = wilson_interval(successes, n)
    assert (found.low, found.high) == (pytest.approx(expected.low, abs=1e-12), pytest.approx(expected.high))
    assert wilson_interval(0, 0) is None


def test_weighted_means_and_errors_by_hand() -> None:
    values, weights = np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 2.0])
    # Mean 9 / 4; influence w (x - 9/4) / 4 is -5/16, -1/16, 6/16; 3/2 of the sum of their squares is 93/256.
    assert mean_of(values, weights) == pytest.approx(9 / 4)
    assert standard_error(values, weights) == pytest.approx((93 / 256) ** 0.5)
    assert effective_size(weights) == pytest.approx(16 / 6)
    test = paired_t_test(values, np.zeros(3), weights)
    assert (test.mean_difference, test.t) == pytest.approx((9 / 4, 9 / 4 / (93 / 256) ** 0.5))
    # t(.975, 2) = 4.302653
    assert test.ci is not None
    assert test.ci.high == pytest.approx(9 / 4 + 4.302653 * (93 / 256) ** 0.5, abs=1e-6)


def test_a_weighted_spread_is_numpys() -> None:
    random = np.random.default_rng(3)
    values, weights = random.normal(0.5, 0.1, 60), random.uniform(0.1, 5.0, 60)
    assert spread_of(values, weights) ** 2 == pytest.approx(float(np.cov(values, aweights=weights)), rel=1e-12)


def test_equal_weights_are_none() -> None:
    random = np.random.default_rng(4)
    values, baseline, equal = random.normal(0.6, 0.1, 40), random.normal(0.5, 0.1, 40), np.full(40, 2.5)
    ours, theirs = paired_t_test(values, baseline, equal), paired_t_test(values, baseline)
    assert (ours.t, ours.p, ours.cohens_d) == pytest.approx((theirs.t, theirs.p, theirs.cohens_d), rel=1e-9)
    assert paired_t_test(values + 0.1, values, equal).reason == "no_spread"
