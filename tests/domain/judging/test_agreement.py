"""Agreement of a judge with people, by hand and against independent implementations."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.judging.agreement import agreement, ceiling, fisher_interval, gwet_ac


def arrays(human: list[float], judge: list[float]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    return np.array(human), np.array(judge), [f"q{n}" for n in range(len(human))]


def test_skewed_labels_lower_kappa_but_not_ac1() -> None:
    # 90 of 100 both yes, 5 and 5 apart, never both no (Feinstein and Cicchetti's paradox).
    human = [1.0] * 90 + [1.0] * 5 + [0.0] * 5
    judge = [1.0] * 90 + [0.0] * 5 + [1.0] * 5
    found = agreement(*arrays(human, judge), labelled=100, draws=50)
    assert found is not None
    assert found.categories is not None
    assert found.categories.table == ((0, 5), (5, 90))
    assert found.categories.same == 0.9
    assert found.categories.kappa == pytest.approx(-0.0526, abs=5e-5)
    assert found.categories.ac == pytest.approx(0.8895, abs=5e-5)
    assert found.categories.sensitivity == pytest.approx(90 / 95)
    assert found.categories.specificity == 0


def test_limits_of_agreement_and_bias_by_hand() -> None:
    found = agreement(*arrays([0.2, 0.4, 0.6], [0.3, 0.4, 0.8]), labelled=4, draws=50)
    assert found is not None
    # Differences .1, 0, .2: mean .1, standard deviation .1.
    assert (found.n, found.labelled) == (3, 4)
    assert found.limits.bias == pytest.approx(0.1)
    assert (found.limits.low, found.limits.high) == (pytest.approx(-0.096), pytest.approx(0.296))
    assert found.error == pytest.approx(0.1)
    assert found.rho == pytest.approx(1.0)


def test_a_judge_that_always_says_the_same_has_no_correlation() -> None:
    found = agreement(*arrays([0.0, 1.0, 1.0], [1.0, 1.0, 1.0]), labelled=3, draws=50)
    assert found is not None
    assert (found.rho, found.tau, found.rho_interval) == (None, None, None)
    assert agreement(*arrays([], []), labelled=0) is None


def test_quadratic_kappa_by_hand() -> None:
    human = [0.0, 0.5, 1.0, 1.0, 0.5, 0.0]
    judge = [0.0, 1.0, 1.0, 0.5, 0.5, 0.5]
    found = agreement(*arrays(human, judge), labelled=6, draws=50)
    assert found is not None
    assert found.categories is not None
    # Observed disagreement: three pairs one level apart = 3. Marginals 2,2,2 and 1,3,2 over 6:
    # expected = sum (i - j)^2 row_i column_j / 6 = (2*3*1 + 2*2*4 + 2*1*1 + 2*2*1 + 2*1*4 + 2*3*1) / 6 = 42 / 6 = 7.
    assert found.categories.kappa == pytest.approx(1 - 3 / 7)


def test_whole_questions_are_resampled() -> None:
    rng = np.random.default_rng(3)
    human = rng.normal(size=30)
    judge = human + rng.normal(size=30)
    alone = agreement(human, judge, [str(n) for n in range(30)], labelled=30, draws=400)
    # The same items three times each carry no more information than once, if they belong to the same questions.
    thrice = agreement(np.tile(human, 3), np.tile(judge, 3), [str(n) for n in range(30)] * 3, labelled=90, draws=400)
    assert alone is not None
    assert thrice is not None
    assert alone.rho_interval is not None
    assert thrice.rho_interval is not None
    width = alone.rho_interval.high - alone.rho_interval.low
    assert thrice.rho_interval.high - thrice.rho_interval.low == pytest.approx(width, rel=0.1)


def test_the_published_interval_of_spearman_s_rho() -> None:
    # RAGalyst's .874 on 500 pairs.
    found = fisher_interval(0.874, 500)
    assert found is not None
    assert (round(found.low, 3), round(found.high, 3)) == (0.847, 0.896)
    assert fisher_interval(1.0, 500) is None


def test_ac2_has_quadratic_weights() -> None:
    # Weights 1, .75, 0. Pairs (0, 0), (1, 1), (2, 1), (2, 2): po = 3.75 / 4. pi = 1/4, 3/8, 3/8.
    one, other = np.array([0.0, 1.0, 2.0, 2.0]), np.array([0.0, 1.0, 1.0, 2.0])
    expected = (3 + 4 * 0.75) / 6 * (1 / 4 * 3 / 4 + 2 * 3 / 8 * 5 / 8)
    assert gwet_ac(one, other, (0.0, 1.0, 2.0)) == pytest.approx((3.75 / 4 - expected) / (1 - expected))
    assert gwet_ac(one, other, (0.0,)) is None


def test_the_human_ceiling() -> None:
    raters = {
        "ana": {"a": 1.0, "b": 0.0, "c": 1.0, "d": 0.0},
        "boris": {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0},
        "clara": {"a": 1.0, "b": 0.0, "c": 1.0, "d": 0.0},
    }
    judge = raters["ana"]
    found = ceiling(raters, judge)
    assert found is not None
    # Kappa of ana and boris: po .75, pe .5 * .25 + .5 * .75 = .5: .5.
    assert found.people == (0.5, 1.0, 0.5)
    assert found.judge == (1.0, 0.5, 1.0)
    assert found.z == pytest.approx((2.5 / 3 - 2 / 3) / np.std([0.5, 1, 0.5], ddof=1))
    assert ceiling({"ana": raters["ana"]}, judge) is None
