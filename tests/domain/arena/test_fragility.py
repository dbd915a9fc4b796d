"""How few questions change who leads."""

from __future__ import annotations

from passer.domain.arena.fragility import fragility
from passer.domain.arena.tally import Tally
from tests.domain.arena.made import a_game


def test_the_fewest_questions_that_change_the_leader() -> None:
    # a leads b by 5 to 4: without one of its wins they are equal, without two b leads.
    games = [a_game(n, "a", "b", "a" if n < 5 else "b") for n in range(9)]
    found = fragility(Tally.of("ab", games))
    assert found is not None
    assert (found.leader, found.successor, len(found.questions), found.of) == ("a", "b", 2, 9)
    assert set(found.questions) <= {"q0", "q1", "q2", "q3", "q4"}
    assert fragility(Tally.of("ab", [a_game(n, "a", "b", "a") for n in range(9)])) is None


def test_equal_runs_have_no_leader() -> None:
    # 5 wins each: both have the rating 1000.
    assert fragility(Tally.of("xy", [a_game(n, "x", "y", "a" if n < 5 else "b") for n in range(10)])) is None
    # 1001 wins to 1000: 400 log10(1001/1000) = .17 points apart, and both are shown as 1000.
    assert fragility(Tally.of("xy", [a_game(n, "x", "y", "a" if n < 1001 else "b") for n in range(2001)])) is None


def test_a_leader_that_is_only_reached_still_has_no_successor() -> None:
    # b leads a by 5 to 4: without one of its wins they are equal, which is no lead of a, though a is named first.
    found = fragility(Tally.of("ab", [a_game(n, "a", "b", "b" if n < 5 else "a") for n in range(9)]))
    assert found is not None
    assert (found.leader, found.successor, len(found.questions)) == ("b", "a", 2)
