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

QUESTIONS, THRESHOLDS, TRUE_GAINS = 40, 6, 3
LEVEL = 0.05


@dataclass
class Rates:
    any_false: dict[str, float]
    false_share: float
    covered: float


def study(rng: np.random.Generator, gains: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """CPS of baseline and thresholds after min-max."""
    level = rng.beta(2, 2, size=QUESTIONS)
    baseline = level + rng.normal(0, 0.1, size=QUESTIONS)
    raw = level[:, None] + gains + rng.normal(0, 0.1, size=(QUESTIONS, THRESHOLDS))
    same = rng.random((QUESTIONS, THRESHOLDS)) < 0.2 * (gains == 0)
    raw = np.where(same, baseline[:, None], raw)
    low, high = min(baseline.min(), raw.min()), max(baseline.max(), raw.max())
    return (baseline - low) / (high - low), (raw - low) / (high - low)


def simulate(replicates: int, *, draws: int) -> Rates:
    rng = np.random.default_rng(2026)
    methods = ("holm", "bonferroni", "max-T")
    false = dict.fromkeys(methods, 0)
    shares, covered, intervals = 0.0, 0, 0
    mixed = np.r_[np.full(TRUE_GAINS, 0.08), np.zeros(THRESHOLDS - TRUE_GAINS)]
    for replicate in range(replicates):
        baseline, values = study(rng, np.zeros(THRESHOLDS))
        tests = [paired_t_test(values[:, place], baseline) for place in range(THRESHOLDS)]
        p = [test.p for test in tests]
        flips = sign_flip_test(
            values - baseline[:, None], np.ones(values.shape, dtype=bool), seed=replicate, draws=draws
        )
        for method, adjusted in (
            ("holm", adjusted_p_values(p, "holm")),
            ("bonferroni", adjusted_p_values(p, "bonferroni")),
            ("max-T", flips.p_max_t),
        ):
            false[method] += any(value is not None and value <= LEVEL for value in adjusted)
        for test in tests:
            covered += test.ci is not None and test.ci.low <= 0 <= test.ci.high
            intervals += 1
        baseline, values = study(rng, mixed)
        p = [paired_t_test(values[:, place], baseline).p for place in range(THRESHOLDS)]
        found = [value is not None and value <= LEVEL for value in adjusted_p_values(p, "benjamini-hochberg")]
        shares += sum(found[TRUE_GAINS:]) / max(sum(found), 1)
    return Rates(
        any_false={method: count / replicates for method, count in false.items()},
        false_share=shares / replicates,
        covered=covered / intervals,
    )


def assert_held(rates: Rates, *, error: float) -> None:
    """At most nominal + 1 point, and coverage of 93 to 97 %, both up to the simulation's own error."""
    for method, rate in rates.any_false.items():
        assert rate <= LEVEL + 0.01 + error, method
    assert rates.false_share <= LEVEL + 0.01 + error
    assert 0.93 <= rates.covered <= 0.97


def test_errors_stay_near_their_level() -> None:
    assert_held(simulate(600, draws=499), error=3 * np.sqrt(0.05 * 0.95 / 600))


@pytest.mark.soak
def test_errors_stay_at_their_level_in_the_long_run() -> None:
    assert_held(simulate(10_000, draws=999), error=0.0)
