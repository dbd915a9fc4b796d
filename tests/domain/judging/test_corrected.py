"""Means corrected by labels: the examples of the literature by hand, and coverage in simulation."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.judging.corrected import corrected_mean, post_stratified, ppi, ppi_weight

LABELS = np.array([1.0, 0, 1, 1])
JUDGED = np.array([1.0, 0, 0, 1])
OTHERS = np.array([1.0, 1, 0, 1, 0, 1, 1, 0])


def test_ppi_and_its_weight_by_hand() -> None:
    assert ppi(LABELS, JUDGED, OTHERS, weight=1.0).value == pytest.approx(0.875)
    weight = ppi_weight(LABELS, JUDGED, OTHERS)
    assert weight == pytest.approx(0.4190, abs=5e-5)
    assert ppi(LABELS, JUDGED, OTHERS, weight=weight).value == pytest.approx(0.8024, abs=5e-5)


def test_the_error_of_ppi_by_hand() -> None:
    # var(f') / 8 + var(Y - f) / 4, ddof 1: f' has five ones of eight; Y - f = 0, 0, 1, 0.
    expected = np.var(OTHERS, ddof=1) / 8 + np.var(LABELS - JUDGED, ddof=1) / 4
    assert ppi(LABELS, JUDGED, OTHERS, weight=1.0).error == pytest.approx(np.sqrt(expected))


def test_verdicts_as_strata_by_hand() -> None:
    # People's means .5 where the judge says 0, 1 where it says 1; 7 of all 12 verdicts are 1.
    everything = np.concatenate((JUDGED, OTHERS))
    assert post_stratified(LABELS, JUDGED, everything).value == pytest.approx(0.7917, abs=5e-5)
    assert post_stratified(LABELS, JUDGED, OTHERS).value == pytest.approx(0.8125)


def test_equal_inclusion_probabilities_change_nothing() -> None:
    plain = ppi(LABELS, JUDGED, OTHERS, weight=0.5)
    pi, rest = np.full(4, 1 / 3), np.full(8, 1 / 3)
    weighted = ppi(LABELS, JUDGED, OTHERS, weight=0.5, inclusion=pi, others_inclusion=rest)
    assert (weighted.value, weighted.error) == (pytest.approx(plain.value), pytest.approx(plain.error))


def test_too_few_labels_have_no_corrected_mean_and_an_idle_judge_counts_nothing() -> None:
    assert corrected_mean(LABELS, JUDGED, OTHERS) is None
    rng = np.random.default_rng(1)
    labels, others = rng.integers(0, 2, 30).astype(float), rng.random(200)
    idle = corrected_mean(labels, np.full(30, 0.5), others)
    assert idle is not None
    assert (idle.method, idle.weight, idle.value) == ("labels", 0.0, pytest.approx(labels.mean()))


@pytest.mark.parametrize(
    ("right", "method"),
    # 20 labels, half of them 1, of which the judge has `right`: correlation .2 and .4, the bound is 1/sqrt(18) = .236.
    [(6, "labels"), (7, "post_stratified")],
)
def test_a_judge_below_the_bound_adds_nothing(right: int, method: str) -> None:
    labels = np.repeat([1.0, 0.0], 10)
    judged = np.array([1.0] * right + [0.0] * (10 - right) + [1.0] * (10 - right) + [0.0] * right)
    others = np.repeat([1.0, 0.0], 20)
    found = corrected_mean(labels, judged, others)
    assert found is not None
    assert (found.method, found.value) == (method, pytest.approx(0.5))
    if method == "labels":
        # Variance 5/19, standard error sqrt(5 / 19 / 20) = .114708; Student's t of 19 degrees: 2.093024.
        plain = corrected_mean(labels, judged, others, is_share=False)
        assert plain is not None
        assert plain.interval.high - 0.5 == pytest.approx(2.093024 * 0.114708, abs=1e-6)


@pytest.mark.parametrize(("ones", "method"), [(4, "ppi"), (5, "post_stratified")])
def test_a_verdict_with_fewer_than_five_labels_is_no_stratum(ones: int, method: str) -> None:
    judged = np.array([1.0] * ones + [0.0] * (20 - ones))
    found = corrected_mean(judged, judged, np.repeat([1.0, 0.0], 20))
    assert found is not None
    assert found.method == method


@pytest.mark.parametrize("is_stratified", [False, True])
def test_intervals_cover_the_true_mean(is_stratified: bool) -> None:
    """A judge that is .2 too kind: 300 studies of 40 labels among 200 questions, true mean .5."""
    rng = np.random.default_rng(11)
    covered, values = 0, []
    for _ in range(300):
        truth = rng.random(200)
        judge = np.clip(truth + 0.2 + rng.normal(0, 0.1, 200), 0, 1)
        inclusion = np.full(200, 0.2)
        if is_stratified:
            # Questions with a low grade are drawn three times as often.
            inclusion = np.where(judge < 0.6, 0.3, 0.1)
        drawn = rng.random(200) < inclusion
        found = corrected_mean(
            truth[drawn],
            judge[drawn],
            judge[~drawn],
            inclusion=inclusion[drawn] if is_stratified else None,
            others_inclusion=inclusion[~drawn] if is_stratified else None,
        )
        assert found is not None
        covered += found.interval.low <= 0.5 <= found.interval.high
        values.append(found.value)
    assert covered / 300 >= 0.92
    assert np.mean(values) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("n", "mean", "sensitivity", "specificity"),
    # Without the errors that were not seen the intervals held the mean in .81, .90 and .90 of the studies.
    [(20, 0.5, 1.0, 0.9), (40, 0.5, 1.0, 0.9), (20, 0.9, 0.9, 0.9)],
)
def test_a_judge_that_agreed_with_all_labels_is_not_taken_for_one_that_never_errs(
    n: int, mean: float, sensitivity: float, specificity: float
) -> None:
    covered = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        truth = (rng.random(n + 500) < mean).astype(float)
        right = np.where(truth == 1, sensitivity, specificity) > rng.random(n + 500)
        judge = np.where(right, truth, 1 - truth)
        found = corrected_mean(truth[:n], judge[:n], judge[n:], seed=seed)
        assert found is not None
        covered += found.interval.low <= mean <= found.interval.high
    assert covered / 400 >= 0.93


def test_equal_labels_do_not_make_a_mean_certain() -> None:
    """20 of 20 right: Wilson's interval is n / (n + z^2) to 1; without spread it had been 1 to 1."""
    found = corrected_mean(np.ones(20), np.ones(20), np.ones(100))
    assert found is not None
    assert (found.value, found.interval.high) == (1.0, 1.0)
    assert found.interval.low == pytest.approx(20 / (20 + 1.959964**2), abs=1e-6)


def test_differences_may_be_negative() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(-0.3, 0.1, 60)
    found = corrected_mean(truth[:30], truth[:30] + 0.1, truth[30:] + 0.1, is_share=False)
    assert found is not None
    assert found.interval.low < -0.3 < found.interval.high
    assert found.method == "ppi"
