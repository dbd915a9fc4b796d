"""Standings of played tournaments: by a stored score, truncated answers, systems left out, one game with its texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from passer.domain.arena.figures import RunRecord
from passer.domain.arena.game_recipe import Compared
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tables import ratings_table
from passer.domain.arena.tournament import Entrant, Rule
from passer.domain.judging.marks import Label
from passer.domain.models.model import ModelInfo
from passer.domain.score import Score
from passer.errors import InputError, NotFoundError
from passer.ports import PairFact
from passer.services.arena.score_rule import RuleRequest
from passer.services.arena.standings import ComparisonQuery, Standing, StandingsQuery, summary_of
from tests.services.arena.made import Played, asked, better
from tests.services.judging.made import NOW, grade


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


def test_games_by_a_judged_column_say_that_nobody_has_rated_it(played: Callable[..., Played]) -> None:
    arena = played(lambda request: grade(9 if "configuration 1" in asked(request) else 3))
    some_id = arena.create("Answer correctness")
    arena.run(some_id)
    rule = Rule(column="Answer correctness", assessment=some_id)
    made = arena.ruled.create(RuleRequest(runs=("sweep",), rule=rule))
    found = arena.standings.standings(made.id)
    assert (found.rated, [str(warning) for warning in found.warnings]) == (
        0,
        ["People have rated none of the answers that judge judge judged in the column Answer correctness, so these "
         "games are uncalibrated."],
    )  # fmt: skip
    assert [row[-1] for row in ratings_table(found.rows, found.rated).rows] == ["uncalibrated"] * 2
    key = next(each.key for each in arena.items.keys(made.ids) if each.key)
    arena.labels.add_labels([Label(item_key=key, column="Answer correctness", rater="ana", value=1.0, at=NOW)])
    found = arena.standings.standings(made.id)
    assert (found.rated, found.warnings) == (1, ())
    assert [row[-1] for row in ratings_table(found.rows, found.rated).rows] == ["rated by people"] * 2
    # A metric of the runs has no judge.
    text = arena.ruled.create(RuleRequest(runs=("sweep",), rule=Rule(column="BLEU")))
    assert arena.standings.standings(text.id).rated is None


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


def standings_of(*ranks: int | None) -> list[Standing]:
    """Systems named a, b, c with their best ranks."""
    record = RunRecord(run="r", wins=0, losses=0, ties=0, mean_share=None)
    unknown = dict.fromkeys(("rating", "low", "high", "worst_rank", "elo", "elo_spread", "kinship"))
    return [
        Standing(
            entrant=Entrant(id=name, name=name, model="m"),
            best_rank=rank, record=record, truncated=0, **unknown
        )
        for name, rank in zip("abc", ranks, strict=True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ((1, 2, 2), "a ranks first (20 questions, 95 % confidence for all ranks together)."),
        ((1, 1, 3), "2 of 3 systems can rank first: a, b. The others rank below (20 questions, 95 % confidence"),
        ((1, 1, 1), "20 questions do not tell which of the 3 systems is the best: each of them can rank first"),
        ((None, None, None), None),
    ],
)
def test_a_summary_says_who_can_rank_first(ranks: tuple[int | None, ...], said: str | None) -> None:
    found = summary_of(standings_of(*ranks), 20)
    assert found is None if said is None else " ".join(str(found).split()).startswith(said)


def test_standings_have_the_summary_once_there_are_ranks(played: Callable[..., Played]) -> None:
    arena = played(better("configuration 1"))
    some_id = arena.start()
    arena.play(some_id)
    found = arena.standings.standings(some_id)
    # Two questions: an interval needs six.
    assert (found.rows[0].best_rank, found.summary) == (None, None)
