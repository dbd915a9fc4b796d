"""The costs in a verdict, computed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from passer.domain.analysis.effort import AnswerEffort
from passer.domain.analysis.run_rows import EvaluatedQuestion
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.sweeps.budget import TokenPrice
from passer.domain.verdict.verdict import VerdictRule
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import noisy, sweep


def test_cost_in_money_is_the_price_of_the_tokens_by_hand():
    # 1,000 and 400 tokens of prompts, 100 of answers: (1000 x .5 + 100 x 2) / 10^6 = .0007, and .0004.
    effort = {"base": 1000, "other": 400}
    runs = [
        rows.model_copy(update={"questions": tuple(_asked(item, effort[rows.run_id]) for item in rows.questions)})
        for rows in sweep(base=noisy(0.4), other=noisy(0.6, seed=4))
    ]
    rule = VerdictRule(cost="money", price=TokenPrice(input=0.5, output=2.0, currency="USD"))
    (found,) = analyse(runs, recorded=rule).verdict.conclusions
    assert found.cost is not None
    assert (found.cost.measure, found.cost.value, found.cost.baseline) == (
        "money",
        pytest.approx(0.0004),
        pytest.approx(0.0007),
    )
    assert found.cost.saved == pytest.approx(3 / 7)
    assert found.cost.line.text == "0.4 USD for the tokens of 1\u202f000 questions with other (baseline: 0.7 USD)"
    # A server that does not count tokens of answers: passages are counted instead.
    uncounted = [
        rows.model_copy(update={"questions": tuple(_asked(item, 400, made=None) for item in rows.questions)})
        for rows in runs
    ]
    (found,) = analyse(uncounted, recorded=rule).verdict.conclusions
    assert found.cost is not None
    assert found.cost.measure == "passages"


def test_tokens_of_a_prompt_are_counted_in_whole_ones_for_both():
    runs = [
        rows.model_copy(update={"questions": tuple(_asked(item, tokens) for item in rows.questions)})
        for rows, tokens in zip(sweep(base=noisy(0.4), other=noisy(0.6, seed=4)), (1100, 700), strict=True)
    ]
    (found,) = analyse(runs).verdict.conclusions
    assert found.cost is not None
    assert found.cost.line.text == "700 prompt tokens per question with other (baseline: 1\u202f100)"


def _asked(item: EvaluatedQuestion, tokens: int, *, made: int | None = 100) -> EvaluatedQuestion:
    effort = AnswerEffort(generation_s=1.0, prompt_tokens=tokens, output_tokens=made)
    kept = QuestionRetrieval(kept=2, gold=1, gold_ranks=(1,), first_gold=1)
    return replace(item, effort=effort, prompt_digest="0" * 64, retrieval=kept)
