"""Two looks: what a first one spends, and how often two of them find something where there is nothing."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from passer.domain.verdict.family import FamilyRule, FirstLook, family_gains
from passer.domain.verdict.two_looks import Looks, spent_alpha


@pytest.mark.parametrize(("first", "second", "spent"), [(60, 140, 0.0028), (70, 140, 0.0056), (139, 140, 0.0492)])
def test_the_error_that_a_first_look_spends(first, second, spent):
    # 1.95996 / sqrt(60 / 140) = 2.99388, of which the normal distribution leaves .00275 on both sides.
    assert spent_alpha(0.05, first / second) == pytest.approx(spent, abs=5e-5)


def second(differences: np.ndarray, *, first: int, draws: int = 999, seed: int = 1):
    looked = FirstLook(np.arange(len(differences)) < first, first / len(differences))
    return family_gains(differences, FamilyRule(draws=draws, seed=seed), looks=looked)


def test_the_second_look_is_a_little_stricter_than_a_single_one():
    differences = np.random.default_rng(5).normal(0.02, 0.1, (140, 3))
    alone, twice = family_gains(differences, FamilyRule(draws=9999)), second(differences, first=60, draws=9999)
    for once, again in zip(alone, twice, strict=True):
        assert once.gain == again.gain
        # O'Brien and Fleming: the final critical value is hardly larger than that of one look.
        ratio = (again.high - again.low) / (once.high - once.low)
        assert 0.99 < ratio < 1.08


def test_interval_and_p_agree_at_the_second_look():
    for sweep in range(12):
        differences = np.random.default_rng(sweep).normal(0.018, 0.1, (140, 2))
        for found in second(differences, first=60, seed=sweep):
            assert (found.p <= 0.05) == (found.low > 0 or found.high < 0)


def test_two_looks_with_the_button_pressed_keep_the_error():
    found = 0
    for sweep in range(300):
        shared = np.random.default_rng(sweep).normal(size=(120, 1))
        own = np.random.default_rng(10_000 + sweep).normal(size=(120, 4))
        differences = 0.1 * (np.sqrt(0.7) * shared + np.sqrt(0.3) * own)
        rule = FamilyRule(draws=1999, seed=sweep, alpha=spent_alpha(0.05, 0.5))
        early = any(gain.outcome == "better" for gain in family_gains(differences[:60], rule))
        found += early or any(gain.outcome == "better" for gain in second(differences, first=60, seed=sweep))
    # Nominal at most .025 of 300; three standard errors above it.
    assert found <= 300 * 0.025 + 3 * np.sqrt(300 * 0.025)


def test_a_configuration_that_did_not_vary_at_the_first_look_spends_nothing():
    differences = np.random.default_rng(3).normal(0.0, 0.1, (80, 2))
    differences[:40, 1] = 0.0
    assert all(found.low is not None for found in second(differences, first=40))


def test_a_second_look_has_more_questions():
    with pytest.raises(ValidationError, match="more questions than the first"):
        Looks(first=60, second=60)
