"""Agreement of two raters, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.agreement_measures import bland_altman, cohen_kappa, kendall_tau_b


def test_tau_b_corrects_for_ties() -> None:
    # Concordant pairs 4, discordant 0; one tie in each: 4 / sqrt(5 * 5).
    found = kendall_tau_b(np.array([0.0, 1, 2, 2]), np.array([0.0, 1, 1, 2]))
    assert found is not None
    assert found.tau == pytest.approx(0.8)
    assert found.p is not None


@pytest.mark.parametrize("series", [[], [1.0], [1.0, 1.0, 1.0]])
def test_tau_b_of_a_constant_series_is_not_defined(series: list[float]) -> None:
    assert kendall_tau_b(np.array(series), np.arange(len(series), dtype=float)) is None


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
