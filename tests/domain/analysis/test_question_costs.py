"""Mean costs of a question by every measure."""

from __future__ import annotations

import pytest

from passer.domain.analysis.effort import AnswerEffort
from passer.domain.analysis.question_costs import QuestionCosts
from passer.domain.analysis.run_rows import EvaluatedQuestion
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.sweeps.budget import TokenPrice

PRICE = TokenPrice(input=1, output=10)


def question(number: int, *, asked: bool, output_tokens: int | None = 10) -> EvaluatedQuestion:
    return EvaluatedQuestion(
        question_id=f"q{number}",
        retrieval=QuestionRetrieval(kept=number),
        prompt_digest="0" * 64 if asked else None,
        effort=AnswerEffort(generation_s=1.5, prompt_tokens=100, output_tokens=output_tokens) if asked else None,
    )


def test_costs_of_questions_by_hand() -> None:
    costs = QuestionCosts.of([question(1, asked=True), question(2, asked=False)])
    assert costs.mean("passages", None, {}) == 1.5
    assert costs.mean("seconds", None, {"q1": 2.0, "q2": 1.0}) == 1.0
    assert costs.mean("prompt_tokens", None, {}) == 50
    # A hundred tokens at 1 and ten at 10 for a million.
    assert costs.mean("money", PRICE, {}) == pytest.approx(200e-6 / 2)
    assert costs.mean("money", None, {}) is None
    assert QuestionCosts.of([question(1, asked=True, output_tokens=None)]).mean("money", PRICE, {}) is None


def test_questions_that_ask_no_model_cost_nothing_whatever_the_price() -> None:
    costs = QuestionCosts.of([question(1, asked=False)])
    assert [costs.mean(measure, None, {}) for measure in ("money", "seconds", "prompt_tokens")] == [0, 0, 0]
