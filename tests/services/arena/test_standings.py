"""Standings of played tournaments: by a stored score, truncated answers, systems left out, one game with its texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from passer.domain.arena.playing import Compared
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import Rule
from passer.domain.model import ModelInfo
from passer.domain.score import Score
from passer.errors import InputError, NotFoundError
from passer.ports import PairFact
from passer.services.arena.ruling import RuleRequest
from passer.services.arena.standings import ComparisonQuery, StandingsQuery
from tests.services.arena.made import Played, better


def test_one_game_with_its_texts_and_replies(played: Callable[..., Played]) -> None:
    arena = played(better("configuration 1"))
    some_id = arena.start()
    arena.play(some_id)
    game = arena.tournaments.games(some_id)[1]
    read = arena.games.read(some_id, Fixture("q1", game.a, game.b))
    assert read.question == "When is maize sown?"
    assert read.answers is not None
    assert any("configuration 1" in answer for answer in read.answers)
    assert read.documents == ("Rice flowers in August.", "Maize is sown in May.")
    assert [Compared.model_validate(each.judgement.value).c_comparison for each in read.judgements] == ["So.", "So."]
    assert read.judgements[0].replies[0].raw.startswith("{")
    with pytest.raises(NotFoundError):
        arena.games.read(some_id, Fixture("q2", game.a, game.b))


def test_games_by_a_stored_score_need_no_judge(played: Callable[..., Played]) -> None:
    arena = played()
    for run, value in ((0, 0.4), (1, 0.6)):
        arena.store.record([PairFact(f"{run if run else 0}1".ljust(64, "s"), {"BLEU": Score(value=value)}, 0.0)])
    with pytest.raises(InputError, match="no scores in the column Kindness"):
        arena.ruled.create(RuleRequest(runs=("sweep",), rule=Rule(column="Kindness")))
    request = RuleRequest(runs=("sweep",), rule=Rule(column="BLEU", epsilon=0.1))
    plan = arena.ruled.plan(request)
    assert (plan.systems, plan.games, plan.ties, plan.undecided, plan.unanswered) == (2, 2, 0, 2, 1)
    assert arena.tournaments.tournaments() == [], "a plan saves nothing"
    made = arena.ruled.create(request)
    assert (made.source, made.unanswered) == ("rule", 1)
    games = arena.tournaments.games(made.id)
    # The pairs of this sweep were stored without scores, which measuring caused: no outcome, no game.
    assert {game.how for game in games} == {"failed"}
    assert arena.standings.standings(made.id).reason == "no_games"
    assert arena.judge.asked == []


def test_truncated_answers_are_counted_and_shown_with_their_games(played: Callable[..., Played]) -> None:
    arena = played(better("later one"))
    arena.fill_later(truncated="answer")
    some_id = arena.start("sweep", "later")
    arena.play(some_id)
    # Its three answers were cut; those of the other runs are whole.
    shown = {row.entrant.id: row.truncated for row in arena.standings.standings(some_id).rows}
    assert shown == {"sweep-000": 0, "sweep-001": 0, "later-000": 3}
    for game in arena.tournaments.games(some_id):
        assert {run: style.truncated for run, style in game.sides} == {
            run: "answer" if run == "later-000" else None for run in (game.a, game.b)
        }


def test_several_systems_are_left_out(played: Callable[..., Played]) -> None:
    arena = played(better("later one"))
    arena.fill_later()
    arena.fill_later("last")
    some_id = arena.start("sweep", "later", "last")
    arena.play(some_id)
    found = arena.standings.standings(some_id, StandingsQuery(without=("later-000", "sweep-000")))
    assert {row.entrant.id for row in found.rows} == {"sweep-001", "last-000"}
    query = ComparisonQuery(other=some_id, without=("later-000", "sweep-000"))
    assert (arena.standings.comparison(some_id, query).runs, found.questions) == (2, 2)


def test_a_judge_with_the_weights_of_an_answerer_is_the_same_model_under_any_name(
    played: Callable[..., Played],
) -> None:
    arena = played()
    assert {row.kinship for row in arena.standings.standings(arena.start()).rows} == {None}
    weights = "m" * 12
    arena.arenas = replace(
        arena.arenas, describe=lambda model: ModelInfo(name=model.name, digest=weights, context_length=8192)
    )
    assert {row.kinship for row in arena.standings.standings(arena.start()).rows} == {"same-model"}
