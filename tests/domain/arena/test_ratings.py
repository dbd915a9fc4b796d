"""Ratings: by hand, by an independent optimiser, by evalica, and of the paper's table."""

from __future__ import annotations

from collections.abc import Sequence

import evalica
import numpy as np
import pytest
from scipy.optimize import minimize

from passer.domain.arena.davidson import davidson
from passer.domain.arena.elo import elo, play
from passer.domain.arena.figures import win_matrix
from passer.domain.arena.paired_logit import fit, one_step
from passer.domain.arena.tally import Tally, question_weights
from tests.domain.arena.made import a_game, random_tally, rated
from tests.domain.arena.paper import SYSTEMS, games

PAPER = games()
TALLY = Tally.of(SYSTEMS, PAPER)


def test_the_papers_table_by_davidson_and_bradley_terry() -> None:
    assert (len(PAPER), int(TALLY.total[:, 2].sum())) == (3000, 761)
    found = rated(TALLY)
    assert found.ratings == pytest.approx([976.0, 1093.4, 912.3, 957.1, 999.9, 1061.3], abs=0.05)
    assert found.nu == pytest.approx(0.7048, abs=5e-5)
    assert not found.has_prior
    halves = TALLY.total[:, :2] + TALLY.total[:, 2:] / 2
    counts = np.concatenate([halves, np.zeros((len(halves), 1))], axis=1)[None]
    strengths = fit(TALLY.design, counts, runs=6, prior=np.zeros(1, bool)).parameters[0]
    ratings = 1000 + 400 * strengths / np.log(10)
    assert ratings == pytest.approx([982.3, 1068.8, 935.4, 968.4, 999.9, 1045.2], abs=0.05)


def test_the_papers_table_by_elo() -> None:
    found = elo(TALLY, seed=1)
    assert found.ratings == pytest.approx([982, 1071, 934, 968, 999, 1046], abs=12)
    assert found.ratings.sum() == pytest.approx(6000, abs=1e-6)
    again = elo(TALLY, seed=1)
    assert np.array_equal(found.ratings, again.ratings)
    assert not np.array_equal(found.ratings, elo(TALLY, seed=2).ratings)


def test_the_papers_row_means() -> None:
    records = win_matrix(TALLY).records
    means = [100 * (record.mean_share or 0) for record in records]
    # The paper prints 36.0 and 44.3 for the last two.
    assert means == pytest.approx([34.8, 48.6, 27.4, 32.8, 36.5, 43.8], abs=0.051)
    assert [record.wins + record.losses + record.ties for record in records] == [1000] * 6
    cell = next(each for each in win_matrix(TALLY).cells if (each.run, each.opponent) == ("RAG-BM25", "RAGF-BM25"))
    assert (cell.wins, cell.losses, cell.ties) == (29, 98, 73)


@pytest.mark.parametrize(("sign", "expected"), [(1, [485, 574, 436, 470, 501, 548]), (-1, None)])
def test_what_the_papers_program_did(sign: int, expected: Sequence[int] | None) -> None:
    """Ratings cut to integers after each game lose half of all points; with the inverted sign they run away.

    Published: 487, 571, 436, 470, 497, 550, in sum 3,011. The inverted sign is that of the program's repository on
    24 March 2026.
    """
    rng = np.random.default_rng(1)
    place = {name: n for n, name in enumerate(SYSTEMS)}
    rows = [(place[game.a], place[game.b], {"a": 1.0, "b": 0.0, "tie": 0.5}[game.outcome or ""]) for game in PAPER]
    tournaments = []
    for _ in range(20):
        ratings = [1000] * 6
        for n in rng.permutation(len(rows)):
            a, b, score = rows[n]
            # The inverted program runs away beyond what a power of ten can hold.
            gap = max(-4000.0, min(4000.0, (ratings[b] - ratings[a]) / 400))
            chance = 1 / (1 + 10 ** max(-300.0, min(300.0, gap)))
            ratings[a] = int(ratings[a] + sign * 32 * (score - chance))
            ratings[b] = int(ratings[b] - sign * 32 * (score - chance))
        tournaments.append(ratings)
    means = np.mean(tournaments, axis=0)
    if expected is not None:
        assert means == pytest.approx(expected, abs=15)
        assert means.sum() == pytest.approx(3015, abs=60)
    else:
        assert np.abs(means).max() > 10_000


def test_elo_by_hand() -> None:
    a, b = np.array([0, 0]), np.array([1, 2])
    once = play(a[:1], b[:1], np.array([1.0]), np.array([[0]]), np.full(3, 1000.0))
    assert once[0] == pytest.approx([1016, 984, 1000])
    # Against the third, a (1016) is expected to score 1 / (1 + 10^(-16 / 400)) = .523010.
    twice = play(a, b, np.ones(2), np.array([[0, 1]]), np.full(3, 1000.0))
    assert twice[0, 0] - 1016 == pytest.approx(15.263693, abs=1e-6)
    assert twice[0, 0] - 1016 == pytest.approx(32 * (1 - 0.523010), abs=2e-5)
    # The stronger gains less from a win than the weaker.
    upset = play(b[1:], a[1:], np.ones(1), np.array([[0]]), np.array([1016.0, 984, 1000]))
    assert upset[0, 2] - 1000 > twice[0, 0] - 1016


