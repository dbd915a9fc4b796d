"""Columns that explain answers: diagnosis by facts, citations, failure labels. Expectations by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from passer.domain.failures.judged_labels import LLM_LABELS, RAG_LABELS
from passer.errors import InputError
from passer.metrics.judged import check_decides, families_of
from passer.metrics.judged.diagnosis import Stated, diagnosed
from tests.metrics.judged.driven import ITEM, PASSAGES, driven, triplet, values


def test_the_diagnosis_of_claims_is_that_of_ragchecker() -> None:
    # Reference: the first fact is in passage 1, the second in 1 and 3, the third in none; the answer has 1 and 3.
    # Answer: right and in 1; wrong and in 1 and 2; wrong and in 2 alone; wrong and in none; right and in none.
    stated = Stated(
        in_answer=np.array([True, False, True]),
        by_passages=np.array([[1, 0, 0], [1, 0, 1], [0, 0, 0]], dtype=bool),
        in_reference=np.array([True, False, False, False, True]),
        from_passages=np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]], dtype=bool),
    )
    assert diagnosed(stated) == pytest.approx((2 / 3, 2 / 3, 1 / 2, 1 / 5, 1 / 5, 1 / 5, 1 / 5))


def test_a_diagnosis_asks_about_each_fact_and_shares_asks_with_factual_f1() -> None:
    mine = {"a_facts": [triplet("Rice", "flowers in", "August"), triplet("Rice", "needs", "salt")]}
    theirs = {"a_facts": [triplet("Rice", "flowers in", "August"), triplet("It", "needs", "water")]}
    yes, no = {"a_reason": "x", "b_stated": "yes"}, {"a_reason": "x", "b_stated": "no"}
    first, none = {"a_reason": "x", "b_verdicts": [1, 0]}, {"a_reason": "x", "b_verdicts": [0, 0]}
    run = driven("Hallucination", mine, theirs, yes, no, yes, no, first, none, first, none)
    assert [each.value for each in run.findings] == [0.5, 0.5, 1.0, 0.0, 0.0, 0.5, 0.0]
    factual = driven("Factual F1", mine, theirs, yes, no, yes, no, np.eye(6))
    assert {str(ask) for ask in factual.asked} <= {str(ask) for ask in run.asked}
    assert all(ask.lengths == {"b_verdicts": 2} for ask in run.asked if ask.task == "in-passages")
    abstained = driven("Hallucination", mine, theirs, yes, no, first, none, abstained=True)
    assert [each.reason for each in abstained.findings] == [None] * 3 + ["abstained"] * 4
    with pytest.raises(InputError, match="Hallucination explains answers"):
        check_decides("Hallucination", field="primary")


def support(*verdicts: str) -> list[dict[str, str]]:
    return [{"a_reason": "x", "b_support": verdict} for verdict in verdicts]


def test_judged_citations_by_hand() -> None:
    """ALCE: a citation of a supported sentence counts if it supports alone, or the others do not without it."""

    def of(answer: str, *replies: Any) -> list[Any]:
        return values("Citation recall", *replies, cites=True, answer=answer)

    # One sentence of two is fully supported, by the one passage that it cites.
    assert of("Rice flowers in August [1]. It needs salt [2].", *support("full", "partly")) == [0.5, 0.5]
    # Sentences end where they did in earlier assessments: numbers of lists are some.
    assert of("1. Rice flowers [1].\n2. It is red.", *support("full")) == [1 / 4, 1.0]
    # Newer ones count whole sentences, without the number, and say so where there is none.
    newer = driven(
        "Citation recall", *support("full"), cites=True, whole_sentences=True,
        answer="## Rice\n1. **Rice** flowers, cf. Fig. 2. [1]\n2. It is red.",
    )  # fmt: skip
    assert [each.value for each in newer.findings] == [1 / 2, 1.0]
    assert newer.asked[0].given["sentence"] == "Rice flowers, cf. Fig. 2 ."
    for is_newer in (False, True):
        assert values("Citation recall", cites=True, whole_sentences=is_newer, answer="[1]") == ["no_tokens"] * 2
    # Both passages together; then each alone: the first is enough, so the second is not needed.
    assert of("Rice flowers in August [1, 2].", *support("full", "full", "no")) == [1.0, 0.5]
    # Neither is enough alone, so both are needed. What is asked of one alone is what the other one adds to it.
    assert of("Rice flowers in August [1][2].", *support("full", "partly", "partly")) == [1.0, 1.0]
    # A sentence without a citation is not supported; a number without a passage supports nothing.
    assert of("Rice flowers in August [1]. Bees fly. Maize is sown [7].", *support("full")) == [1 / 3, 0.5]
    assert of("Rice flowers in August.") == [0.0, "no_citations"]
    assert values("Citation recall", cites=False, answer="Rice [1].") == ["not_requested"] * 2
    assert values("Citation recall", cites=True, abstained=True) == ["abstained"] * 2
    assert of("Rice flowers [1].", "not_json") == ["not_json"] * 2
    asked = driven("Citation recall", *support("full", "full", "no"), cites=True, answer="Rice flowers [1, 2].").asked
    assert [each.given["passages"] for each in asked] == [list(PASSAGES), [PASSAGES[0]], [PASSAGES[1]]]
    assert {each.given["sentence"] for each in asked} == {"Rice flowers ."}


def test_three_citations_ask_what_the_others_support_without_one() -> None:
    third = ITEM.passages[1].model_copy(update={"id": "p2", "text": "Rice grows in water."})
    found = driven(
        "Citation recall",
        # All three; each alone (first yes); without the second; without the third.
        *support("full", "full", "no", "no", "full", "partly"),
        cites=True, answer="Rice flowers in August [1-3].", passages=(*ITEM.passages, third),
    )  # fmt: skip
    assert [each.value for each in found.findings] == [1.0, pytest.approx(2 / 3)]


def applied(*labels: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Replies to both asks in which these labels apply."""

    def reply(names: Any) -> dict[str, Any]:
        return {name: {"a_explanation": "x", "b_applies": int(name in labels)} for name in names}

    return reply(RAG_LABELS), reply(LLM_LABELS)


