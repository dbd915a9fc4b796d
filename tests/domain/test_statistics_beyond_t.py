"""Wilcoxon, power, correlations, threshold profiles: by hand, by tables, by scipy."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pytest
from scipy import stats

from passer.domain.evidence.correlation import rank_correlations, redundant_pairs
from passer.domain.evidence.level_profile import LevelEffect, level_profile
from passer.domain.evidence.power import (
    minimum_detectable_difference,
    planned_questions,
    power_of_paired_t,
    questions_needed,
    spread_of_single_answers,
    spread_with_repeats,
)
from passer.domain.statistics import spearman_rho, wilcoxon_test


def test_wilcoxon_ranks_zeros_and_drops_them():
    # Ranks with 14 zeros: they take 1 to 14; of 1 to 6 (place 15 to 20) only the -2 (rank 16) is negative.
    values = np.array([0.0] * 14 + [1, -2, 3, 4, 5, 6])
    found = wilcoxon_test(values, np.zeros(20))
    assert found.statistic == 16
    mean = (20 * 21 - 14 * 15) / 4
    deviation = sqrt((20 * 21 * 41 - 14 * 15 * 29) / 24)
    z = abs(16 - mean) / deviation
    # The tie of the zeros does not enter the variance: it is not among the ranks that are summed.
    assert found.p == pytest.approx(1 - erf(z / sqrt(2)), rel=1e-9)


def test_wilcoxon_is_exact_for_few_pairs_without_ties():
    found = wilcoxon_test(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.zeros(5))
    assert (found.statistic, found.p) == (0.0, 2 / 2**5)


def test_wilcoxon_says_why_there_is_none():
    assert wilcoxon_test(np.ones(3), np.ones(3)).reason == "identical"
    assert wilcoxon_test(np.ones(1), np.zeros(1)).reason == "too_few"
    assert wilcoxon_test(np.array([0.1 + 0.2, 0.5]), np.array([0.3, 0.5])).reason == "identical"


def test_power_is_that_of_the_tables():
    # Cohen (1988), two-sided .05, power .8: d .5 needs 34 pairs, d .2 needs 199.
    assert questions_needed(gain=0.05, spread=0.1, alpha=0.05) == 34
    assert questions_needed(gain=-0.2, spread=1.0, alpha=0.05) == 199
    assert power_of_paired_t(effect=0.5, n=34, alpha=0.05) == pytest.approx(0.8078, abs=5e-4)
    assert questions_needed(gain=0.0, spread=1.0, alpha=0.05) is None
    assert questions_needed(gain=1e-5, spread=1.0, alpha=0.05) is None


def test_the_smallest_difference_that_is_found_is_found_with_that_power():
    smallest = minimum_detectable_difference(spread=0.1, n=371, alpha=0.05 / 20)
    assert smallest is not None
    assert power_of_paired_t(effect=smallest / 0.1, n=371, alpha=0.05 / 20) == pytest.approx(0.8)
    assert minimum_detectable_difference(spread=0.1, n=1, alpha=0.05) is None


def test_a_simulation_meets_the_power_that_was_planned():
    n = questions_needed(gain=0.02, spread=0.06, alpha=0.01)
    assert n is not None
    drawn = np.random.default_rng(5).normal(0.02, 0.06, size=(4_000, n))
    found = (stats.ttest_1samp(drawn, 0.0, axis=1).pvalue < 0.01).mean()
    assert found == pytest.approx(0.8, abs=4 * sqrt(0.8 * 0.2 / 4_000) + 0.005)


@pytest.mark.parametrize("repeats", [0, 1])
def test_studies_of_the_planned_size_find_the_gain_at_the_corrected_level(repeats):
    """Pilot with five answers a question, 40 comparisons; the study asks once or three times."""
    alpha, gain, between, noise = 0.05 / 40, 0.02, 0.03, 0.04
    pilot = sqrt(between**2 + 2 * noise**2 / 5)
    plan = planned_questions(spread=pilot, noise=noise, averaged=1 / 5, alpha=alpha)[repeats]
    n = plan.questions[2]
    assert (plan.repeats, gain) == ((1, 3)[repeats], (0.005, 0.01, 0.02, 0.05)[2])
    assert n is not None
    rng = np.random.default_rng(6)
    answers = rng.normal(0, noise, size=(4_000, n, 2, plan.repeats)).mean(axis=3)
    differences = rng.normal(gain, between, size=(4_000, n)) + answers[:, :, 0] - answers[:, :, 1]
    found = (stats.ttest_1samp(differences, 0.0, axis=1).pvalue < alpha).mean()
    step = power_of_paired_t(effect=gain / plan.spread, n=n, alpha=alpha)
    assert 0.8 <= step < power_of_paired_t(effect=gain / plan.spread, n=n + 1, alpha=alpha)
    assert found == pytest.approx(step, abs=4 * sqrt(0.8 * 0.2 / 4_000))


def test_the_planning_grid_by_hand():
    once, thrice, five = planned_questions(spread=0.05, noise=0.03, averaged=1.0, alpha=0.05)
    assert (once.repeats, thrice.repeats, five.repeats) == (1, 3, 5)
    # Of the variance .0025, 2 x .0009 is noise and .0007 lies between the questions.
    assert [plan.spread**2 for plan in (once, thrice, five)] == pytest.approx([0.0025, 0.0013, 0.00106])
    # Cohen's tables: d .1, .2, .4, 1 take 787, 199, 52 and 10 pairs.
    assert once.questions == (787, 199, 52, 10)
    assert all(a > b > c for a, b, c in zip(once.questions[:3], thrice.questions, five.questions, strict=False))
    [alone] = planned_questions(spread=0.05, noise=None, averaged=1.0, alpha=0.05)
    assert alone == once


def test_a_pilot_with_repeats_is_taken_back_to_single_answers():
    pilot = sqrt(0.0007 + 0.0018 / 3)
    assert spread_of_single_answers(spread=pilot, noise=0.03, averaged=1 / 3) == pytest.approx(0.05)
    assert spread_of_single_answers(spread=pilot, noise=0.0, averaged=1 / 3) == pytest.approx(pilot)


def test_repeats_divide_the_noise_and_leave_the_questions():
    rng = np.random.default_rng(7)
    questions = rng.normal(0, 0.04, size=(200_000, 1))
    noise = rng.normal(0, 0.03, size=(200_000, 2, 3))
    once = questions[:, 0] + noise[:, 0, 0] - noise[:, 1, 0]
    thrice = questions[:, 0] + noise[:, 0].mean(axis=1) - noise[:, 1].mean(axis=1)
    predicted = spread_with_repeats(spread=float(once.std(ddof=1)), noise=0.03, repeats=3)
    assert predicted == pytest.approx(thrice.std(ddof=1), rel=0.01)
    assert spread_with_repeats(spread=0.01, noise=0.03, repeats=4) == pytest.approx(sqrt(2) * 0.03 / 2)


def test_correlations_are_scipys_with_ties():
    values = np.random.default_rng(3).integers(0, 6, size=(50, 3)).astype(float)
    table = rank_correlations(("a", "b", "c"), values)
    wanted = stats.spearmanr(values).statistic
    assert np.array(table.rho, dtype=float) == pytest.approx(wanted)
    assert spearman_rho(values[:, 0], values[:, 1]) == pytest.approx(wanted[0, 1])


def test_metrics_that_say_the_same_are_named_and_constant_ones_have_no_rho():
    x = np.arange(30.0)
    noise = np.random.default_rng(1).permutation(30).astype(float)
    table = rank_correlations(
        ("a", "five a", "minus a", "other", "flat"), np.column_stack([x, 5 * x, -x, noise, x * 0])
    )
    pairs = redundant_pairs(table)
    assert {(pair.one, pair.other) for pair in pairs} == {("a", "five a"), ("a", "minus a"), ("five a", "minus a")}
    assert table.rho[4] == (None,) * 5
    assert spearman_rho(x, x * 0) is None
    assert spearman_rho(x[:1], x[:1]) is None


@pytest.mark.parametrize(
    ("gains", "kind", "contiguous"),
    [
        ("++..", "broad", True),
        ("+..+", "broad", False),
        (".+..", "narrow", True),
        ("+.-.", "mixed", True),
        ("..-.", "none", None),
        ("....", "none", None),
    ],
)
def test_profiles(gains, kind, contiguous):
    of = {"+": (0.1, 0.01), "-": (-0.1, 0.01), ".": (0.1, 0.2)}
    effects = [
        LevelEffect(levels={"min_similarity": 0.5 + place / 10}, gain=of[mark][0], p=of[mark][1])
        for place, mark in enumerate(gains)
    ]
    found = level_profile(effects)
    assert (found.kind, found.is_contiguous, found.tested) == (kind, contiguous, 4)
    assert len(found.gains) == gains.count("+")
    assert found.losses == tuple(
        {"min_similarity": 0.5 + place / 10} for place, mark in enumerate(gains) if mark == "-"
    )


def test_neighbours_mean_nothing_where_levels_are_names_or_of_several_factors():
    named = [LevelEffect({"retriever": name}, 0.1, 0.01) for name in ("dense", "bm25")]
    assert (level_profile(named).kind, level_profile(named).is_contiguous) == ("broad", None)
    mixed = [LevelEffect({"k": 5.0}, 0.1, 0.01), LevelEffect({"min_similarity": 0.5}, 0.1, 0.01)]
    assert level_profile(mixed).is_contiguous is None


@pytest.mark.parametrize(("n", "alpha"), [(2, 0.05), (2, 0.005), (3, 0.005), (4, 0.001), (10, 0.005), (371, 0.005)])
def test_few_pairs_find_their_smallest_difference_with_the_stated_power(n: int, alpha: float) -> None:
    # The tail on the wrong side is NaN in scipy at these sizes; the one on the right side alone is at least .8 less it.
    found = minimum_detectable_difference(spread=1.0, n=n, alpha=alpha)
    assert found is not None
    critical = stats.t.isf(alpha / 2, n - 1)
    assert stats.nct.sf(critical, n - 1, found * n**0.5) == pytest.approx(0.8, abs=1e-9)
