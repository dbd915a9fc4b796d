"""One more system for a played tournament: who it plays, when it stops, and where it lands."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.arena.added_system import (
    Addition,
    Opponents,
    added_rating,
    by_split,
    next_games,
    rating_among,
    record_of,
)
from passer.domain.arena.davidson import Davidson, davidson
from passer.domain.arena.game import Game, Outcome
from passer.domain.arena.schedule import Fixture, Schedule
from passer.domain.arena.tally import Tally
from passer.domain.arena.tournament import Entrant

RUNS = tuple("abcdef")
QUESTIONS = tuple(f"q{n}" for n in range(20))
OPPONENTS = Opponents({run: 900 + 40 * n for n, run in enumerate(RUNS)}, 0.7, QUESTIONS)
POSSIBLE = {Fixture(question, run, "new") for question in QUESTIONS for run in RUNS}
NEW = Addition(tournament="t", run="new")


def game(fixture: Fixture, outcome: Outcome | None) -> Game:
    how = "failed" if outcome is None else "agreed"
    return Game(question_id=fixture.question_id, a=fixture.a, b=fixture.b, outcome=outcome, how=how)


def play(outcome: Outcome | None, adding: Addition = NEW) -> dict[Fixture, Game]:
    played: dict[Fixture, Game] = {}
    while left := next_games(adding, OPPONENTS, POSSIBLE, played):
        assert not set(left) & set(played)
        played |= {fixture: game(fixture, outcome) for fixture in left}
    return played


def test_questions_on_which_the_better_one_may_lose_come_first() -> None:
    ratings = {"a": 1100.0, "b": 1000.0}
    games = [
        *(game(Fixture("sure", "a", "b"), "a") for _ in range(4)),
        *(game(Fixture("open", "a", "b"), outcome) for outcome in ("a", "b", "tie", "a")),
        *(game(Fixture("half", "a", "b"), outcome) for outcome in ("a", "b", "a", "b")),
        game(Fixture("lost", "a", "b"), None),
    ]
    assert by_split(games, ratings) == ("open", "half", "sure")


def test_the_first_round_is_against_those_in_the_middle_and_later_ones_go_where_it_belongs() -> None:
    first = next_games(NEW, OPPONENTS, POSSIBLE, {})
    # 1000 is nearest to 980, 1020 and 940 of 900, 940, ... 1100.
    assert first == [Fixture("q0", run, "new") for run in ("c", "d", "b")]
    winning = {fixture: game(fixture, "b") for fixture in first}
    second = next_games(NEW, OPPONENTS, POSSIBLE, winning)
    assert {fixture.a for fixture in second} == {"d", "e", "f"}
    assert next(fixture for fixture in second if fixture.a == "d").question_id == "q1"


def test_it_stops_at_a_narrow_interval_or_at_the_most_games() -> None:
    # Wilson's interval of 0 of n has the width z^2 / (n + z^2): .30 at 9 games.
    assert len(play("a")) == 9
    assert len(play("b")) == 9
    # Ties are not won either.
    assert len(play("tie")) == 9
    assert len(play(None)) == 40
    assert len(play(None, NEW.model_copy(update={"most": 7}))) == 7
    alternating: dict[Fixture, Game] = {}
    while left := next_games(NEW, OPPONENTS, POSSIBLE, alternating):
        alternating |= {each: game(each, "a" if (len(alternating) + n) % 2 else "b") for n, each in enumerate(left)}
    # At a share of one half the width falls below .30 at 40 games.
    assert len(alternating) in (39, 40)


def test_a_restart_in_the_middle_of_a_round_plays_the_same_games() -> None:
    whole = play("tie")
    played: dict[Fixture, Game] = {}
    while left := next_games(NEW, OPPONENTS, POSSIBLE, played):
        # Only the last game of the round was stored when the process died.
        played[left[-1]] = game(left[-1], "tie")
    assert played == whole


def test_few_questions_end_it() -> None:
    possible = {Fixture("q3", run, "new") for run in "ab"}
    assert next_games(NEW, OPPONENTS, possible, {each: game(each, None) for each in possible}) == []


def test_the_rating_of_a_system_that_wins_as_often_as_it_loses_is_that_of_its_opponents() -> None:
    games = [game(Fixture(f"q{n}", "c", "new"), "a" if n % 2 else "b") for n in range(400)]
    assert rating_among("new", games, OPPONENTS) == pytest.approx(980, abs=0.2)
    assert rating_among("new", [], OPPONENTS) == pytest.approx(1000)
    assert rating_among("new", games[:1], OPPONENTS) > 1000


def test_a_left_out_system_comes_back_near_its_rating() -> None:
    rng = np.random.default_rng(3)
    log_odds = np.linspace(-1, 1, 6)
    games = []
    for question_id, a, b in Schedule(runs=RUNS).fixtures({f"q{n}": RUNS for n in range(300)}):
        gap = log_odds[RUNS.index(a)] - log_odds[RUNS.index(b)]
        weights = np.array([np.exp(gap / 2), np.exp(-gap / 2), 0.7])
        outcome = ("a", "b", "tie")[rng.choice(3, p=weights / weights.sum())]
        games.append(game(Fixture(question_id, a, b), outcome))
    everything = davidson(Tally.of(RUNS, games), draws=2)
    left = [each for each in games if "f" not in (each.a, each.b)]
    others = davidson(Tally.of(RUNS[:5], left), draws=2)
    assert isinstance(everything, Davidson)
    assert isinstance(others, Davidson)
    opponents = Opponents.of(RUNS[:5], others, left)
    found = added_rating(Entrant(id="f", name="f"), games, opponents)
    assert found.rating is not None
    # Ratings are centred on their own systems: compare the lead over the best of the others.
    lead = everything.ratings[5] - everything.ratings[4]
    assert found.rating - others.ratings[4] == pytest.approx(lead, abs=6)
    assert (found.wins, found.losses, found.ties) == record_of("f", [each for each in games if each.b == "f"])
    assert sum(cell.wins for cell in found.opponents) == found.wins
