"""Simulated studies: how often corrected tests find what is not there, and intervals miss what is.

Each study has one baseline that all thresholds are compared with, questions of unequal difficulty, answers that are
exactly the baseline's in part, and min-max constants made again from its own rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from passer.domain.evidence.permutation import sign_flip_test
from passer.domain.statistics import adjusted_p_values, paired_t_test

QUESTIONS, THRESHOLDS = 40, 6
MIXTURES = {1: 0.05, 3: 0.08}
"""How many thresholds gain, and by how much before min-max."""
LEVEL = 0.05


@dataclass
class Rates:
    any_false: dict[str, float]
    false_share: dict[int, float]
    """By how many of the thresholds gain in truth."""
    covered: float
    covered_gain: float
    """Share of intervals that hold a true gain that is not 0."""


def study(rng: np.random.Generator, gains: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """CPS of baseline and thresholds after min-max, and by what it divided."""
    level = rng.beta(2, 2, size=QUESTIONS)
    baseline = level + rng.normal(0, 0.1, size=QUESTIONS)
    raw = level[:, None] + gains + rng.normal(0, 0.1, size=(QUESTIONS, THRESHOLDS))
    same = rng.random((QUESTIONS, THRESHOLDS)) < 0.2 * (gains == 0)
    raw = np.where(same, baseline[:, None], raw)
    low, high = min(baseline.min(), raw.min()), max(baseline.max(), raw.max())
    return (baseline - low) / (high - low), (raw - low) / (high - low), high - low


def false_share_and_coverage(rng: np.random.Generator, true: int) -> tuple[float, int]:
    """Share of false among the discoveries of one study, and how many intervals of its true gains hold them."""
    gains = np.r_[np.full(true, MIXTURES[true]), np.zeros(THRESHOLDS - true)]
    baseline, values, span = study(rng, gains)
    tests = [paired_t_test(values[:, place], baseline) for place in range(THRESHOLDS)]
    found = [
        value is not None and value <= LEVEL
        for value in adjusted_p_values([test.p for test in tests], "benjamini-hochberg")
    ]
    held = sum(test.ci is not None and test.ci.low <= MIXTURES[true] / span <= test.ci.high for test in tests[:true])
    return sum(found[true:]) / max(sum(found), 1), held


def simulate(replicates: int, *, draws: int) -> Rates:
    rng = np.random.default_rng(2026)
    methods = ("holm", "bonferroni", "max-T")
    false = dict.fromkeys(methods, 0)
    shares, held = dict.fromkeys(MIXTURES, 0.0), 0
    covered, intervals = 0, 0
    for replicate in range(replicates):
        baseline, values, _ = study(rng, np.zeros(THRESHOLDS))
        tests = [paired_t_test(values[:, place], baseline) for place in range(THRESHOLDS)]
        p = [test.p for test in tests]
        flips = sign_flip_test(values - baseline[:, None], seed=replicate, draws=draws)
        for method, adjusted in (
            ("holm", adjusted_p_values(p, "holm")),
            ("bonferroni", adjusted_p_values(p, "bonferroni")),
            ("max-T", flips.p_max_t),
        ):
            false[method] += any(value is not None and value <= LEVEL for value in adjusted)
        for test in tests:
            covered += test.ci is not None and test.ci.low <= 0 <= test.ci.high
            intervals += 1
        for true in MIXTURES:
            share, of_gains = false_share_and_coverage(rng, true)
            shares[true] += share
            held += of_gains
    return Rates(
        any_false={method: count / replicates for method, count in false.items()},
        false_share={true: share / replicates for true, share in shares.items()},
        covered=covered / intervals,
        covered_gain=held / (replicates * sum(MIXTURES)),
    )


def assert_held(rates: Rates, *, error: float) -> None:
    """At most nominal + 1 point, and coverage of 93 to 97 %, both up to the simulation's own error."""
    for method, rate in rates.any_false.items():
        assert rate <= LEVEL + 0.01 + error, method
    for true, share in rates.false_share.items():
        assert share <= LEVEL + 0.01 + error, true
    assert 0.93 <= rates.covered <= 0.97
    assert 0.93 <= rates.covered_gain <= 0.97


def test_errors_stay_near_their_level() -> None:
    assert_held(simulate(600, draws=499), error=3 * np.sqrt(0.05 * 0.95 / 600))


@pytest.mark.soak
def test_errors_stay_at_their_level_in_the_long_run() -> None:
    assert_held(simulate(10_000, draws=999), error=0.0)
