"""Recommendations by repeated half splits."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.composite import Panel, PanelMetric
from passer.domain.evidence.half_splits import split_choice

PANEL = Panel(name="one", metrics=(PanelMetric(metric="METEOR", weight=1.0),))


def arms(gains: list[float], *, n: int = 120, seed: int = 1) -> tuple[np.ndarray, list[np.ndarray]]:
    """A baseline and thresholds with these true gains; all share the questions' difficulty."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.2, 0.8, size=(n, 1))
    return level, [level + gain + rng.normal(0, 0.05, size=(n, 1)) for gain in gains]


def test_a_clear_winner_is_chosen_always_and_confirmed():
    baseline, thresholds = arms([0.0, 0.1, 0.0])
    found = split_choice(baseline, thresholds, PANEL, seed=1)
    assert found.chosen_share == (0.0, 1.0, 0.0)
    assert (found.best, found.not_told_apart, found.splits) == (1, (1,), 200)
    span = max(arm.max() for arm in thresholds) - min(arm.min() for arm in (baseline, *thresholds))
    assert found.confirmed_gain == pytest.approx(0.1 / span, rel=0.1)
    assert found.confirmed_range.low < found.confirmed_gain < found.confirmed_range.high


def test_the_best_of_many_equals_looks_better_than_it_is():
    runs = []
    for seed in range(8):
        baseline, thresholds = arms([0.0] * 10, seed=seed)
        runs.append(split_choice(baseline, thresholds, PANEL, seed=1, splits=50))
    assert np.mean([found.optimism for found in runs]) > 0.005
    assert np.mean([found.confirmed_gain for found in runs]) == pytest.approx(0.0, abs=0.005)


def test_thresholds_that_change_nothing_leave_the_baseline():
    baseline, _ = arms([])
    found = split_choice(baseline, [baseline.copy(), baseline.copy()], PANEL, seed=1)
    assert (found.baseline_share, found.chosen_share) == (1.0, (0.0, 0.0))
    assert (found.best, found.not_told_apart, found.optimism, found.confirmed_gain) == (None, (), 0.0, 0.0)


def test_equals_go_to_the_earlier_threshold_and_are_not_told_apart():
    baseline, [better] = arms([0.1])
    found = split_choice(baseline, [better, better.copy()], PANEL, seed=1)
    assert found.chosen_share == (1.0, 0.0)
    assert found.not_told_apart == (0, 1)


def test_the_same_seed_gives_the_same_answer():
    baseline, thresholds = arms([0.0, 0.01])
    assert split_choice(baseline, thresholds, PANEL, seed=4) == split_choice(baseline, thresholds, PANEL, seed=4)
