"""The tests of the three research questions, against enumeration and independent libraries."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from passer.domain.evidence.permutation import sign_flip_test
from passer.domain.evidence.research_questions import domain_tests, interaction_tests, omnibus_tests


def block_f(matrix: np.ndarray) -> float:
    """F of a randomised block design, from the textbook sums."""
    n, k = matrix.shape
    grand = matrix.mean()
    treatment = n * ((matrix.mean(axis=0) - grand) ** 2).sum()
    block = k * ((matrix.mean(axis=1) - grand) ** 2).sum()
    rest = ((matrix - grand) ** 2).sum() - treatment - block
    return float(treatment / (k - 1) / (rest / ((n - 1) * (k - 1))))


MATRIX = np.array([[0.5, 0.6, 0.4], [0.2, 0.5, 0.3], [0.7, 0.7, 0.5], [0.4, 0.6, 0.5]])


def test_rq1_is_the_share_of_all_orders_within_questions():
    observed = block_f(MATRIX)
    orders = [list(order) for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))]
    rows = [[row[order] for order in orders] for row in MATRIX]
    drawn = np.array([block_f(np.array(chosen)) for chosen in product(*rows)])
    share = float((drawn >= observed - 1e-9).mean())
    [found] = omnibus_tests([MATRIX], seed=1, draws=4_000)
    assert found.f == pytest.approx(observed)
    assert found.p == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 4_000) + 1e-3)
    assert found.p_max_f == found.p
    assert (found.n_questions, found.n_configurations) == (4, 3)


def test_rq1_leaves_out_questions_that_a_configuration_lacks_and_corrects_over_models():
    short = MATRIX[:, :2].copy()
    short[0, 1] = np.nan
    one, other = omnibus_tests([short, MATRIX], seed=1, draws=500)
    assert (one.n_questions, one.n_configurations, other.n_questions) == (3, 2, 4)
    assert one.p is not None
    assert one.p_max_f is not None
    assert one.p_max_f >= one.p


def test_rq1_has_nothing_to_say_where_nothing_varies_and_no_infinite_f():
    flat = np.repeat([[0.1], [0.2], [0.3]], 3, axis=1)
    [found] = omnibus_tests([flat], seed=1, draws=50)
    assert (found.f, found.p, found.p_max_f) == (None, None, None)
    apart = np.repeat([[0.1, 0.5]], 8, axis=0)
    [found] = omnibus_tests([apart], seed=1, draws=500)
    assert found.f is None
    assert found.p is not None
    assert found.p < 0.05


def test_rq1_holds_its_level_when_thresholds_do_nothing():
    rng = np.random.default_rng(11)
    rejected = 0
    for replicate in range(120):
        level = rng.normal(0, 1, size=(20, 1))
        matrix = level + rng.normal(0, 1, size=(20, 4))
        [found] = omnibus_tests([matrix], seed=replicate, draws=99)
        rejected += found.p is not None and found.p <= 0.05
    assert rejected <= 15, "120 x .05 = 6, plus four standard errors"


def test_rq2_is_a_sign_flip_of_differences_of_gains():
    rng = np.random.default_rng(2)
    first, second = rng.normal(0.1, 0.1, size=(15, 2)), rng.normal(0, 0.1, size=(15, 2))
    found = interaction_tests(first, second, seed=9)
    wanted = sign_flip_test(first - second, seed=9)
    assert [item.p for item in found] == list(wanted.p)
    assert [item.p_max_t for item in found] == list(wanted.p_max_t)
    assert [item.difference for item in found] == pytest.approx((first - second).mean(axis=0).tolist())
    one_sample = stats.ttest_1samp(first - second, 0.0).pvalue
    assert [item.p for item in found] == pytest.approx(one_sample.tolist(), abs=0.01)


def test_rq2_pairs_by_question():
    first, second = np.array([[0.5], [0.3], [0.2]]), np.array([[0.4], [np.nan], [0.1]])
    [found] = interaction_tests(first, second, seed=1, draws=50)
    assert found.n_questions == 2
    assert found.difference == pytest.approx(((0.5 - 0.4) + (0.2 - 0.1)) / 2)


def test_rq3_compares_domains_unpaired():
    rng = np.random.default_rng(4)
    one, other = rng.normal(0.1, 0.1, size=(30, 2)), rng.normal(0.0, 0.2, size=(40, 2))
    found = domain_tests(one, other, seed=1)
    assert found is not None
    welch = stats.ttest_ind(one, other, equal_var=False)
    assert found.t == pytest.approx(welch.statistic)
    assert found.p == pytest.approx(welch.pvalue)
    assert all(p is not None for p in found.p_max_t)
    lacking = np.vstack([one, [[0.9, np.nan]]])
    assert domain_tests(lacking, other, seed=1) == found, "a question that lacks a threshold is left out"
    assert domain_tests(np.array([[0.1]]), np.array([[0.2]]), seed=1) is None
