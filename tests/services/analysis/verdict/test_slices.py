"""Gains within groups of questions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from passer.domain.dataset import GoldPassage, Question
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.verdict.conclusion import Conclusion
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import noisy, sweep


def judged(questions: list[Question], base: list[float | None], good: list[float | None]) -> Conclusion:
    runs = sweep(base=base, good=good)
    kept = [replace(item, retrieval=QuestionRetrieval(kept=n % 2)) for n, item in enumerate(runs[1].questions)]
    runs[1] = runs[1].model_copy(update={"questions": tuple(kept)})
    (found,) = analyse(runs, questions=questions).verdict.conclusions
    return found


def asked(n: int, *, words: int = 3, document: str = "") -> list[Question]:
    gold = (GoldPassage(document=document, quote="q"),) if document else ()
    return [Question(id=f"q{place}", text="word " * words, reference="!", gold_passages=gold) for place in range(n)]


def test_a_group_with_the_opposite_result_is_named():
    # Better for the law's 60 questions, worse for the 30 of the manual.
    base, good = noisy(0.5, n=90), [*noisy(0.6, seed=3), *noisy(0.45, n=30, seed=4)]
    questions = [
        each.model_copy(update={"id": f"q{place}"})
        for place, each in enumerate([*asked(60, document="law"), *asked(30, document="manual")])
    ]
    found = judged(questions, base, good)
    outcomes = {(each.grouping, each.name): each.gain.outcome for each in found.slices}
    assert (outcomes["document", "law"], outcomes["document", "manual"]) == ("better", "worse")
    assert found.number == 1
    assert any("worse than the baseline for document manual" in line.text for line in found.would_change)
    law = next(each.gain for each in found.slices if each.name == "law")
    assert law.pairs == 60


def test_gold_passages_of_unknown_documents_make_no_groups():
    questions = [
        each.model_copy(update={"gold_passages": (GoldPassage(quote="q"), GoldPassage(document="law", quote="q"))})
        for each in asked(60)
    ]
    assert questions[0].gold_documents == ()
    found = judged(questions, noisy(0.5), noisy(0.6, seed=3))
    assert not any(each.grouping == "document" for each in found.slices)


def test_declared_groups_and_categories_are_groups_of_questions():
    base, good = noisy(0.5, n=90), [*noisy(0.6, seed=3), *noisy(0.45, n=30, seed=4)]
    questions = [
        each.model_copy(update={"id": f"q{place}", "group": "en" if place < 60 else "bg", "category": "figure"})
        for place, each in enumerate(asked(90))
    ]
    found = judged(questions, base, good)
    outcomes = {each.name: each.gain.outcome for each in found.slices if each.grouping == "group"}
    assert outcomes == {"en": "better", "bg": "worse"}
    assert any("worse than the baseline for group bg" in line.text for line in found.would_change)
    # All questions are of one category, which is no group within them.
    assert not any(each.grouping == "category" for each in found.slices)


def test_groups_share_one_family_so_their_intervals_are_wider_than_alone():
    base, good = noisy(0.5, n=90), noisy(0.55, n=90, seed=3)
    one = judged(asked(90), base, good).slices
    assert {(each.grouping, each.name) for each in one} == {("passages", "with"), ("passages", "without")}
    questions = [each.model_copy(update={"text": "word " * (1 + place % 3)}) for place, each in enumerate(asked(90))]
    several = judged(questions, base, good).slices
    assert {each.name for each in several if each.grouping == "length"} == {"short", "medium", "long"}
    before, after = (next(each.gain for each in found if each.name == "with") for found in (one, several))
    assert before.gain == pytest.approx(after.gain)
    assert after.high - after.low > before.high - before.low


def test_groups_of_fewer_than_twenty_questions_are_not_shown():
    questions = [
        each.model_copy(update={"cluster": "small" if place < 19 else "large"}) for place, each in enumerate(asked(60))
    ]
    found = judged(questions, noisy(0.5), noisy(0.55, seed=3))
    assert [each.name for each in found.slices if each.grouping == "cluster"] == ["large"]


def test_a_difference_between_groups_is_said_only_after_its_own_test():
    base, good = noisy(0.5, n=90), [*noisy(0.6, seed=3), *noisy(0.45, n=30, seed=4)]
    declared = [
        each.model_copy(update={"id": f"q{place}", "group": "en" if place < 60 else "bg"})
        for place, each in enumerate(asked(90))
    ]
    found = judged(declared, base, good)
    tested = {each.grouping: each for each in found.group_differences}
    assert tested["group"].groups == 2
    assert tested["group"].p <= tested["group"].p_adjusted < 0.01
    assert found.groups is not None
    assert "differs between groups of questions by group (p " in found.groups.text
    # The same gain for all: better overall, and no group differs, whatever single groups show.
    same = judged(declared, base, noisy(0.55, n=90, seed=3))
    assert same.groups is not None
    assert same.groups.text.startswith("No difference in the gain of good between groups of questions was found")
    # One question a cluster is the rule; clusters that are the groups leave nothing to permute.
    clustered = [each.model_copy(update={"cluster": each.group}) for each in declared]
    assert "group" not in {each.grouping for each in judged(clustered, base, good).group_differences}
