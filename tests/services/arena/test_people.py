"""Games of people from the draw to the ratings: blind, in opposite orders, corrected, revoked, beside the judge's."""

from __future__ import annotations

import json

import pytest

from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import Rule
from passer.errors import InputError, NotFoundError
from passer.services.arena.people import LinkRequest, NewLink, PeopleOfRunsRequest, PeopleRequest
from passer.services.arena.rating_sheet import Grades, NextPairRequest
from passer.services.arena.score_rule import RuleRequest
from tests.services.arena.made import Played
from tests.services.judging.made import NOW


def secret(link: NewLink) -> str:
    return link.path.partition("#")[2]


def judged(arena: Played) -> str:
    some_id = arena.start()
    arena.play(some_id)
    return some_id


def test_two_raters_decide_a_game_blind_and_are_compared_with_the_judge(arena: Played) -> None:
    of = judged(arena)
    made = arena.people.start(of, PeopleRequest(games=10, raters=("ana", "ben")))
    # The third question has one answer, the first equal ones: one game is left to draw.
    assert (made.games, [link.rater for link in made.links]) == (1, ["ana", "ben"])
    ana, ben = map(secret, made.links)
    [place] = arena.sheets.sheet(ana).places
    shown = arena.sheets.pair(ana, place.id)
    assert (place.is_rated, shown.choice) == (False, None)
    [other] = arena.sheets.sheet(ben).places
    # One game: while ana has it open, ben gets nothing, and after ana has chosen, it is free.
    assert arena.sheets.next(ana, NextPairRequest()).place == place.id
    waiting = arena.sheets.next(ben, NextPairRequest())
    assert (waiting.place, waiting.reserved) == (None, 1)
    assert arena.sheets.sheet(ben).places[0].availability == "reserved"
    opposite = arena.sheets.pair(ben, other.id)
    assert (shown.first, shown.second) == (opposite.second, opposite.first)
    assert shown.passages
    blind = shown.model_dump_json() + opposite.model_dump_json() + arena.sheets.sheet(ana).model_dump_json()
    for sign in ("sweep-00", "run 0", "run 1", "mistral", "judge", of, made.tournament.id, "ana", "ben", "similarity"):
        assert sign not in blind, sign
    with pytest.raises(NotFoundError, match="not among those of your link"):
        arena.sheets.pair(ana, other.id)

    # The judge has said so of two games, one of them between equal answers; nobody has checked it.
    before = arena.standings.standings(of)
    unchecked = "People have decided none of these games, so judge judge is uncalibrated here."
    assert (before.rated, str(before.warnings[-1])) == (0, unchecked)
    arena.sheets.choose(ana, place.id, "first")
    assert arena.sheets.sheet(ana).places[0].is_rated
    assert arena.sheets.next(ana, NextPairRequest()).place is None
    assert arena.sheets.next(ben, NextPairRequest()).place == other.id
    assert not arena.sheets.sheet(ben).places[0].is_rated
    assert arena.sheets.choose(ana, place.id, "second").choice == "second", "a slip is corrected"
    # Both name the answer that ana saw second.
    arena.sheets.choose(ben, other.id, "first")
    [game] = arena.table.games(made.tournament.id)
    assert (game.how, game.source, [each.rater for each in game.verdicts]) == ("agreed", "person", ["ana", "ben"])
    assert [each.verdict for each in game.verdicts] == ["second", "first"]
    named = "sweep-001" if "configuration 1" in shown.second else "sweep-000"
    assert game.outcome is not None
    assert getattr(game, game.outcome) == named
    after = arena.standings.standings(of)
    assert (after.rated, arena.standings.standings(made.tournament.id).rated) == (1, None)
    assert unchecked not in map(str, after.warnings)
    found = arena.people_reader.read(made.tournament.id)
    assert (found.figures.decided, found.figures.pairs[0].same) == (1, 1)
    assert found.figures.judge is not None
    assert found.comparison is not None
    assert (found.comparison.games, found.comparison.same) == (1, 0)
    [best, _] = found.ratings
    assert best.people is not None
    assert best.judge is not None
    assert best.people.record.wins == 1
    assert best.judge.record.wins == 0
    read = arena.games.read(made.tournament.id, Fixture(game.question_id, game.a, game.b))
    assert read.answers is not None
    assert set(read.answers) == {shown.first, shown.second}