def test_swapping_a_and_b_mirrors_elo() -> None:
    rng = np.random.default_rng(3)
    a, b = np.zeros(50, int), np.ones(50, int)
    scores, order = rng.choice([0.0, 0.5, 1.0], 50), rng.permuted(np.tile(np.arange(50), (3, 1)), axis=1)
    one = play(a, b, scores, order, np.full(2, 1000.0))
    assert play(b, a, 1 - scores, order, np.full(2, 1000.0)) == pytest.approx(one)


@pytest.mark.parametrize("seed", range(20))
def test_davidson_is_the_maximum_of_its_likelihood(seed: int) -> None:
    tally = random_tally(seed)
    a, b = tally.pairs.T

    def loss(parameters: np.ndarray) -> float:
        strengths, log_nu = parameters[:-1], parameters[-1]
        logits = np.stack([strengths[a], strengths[b], log_nu + (strengths[a] + strengths[b]) / 2], axis=1)
        return -float((tally.total * (logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))).sum())

    oracle = minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-7})
    strengths = oracle.x[:-1] - oracle.x[:-1].mean()
    found = rated(tally, draws=2)
    assert found.ratings == pytest.approx(1000 + 400 * strengths / np.log(10), abs=0.01)
    assert found.nu == pytest.approx(np.exp(oracle.x[-1]), rel=1e-4)


def test_ratings_agree_with_evalica() -> None:
    for seed in range(200):
        tally = random_tally(seed, number=60)
        if rated(tally, draws=2).has_prior:
            continue
        xs, ys, winners, scores = [], [], [], []
        for (a, b), counts in zip(tally.pairs.tolist(), tally.total.astype(int).tolist(), strict=True):
            for outcome, winner, score in zip(
                counts, (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw), (1.0, 0.0, 0.5), strict=True
            ):
                xs += [tally.runs[a]] * outcome
                ys += [tally.runs[b]] * outcome
                winners += [winner] * outcome
                scores += [score] * outcome
        newman = evalica.newman(xs, ys, winners, tolerance=1e-12, limit=100_000)
        strengths = np.log(newman.scores.loc[list(tally.runs)].to_numpy())
        found = rated(tally, draws=2)
        assert found.ratings == pytest.approx(1000 + 400 * (strengths - strengths.mean()) / np.log(10), abs=1e-3)
        assert found.nu == pytest.approx(2 * newman.v, abs=1e-4)
        names = {run: n for n, run in enumerate(tally.runs)}
        order = np.arange(len(xs))[None]
        mine = play(
            np.array([names[x] for x in xs]), np.array([names[y] for y in ys]), np.array(scores), order,
            np.full(len(names), 1000.0),
        )  # fmt: skip
        theirs = evalica.elo(xs, ys, winners, k=32.0).scores.loc[list(tally.runs)].to_numpy()
        assert mine[0] == pytest.approx(theirs, abs=1e-4)


def test_all_ties_are_equal_and_an_unbeaten_run_is_finite() -> None:
    ties = Tally.of("abc", [a_game(n, *pair, "tie") for n in range(6) for pair in ("ab", "ac", "bc")])
    found = rated(ties)
    assert found.ratings == pytest.approx([1000, 1000, 1000])
    assert np.isfinite(found.nu)
    assert found.nu > 100
    assert not found.above.any()
    unbeaten = Tally.of(
        "abc", [a_game(n, a, b, "a") for n in range(5) for a, b in ("ab", "ac")] + [a_game(0, "b", "c", "tie")]
    )
    found = rated(unbeaten)
    assert found.has_prior
    assert np.isfinite(found.ratings).all()
    assert found.ratings[0] > found.ratings[1] == pytest.approx(found.ratings[2])
    assert np.isfinite(found.draws).all()


def test_runs_that_no_game_joins_have_no_ratings() -> None:
    apart = Tally.of("abcd", [a_game(0, "a", "b", "a"), a_game(0, "c", "d", "b")])
    assert davidson(apart) == "not_connected"
    assert davidson(Tally.of("ab", [])) == "no_games"
    assert davidson(Tally.of("abc", [a_game(0, "a", "b", "a")])) == "not_connected"


def test_one_newton_step_is_close_to_fitting_each_sample() -> None:
    rng = np.random.default_rng(5)
    design = np.concatenate([rng.choice([-1.0, 1.0], (300, 1)), rng.normal(size=(300, 1))], axis=1)
    chances = 1 / (1 + np.exp(-design @ [0.4, 0.8]))
    wins = rng.random(300) < chances
    counts = np.stack([wins, ~wins, np.zeros(300)], axis=1).astype(float)
    groups = np.arange(300) // 3
    weights = question_weights(100, 400, 1)
    fitted = fit(design, counts[None], runs=0, prior=np.zeros(1, bool))
    quick = one_step(design, counts, fitted, runs=0, groups=groups, weights=weights)
    whole = fit(design, weights[:, groups, None] * counts, runs=0, prior=np.zeros(400, bool)).parameters
    ends = [np.percentile(drawn, (2.5, 97.5), axis=0) for drawn in (quick, whole)]
    assert ends[0] == pytest.approx(ends[1], abs=0.05)
