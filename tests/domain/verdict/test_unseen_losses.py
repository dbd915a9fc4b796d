"""Losses that a sample may not contain, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from passer.domain.verdict.family import FamilyGain, FamilyRule
from passer.domain.verdict.unseen_losses import (
    questions_to_exclude,
    unseen_loss,
    unseen_share,
    without_unseen_losses,
)


def test_the_share_is_the_rule_of_three():
    # Hanley and Lippman-Hand 1983: 3/n; exactly, (1 - share)^n = .05.
    assert unseen_share(60, alpha=0.05) == pytest.approx(3 / 60, rel=0.03)
    assert (1 - unseen_share(60, alpha=0.05)) ** 60 == pytest.approx(0.05)


def test_the_highest_values_are_lost_and_the_last_one_in_part():
    values = np.array([0.2, 1.0, 0.6, 0.4])
    # A share of .3 of four questions is the best one and a fifth of the second one.
    assert unseen_loss(values, 0.3) == pytest.approx((1.0 + 0.2 * 0.6) / 4)
    # With weights .5, .1, .2, .2: .1 of the best, .2 of the next one.
    assert unseen_loss(values, 0.3, np.array([5.0, 1.0, 2.0, 2.0])) == pytest.approx(0.1 * 1.0 + 0.2 * 0.6)
    # On a scale without an end, such as minus a perplexity, there is no highest loss to reckon with.
    assert unseen_loss(-values, 0.3) == 0


def test_questions_for_the_margin_follow_from_the_share():
    n = questions_to_exclude(margin=0.02, alpha=0.05)
    assert n == 149
    assert unseen_share(n, alpha=0.05) <= 0.02 < unseen_share(n - 1, alpha=0.05)
    assert questions_to_exclude(margin=0.02, alpha=0.05, highest=0.5) == 74
    assert questions_to_exclude(margin=0.02, alpha=0.05, highest=0.01) == 1
    assert questions_to_exclude(margin=1e-200, alpha=0.05) == pytest.approx(-math.log(0.05) * 1e6, rel=1e-5)


def as_good(n: int, gain: float = 0.0, **more: object) -> FamilyGain:
    given = {"low": -0.01, "high": 0.01, "p": 1.0, "outcome": "as_good", "pairs": n, "clusters": n, "changed": n}
    return FamilyGain.model_validate({"gain": gain, "standard_error": 0.005, **given, **more})


@pytest.mark.parametrize(
    ("gain", "value", "outcome"),
    [
        (as_good(148), 1.0, "undecided"),
        (as_good(149), 1.0, "as_good"),
        # Half of the scale can be lost at most: .5 (1 - .05^(1/n)) is below .02 from 74, and below .04 from 36.
        (as_good(73), 0.5, "undecided"),
        (as_good(74), 0.5, "as_good"),
        (as_good(36, 0.02), 0.5, "as_good"),
        (as_good(35, 0.02), 0.5, "undecided"),
        # Questions of a document are missed together.
        (as_good(149, clusters=30), 1.0, "undecided"),
        (as_good(30, outcome="better"), 1.0, "better"),
        (as_good(30, outcome="worse"), 1.0, "worse"),
    ],
)
def test_as_good_needs_as_many_questions_as_exclude_a_loss_of_the_margin(gain, value, outcome):
    shape = (gain.pairs, 1)
    given = ([gain], np.zeros(shape), np.full(shape, value))
    (found,) = without_unseen_losses(*given, FamilyRule())
    assert found.outcome == outcome
    assert found.reason == ("unseen_losses" if outcome == "undecided" else None)
    # Interval and p stay as figures, and documents before version 9 keep their outcome.
    assert (found.low, found.p) == (gain.low, gain.p)
    assert without_unseen_losses(*given, FamilyRule(old_losses=True)) == (gain,)


def test_only_questions_with_a_difference_count():
    differences = np.zeros((149, 1))
    differences[:9] = math.nan
    values = np.where(np.isnan(differences), 1.0, 0.9)
    gain = as_good(140)
    # 1 - .05^(1/140) of .9 is .019.
    assert without_unseen_losses([gain], differences, values, FamilyRule())[0].outcome == "as_good"
    assert without_unseen_losses([gain], np.zeros((149, 1)), values, FamilyRule())[0].outcome == "undecided"
