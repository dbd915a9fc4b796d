"""Causes of lost gold passages: their questions, and the ceiling of what they can gain."""

from __future__ import annotations

import pytest

from passer.domain.dataset import Question
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import conclusion, keeping, noisy, sweep


def test_lost_gold_passages_are_counted_against_the_baseline_with_ceilings_by_hand():
    base, tight = sweep(base=noisy(0.4), tight=noisy(0.5, seed=3))
    cut = [QuestionRetrieval(kept=1, gold=1, first_gold=rank) for rank in (3, 5, 7, 9)]
    never = QuestionRetrieval(kept=1, gold=1)
    silent = QuestionRetrieval(kept=1, gold=1, gold_ranks=(1,), first_gold=1, abstained=True)
    absent = QuestionRetrieval(kept=1, gold=0)
    held = QuestionRetrieval(kept=9, gold=1, gold_ranks=(9,), first_gold=9)
    found = conclusion([keeping(base, *[held] * 4, never, held, absent), keeping(tight, *cut, never, silent, absent)])
    retrieval = found.retrieval
    assert retrieval is not None
    # Of 60 questions one has no gold passage in the collection.
    assert (retrieval.name, retrieval.lost, retrieval.won, retrieval.of) == ("tight", 4, 0, 59)
    assert retrieval.question_ids == ("q0", "q1", "q2", "q3")
    by_code = {cause.code: cause for cause in retrieval.causes}
    assert {code: cause.questions for code, cause in by_code.items()} == {
        "cut": 4, "not_retrieved": 1, "abstained": 1, "gold_absent": 1,
    }  # fmt: skip
    assert retrieval.causes[0].code == "cut"
    # Half of the four ranks 3, 5, 7, 9 are at most 5; 53 + 1 questions keep gold already.
    assert (by_code["cut"].k, by_code["cut"].kept_at_k) == (5, 56)
    heights = [height or 0.0 for height in noisy(0.5, seed=3)]
    both = [height or 0.0 for height in (*noisy(0.4), *heights)]
    cps = [(height - min(both)) / (max(both) - min(both)) for height in heights]
    assert by_code["cut"].at_most == pytest.approx((2 - cps[0] - cps[1]) / 60)
    assert by_code["not_retrieved"].at_most == pytest.approx((1 - cps[4]) / 60)


def test_a_cause_whose_questions_already_score_highest_promises_no_gain():
    heights = noisy(0.5, seed=3)
    best = [1.0, *heights[1:]]
    base, tight = sweep(base=noisy(0.4), tight=best)
    never = QuestionRetrieval(kept=1, gold=1)
    found = conclusion([keeping(base, never), keeping(tight, never)]).retrieval
    assert found is not None
    (cause,) = found.causes
    assert cause.at_most == pytest.approx(0, abs=1e-12)
    assert cause.line.text == "Gold passage not retrieved with tight: 1 of 60 questions."


def test_the_ceiling_of_a_cause_is_weighted_like_the_mean_that_it_adds_to():
    base, tight = sweep(base=noisy(0.4), tight=noisy(0.5, seed=3))
    never = QuestionRetrieval(kept=1, gold=1)
    asked = [Question(id=f"q{n}", text="?", reference="!", weight=3.0 if n == 0 else 1.0) for n in range(60)]
    runs = [keeping(base, never), keeping(tight, never)]
    (equal,), (weighted,) = (analyse(runs, questions=each).verdict.conclusions for each in ((), asked))
    assert equal.retrieval is not None
    assert weighted.retrieval is not None
    (one,), (other,) = equal.retrieval.causes, weighted.retrieval.causes
    assert one.at_most is not None
    # A weight of 3 among 59 others.
    assert other.at_most == pytest.approx(one.at_most * 60 * 3 / 62)


def test_without_gold_passages_there_is_no_retrieval_cause():
    assert conclusion(sweep(base=noisy(0.4), good=noisy(0.5, seed=3))).retrieval is None
