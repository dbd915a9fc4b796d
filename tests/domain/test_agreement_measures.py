"""Agreement of two raters, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.agreement_measures import (
    bias_test,
    bland_altman,
    cohen_kappa,
    kendall_tau_b,
    krippendorff_alpha,
    spearman_interval,
)


def test_tau_b_corrects_for_ties() -> None:
    # Concordant pairs 4, discordant 0; one tie in each: 4 / sqrt(5 * 5).
    found = kendall_tau_b(np.array([0.0, 1, 2, 2]), np.array([0.0, 1, 1, 2]))
    assert found is not None
    assert found.tau == pytest.approx(0.8)
    assert found.p is not None


@pytest.mark.parametrize("series", [[], [1.0], [1.0, 1.0, 1.0]])
def test_tau_b_of_a_constant_series_is_not_defined(series: list[float]) -> None:
    assert kendall_tau_b(np.array(series), np.arange(len(series), dtype=float)) is None


def test_the_interval_of_rho_by_formula() -> None:
    # By hand: sqrt((1 + .874^2 / 2) / 497) = .0527; tanh(1.3498 -+ 1.96 * .0527). Not .874 -+ .103.
    found = spearman_interval(0.874, 500)
    assert found is not None
    assert (round(found.low, 3), round(found.high, 3)) == (0.847, 0.896)
    assert spearman_interval(0.5, 3) is None
    assert spearman_interval(1.0, 500) is None


def test_limits_of_agreement() -> None:
    found = bland_altman(np.array([0.0, 1, -1, 1]))
    assert found is not None
    assert (found.bias, found.low, found.high) == pytest.approx((0.25, -1.6266, 2.1266), abs=1e-4)
    single = bland_altman(np.array([0.5]))
    assert single is not None
    assert (single.bias, single.low) == (0.5, None)
    assert bland_altman(np.array([])) is None


def test_quadratic_kappa() -> None:
    found = cohen_kappa([0, 1, 2, 2], [0, 2, 2, 1], [0, 1, 2], weights="quadratic")
    assert found == pytest.approx(0.63636, abs=1e-5)


def test_quadratic_kappa_does_not_depend_on_grades_that_nobody_gave() -> None:
    """A judge's 10 beside a person's 9 is one step of ten, also where nobody gave 1 to 8."""
    people, judge = [0, 0, 9, 10, 10, 9], [0, 0, 10, 10, 9, 9]
    found = cohen_kappa(people, judge, [0, 9, 10], weights="quadratic")
    assert found == cohen_kappa(people, judge, range(11), weights="quadratic")
    # Observed (0 + 0 + 1 + 0 + 1 + 0) = 2; by chance, over 6: marginals 2, 2, 2 on both sides:
    # 2 * 2 * (81 + 100 + 1) * 2 / 6 = 242.67. Counted in steps it had been 1 - 2 / (2 * 2 * (1 + 4 + 1) * 2 / 6) = .75.
    assert found == pytest.approx(1 - 2 / 242.6667, abs=1e-6)
    # scikit-learn counts steps among the labels that it is given, so it needs all of them.
    metrics = pytest.importorskip("sklearn.metrics")
    assert found == pytest.approx(metrics.cohen_kappa_score(people, judge, labels=range(11), weights="quadratic"))


def test_plain_kappa() -> None:
    # Cohen's example: agreement (20 + 15) / 50 = .7, by chance .5 * .6 + .5 * .4 = .5.
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(one, other, ["yes", "no"], weights="none") == pytest.approx(0.4)


def test_kappa_is_not_defined_where_chance_cannot_disagree() -> None:
    assert cohen_kappa([1, 1], [1, 1], [0, 1], weights="none") is None
    assert cohen_kappa([], [], [0, 1], weights="none") is None
    with pytest.raises(ValueError, match="categories"):
        cohen_kappa([2], [1], [0, 1], weights="none")


RATED = (
    "* * * * * 3 4 1 2 1 1 3 3 * 3",
    "1 * 2 1 3 3 4 3 * * * * * * *",
    "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
)
"""Three observers of 15 units, with gaps: an example that Krippendorff's text and its implementations share."""


def test_krippendorffs_alpha_of_raters_who_left_out_items() -> None:
    raters = [{str(unit): float(value) for unit, value in enumerate(row.split()) if value != "*"} for row in RATED]
    assert krippendorff_alpha(raters, level="nominal") == pytest.approx(0.691, abs=5e-4)
    assert krippendorff_alpha(raters, level="ordinal") == pytest.approx(0.807, abs=5e-4)
    assert krippendorff_alpha(raters, level="interval") == pytest.approx(0.811, abs=5e-4)
    # evalica, a dev dependency, computes them too.
    evalica, pandas = pytest.importorskip("evalica"), pytest.importorskip("pandas")
    table = pandas.DataFrame([[None if v == "*" else float(v) for v in row.split()] for row in RATED], dtype=float)
    for level in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha(raters, level=level) == pytest.approx(evalica.alpha(table, distance=level).alpha)


def test_alpha_by_hand_and_where_there_is_none() -> None:
    # Two raters, four units: 00 00 11 01. Values: five 0, three 1. Observed: 2 ordered pairs of 8 differ = .25.
    # Expected: 2 * 5 * 3 / (8 * 7) = .5357. 1 - .25 / .5357 = .5333.
    one, other = {"a": 0.0, "b": 0.0, "c": 1.0, "d": 0.0}, {"a": 0.0, "b": 0.0, "c": 1.0, "d": 1.0}
    assert krippendorff_alpha([one, other], level="nominal") == pytest.approx(0.53333, abs=1e-5)
    assert krippendorff_alpha([one, one], level="nominal") == 1
    assert krippendorff_alpha([one], level="nominal") is None
    assert krippendorff_alpha([{"a": 1.0}, {"a": 1.0}], level="interval") is None


def test_a_bias_without_spread_has_no_interval() -> None:
    # scipy.stats.ttest_rel: differences 0, .1, .2 have the mean .1 and the interval .1 -+ 4.3027 * .1 / sqrt(3).
    varied = bias_test(np.array([0.5, 0.6, 0.7]), np.array([0.5, 0.5, 0.5]))
    assert varied.ci is not None
    assert (varied.ci.low, varied.ci.high) == pytest.approx((0.1 - 0.24841, 0.1 + 0.24841), abs=1e-5)
    for human in (0.7, 0.5):
        found = bias_test(np.full(2, 0.7), np.full(2, human))
        assert (found.mean_difference, found.ci, found.p) == (pytest.approx(0.7 - human), None, None)