def test_people_decide_games_of_runs_and_grade_their_answers_in_aspects(arena: Played) -> None:
    grades = {"b_relevance": 2, "c_accuracy": 1, "d_completeness": 1, "e_precision": 2}
    arena.judge.script = lambda _: json.dumps({"a_reason": "So.", **grades})
    graded = arena.create("Accuracy")
    arena.run(graded)
    request = PeopleOfRunsRequest(runs=("sweep",), games=9, raters=("ana", "ben"), aspects=("Precision", "Accuracy"))
    made = arena.people.start_of_runs(request)
    assert (made.games, len(made.tournament.entrants)) == (1, 2), "equal answers are not drawn"
    for link, choice, first, second in zip(made.links, ("first", "second"), (2, 0), (0, 1), strict=True):
        [place] = arena.sheets.sheet(secret(link)).places
        shown = arena.sheets.pair(secret(link), place.id)
        assert (shown.aspects, shown.grades) == (("Accuracy", "Precision"), Grades())
        given = Grades(first={"Accuracy": first}, second={"Accuracy": second, "Precision": 2})
        assert arena.sheets.choose(secret(link), place.id, choice, Grades(first={"Accuracy": 1})).grades.second == {}
        # A slip is corrected, and what was said of the same answer is still there.
        assert arena.sheets.choose(secret(link), place.id, choice, given).grades == given
        with pytest.raises(InputError, match="does not ask for grades of Relevance"):
            arena.sheets.choose(secret(link), place.id, choice, Grades(first={"Relevance": 1}))
    found = arena.people_reader.read(made.tournament.id)
    assert (found.of, found.comparison, found.figures.of, found.figures.judge) == (None, None, None, None)
    accuracy, precision = found.aspects
    # ana gives one answer 2 and the other 0; ben, who sees the opposite sides, gives them 1 and 0.
    assert (accuracy.answers, [(each.answers, each.same) for each in accuracy.raters]) == (2, [(2, 1)])
    assert sorted(each.mean or 0.0 for each in accuracy.systems) == [0.0, 0.75]
    [test] = accuracy.tests
    assert abs(test.test.mean_difference or 0.0) == 0.75
    [judge] = accuracy.judges
    assert (judge.assessment, judge.agreement is not None and judge.agreement.judge_mean) == (graded, 0.5)
    assert (precision.answers, precision.judges[0].assessment) == (2, graded), "one request grades all aspects"
    # The labels have the key and column of the judge's marks: calibration uses them as they are.
    calibrated = next(each for each in arena.calibrator.of(graded).columns if each.column == "Accuracy")
    assert calibrated.raters == ("ana", "ben")
    with pytest.raises(InputError, match="needs two runs or more"):
        arena.people.start_of_runs(request.model_copy(update={"runs": ("sweep-000", "sweep-000")}))


def test_equal_answers_of_a_score_are_not_drawn_for_people(arena: Played) -> None:
    rule = RuleRequest(runs=("sweep",), rule=Rule(column="BLEU"))
    of = arena.ruled.create(rule)
    assert len(arena.tournaments.games(of.id)) == 2
    made = arena.people.start(of.id, PeopleRequest(games=9, raters=("ana",)))
    assert [game.question_id for game in arena.tournaments.draw(made.tournament.id).games] == ["q1"]
    equal = [game for game in arena.tournaments.games(of.id) if game.question_id == "q0"]
    arena.tournaments.add_tournament(of.model_copy(update={"id": "equal"}), equal)
    with pytest.raises(InputError, match="No two of these runs have different answers"):
        arena.people.start("equal", PeopleRequest(games=9, raters=("ana",)))


def test_links_expire_are_revoked_and_replaced(arena: Played) -> None:
    made = arena.people.start(judged(arena), PeopleRequest(games=1, raters=("ana",), days=2))
    people, [link] = made.tournament.id, made.links
    arena.sheets.choose(secret(link), arena.sheets.sheet(secret(link)).places[0].id, "tie")
    [label] = arena.labels.labels(column="game")
    assert (label.rater, label.draw, label.inclusion) == ("ana", people, 1.0)
    arena.sheets.choose(secret(link), arena.sheets.sheet(secret(link)).places[0].id, "tie")
    assert len(arena.labels.labels(column="game")) == 1, "the same choice again is no correction"
    [other] = arena.people.start(judged(arena), PeopleRequest(games=1, raters=("ana",))).links
    arena.sheets.choose(secret(other), arena.sheets.sheet(secret(other)).places[0].id, "tie")
    assert arena.sheets.sheet(secret(other)).places[0].is_rated, "a choice in one draw is none in another"
    again = arena.people.add_link(people, LinkRequest(rater="ana"))
    with pytest.raises(NotFoundError, match="unknown, has expired or was revoked"):
        arena.sheets.sheet(secret(link))
    assert arena.sheets.sheet(secret(again)).places[0].is_rated, "the place of a rater survives a new link"
    added = arena.people.add_link(people, LinkRequest(rater="eva"))
    assert [each.place for each in arena.tournaments.links(people)] == [0, 1]
    # Two servers that add a rater at the same moment both believe that place 1 is free.
    late = arena.tournaments.links(people)[1].model_copy(update={"rater": "ina", "digest": "f" * 64})
    arena.tournaments.put_link(late)
    assert [(each.rater, each.place) for each in arena.tournaments.links(people)] == [
        ("ana", 0),
        ("eva", 1),
        ("ina", 2),
    ]
    arena.people.revoke(people, "ana")
    for wrong in (secret(again), "", "guess"):
        with pytest.raises(NotFoundError, match="unknown"):
            arena.sheets.sheet(wrong)
    arena.sheets.sheet(secret(added))
    link_of_eva = arena.tournaments.links(people)[1]
    arena.tournaments.put_link(link_of_eva.model_copy(update={"expires_at": NOW}))
    with pytest.raises(NotFoundError, match="unknown"):
        arena.sheets.sheet(secret(added))
    with pytest.raises(NotFoundError, match="no rater nobody"):
        arena.people.revoke(people, "nobody")
    assert len(arena.table.games(people)) == 1


def test_what_people_cannot_decide_is_refused(arena: Played) -> None:
    of = arena.start()
    request = PeopleRequest(raters=("ana",))
    with pytest.raises(InputError, match="Let its judge play first"):
        arena.people.start(of, request)
    arena.play(of)
    people = arena.people.start(of, request).tournament.id
    with pytest.raises(InputError, match="texts of imported games"):
        arena.people.start(people, request)
    with pytest.raises(NotFoundError, match="not decided by people"):
        arena.people_reader.read(of)
    with pytest.raises(NotFoundError, match="There is no tournament"):
        arena.people.start("nothing", request)
    with pytest.raises(ValueError, match="a name of their own"):
        PeopleRequest(raters=("ana", "ana"))
    assert arena.tournaments.draws_of(of) == [people]
    arena.tournaments.delete_tournament(of)
    assert arena.people_reader.read(people).of is None
    arena.tournaments.delete_tournament(people)
    assert arena.tournaments.links(people) == []
