"""Draws of questions: seeded, without replacement, with the probabilities that weighting needs."""

from __future__ import annotations

from collections import Counter

from passer.domain.judging.draw import draw_of_groups, draw_questions


def test_one_stratum_where_verdicts_hardly_differ() -> None:
    drawn, others = draw_questions(range(20), {3, 4}, count=5, seed=1)
    assert len(drawn) == 5
    assert {question.inclusion for question in (*drawn, *others)} == {0.25}
    assert sorted(question.number for question in (*drawn, *others)) == list(range(20))
    assert draw_questions(range(20), {3, 4}, count=5, seed=1)[0] == drawn
    assert draw_questions(range(20), {3, 4}, count=5, seed=2)[0] != drawn


def test_half_of_the_questions_come_from_those_whose_verdicts_differ() -> None:
    apart = set(range(30))
    drawn, others = draw_questions(range(100), apart, count=40, seed=1)
    chosen = Counter(question.number in apart for question in drawn)
    assert chosen == {True: 20, False: 20}
    assert {question.inclusion for question in drawn if question.number in apart} == {20 / 30}
    assert {question.inclusion for question in others if question.number not in apart} == {20 / 70}


def test_some_of_each_stratum_stays_unlabelled() -> None:
    # 12 questions differ: at most 80 % of them, 9, are drawn; the rest of the 40 come from the others.
    drawn, others = draw_questions(range(100), set(range(12)), count=40, seed=1)
    assert Counter(question.number < 12 for question in drawn) == {True: 9, False: 31}
    assert all(0 < question.inclusion < 1 for question in others)


def test_all_questions_are_drawn_where_there_are_no_more() -> None:
    drawn, others = draw_questions([4, 7], set(), count=40, seed=1)
    assert [(question.number, question.inclusion) for question in drawn] == [(4, 1.0), (7, 1.0)]
    assert others == ()


def test_the_same_number_is_drawn_of_each_group_and_a_small_one_gives_all() -> None:
    groups = {"bees": range(20), "soil": [20, 21, 22], "water": range(23, 30)}
    drawn, others = draw_of_groups(groups, count=5, seed=1)
    of = {name: [each for each in drawn if each.number in groups[name]] for name in groups}
    assert {name: (len(own), {each.inclusion for each in own}) for name, own in of.items()} == {
        "bees": (5, {5 / 20}), "soil": (3, {1.0}), "water": (5, {5 / 7}),
    }  # fmt: skip
    assert sorted(each.number for each in (*drawn, *others)) == list(range(30))
    assert draw_of_groups(groups, count=5, seed=1)[0] == drawn
    assert draw_of_groups(groups, count=5, seed=2)[0] != drawn
