"""What changes when alpha, beta, weights or normalisation do."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from passer.domain.composite import TcpsWeights, tcps
from passer.domain.evidence import sensitivity
from passer.domain.evidence.sensitivity import ALPHAS, BETAS, grid_sensitivity, normalise, weight_sensitivity
from passer.domain.panel import Panel, PanelMetric

PANEL = Panel(
    name="two",
    metrics=(
        PanelMetric(metric="METEOR", weight=0.5),
        PanelMetric(metric="Laplace Perplexity", weight=0.5, higher_is_better=False),
    ),
)


def test_ranks_over_the_grid_are_those_of_t_cps():
    means, cvs = np.array([0.50, 0.53, 0.40]), np.array([0.10, 0.40, 0.20])
    found = grid_sensitivity(means, cvs)
    orders = []
    for a in ALPHAS:
        for b in BETAS:
            row = [tcps(mean=m, cv=c, weights=TcpsWeights(alpha=a, beta=b)) for m, c in zip(means, cvs, strict=True)]
            orders.append([sorted(row, reverse=True).index(value) + 1 for value in row])
    ranks = np.array(orders)
    assert len(ranks) == found[0].pairs == 25
    default = ranks[ALPHAS.index(0.10) * 5 + BETAS.index(0.05)]
    for place, item in enumerate(found):
        assert item.rank == default[place]
        assert (item.best_rank, item.worst_rank) == (ranks[:, place].min(), ranks[:, place].max())
        assert item.changed == (ranks[:, place] != default[place]).sum()
    assert found[0].changed > 0, "the example is one in which the choice matters"
    assert found[2].changed == 0


def test_the_share_of_alpha_is_that_of_an_analysis_of_variance():
    [found] = grid_sensitivity(np.array([0.5]), np.array([0.6]))
    grid = np.array([[tcps(mean=0.5, cv=0.6, weights=TcpsWeights(alpha=a, beta=b)) for b in BETAS] for a in ALPHAS])
    assert found.alpha_share == pytest.approx(grid.mean(axis=1).var() / grid.var())
    assert grid_sensitivity(np.array([0.0]), np.array([0.0]))[0].alpha_share is None


def test_what_is_best_in_everything_is_best_under_all_weights():
    better, worse = np.array([[0.9, 0.9]]), np.array([[0.8, 0.7]])
    assert weight_sensitivity(np.stack([worse, better]), PANEL, seed=1).best_share == (0.0, 1.0)


def test_what_trades_one_metric_for_the_other_is_best_in_half_of_the_draws():
    trade = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    found = weight_sensitivity(trade, PANEL, seed=1, draws=4_000)
    assert found.best_share[0] == pytest.approx(0.5, abs=0.04)
    assert sum(found.best_share) == pytest.approx(1.0)
    assert found == weight_sensitivity(trade, PANEL, seed=1, draws=4_000)


def test_a_lead_that_one_question_makes_is_lost_as_often_as_it_is_not_drawn():
    """Both metrics are the same, so weights do not matter: one question of three gives the first .9, two the second .3.

    The first is best where its question is drawn at least once of three times: 1 - (2/3)^3 = 19/27.
    """
    first, second = np.array([0.9, 0.0, 0.0]), np.array([0.0, 0.3, 0.3])
    values = np.repeat(np.stack([first, second])[:, :, None], 2, axis=2)
    found = weight_sensitivity(values, PANEL, seed=1, draws=20_000)
    assert found.best_share[0] == pytest.approx(19 / 27, abs=0.01)


def test_many_questions_are_resampled_in_parts(monkeypatch: pytest.MonkeyPatch):
    """The same draws in a tenth of the memory: 50,000 questions took 1.6 GB for the counts of all draws at once."""
    values = np.random.default_rng(2).normal(0.5, 0.1, size=(3, 2_000, 2))
    peaks, found = [], []
    for most in (10_000_000, 40_000):
        monkeypatch.setattr(sensitivity, "_MOST_COUNTED", most)
        tracemalloc.start()
        found.append(weight_sensitivity(values, PANEL, seed=1, draws=410))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert found[0] == found[1]
    assert peaks[1] < peaks[0] / 10


def test_normalisations_by_hand():
    values = np.array([[0.2, 1.0], [0.4, 10.0], [0.8, 100.0]])
    assert normalise(values, PANEL, "min-max") == pytest.approx(np.array([[0, 1], [1 / 3, 90 / 99], [1, 0]]))
    assert normalise(values, PANEL, "log-perplexity")[:, 1] == pytest.approx([1, 0.5, 0])
    assert normalise(values, PANEL, "rank") == pytest.approx(np.array([[0, 1], [0.5, 0.5], [1, 0]]))
    spiked = np.column_stack([np.r_[np.linspace(0, 1, 199), 50.0], np.full(200, 7.0)])
    winsorised = normalise(spiked, PANEL, "winsorised")
    assert winsorised[198, 0] == pytest.approx(1.0, abs=0.02), "one outlier no longer sets the scale"
    assert normalise(spiked, PANEL, "min-max")[198, 0] == pytest.approx(0.02)
    assert set(winsorised[:, 1]) == {0.5}
