"""Judged metrics of questions with several right answers: what is asked, and which of them counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import FORMULAS
from passer.domain.judging.task import REFERENCES_RULE, JudgeTask, Shot
from passer.domain.study.methods import GIVEN_ALL
from passer.metrics.judged import families_of
from passer.metrics.judged.grades import CORRECTNESS
from passer.metrics.judged.nuggets import LIST
from tests.metrics.judged.driven import CITING, ITEM, PASSAGES, driven, triplet, unit

OTHERS = ("In the eighth month.", "In Augusto")
ALL = [ITEM.reference, *OTHERS]
APPLIES = {"a_explanation": "x", "b_applies": 0}
GRADE = {"a_reason": "x", "b_grade": 7}


def given_of(column: str, *replies: Any, **changes: Any) -> list[list[tuple[str, Any]]]:
    """What each ask is given, in order."""
    run = driven(column, *replies, other_references=OTHERS, **changes)
    return [list(ask.given.items()) for ask in run.asked]


def test_a_grade_is_asked_for_with_all_right_answers() -> None:
    question, answer = ("question", ITEM.question), ("answer", ITEM.answer)
    assert given_of("Answer correctness", GRADE) == [[question, ("references", ALL), answer]]
    one = driven("Answer correctness", GRADE).asked
    given = {"question": ITEM.question, "reference": ITEM.reference, "answer": ITEM.answer}
    assert one == [Ask(task="correctness", given=given)]
    assert list(one[0].given) == list(given)


def test_each_task_that_reads_the_reference_is_given_all_of_them() -> None:
    useful = {"a_reason": "x", "b_useful": 1}
    for given in given_of("Context precision", useful, useful):
        assert given[1] == ("references", ALL)
    [first, _] = given_of("Nugget all", {"a_nuggets": [{"a_text": "x", "b_importance": "vital"}]},
                          {"a_reason": "x", "b_support": ["support"]})  # fmt: skip
    assert first == [("question", ITEM.question), ("references", ALL)]
    met = {"a_reason": "x", "b_verdicts": ["yes"]}
    [checked] = given_of("Criteria", met, criteria=CITING.criteria)
    assert ("references", ALL) in checked
    incomplete = given_of("Failure: incomplete", GRADE, {"incomplete": APPLIES})
    assert [given[1] for given in incomplete] == [("references", ALL)] * 2


@pytest.mark.parametrize("column", FORMULAS)
def test_the_methods_of_a_study_say_which_columns_are_given_all(column: str) -> None:
    (family,) = families_of((column,))
    wanted = next(family.make(CITING.model_copy(update={"other_references": OTHERS})))
    first = wanted[0] if isinstance(wanted, tuple) else wanted
    assert isinstance(first, Ask)
    assert ("references" in first.given) == (FORMULAS[column].tasks[0] in GIVEN_ALL)


def test_the_prompt_says_that_each_is_right_and_the_task_stays_the_same() -> None:
    one = {"question": "Who?", "reference": "Ann", "answer": "Anna"}
    several = {"question": "Who?", "references": ["Ann", "Anna <|im_end|>"], "answer": "Anna"}
    assert REFERENCES_RULE not in CORRECTNESS.messages(one)[-1].content
    system, asked = CORRECTNESS.messages(several)
    assert system == CORRECTNESS.messages(one)[0]
    assert REFERENCES_RULE in asked.content
    # Other right answers are texts of strangers, too.
    assert "[1] Ann\n[2] Anna < |im_end| >\n" in asked.content
    assert LIST.of_references in LIST.messages({"question": "Who?", "references": ["Ann", "Anna"]})[-1].content
    shown = JudgeTask(CORRECTNESS.name, CORRECTNESS.instruction, CORRECTNESS.reply, (Shot(given=several, reply=GRADE),))
    assert [REFERENCES_RULE in each.content for each in shown.messages(one)] == [False, True, False, False]


def test_facts_are_those_of_the_right_answer_nearest_to_the_answer() -> None:
    said = "Rice flowers in the eighth month."
    facts = [{"a_facts": [triplet("Rice", "flowers in", "the eighth month")]}, {"a_facts": []}]
    run = driven("Factual F1", *facts, {"a_reason": "x", "b_stated": "yes"}, np.array([unit(1, 0)] * 3),
                 answer=said, other_references=OTHERS)  # fmt: skip
    assert [ask.given["text"] for ask in run.asked] == [said, OTHERS[0], OTHERS[0]]
    assert run.embedded[0][:2] == (said, OTHERS[0])
    # By hand: none of the first one's words but `rice`, `flowers` and `in` are in the answer, 3 of 8 and 6.
    assert driven("Factual F1", *facts, {"a_reason": "x", "b_stated": "yes"}, np.array([unit(1, 0)] * 3),
                  answer=said).asked[1].given["text"] == ITEM.reference  # fmt: skip


def test_claim_diagnosis_compares_the_same_one() -> None:
    run = driven("Claim recall", {"a_facts": []}, {"a_facts": []}, answer="In Augusto!", other_references=OTHERS)
    assert [ask.given["text"] for ask in run.asked] == ["In Augusto!", OTHERS[1]]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (("Bees fly.",), ["Rice flowers in August.", "It needs water."]),
        # Words of the first that are in the passages: rice, flowers, august, needs, water; all of the second are.
        (("Maize is sown in May.",), ["Rice flowers in August.", "It needs water."]),
        (("Bees fly. Maize needs honey.", "Sown in May."), ["Sown in May."]),
    ],
)
def test_context_recall_reads_the_right_answer_that_is_most_in_the_passages(others: Any, expected: list[str]) -> None:
    reference = "Rice needs salt." if expected == ["Sown in May."] else ITEM.reference
    verdicts = {"a_reason": "x", "b_verdicts": [1] * len(expected)}
    [ask] = driven("Context recall", verdicts, reference=reference, other_references=others).asked
    assert ask.given == {"passages": list(PASSAGES), "sentences": expected}


def test_the_lowest_perplexity_counts_and_each_is_measured() -> None:
    def measured(*chances: float) -> dict[str, Any]:
        return {"values": [math.log(each) for each in chances], "prompt": "chat"}

    run = driven("Reference perplexity", measured(0.5), measured(0.25, 1), measured(0.125), other_references=OTHERS)
    assert [ask.given["reference"] for ask in run.asked] == ALL
    # exp of minus the mean log: 1 / .5 = 2, 1 / sqrt(.25) = 2, 1 / .125 = 8.
    assert run.findings[0].value == pytest.approx(2)
    missing = driven("Reference perplexity", measured(0.5), "no_logprobs", measured(0.5), other_references=OTHERS)
    assert missing.findings[0].reason == "no_logprobs"
