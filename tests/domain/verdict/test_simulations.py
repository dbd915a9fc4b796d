"""How often the rule of the verdict is wrong, simulated: 2,000 sweeps of each shape, with fixed seeds."""

from __future__ import annotations

import pytest

from benchmarks.null_sweeps import (
    CLUSTERS,
    QUESTIONS,
    RAREST,
    SHAPES,
    better_by_two_looks,
    clustered_rates,
    correction_bias,
    planned_power,
    rates,
)

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
SWEEPS, DRAWS = 2_000, 1_999


@pytest.mark.parametrize("n", QUESTIONS)
@pytest.mark.parametrize("shape", [name for name in SHAPES if name != RAREST])
def test_false_verdicts_are_rare_and_intervals_cover(shape, n):
    found = rates(SHAPES[shape], n, sweeps=SWEEPS, draws=DRAWS)
    assert found["better"] <= 0.06
    assert found["as_good"] <= 0.06
    assert found["coverage"] >= 0.93


@pytest.mark.parametrize(("clusters", "size"), CLUSTERS)
def test_the_same_holds_with_clusters(clusters, size):
    found = clustered_rates(clusters, size, sweeps=SWEEPS, draws=DRAWS)
    assert found["better"] <= 0.06
    assert found["coverage"] >= 0.93


@pytest.mark.parametrize("shape", ["normal", "rare_losses"])
def test_two_looks_keep_the_error(shape):
    assert better_by_two_looks(SHAPES[shape], 60, 140, sweeps=SWEEPS, draws=DRAWS) <= 0.06


def test_the_corrected_gain_has_no_bias_to_speak_of():
    assert abs(correction_bias(sweeps=SWEEPS, splits=50)) <= 0.1


def test_the_planned_number_of_questions_gives_the_planned_power():
    # A fifth fewer questions would have a power of .71, a fifth more .87.
    assert 0.71 <= planned_power(sweeps=4 * SWEEPS, draws=DRAWS) <= 0.87
