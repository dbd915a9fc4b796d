"""Games that people decide: balanced draws, opposite sides, repetitions, and figures by hand."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from passer.domain.arena.game import Game, How, Outcome
from passer.domain.arena.people import (
    GameDraw,
    Given,
    RatingLink,
    choice_of,
    decided_games,
    draw_games,
    given_of,
    showings,
)
from passer.domain.arena.people_figures import people_figures

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PAIRS = (("r1", "r2"), ("r1", "r3"), ("r2", "r3"))


def a_game(number: int, a: str = "r1", b: str = "r2", *, outcome: Outcome = "a", how: How = "agreed") -> Game:
    return Game(question_id=f"q{number:02d}", a=a, b=b, key=f"{a}{b}{number}", outcome=outcome, how=how)


def a_draw(count: int) -> GameDraw:
    games = draw_games([a_game(n) for n in range(count)], count=count, seed=1)
    return GameDraw(tournament_id="people", of="judged", seed=1, games=games)


def links(*raters: str) -> list[RatingLink]:
    return [
        RatingLink(tournament_id="people", rater=rater, place=place, digest=rater, expires_at=NOW)
        for place, rater in enumerate(raters)
    ]


def test_a_draw_is_balanced_over_pairs_and_leaves_equal_answers_out() -> None:
    games = [a_game(n, *pair) for n in range(10) for pair in PAIRS]
    equal = [a_game(n, *PAIRS[0], outcome="tie", how="same_answer") for n in range(10, 20)]
    drawn = draw_games(games + equal, count=7, seed=1)
    assert sorted(Counter((each.a, each.b) for each in drawn).values()) == [2, 2, 3]
    assert {each.inclusion for each in drawn} == {0.2, 0.3}
    assert drawn == draw_games(games + equal, count=7, seed=1)
    assert drawn != draw_games(games + equal, count=7, seed=2)
    assert len(draw_games(games + equal, count=100, seed=1)) == 30
    # A pair with a single game gives it; the others give the rest.
    few = [a_game(0, *PAIRS[0]), *(a_game(n, *pair) for n in range(10) for pair in PAIRS[1:])]
    assert sorted(Counter((each.a, each.b) for each in draw_games(few, count=9, seed=1)).values()) == [1, 4, 4]
    assert draw_games(equal, count=5, seed=1) == ()


def test_two_raters_see_opposite_sides_in_different_orders_and_a_tenth_again() -> None:
    draw = a_draw(20)
    shown = [showings(draw, rater, place) for place, rater in enumerate(("ana", "ben"))]
    assert shown[0] == showings(draw, "ana", 0)
    first, second = ({each.game.key: each.first for each in own if not each.is_repeated} for own in shown)
    assert len(first) == 20
    assert all(first[key] != second[key] for key in first)
    assert len(set(first.values())) == 2, "a coin decides, not the order of the systems"
    assert [each.game.key for each in shown[0]] != [each.game.key for each in shown[1]]
    for own in shown:
        assert len(own) == 22
        assert len({each.id for each in own}) == 22
        places = {(each.game.key, each.is_repeated): place for place, each in enumerate(own)}
        for repeated in (each for each in own if each.is_repeated):
            before = next(each for each in own if each.game == repeated.game and not each.is_repeated)
            assert before.first != repeated.first
            # Never soon after: the first seven of twenty come back after the thirteenth.
            assert places[repeated.game.key, True] - places[repeated.game.key, False] >= 6
    assert not {each.id for each in shown[0]} & {each.id for each in shown[1]}


def test_a_single_game_is_not_repeated_and_equal_texts_are_shown_once() -> None:
    assert [each.is_repeated for each in showings(a_draw(1), "ana", 0)] == [False]
    twice = [a_game(1), a_game(1).model_copy(update={"question_id": "q99"})]
    draw = GameDraw(tournament_id="people", of="judged", seed=1, games=draw_games(twice, count=2, seed=1))
    assert (len(draw.games), len(showings(draw, "ana", 0))) == (2, 1)


@pytest.mark.parametrize("first", ["a", "b"])
def test_choices_and_what_they_say_are_two_views_of_one_thing(first) -> None:
    assert given_of("first", first) == first
    for choice in ("first", "second", "tie", "both_bad", "cannot_tell"):
        assert choice_of(given_of(choice, first), first) == choice


@pytest.mark.parametrize(
    ("said", "outcome", "how"),
    [
        (("a", "a"), "a", "agreed"),
        (("a", "b"), "tie", "inconsistent"),
        (("tie", "both_bad"), "tie", "agreed"),
        (("b", "tie"), "tie", "inconsistent"),
        (("b", None), "b", "given"),
        (("cannot_tell", "a"), "a", "given"),
        (("cannot_tell", None), None, None),
        ((None, None), None, None),
    ],
)
def test_what_follows_from_two_raters(said, outcome, how) -> None:
    draw = a_draw(1)
    given = {rater: {"r1r20": value} for rater, value in zip(("ana", "ben"), said, strict=True) if value}
    games = decided_games(draw, links("ana", "ben"), given)
    assert [(game.outcome, game.how) for game in games] == ([] if how is None else [(outcome, how)])
    for game in games:
        assert [shown.first for shown in game.verdicts] != ["a", "a"]
        assert all(shown.outcome in ("a", "b", "tie", None) for shown in game.verdicts)
        assert [shown.rater for shown in game.verdicts] == list(given)
    if said == ("a", "a"):
        # Opposite sides: the same answer is the first of one rater and the second of the other.
        assert {shown.verdict for shown in games[0].verdicts} == {"first", "second"}


def test_figures_by_hand() -> None:
    draw = a_draw(4)
    keys = [game.key for game in draw.games]
    said: list[tuple[Given, ...]] = [("a", "a", "b", "tie"), ("a", "b", "b", "both_bad")]
    given = {rater: dict(zip(keys, own, strict=True)) for rater, own in zip(("ana", "ben"), said, strict=True)}
    raters = links("ana", "ben")
    [again] = [each for each in showings(draw, "ana", 0) if each.is_repeated]
    people = decided_games(draw, raters, given)
    assert [game.outcome for game in people] == ["a", "tie", "b", "tie"]
    judged = [a_game(n, outcome=outcome) for n, outcome in enumerate(("a", "a", "a", "tie"))]
    swapped = {"ana": {again.game.key: given["ana"][again.game.key]}}
    found = people_figures(draw, raters, given, swapped, people, judged)
    # 3 of 4 the same; by chance .5 x .25 + .25 x .5 + .25 x .25 = .3125.
    [pair] = found.pairs
    assert (pair.games, pair.same, pair.kappa) == (4, 3, pytest.approx((0.75 - 0.3125) / (1 - 0.3125)))
    ana, ben = found.raters
    assert (ana.total, ana.rated, ben.rated, ben.both_bad, ana.both_bad) == (5, 5, 4, 1, 0)
    assert (ana.repeated, ana.consistent, ben.repeated) == (1, 1, 0)
    assert ben.decided == 3
    # People 1, 0, -1, 0 and judge 1, 1, 1, 0: bias (0 + 1 + 2 + 0)/4, the same in 2 of 4.
    assert found.judge is not None
    assert found.judge.limits.bias == pytest.approx(0.75)
    assert found.judge.categories is not None
    assert found.judge.categories.table == ((0, 0, 1), (0, 1, 1), (0, 0, 1))
    assert found.ceiling is not None
    assert len(found.ceiling.judge) == 2
    assert (found.games, found.decided) == (4, 4)


def test_sides_do_not_depend_on_what_was_drawn_before() -> None:
    """A new link for a known rater keeps sides and order; a third rater sees what the first sees, in another order."""
    draw = a_draw(12)
    ana, eva = showings(draw, "ana", 0), showings(draw, "eva", 2)
    sides = [{each.game.key: each.first for each in own if not each.is_repeated} for own in (ana, eva)]
    assert sides[0] == sides[1]
    assert ana != eva
    assert all(one.id != other.id for one, other in pairwise(ana))
