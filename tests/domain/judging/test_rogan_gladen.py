"""A share corrected by labels of another data set: the worked example by hand, its limits, coverage in simulation."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.judging.rogan_gladen import JudgeErrors, carried_share, plain_share


def errors(negatives: int, negatives_right: int, positives: int, positives_right: int) -> JudgeErrors:
    return JudgeErrors(
        negatives=negatives, negatives_right=negatives_right, positives=positives, positives_right=positives_right
    )


def test_the_plain_estimate_by_hand() -> None:
    # (.4 + .7 - 1) / (.7 + .9 - 1) = .1 / .6
    assert plain_share(0.4, specificity=0.7, sensitivity=0.9) == pytest.approx(1 / 6)
    assert plain_share(0.4, specificity=1, sensitivity=1) == pytest.approx(0.4)


def test_the_adjusted_estimate_by_hand() -> None:
    # p~ = 401.9207/1003.8415 = .400383; q0~ = 141/202 = .698020; q1~ = 181/202 = .896040; J = .594059.
    # Variance: (.00023916 + .69615 * .00104350 + .02744 * .00046115) / .352907 = .0027719.
    found = carried_share(400, 1000, errors(200, 140, 200, 180))
    assert found is not None
    assert found.value == pytest.approx(0.1656, abs=1e-4)
    assert found.error == pytest.approx(0.0526, abs=1e-4)
    assert found.interval.low == pytest.approx(0.1656 - 1.96 * 0.05265, abs=2e-4)
    assert found.interval.high == pytest.approx(0.1656 + 1.96 * 0.05265, abs=2e-4)


def test_a_judge_at_chance_and_too_few_labels_correct_nothing() -> None:
    # q0~ = q1~ = 51/102: J = 0.
    assert carried_share(40, 100, errors(100, 50, 100, 50)) is None
    # q0~ = q1~ = 56/102: J = .098, just below the limit; 57/102: J = .118, just above it.
    assert carried_share(40, 100, errors(100, 55, 100, 55)) is None
    assert carried_share(40, 100, errors(100, 56, 100, 56)) is not None
    assert carried_share(40, 100, errors(4, 4, 100, 95)) is None
    assert carried_share(40, 100, errors(100, 95, 4, 4)) is None
    assert carried_share(0, 0, errors(100, 95, 100, 95)) is None


def test_an_estimate_outside_the_possible_is_cut() -> None:
    # The judge says yes less often than it errs: (.02 + .8 - 1) is below 0.
    found = carried_share(2, 100, errors(100, 80, 100, 90))
    assert found is not None
    assert (found.value, found.interval.low) == (0.0, 0.0)
    assert 0 < found.interval.high < 0.2


def test_intervals_cover_although_the_other_data_has_another_share() -> None:
    """Specificity .8, sensitivity .9; share .7 where the 60 labels come from, .3 among the 200 answers here."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(1000):
        positives = int(rng.binomial(60, 0.7))
        known = errors(
            60 - positives, int(rng.binomial(60 - positives, 0.8)), positives, int(rng.binomial(positives, 0.9))
        )
        right = int(rng.binomial(200, 0.3))
        yes = int(rng.binomial(right, 0.9) + rng.binomial(200 - right, 0.2))
        found = carried_share(yes, 200, known)
        assert found is not None
        covered += found.interval.low <= 0.3 <= found.interval.high
    assert covered / 1000 >= 0.93
