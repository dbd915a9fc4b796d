"""A run that is added to a played tournament, and tournaments of runs of several sweeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import Rule
from passer.domain.sweeps.budget import Budget
from passer.errors import ConflictError, InputError, WorkPaused
from passer.services.arena.additions import AddRequest
from passer.services.arena.score_rule import RuleRequest
from tests.services.arena.made import Played, asked, better
from tests.services.judging.made import Script


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Callable[[Script], Played]]:
    opened: list[Played] = []

    def made(script: Script) -> Played:
        arena = Played(f"sqlite:///{tmp_path / 'passer.sqlite3'}", script)
        arena.fill()
        arena.fill_later()
        opened.append(arena)
        return arena

    yield made
    for arena in opened:
        arena.close()


def added(arena: Played, run: str = "later-000", **given: object) -> str:
    return arena.additions.create(arena.tournaments.tournaments()[0].id, AddRequest(run=run, **given)).id


def test_runs_of_several_sweeps_play_where_the_questions_are_the_same(played: Callable[[Script], Played]) -> None:
    arena = played(better("configuration 0"))
    some_id = arena.start("sweep", "later-000")
    tournament = arena.tournaments.tournament(some_id)
    assert {each.name for each in tournament.entrants} == {"A sweep: run 0", "A sweep: run 1", "Later: run 0"}
    assert tournament.name == "judge: A sweep, Later"
    # q0: three pairs of equal answers; q1: two answers of three; q2: one pair.
    assert arena.play(some_id).marks == 7
    for sweep in ("sweep", "later"):
        assert [each.id for each in arena.tournaments.tournaments(sweep)] == [some_id]
    game = next(each for each in arena.tournaments.games(some_id) if each.question_id == "q1")
    assert arena.games.read(some_id, Fixture("q1", game.a, game.b)).question == "When is maize sown?"
    arena.fill_later("other", question="Where does rice grow?")
    with pytest.raises(InputError, match="A sweep and Other ask different questions"):
        arena.start("sweep", "other-000")


def test_a_run_is_added_with_few_games_and_stays_out_of_the_ratings(played: Callable[[Script], Played]) -> None:
    arena = played(better("configuration 0"))
    some_id = arena.start()
    with pytest.raises(ConflictError, match="has games without an outcome"):
        added(arena)
    arena.play(some_id)
    before = arena.standings.standings(some_id)
    asks = len(arena.judge.asked)
    plan = arena.additions.plan(some_id, AddRequest(run="later-000"))
    two = arena.additions.plan(some_id, AddRequest(run="later-000", most=2))
    assert (plan.systems, plan.games, two.games) == (3, 5, 2)
    assert len(arena.judge.asked) == asks
    assert len(arena.tournaments.tournament(some_id).entrants) == 2
    adding = added(arena)
    with pytest.raises(ConflictError, match="plays in tournament"):
        added(arena)
    report = arena.play(adding)
    assert report.marks <= plan.games
    # Of the five pairs, two have equal answers; each of the other three is shown in both orders.
    assert (plan.same_answer, plan.asks) == (2, 6)
    assert len(arena.judge.asked) - asks <= plan.asks
    after = arena.standings.standings(some_id)
    assert after.rows == before.rows
    assert (after.games, after.matrix, after.swap) == (before.games, before.matrix, before.swap)
    [few] = after.added
    # Against both others on q0 (equal answers), q1, and against the first on q2.
    assert (few.games, few.entrant.added_by) == (report.marks, adding)
    assert (few.wins, few.losses) == (0, 1)
    assert few.rating is not None
    assert few.rating < 1000
    for request in arena.judge.asked[asks:]:
        # The documents are those of the first two runs: the third passage is only the new run's.
        assert "Bees fly three kilometres" not in asked(request).split("answer A:")[0]
    known = len(arena.judge.asked)
    assert arena.play(adding).marks == report.marks
    assert len(arena.judge.asked) == known
    assert set(arena.tournaments.tournament(some_id).ids) == {"sweep-000", "sweep-001"}


def test_an_addition_pauses_at_its_budget_and_goes_on(played: Callable[[Script], Played]) -> None:
    arena = played(better("configuration 0"))
    arena.play(arena.start())
    adding = added(arena, budget=Budget(asks=1))
    with pytest.raises(WorkPaused):
        arena.play(adding)
    arena.assessments.prepare_resume(adding, Budget())
    asked_before = len(arena.judge.asked)
    arena.play(adding)
    spent = arena.judgements.assessment(adding).spent.asks
    assert spent == len(arena.judge.asked) - 2
    assert len(arena.judge.asked) > asked_before


def test_what_cannot_be_added_is_refused(played: Callable[[Script], Played]) -> None:
    arena = played(better("configuration 0"))
    rule = arena.ruled.create(RuleRequest(runs=("sweep",), rule=Rule(column="BLEU")))
    with pytest.raises(InputError, match="Only a tournament that a judge decides"):
        arena.additions.create(rule.id, AddRequest(run="later-000"))
