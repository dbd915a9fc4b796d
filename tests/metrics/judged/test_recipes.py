"""Every recipe driven by hand: the replies are given, the values are computed on paper."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import average_precision, followed, nugget_shares
from passer.domain.judging.key_facts import KeyFact
from passer.metrics.judged import decides
from passer.metrics.judged.facts import matched
from passer.metrics.registry import infos
from tests.metrics.judged.driven import ITEM, PASSAGES, driven, judgement, triplet, unit, values

COLUMNS = [info.name for info in infos("judged")]


def test_grades() -> None:
    assert values("Answer correctness", {"a_reason": "x", "b_grade": 7}) == [0.7]
    assert values("Answer correctness", {"a_reason": "x", "b_grade": 0}) == [0.0]
    assert values("Answerability", {"a_reason": "x", "b_decision": 1}) == [1.0]
    assert values("Stand-alone question", {"a_reason": "x", "b_grade": 3}) == [0.3]
    assert values("Answer correctness", "off_schema") == ["off_schema"]
    asked = driven("Answerability", {"a_reason": "x", "b_decision": 0}).asked
    assert asked == [Ask(task="answerability", given={"question": ITEM.question, "passages": list(PASSAGES)})]


def test_an_attempt_is_decided_from_question_and_answer_whatever_code_recognises() -> None:
    said = "I could not find this in the texts, but rice usually flowers in August."
    for abstained in (False, True):
        run = driven("Answer attempted", {"a_reason": "x", "b_decision": 1}, answer=said, abstained=abstained)
        assert run.findings[0].value == 1.0
        assert run.asked == [Ask(task="attempted", given={"question": ITEM.question, "answer": said})]
    assert driven("Answer attempted", {"a_reason": "x", "b_decision": 0}, passages=()).findings[0].value == 0.0
    assert values("Answer attempted", "cut_off") == ["cut_off"]
    assert values("Answer attempted", answer=" ") == ["empty_answer"]
    # Who attempts every answer is not better for it.
    assert not decides("Answer attempted")


def test_faithfulness_counts_what_is_supported_and_what_is_contradicted() -> None:
    statements = {"a_statements": ["Rice flowers.", "It needs water.", "It needs salt.", "It is grey.", "It is grey."]}
    verdicts = {"a_reason": "x", "b_verdicts": ["yes", "yes", "yes", "contradicted"]}
    run = driven("Faithfulness", statements, verdicts)
    # 3 of 4 are supported; 1 of 4 is contradicted. The repeated statement is asked once.
    assert [each.value for each in run.findings] == [0.75, 0.75]
    assert run.asked[1].lengths == {"b_verdicts": 4}
    assert values("Faithfulness", statements, {"a_reason": "x", "b_verdicts": ["yes", "no", "no", "no"]}) == [0.25, 1.0]
    assert values("Faithfulness", {"a_statements": [" "]}) == ["no_facts"] * 2
    assert values("Faithfulness", statements, "cut_off") == ["cut_off"] * 2
    assert values("Faithfulness", abstained=True, passages=()) == ["abstained"] * 2


def test_answer_relevancy_is_the_mean_cosine_and_context_relevancy_the_largest() -> None:
    replies = [{"a_question": f"q{n}?", "b_noncommittal": 0} for n in range(3)]
    vectors = np.array([unit(1, 0), unit(1, 0), unit(0, 1), unit(3, 4)])
    run = driven("Answer relevancy", *replies, vectors)
    assert run.findings[0].value == pytest.approx((1 + 0 + 0.6) / 3)
    assert [ask.sample for ask in run.asked] == [0, 1, 2]
    assert run.embedded == [(ITEM.question, "q0?", "q1?", "q2?")]
    evasive = [{**each, "b_noncommittal": 1} for each in replies]
    assert values("Answer relevancy", *evasive) == [0.0]
    assert values("Answer relevancy", abstained=True) == [0.0]
    mixed = [evasive[0], *replies[1:]]
    assert driven("Answer relevancy", *mixed, vectors).findings[0].value == pytest.approx(1.6 / 3)
    context = driven("Response relevancy (context)", {"a_questions": ["a", "b", "c"]}, vectors)
    assert context.findings[0].value == pytest.approx(1.0)


def test_context_precision_and_recall() -> None:
    assert average_precision([True, False, True]) == pytest.approx(0.8333, abs=5e-5)
    assert average_precision([False, True]) == 0.5
    assert average_precision([False, False]) == 0.0
    useful = [{"a_reason": "x", "b_useful": each} for each in (0, 1)]
    assert values("Context precision", *useful) == [0.5]
    run = driven("Context recall", {"a_reason": "x", "b_verdicts": [1, 0]})
    assert run.findings[0].value == 0.5
    assert run.asked[0].given["sentences"] == ["Rice flowers in August.", "It needs water."]
    listed, both = "1. Rice flowers (cf. Fig. 2).\n2. It needs water.", {"a_reason": "x", "b_verdicts": [1, 0]}
    newer = driven("Context recall", both, reference=listed, whole_sentences=True)
    assert newer.asked[0].given["sentences"] == ["Rice flowers (cf. Fig. 2).", "It needs water."]
    assert newer.findings[0].value == 0.5
    other = driven("Context recall", {"a_reason": "x", "b_verdicts": [1, 0]}, reference="水稻八月开花。它需要水。")
    assert other.asked[0].given["sentences"] == ["水稻八月开花。", "它需要水。"]


def test_passage_relevance_is_the_mean_grade() -> None:
    def grades(*given: int) -> list[dict[str, Any]]:
        return [{"a_reason": "x", "b_grade": grade} for grade in given]

    assert values("Passage relevance", *grades(2, 1)) == [0.75]
    assert values("Passage relevance (UMBRELA)", *grades(3, 0)) == [0.5]
    assert values("Passage relevance (expert)", *grades(2, 1)) == [0.75]
    aspects = {"aspect_match": 2, "aspect_trust": 0}
    assert values("Passage relevance (RDNAM)", *({**each, **aspects} for each in grades(1, 0))) == [0.25]
    # Raters 2, 2, 1, 1, 1: mean 1.4; the other passage 0. (1.4 + 0) / 4.
    five = [{"a_match": 1, "a_trust": 1, "b_grade": grade} for grade in (2, 2, 1, 1, 1)]
    none = [{**each, "b_grade": 0} for each in five]
    run = driven("Passage relevance (RDNAM, five raters)", *({"a_reason": "x", "b_raters": by} for by in (five, none)))
    assert run.findings[0].value == pytest.approx(0.35)
    assert all(ask.lengths == {"b_raters": 5} for ask in run.asked)
    run = driven("Passage relevance", *grades(0, 2))
    assert [ask.given["passage"] for ask in run.asked] == list(PASSAGES)
    # The judge of relevance must not see the answer, which depends on the passages.
    assert set(run.asked[0].given) == {"question", "passage"}


def test_context_recall_asks_long_references_in_parts() -> None:
    reference = " ".join(f"Sentence number {n} stands here." for n in range(25))
    parts = [{"a_reason": "x", "b_verdicts": [1] * 20}, {"a_reason": "x", "b_verdicts": [0] * 5}]
    run = driven("Context recall", *parts, reference=reference)
    assert run.findings[0].value == 0.8
    assert [ask.lengths["b_verdicts"] for ask in run.asked] == [20, 5]


def test_aspects() -> None:
    reply = {"a_reason": "x", "b_relevance": 2, "c_accuracy": 1, "d_completeness": 0, "e_precision": 2}
    assert values("Accuracy", reply) == [1.0, 0.5, 0.0, 1.0]


def test_nuggets() -> None:
    # Vital: support, partial, not; okay: support.
    found = nugget_shares([True, True, True, False], [1.0, 0.5, 0.0, 1.0])
    assert [round(each or 0, 4) for each in found] == [0.3333, 0.5, 0.5, 0.625, 0.5714]
    listed = {"a_nuggets": [{"a_text": f"fact {n}", "b_importance": "okay"} for n in range(11)]}
    run = driven(
        "Nugget all",
        listed,
        {"a_reason": "x", "b_support": ["support"] * 10},
        {"a_reason": "x", "b_support": ["not"]},
    )
    assert [len(ask.given["facts"]) for ask in run.asked[1:]] == [10, 1]
    assert [each.reason or each.value for each in run.findings] == [
        "no_nuggets", 10 / 11, "no_nuggets", 10 / 11, 10 / 11,
    ]  # fmt: skip
    assert values("Nugget all", {"a_nuggets": []}) == ["no_nuggets"] * 5
    other = driven("Nugget all", listed, "cut_off", "cut_off", answer="Something else.", passages=())
    assert run.asked[0] == other.asked[0], "facts are listed once a question, for all configurations"
    alone = driven("Nugget vital share", {"a_nuggets": [
        {"a_text": "a", "b_importance": "vital"}, {"a_text": "b", "b_importance": "okay"},
    ]}, answer="")  # fmt: skip
    assert (alone.asked, alone.findings[0].value) == ([run.asked[0]], 0.5)
    assert values("Nugget vital share", reference=" ") == ["empty_reference"]
    assert values("Nugget all", reference=" ") == ["empty_reference"] * 5


def test_key_facts_of_a_question_without_reference_are_from_its_gold_passages() -> None:
    listed = {"a_nuggets": [{"a_text": "August", "b_importance": "vital"}]}
    said, gold = {"a_reason": "x", "b_support": ["partial"]}, ("Rice flowers in August.",)
    run = driven("Nugget all", listed, said, reference="", gold_quotes=gold)
    assert [ask.task for ask in run.asked] == ["passage-nuggets", "assign-nuggets"]
    assert run.asked[0].given == {"question": "When does rice flower?", "passages": list(gold)}
    assert [each.value for each in run.findings] == [0.0, 0.0, 0.5, 0.5, 0.5]
    other = driven("Nugget all", listed, said, reference="", gold_quotes=gold, answer="In May.", passages=())
    assert run.asked[0] == other.asked[0], "passages that a configuration retrieved are no source"
    # With a reference, the gold passages are not read.
    assert driven("Nugget all", listed, said, gold_quotes=gold).asked[0].task == "nuggets"
    assert values("Nugget vital share", listed, reference="", gold_quotes=gold) == [1.0]
    # Both verifiers count such replies like those of the other task.
    replies = [judgement(listed).model_copy(update={"task": "passage-nuggets"}),
               judgement(said).model_copy(update={"task": "assign-nuggets"})]  # fmt: skip
    assert followed("Nugget all", replies) == (0.5, None)


def test_key_facts_of_people_take_the_place_of_those_of_the_judge() -> None:
    chosen = (KeyFact(text="In August", importance="vital"), KeyFact(text="Needs water", importance="okay"))
    run = driven("Nugget all", {"a_reason": "x", "b_support": ["support", "not"]}, key_facts=chosen)
    assert [(ask.task, ask.given["facts"]) for ask in run.asked] == [("assign-nuggets", ["In August", "Needs water"])]
    # Strict vital 1/1, all 1/2; weighted 1 / (1 + .5).
    assert [each.value for each in run.findings] == [1.0, 0.5, 1.0, 0.5, 1 / 1.5]
    assert values("Nugget all", key_facts=()) == ["no_nuggets"] * 5


def test_faithful_facts_drop_what_is_invented_and_count_what_has_no_quote() -> None:
    said = {
        "a_facts": [
            triplet("Rice", "flowers in", "August", segments=["Rice  flowers in August", "not there"]),
            triplet("Rice", "needs", "salt", segments=["needs salt"]),
            triplet("Rice", "flowers in", "August", segments=[]),
            triplet("Bananas", "cost", "nothing today", segments=[]),
            triplet("Rice", "", "August", segments=[]),
        ]
    }
    vectors = np.array([unit(1, 0), unit(3, 4)])
    run = driven("Faithfulness (triplets)", said, {"a_reason": "x", "b_stated": "yes"}, vectors)
    # Two facts are left; one has a verbatim quote and is stated: 1/2. Cosine .6 and 0: mean .3.
    assert [each.value for each in run.findings] == pytest.approx([0.5, 0.3])
    assert run.findings[0].note == "3 facts dropped; 1 facts without a quote"
    assert run.asked[1].given == {"fact": "Rice flowers in August", "quotes": ["Rice flowers in August"]}
    assert values("Faithfulness (triplets)", {"a_facts": [triplet("x", "y", "z", segments=[])]}) == ["no_facts"] * 2


def test_a_fact_with_half_of_its_keywords_in_its_text_is_not_invented() -> None:
    # Keywords have three letters or more, or a digit: "rice" and "salt" of four are in the answer, "ash" and "fig" not.
    half = {"a_facts": [triplet("Rice", "to ash", "salt fig", segments=[])]}
    assert values("Faithfulness (triplets)", half) == [0.0, 0.0]
    # "ash", "fig" and "tar" are three of five.
    less = {"a_facts": [triplet("Rice", "to ash tar", "salt fig", segments=[])]}
    assert values("Faithfulness (triplets)", less) == ["no_facts"] * 2


def test_the_nearest_quote_counts_and_nothing_is_below_zero() -> None:
    quotes = ["Rice flowers in August", "Maize is sown in May"]
    said = {"a_facts": [triplet("Rice", "flowers in", "August", segments=quotes)]}
    yes = {"a_reason": "x", "b_stated": "yes"}
    run = driven("Fact similarity", said, yes, np.array([unit(1, 0), unit(3, 4), unit(0, 1)]))
    assert run.findings[1].value == pytest.approx(0.6)
    away = np.array([unit(1, 0), unit(-1, 0), unit(-3, 4)])
    assert driven("Fact similarity", said, yes, away).findings[1].value == 0.0
    replies = [{"a_question": f"q{n}?", "b_noncommittal": 0} for n in range(3)]
    assert driven("Answer relevancy", *replies, np.array([unit(1, 0), *[unit(-1, 0)] * 3])).findings[0].value == 0.0


def test_factual_recall_precision_and_match() -> None:
    mine = {"a_facts": [triplet("Rice", "flowers in", "August"), triplet("Rice", "needs", "salt")]}
    theirs = {"a_facts": [triplet("Rice", "flowers in", "August"), triplet("It", "needs", "water")]}
    yes, no = {"a_reason": "x", "b_stated": "yes"}, {"a_reason": "x", "b_stated": "no"}
    # answer, reference, then two facts each: the first pair is the same, the others are near nothing.
    vectors = np.array([unit(1, 0, 0), unit(3, 4, 0), unit(1, 0, 0), unit(0, 1, 0), unit(1, 0, 0), unit(0, 0, 1)])
    run = driven("Factual F1", mine, theirs, yes, no, yes, no, vectors)
    recall, precision, f1, match, columns, weighted = (each.value for each in run.findings)
    assert (recall, precision, f1) == (0.5, 0.5, 0.5)
    # One row hits; one column is missed: 1 / (1 + 1). One of two columns is hit.
    assert (match, columns) == (0.5, 0.5)
    assert weighted == pytest.approx(0.75 * 0.5 + 0.25 * 0.6)
    assert [ask.given["text"] for ask in run.asked[2:]] == [ITEM.reference] * 2 + [ITEM.answer] * 2
    abstained = driven("Factual F1", mine, theirs, yes, no, vectors, abstained=True)
    assert [each.reason for each in abstained.findings] == [None, "abstained", "abstained", None, None, "abstained"]


def test_the_match_matrix() -> None:
    # Rows hit 2, columns missed 1: 2/3; columns 1/2. The limit is strict.
    assert matched(np.array([[0.95, 0.2], [0.93, 0.1]])) == (pytest.approx(2 / 3), 0.5)
    assert matched(np.array([[0.9]])) == (0.0, 0.0)
