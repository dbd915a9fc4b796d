"""Intervals, errors and ranks of ratings: by hand, by the jackknife, and by simulation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit

from passer.domain.arena.davidson import fit_of, refit
from passer.domain.arena.game import OUTCOMES
from passer.domain.arena.tally import Tally
from tests.domain.arena.made import a_game, random_tally, rated
from tests.domain.arena.paper import SYSTEMS, games

SOAK = (pytest.mark.soak, pytest.mark.timeout(1200))
PAPER = games()
TALLY = Tally.of(SYSTEMS, PAPER)


def test_intervals_come_from_questions_not_games() -> None:
    # Ten copies of each game in the same question say nothing more about the questions.
    few = [a_game(n, "a", "b", outcome) for n, outcome in enumerate(["a", "b", "a", "a", "tie", "b", "a", "b"] * 3)]
    once, often = rated(Tally.of("ab", few)), rated(Tally.of("ab", few * 10))
    assert once.interval is not None
    assert often.interval is not None
    assert often.interval[0] == pytest.approx(once.interval[0], abs=1e-6)
    single = rated(Tally.of("ab", [a_game(0, "a", "b", "a"), a_game(0, "a", "b", "b")]))
    assert single.interval is None
    assert single.ranks is None


def test_the_rating_of_a_run_that_wins_every_question_is_not_certain() -> None:
    # By hand: n wins and a phantom tie each give the log odds u = 2 t with n (1 - p) = q - 1/2, p and q the chances
    # of winning at u and t. The information on u is n p (1 - p) + q (1 - q) / 2; the ratings are 1000 +- SCALE u / 2.
    n, scale = 20, 400 / np.log(10)
    u = brentq(lambda u: n * (1 - expit(u)) - (expit(u / 2) - 0.5), 0.1, 20)
    p, q = expit(u), expit(u / 2)
    half = stats.t.ppf(0.975, n - 1) * scale / 2 / (n * p * (1 - p) + q * (1 - q) / 2) ** 0.5
    found = rated(Tally.of("ab", [a_game(question, "a", "b", "a") for question in range(n)]))
    assert found.interval is not None
    middle = 1000 + scale * u / 2
    assert found.ratings[0] == pytest.approx(middle, abs=1e-4)
    assert [end[0] for end in found.interval] == pytest.approx([middle - half, middle + half], abs=1e-3)


def test_intervals_of_few_questions_hold_the_ratings() -> None:
    # Six systems that are equal: every true rating is 1000. Percentiles of the draws held it in .84 of the cases.
    rng = np.random.default_rng(5)
    pairs = list(combinations("abcdef", 2))
    held = 0
    for seed in range(60):
        games = [a_game(n, *pair, OUTCOMES[rng.choice(3, p=[0.4, 0.4, 0.2])]) for n in range(6) for pair in pairs]
        interval = rated(Tally.of("abcdef", games), draws=300, seed=seed).interval
        assert interval is not None
        held += int(((interval[0] <= 1000) & (interval[1] >= 1000)).sum())
    assert held >= 0.93 * 60 * 6


def test_rank_intervals_hold_for_all_runs_together() -> None:
    found = rated(TALLY)
    assert found.ranks is not None
    best, worst = found.ranks
    place = (-found.ratings).argsort().argsort() + 1
    assert ((best <= place) & (place <= worst)).all()
    # A win in every question over two others is told apart from them, they are not from each other.
    wins = [a_game(n, "a", other, "a" if n else "b") for n in range(40) for other in "bc"]
    even = [a_game(n, "b", "c", "a" if n % 2 else "b") for n in range(40)]
    ranks = rated(Tally.of("abc", wins + even)).ranks
    assert ranks is not None
    assert [list(each) for each in ranks] == [[1, 2, 2], [1, 3, 3]]


@pytest.mark.parametrize(
    ("questions", "tournaments"), [(10, 100), pytest.param(10, 1000, marks=SOAK), pytest.param(20, 1000, marks=SOAK)]
)
def test_equal_runs_are_ranked_apart_in_at_most_a_twentieth_of_tournaments(questions: int, tournaments: int) -> None:
    rng = np.random.default_rng(3)
    pairs = list(combinations("abcdef", 2))
    apart = 0
    for seed in range(tournaments):
        games = [
            a_game(question, *pair, OUTCOMES[rng.choice(3, p=[0.375, 0.375, 0.25])])
            for question in range(questions)
            for pair in pairs
        ]
        ranks = rated(Tally.of("abcdef", games), draws=400, seed=seed).ranks
        assert ranks is not None
        apart += bool((ranks[0] > 1).any())
    # Three standard errors of a share of .05.
    assert apart / tournaments <= 0.05 + 3 * (0.05 * 0.95 / tournaments) ** 0.5


def test_errors_of_differences_are_those_of_whole_questions() -> None:
    # Two runs without ties: the log odds of w wins in n questions of m games each have the cluster variance
    # G/(G - 1) sum over questions of (wins - m p)^2 / (n m p (1 - p))^2, by hand.
    wins = [3, 1, 2, 3, 0, 2, 3, 1]
    games = [a_game(q, "a", "b", "a" if n < own else "b") for q, own in enumerate(wins) for n in range(3)]
    p = sum(wins) / 24
    variance = 8 / 7 * sum((own - 3 * p) ** 2 for own in wins) / (24 * p * (1 - p)) ** 2
    assert rated(Tally.of("ab", games)).gap_error == pytest.approx([400 / np.log(10) * variance**0.5], rel=1e-4)


def test_standard_errors_are_those_of_the_jackknife() -> None:
    tally = random_tally(3, number=400)
    found = rated(tally)
    without = refit(tally, tally.total[None] - tally.counts, fit_of(tally)).parameters * 400 / np.log(10)
    gaps = without[:, :, None] - without[:, None, :]
    jackknife = np.sqrt(99 / 100 * ((gaps - gaps.mean(axis=0)) ** 2).sum(axis=0))
    assert found.gap_error == pytest.approx(jackknife[np.triu_indices(5, 1)], rel=0.05)


def test_equal_answers_of_two_systems_do_not_hide_the_ranks_of_others() -> None:
    # c answers as b does: they always tie and fare alike, so nothing tells them apart.
    wins = [a_game(n, "a", other, "a" if n % 5 else "b") for n in range(40) for other in "bc"]
    ranks = rated(Tally.of("abc", [*wins, *(a_game(n, "b", "c", "tie") for n in range(40))])).ranks
    assert ranks is not None
    assert [list(each) for each in ranks] == [[1, 2, 2], [1, 3, 3]]


def test_below_six_questions_ratings_have_no_intervals_or_ranks() -> None:
    pairs = list(combinations("abc", 2))
    few = rated(Tally.of("abc", [a_game(n, *pair, "a") for n in range(5) for pair in pairs * 10]))
    assert (few.interval, few.ranks) == (None, None)
    found = rated(Tally.of("ab", [a_game(n, "a", "b", "a") for n in range(6)]))
    assert found.interval is not None
    assert found.ranks is not None
    assert list(found.ranks[0]) == [1, 2]
