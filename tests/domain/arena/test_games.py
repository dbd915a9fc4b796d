"""Games, schedules, figures of order and length, and two tournaments compared."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from passer.domain.arena.comparison import compare
from passer.domain.arena.davidson import Davidson, davidson
from passer.domain.arena.effects import FARTHEST, order_effect, style_effect
from passer.domain.arena.figures import length_figures, swap_figures
from passer.domain.arena.game import Game, Outcome, Shown, Style, Verdict, decided, style_of
from passer.domain.arena.schedule import Schedule
from passer.domain.arena.tally import Tally

RUNS = tuple("abcdef")
LETTER: dict[str, Verdict] = {"A": "first", "B": "second", "C": "tie"}


def shown(letters: str) -> tuple[Shown, ...]:
    """Verdicts of two showings, a first in the first; `-` is a reply that could not be read."""
    return tuple(
        Shown(first=first, verdict=LETTER.get(letter), reason=None if letter in LETTER else "not_json")
        for first, letter in zip(("a", "b"), letters, strict=False)
    )


def judged(question: int, a: str, b: str, letters: str, **more: object) -> Game:
    verdicts = shown(letters)
    return Game(question_id=f"q{question}", a=a, b=b, verdicts=verdicts, **dict(decided(verdicts)), **more)


@pytest.mark.parametrize(
    ("letters", "outcome", "how"),
    [
        ("AB", "a", "agreed"),
        ("BA", "b", "agreed"),
        ("CC", "tie", "agreed"),
        ("AA", "tie", "inconsistent"),
        ("CA", "tie", "inconsistent"),
        ("-A", None, "failed"),
        ("A-", None, "failed"),
        ("B", "b", "one_order"),
    ],
)
def test_the_outcome_of_two_orders(letters: str, outcome: Outcome | None, how: str) -> None:
    found = decided(shown(letters))
    assert (found.outcome, found.how) == (outcome, how)
    assert (found.reason == "not_json") == (how == "failed")


def test_six_runs_play_fifteen_games_a_question() -> None:
    answered = {f"q{n}": RUNS for n in range(4)}
    fixtures = Schedule(runs=RUNS).fixtures(answered)
    assert Counter(each.question_id for each in fixtures) == dict.fromkeys(answered, 15)
    assert all(each.a < each.b for each in fixtures)


@pytest.mark.parametrize("cap", [1, 5, 14])
def test_a_limit_keeps_pairs_balanced(cap: int) -> None:
    answered = {f"q{n}": RUNS for n in range(20)}
    schedule = Schedule(runs=RUNS, per_question=cap, seed=3)
    fixtures = schedule.fixtures(answered)
    counts = Counter((each.a, each.b) for each in fixtures)
    assert len(fixtures) == 20 * cap
    assert max(counts.values()) - min(counts.values()) <= 1
    assert fixtures == schedule.fixtures(answered)
    assert fixtures != schedule.model_copy(update={"seed": 4}).fixtures(answered)


def test_a_run_without_an_answer_plays_no_game() -> None:
    fixtures = Schedule(runs=RUNS).fixtures({"q0": RUNS[:2], "q1": RUNS[:1]})
    assert [tuple(each) for each in fixtures] == [("q0", "a", "b")]


def test_a_judge_that_always_says_the_first_letter_says_nothing() -> None:
    games = [judged(n, a, b, "AA") for n in range(10) for a, b in ("ab", "ac", "bc")]
    figures = swap_figures(games)
    assert figures is not None
    assert (figures.asked_twice, figures.consistent) == (30, 0)
    assert (figures.first, figures.decided, figures.prefers) == (60, 60, "first")
    assert not figures.carries_information
    found = davidson(Tally.of("abc", games))
    assert isinstance(found, Davidson)
    assert found.ratings == pytest.approx([1000, 1000, 1000])


@pytest.mark.parametrize(
    ("letters", "carries"),
    [
        # Five questions have no interval. Wilson's of 0 of 6 ends at 3.84 / (6 + 3.84) = .39.
        (["AA"], True),
        (["AA"] * 5, True),
        (["AA"] * 6, False),
        (["A"] * 5, True),
        (["A"] * 6, False),
        (["CC"] * 5, True),
        (["CC"] * 6, False),
        # A small model's 17 pairs: one of them agrees, .06, whose interval ends at .27.
        (["AA"] * 16 + ["AB"], False),
        (["AA", "BB"] * 6 + ["AB"] * 2, True),
    ],
)
def test_few_verdicts_are_not_said_to_carry_no_information(letters: list[str], carries: bool) -> None:
    figures = swap_figures([judged(n, "a", "b", each) for n, each in enumerate(letters)])
    assert figures is not None
    assert figures.carries_information is carries


def test_many_games_of_few_questions_do_not_show_that_a_judge_prefers_a_place() -> None:
    # In half of all questions the first answer is preferred in .9 of the games, in the others the second: over
    # questions no place is preferred. Wilson's interval of all games excluded one half in .55 of such tournaments.
    rng = np.random.default_rng(2)
    pairs = list(combinations("abcdef", 2))
    found = 0
    for _ in range(100):
        chances = rng.choice([0.1, 0.9], 10)
        games = [
            judged(question, *pair, "A" if rng.random() < chance else "B")
            for question, chance in enumerate(chances)
            for pair in pairs
        ]
        figures = swap_figures(games)
        assert figures is not None
        found += figures.prefers is not None
    # .05 and three of its standard errors.
    assert found <= 11


def test_a_fair_judge_passes() -> None:
    letters = ["AB", "BA", "CC"] * 3
    figures = swap_figures([judged(n, "a", "b", each) for n, each in enumerate(letters)])
    assert figures is not None
    assert (figures.consistent, figures.asked_twice, figures.prefers) == (9, 9, None)
    assert figures.carries_information
    assert figures.interval is not None
    assert figures.interval.low < 0.5 < figures.interval.high
    assert swap_figures([Game(question_id="q", a="a", b="b", outcome="a", how="given")]) is None


def test_a_file_with_one_order_says_nothing_about_the_order() -> None:
    # a wins 30 of 30 and is always shown first, as in RAGElo's files: a strong system, or a preference for the place.
    games = [judged(n, "a", "b", "A") for n in range(30)]
    imported = [game.model_copy(update={"source": "import"}) for game in games]
    assert swap_figures(imported) is None
    assert order_effect("ab", imported) is None
    # One pair in both orders is all that tells.
    both = judged(30, "a", "b", "AB", source="import")
    figures = swap_figures([*imported, both])
    assert figures is not None
    assert (figures.asked_twice, figures.first, figures.decided, figures.prefers) == (1, 1, 2, None)
    assert figures.carries_information
    # Where a coin drew the place of each showing, 30 of 30 are a preference.
    drawn = swap_figures(games)
    assert drawn is not None
    assert (drawn.first, drawn.decided, drawn.prefers) == (30, 30, "first")


def test_the_order_is_an_effect_of_its_own() -> None:
    # Of 40 pairs of equal runs, the first answer wins 3 times as often: its odds are 3 where nothing is a tie.
    games = [judged(n, "a", "b", letters) for n, letters in enumerate(["AA", "AA", "AB", "BA"] * 10)]
    found = order_effect("ab", games)
    assert found is not None
    [effect] = found.effects
    assert (effect.name, effect.odds) == ("order", pytest.approx(3, abs=0.02))
    assert effect.interval is not None
    assert effect.interval.low < 3 < effect.interval.high
    assert found.ratings == {"a": pytest.approx(1000, abs=0.1), "b": pytest.approx(1000, abs=0.1)}


def test_odds_of_verdicts_that_all_point_one_way_have_a_side_and_no_interval() -> None:
    games = [judged(n, "a", "b", "AA") for n in range(20)]
    found = order_effect("ab", games)
    assert found is not None
    [effect] = found.effects
    assert (effect.odds > FARTHEST, effect.interval) == (True, None)


@pytest.mark.parametrize(
    ("count", "longer_wins", "reason"), [(9, 4, "too_few_games"), (12, 12, "one_direction"), (12, 6, None)]
)
def test_the_effect_of_length_is_estimated_only_where_games_can_show_it(
    count: int, longer_wins: int, reason: str | None
) -> None:
    styles = (Style(words=40), Style(words=20))
    games = [
        Game(question_id=f"q{n}", a="a", b="b", outcome="a" if n < longer_wins else "b", how="given", styles=styles)
        for n in range(count)
    ]
    figures = length_figures(games)
    assert figures is not None
    assert (figures.decided, figures.longer_won) == (count, longer_wins)
    assert (figures.slope_reason, figures.slope is None, figures.slope_interval is None) == (
        reason, reason is not None, reason is not None,
    )  # fmt: skip


def test_length_is_an_effect_of_its_own() -> None:
    # a is longer in 30 of 40 games, and the longer answer wins three quarters of all games whoever wrote it.
    games = []
    for n in range(40):
        long_a, longer_wins = n % 4 != 0, n % 16 < 12
        styles = (Style(words=40), Style(words=20)) if long_a else (Style(words=20), Style(words=40))
        outcome: Outcome = "a" if long_a == longer_wins else "b"
        games.append(Game(question_id=f"q{n}", a="a", b="b", outcome=outcome, how="given", styles=styles))
    figures = length_figures(games)
    won = sum((game.lengths or (0, 0))[0 if game.outcome == "a" else 1] == 40 for game in games)
    assert figures is not None
    assert (figures.decided, figures.longer_won) == (40, won)
    # One doubling, so the slope is the log odds of the longer answer.
    assert figures.slope == pytest.approx(np.log(won / (40 - won)), abs=1e-3)
    assert figures.slope_interval is not None
    assert figures.slope_interval.low < figures.slope < figures.slope_interval.high
    adjusted = style_effect(Tally.of("ab", games), games)
    assert adjusted is not None
    assert [effect.name for effect in adjusted.effects] == ["words"]
    as_judged = davidson(Tally.of("ab", games))
    assert isinstance(as_judged, Davidson)
    assert abs(adjusted.ratings["a"] - 1000) < abs(as_judged.ratings[0] - 1000)


def test_style_counts_markup() -> None:
    answer = "# Rice\n\n- flowers in **August**\n- is sown in May\n1. or *June*\n"
    assert style_of(answer) == Style(words=14, headings=1, items=3, bold=1)
    assert style_of("") == Style(words=0)
    # Without blanks between words, the length of an answer would be 1 whatever it says.
    assert [style_of(text).words for text in ("小麦在十月播种", "小麦在十月播种，蜜蜂飞行三公里。")] == [3, 7]


def test_two_tournaments_are_compared_whatever_the_order_of_their_runs() -> None:
    def game(question: int, a: str, b: str, outcome: Outcome) -> Game:
        return Game(question_id=f"q{question}", a=a, b=b, outcome=outcome, how="given")

    one = [game(0, "a", "b", "a"), game(1, "a", "b", "tie"), game(2, "a", "b", "b"), game(3, "a", "b", "a")]
    other = [game(0, "b", "a", "b"), game(1, "b", "a", "tie"), game(2, "b", "a", "b")]
    found = compare(one, other, {"a": 1010.0, "b": 990, "c": 900}, {"a": 1000.0, "b": 1010, "d": 1})
    # Outcomes a, tie, b against a, tie, a: two of three agree, by chance (1 * 2 + 1 * 1 + 1 * 0) / 9.
    assert (found.games, found.same, found.runs) == (3, 2, 2)
    assert found.kappa == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))
    assert found.tau is not None
    assert found.tau.tau == -1


def test_a_game_refuses_what_cannot_be() -> None:
    for changes in ({"b": "a"}, {"outcome": None}, {"how": "failed"}):
        with pytest.raises(ValueError, match=r"different|outcome"):
            Game(**{"question_id": "q", "a": "a", "b": "b", "outcome": "a", "how": "given", **changes})


def test_an_unknown_run_is_refused() -> None:
    with pytest.raises(ValueError, match="not among the runs"):
        Tally.of("a", [Game(question_id="q", a="a", b="b", outcome="a", how="given")])


def test_every_pair_of_letters_has_an_outcome() -> None:
    for letters in product("ABC", repeat=2):
        assert decided(shown("".join(letters))).outcome is not None
