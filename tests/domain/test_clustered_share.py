"""Interval of a share whose observations belong to questions."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from passer.domain.clustered_share import clustered_share
from passer.domain.statistics import wilson_interval

Z = stats.norm.ppf(0.975)


def test_one_observation_a_question_gives_wilsons_interval() -> None:
    for right in range(9):
        found = clustered_share([n < right for n in range(8)], [f"q{n}" for n in range(8)])
        expected = stats.binomtest(right, 8).proportion_ci(method="wilson")
        assert found is not None
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_equal_verdicts_of_a_question_count_once_by_hand() -> None:
    # Six questions of three games, all won or all lost; with one more of each, 4 of 8 are won. The variance of whole
    # questions is 8/7 x 8 x 1.5^2 / 24^2 = 1/28, that of 24 independent games 1/4 / 23: a design effect of 23/7.
    hits = [question < 3 for question in range(6) for _ in range(3)]
    found = clustered_share(hits, [f"q{question}" for question in range(6) for _ in range(3)])
    size = 18 / (1 + (23 / 7 - 1) * (stats.t.ppf(0.975, 5) / Z) ** 2)
    half = Z * sqrt(0.25 / size + Z**2 / (4 * size**2)) / (1 + Z**2 / size)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half))


def test_five_questions_have_no_interval() -> None:
    assert clustered_share([True, False] * 50, [f"q{n % 5}" for n in range(100)]) is None
    assert clustered_share([], []) is None


@pytest.mark.parametrize("questions", [6, 20])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_the_interval_holds_the_share_where_games_of_a_question_agree(questions: int, share: float) -> None:
    # Beta-binomial with a correlation of .3 within questions, 15 games each.
    rng = np.random.default_rng(4)
    a, b = (part * 0.7 / 0.3 for part in (share, 1 - share))
    names = [f"q{n}" for n in range(questions) for _ in range(15)]
    held = held_by_games = 0
    for _ in range(300):
        hits = (rng.random((questions, 15)) < rng.beta(a, b, questions)[:, None]).ravel().tolist()
        found, by_games = clustered_share(hits, names), wilson_interval(sum(hits), len(hits))
        assert found is not None
        assert by_games is not None
        held += found.low <= share <= found.high
        held_by_games += by_games.low <= share <= by_games.high
    assert held >= 0.93 * 300
    assert held_by_games < 0.75 * 300