def test_failure_labels_are_asked_of_answers_that_are_not_completely_correct() -> None:
    column = "Failure: over-specific"
    low = {"a_reason": "x", "b_grade": 7}
    found = driven(column, low, *applied("over_specificity", "factual_fabrication"), gold_quotes=("Rice flowers.",))
    named = dict(zip(families_of((column,))[0].columns, found.findings, strict=True))
    assert {name for name, finding in named.items() if finding.value} == {
        "Failure: over-specific",
        "Failure: factual fabrication",
    }
    # The judge reads the gold text and the passages, and not the grade.
    assert [each.task for each in found.asked] == ["correctness", "rag-failures", "llm-failures"]
    assert list(found.asked[1].given) == ["question", "reference", "answer", "gold", "passages"]
    # A completely correct answer asks for the grade alone.
    right = driven(column, {"a_reason": "x", "b_grade": 10})
    assert {(each.value, each.note) for each in right.findings} == {(0.0, "no_failure")}
    # Without the grade, or with one reply of two, nothing is known.
    assert set(values(column, "cut_off")) == {"cut_off"}
    assert set(values(column, low, applied()[0], "not_json")) == {"not_json"}
    assert all(not info.higher_is_better for info in families_of((column,))[0].infos)


def test_parts_of_a_question_are_a_label_of_its_own_request() -> None:
    column = "Failure: incomplete"
    low, one = {"a_reason": "x", "b_grade": 7}, {"incomplete": {"a_explanation": "x", "b_applies": 1}}
    found = driven(column, low, one)
    assert [each.task for each in found.asked] == ["correctness", "incomplete-failures"]
    assert [each.value for each in found.findings] == [1.0]
    assert values(column, {"a_reason": "x", "b_grade": 10}) == [0.0]
    assert values(column, low, "cut_off") == ["cut_off"]
