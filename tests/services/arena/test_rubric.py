"""Games by criteria: they are written once for each question, and more of them win."""

from __future__ import annotations

import json

import pytest

from passer.domain.arena.rubric import verdict_by_count
from passer.domain.arena.tournament import ArenaOptions
from passer.domain.models.chat import ChatRequest
from passer.services.arena.arenas import ArenaRequest
from tests.services.arena.made import Played, asked
from tests.services.judging.made import JUDGE

CRITERIA = [f"Does it say {n}?" for n in range(5)]
BY_CRITERIA = {"by": "criteria"}


def says(for_first: str, *, criteria: list[str] = CRITERIA):
    """A judge that gives the answer of configuration 1 `for_first` when it stands first, else the mirrored letters."""

    def script(request: ChatRequest) -> str:
        text = asked(request)
        if "answer A" not in text:
            return json.dumps({"a_criteria": criteria})
        stands_first = text.index("configuration 1") < text.index("configuration 0")
        letters = for_first if stands_first else for_first.translate(str.maketrans("AB", "BA"))
        return json.dumps({"a_first": "One.", "b_second": "Two.", "c_verdicts": list(letters)})

    return script


@pytest.mark.parametrize(
    ("letters", "verdict"), [("AABCD", "first"), ("ABBDD", "second"), ("ABCCD", "tie"), ("DDDDD", "tie")]
)
def test_more_criteria_win(letters: str, verdict: str) -> None:
    assert verdict_by_count(list(letters)) == verdict


def test_criteria_are_written_once_and_both_orders_are_judged_by_them(arena: Played) -> None:
    arena.judge.script = says("AABCD")
    request = ArenaRequest(runs=("sweep",), judge=JUDGE, options=ArenaOptions(by="criteria"))
    plan = arena.arenas.plan(request)
    assert (plan.games, plan.same_answer, plan.asks, plan.known) == (2, 1, 3, 0)
    first = arena.start(options=BY_CRITERIA)
    arena.play(first)
    texts = [asked(each) for each in arena.judge.asked]
    assert ["answer A" in text for text in texts] == [False, True, True]
    assert all(each in text for text in texts[1:] for each in CRITERIA)
    game = next(each for each in arena.tournaments.games(first) if each.how != "same_answer")
    assert (game.how, [shown.verdict for shown in game.verdicts]) == ("agreed", ["first", "second"]) or (
        game.how,
        [shown.verdict for shown in game.verdicts],
    ) == ("agreed", ["second", "first"])
    assert game.outcome is not None
    assert getattr(game, game.outcome) == "sweep-001"
    again = arena.arenas.plan(request)
    assert (again.asks, again.known) == (3, 3)
    arena.play(arena.start(options=BY_CRITERIA))
    assert len(arena.judge.asked) == 3, "another tournament asks nothing again"


def test_criteria_that_cannot_be_read_are_no_game(arena: Played) -> None:
    arena.judge.script = says("AAAAA", criteria=CRITERIA[:4])
    failed = arena.start(options=BY_CRITERIA)
    arena.play(failed)
    game = next(each for each in arena.tournaments.games(failed) if each.how != "same_answer")
    assert (game.outcome, game.reason, game.verdicts) == (None, "off_schema", ())
    assert all("answer A" not in asked(each) for each in arena.judge.asked), "answers are not compared without criteria"
