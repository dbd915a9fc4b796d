"""Why an abstention has a higher composite than an answer, by the parts of both, worked out by hand."""

from __future__ import annotations

from passer.domain.analysis.pool import Pool, PoolMetric
from passer.domain.analysis.question_across import AnswerAcross, QuestionAcross
from passer.domain.analysis.question_matrix import MatrixCell, MatrixColumn
from passer.domain.score import Score


def metric(name: str, weight: float, low: float, high: float, *, higher: bool = True) -> PoolMetric:
    return PoolMetric(
        metric=name,
        weight=weight,
        effective_weight=None,
        higher_is_better=higher,
        minimum=low,
        maximum=high,
        is_constant=False,
        n_outside=0,
    )


POOL = Pool(
    name="all",
    run_ids=("a", "b"),
    rows=4,
    metrics=(metric("METEOR", 0.4, 0, 0.5), metric("Laplace Perplexity", 0.6, 1, 5, higher=False)),
    is_clipped=True,
)


def answer(name: str, score: float | None, state: str) -> AnswerAcross:
    cell = MatrixCell.model_validate({"score": score, "gain": None, "kept": 0, "state": state, "gold_lost": False})
    column = MatrixColumn(run_id=name, name=name, model="m", baseline=None, mean=None)
    return AnswerAcross(column=column, cell=cell, answer="", prompt_tokens=None, generation_s=None)


def across(*items: AnswerAcross) -> QuestionAcross:
    return QuestionAcross(metric="CPS", number=0, question="?", items=items)


def test_the_parts_of_a_composite_are_those_of_its_formula() -> None:
    # METEOR .25 of 0 to .5: .4 x .5. Perplexity 2 of 1 to 5, lower is better: .6 x .75. Beyond the bounds it is cut.
    scores = {"METEOR": Score(value=0.25), "Laplace Perplexity": Score(value=2.0)}
    assert POOL.parts(scores) == {"Laplace Perplexity": 0.6 * 0.75, "METEOR": 0.4 * 0.5}
    beyond = {"METEOR": Score(value=0.75), "Laplace Perplexity": Score(value=None, reason="no_tokens")}
    assert POOL.parts(beyond) == {"Laplace Perplexity": 0.0, "METEOR": 0.4}


def test_the_highest_abstention_is_explained_beside_the_best_answer_below_it() -> None:
    found = across(
        answer("cut", 0.65, "abstained"),
        answer("other cut", 0.5, "abstained"),
        answer("worst", 0.1, "scored"),
        answer("next", 0.4, "scored"),
        answer("best", 0.9, "scored"),
    )
    abstained = {"METEOR": Score(value=0.25), "Laplace Perplexity": Score(value=2.0)}
    answered = {"METEOR": Score(value=0.5), "Laplace Perplexity": Score(value=5.0)}
    said = str(found.explained(POOL, abstained, answered).abstention)
    assert said.startswith("cut abstains and has a CPS of 65.0 points, more than the answer of next (40.0).")
    assert said.endswith("(abstention / answer): Laplace Perplexity 45.0 / 0.0, METEOR 20.0 / 40.0.")


def test_an_abstention_that_outscores_no_answer_needs_no_reason() -> None:
    for others in ((answer("best", 0.9, "scored"),), (), (answer("lost", None, "failed"),)):
        assert across(answer("cut", 0.65, "abstained"), *others).leading_abstention is None
