"""Recommendations by repeated half splits."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.evidence.half_splits import split_choice
from passer.domain.panel import Panel, PanelMetric
from passer.domain.verdict.family import FamilyRule, family_gains

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
        baseline, thresholds = arms([0.01] * 10, seed=seed)
        runs.append(split_choice(baseline, thresholds, PANEL, seed=1, splits=50))
    assert np.mean([found.optimism for found in runs]) > 0.005
    assert all(0 < found.baseline_share < 1 for found in runs), "half of the questions hardly find such a gain"


def test_the_highest_mean_gain_is_not_taken_where_it_is_not_significant_or_less_steady():
    # Holm needs p < .05 / 3: the first gains most but in few questions; the second and third gain everywhere.
    n = 200
    level = np.full((n, 1), 0.5) + np.linspace(0, 0.1, n)[:, None]
    rare = level.copy()
    rare[:5] += 3.0
    wobble = np.where(np.arange(n) % 2, 0.2, -0.14)[:, None]
    found = split_choice(level, [rare, level + 0.029 + 1e-3 * wobble, level + 0.031 + wobble], PANEL, seed=1)
    gains = [float((arm - level).mean()) for arm in (rare, level + 0.029, level + 0.031 + wobble)]
    assert gains[0] > gains[2] > gains[1]
    assert found.best == 1
    assert found.chosen_share[0] == 0.0
    assert found.chosen_share[1] > 0.8


def test_a_larger_family_makes_it_harder_to_be_taken():
    baseline, thresholds = arms([0.016], n=60)
    alone = split_choice(baseline, thresholds, PANEL, seed=1)
    among = split_choice(baseline, thresholds, PANEL, seed=1, family_size=40)
    assert among.chosen_share[0] < alone.chosen_share[0]


def test_thresholds_that_change_nothing_leave_the_baseline():
    baseline, _ = arms([])
    found = split_choice(baseline, [baseline.copy(), baseline.copy()], PANEL, seed=1)
    assert (found.baseline_share, found.chosen_share) == (1.0, (0.0, 0.0))
    assert (found.best, found.optimism, found.confirmed_gain) == (None, 0.0, 0.0)
    assert (found.baseline_is_alike, found.not_told_apart) == (True, (0, 1)), (
        "the baseline is the best, and all equal it"
    )


def test_what_loses_clearly_is_told_from_the_baseline_that_is_best():
    baseline, [worse, equal] = arms([-0.1, 0.0])
    found = split_choice(baseline, [worse, equal], PANEL, seed=1)
    assert (found.best, found.baseline_is_alike, found.not_told_apart) == (None, True, (1,))


def test_the_intervals_to_the_best_are_those_of_the_verdict():
    """With metrics between 0 and 1 CPS is the metric itself: the family of all others against the best."""
    baseline, others = arms([0.03, 0.06, 0.055, 0.0])
    ends = np.array([[0.0]]), np.array([[1.0]])
    baseline, *others = (np.concatenate([arm, *ends]) for arm in (baseline, *others))
    found = split_choice(baseline, others, PANEL, seed=1)
    assert found.best is not None
    rest = {name: arm for name, arm in zip(range(-1, 4), (baseline, *others), strict=True) if name != found.best}
    gains = family_gains(np.column_stack([arm - others[found.best] for arm in rest.values()]), FamilyRule())
    alike = {name for name, gain in zip(rest, gains, strict=True) if gain.high is not None and gain.high >= 0}
    assert found.baseline_is_alike == (-1 in alike)
    assert found.not_told_apart == tuple(sorted({found.best, *alike} - {-1}))
    assert len(found.not_told_apart) == 2, "two gain nearly alike"


def test_winsorised_halves_are_not_moved_by_one_outlier():
    baseline, thresholds = arms([0.1], n=600)
    plain = split_choice(baseline, thresholds, PANEL, seed=1, normalisation="winsorised")
    spiked = baseline.copy()
    spiked[0] = thresholds[0][0] = 40.0
    moved = split_choice(spiked, thresholds, PANEL, seed=1, normalisation="winsorised")
    assert moved.confirmed_gain == pytest.approx(plain.confirmed_gain, rel=0.15)
    assert split_choice(spiked, thresholds, PANEL, seed=1).confirmed_gain < 0.6 * plain.confirmed_gain


def test_equals_go_to_the_earlier_threshold_and_are_not_told_apart():
    baseline, [better] = arms([0.1])
    found = split_choice(baseline, [better, better.copy()], PANEL, seed=1)
    assert found.chosen_share == (1.0, 0.0)
    assert found.not_told_apart == (0, 1)


def test_the_same_seed_gives_the_same_answer():
    baseline, thresholds = arms([0.0, 0.01])
    assert split_choice(baseline, thresholds, PANEL, seed=4) == split_choice(baseline, thresholds, PANEL, seed=4)
