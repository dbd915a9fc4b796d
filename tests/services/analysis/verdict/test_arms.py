"""Models and retrievers against the first baseline: by the conditions of any other verdict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from passer.domain.analysis.run_rows import RunRows
from passer.domain.dataset import Question
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.score import Score
from passer.domain.verdict.judged_rule import JudgedBy, JudgedColumn
from passer.domain.verdict.verdict import VerdictRule
from passer.domain.wording.sentence import reading, shown
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import noisy, question, run


def models(n: int, *, failed: int = 0) -> list[RunRows]:
    """A second model that is better by .1 in each question, and failed in some."""
    base, better = noisy(0.4, n), noisy(0.5, n, seed=4)
    items = [question(number, height) for number, height in enumerate(better)]
    lost = [replace(item, state="failed", scores=None) for item in items[:failed]]
    return [
        run("one", [question(number, height) for number, height in enumerate(base)], model="one", baseline=True),
        run("other", [*lost, *items[failed:]], model="other", baseline=True),
    ]


@pytest.mark.parametrize(
    ("runs", "why"),
    [
        (models(12), "Only 12 questions can be compared, and a verdict needs 20"),
        (models(60, failed=30), "30 of 60 questions failed with other"),
    ],
)
def test_a_model_is_not_called_better_where_a_configuration_would_get_no_verdict(runs: list[RunRows], why: str):
    (arm,) = analyse(runs).verdict.arms
    assert arm.line.text == f"other is not compared with one (Top-k 10). {why}."
    assert (arm.gain.outcome, arm.gain.gain, arm.gain.p) == ("undecided", None, None)
    with reading("bg"):
        assert shown(arm.line.text).startswith("other не се сравнява с one (")


def test_questions_of_one_source_do_not_make_a_model_better():
    asked = [Question(id=f"q{n}", text="?", reference="a", cluster=f"c{n % 3}") for n in range(60)]
    (arm,) = analyse(models(60), questions=asked).verdict.arms
    assert "fewer than 6 sources" in arm.line.text


def test_a_model_that_failed_does_not_widen_the_intervals_of_the_others():
    three = [*models(60), models(60, failed=30)[1].model_copy(update={"run_id": "third", "name": "third"})]
    config = three[2].config.model_copy(update={"model": three[2].config.model.model_copy(update={"name": "third"})})
    three[2] = three[2].model_copy(update={"config": config, "model_label": "third"})
    other, third = analyse(three).verdict.arms
    assert other.gain.outcome == "better"
    assert "30 of 60 questions failed with third" in third.line.text


def test_a_model_that_is_always_better_by_one_amount_is_not_said_to_be_like_the_other():
    heights = noisy(0.4)
    runs = [
        run(name, [question(n, (height or 0) + more) for n, height in enumerate(heights)], model=name, baseline=True)
        for name, more in (("one", 0.0), ("other", 0.1))
    ]
    (arm,) = analyse(runs, recorded=VerdictRule(primary="METEOR")).verdict.arms
    assert arm.line.text == (
        "other differs from one by the same amount in every question, which gives no interval "
        "(Top-k 10, +0.1000, 60 questions)."
    )
    nearly = [*runs[0].questions[:5], *runs[1].questions[5:]]
    same = run("other", nearly, model="other", baseline=True)
    (arm,) = analyse([runs[0], same], recorded=VerdictRule(primary="METEOR")).verdict.arms
    assert arm.line.text == (
        "other differs from one by the same amount (+0.1000) in 55 of 60 questions, and too few differ by other "
        "amounts for an interval (Top-k 10)."
    )
    with reading("bg"):
        assert "с една и съща стойност (+0,1000) при 55 от 60 въпроса" in shown(arm.line.text)
    one, other = models(60)
    few = run("other", [*one.questions[:57], *other.questions[57:]], model="other", baseline=True)
    (arm,) = analyse([one, few]).verdict.arms
    assert arm.line.text == "other differs from one in 3 of 60 questions, too few for an interval (Top-k 10)."


def test_as_good_names_the_margin():
    rng = np.random.default_rng(2)
    runs = models(200)
    near = [question(n, (height or 0) + rng.normal(0, 0.01)) for n, height in enumerate(noisy(0.4, 200))]
    (arm,) = analyse([runs[0], run("other", near, model="other", baseline=True)]).verdict.arms
    assert arm.line.text.startswith("other is as good as one within 2 points (Top-k 10, ")


def test_a_judge_that_nobody_checked_is_named_with_what_it_says_of_models():
    runs = models(60)
    heights = {"one": noisy(0.4), "other": noisy(0.5, seed=4)}
    scored = {name: {f"q{n}": Score(value=height) for n, height in enumerate(own)} for name, own in heights.items()}
    by = JudgedBy(assessment="a", judge="J", status="unchecked")
    (arm,) = analyse(runs, judged=JudgedColumn(by, "Answerability", scored, None)).verdict.arms
    assert arm.line.text.startswith("Says judge J (unchecked): other is better than one (Top-k 10, +0.0982, ")


def test_a_model_without_another_configuration_is_not_said_to_lack_questions():
    found = analyse(models(60)).verdict.conclusions[0]
    assert found.reason == "There is no other configuration to compare with the baseline."
    assert found.next_steps == ()


def test_weights_that_leave_few_questions_are_the_reason_and_not_their_number():
    asked = [Question(id=f"q{n}", text="?", reference="a", weight=1000.0 if n < 5 else 1.0) for n in range(30)]
    base, better = models(30)
    config = base.config.model_copy(update={"retrieval": ScorePolicy(min_similarity=0.5)})
    cut = better.model_copy(update={"config": config})
    runs = [base, cut.model_copy(update={"is_baseline": False, "model_label": "one"})]
    (found,) = analyse(runs, questions=asked).verdict.conclusions
    # (5 x 1000 + 25)^2 / (5 x 1000^2 + 25) = 5.05.
    assert found.reason == (
        "30 questions can be compared, but by their weights they are as informative as 5.1 of equal "
        "weight, and a verdict needs 20."
    )
    # 20 x 30 / 5.05 questions.
    assert [step.questions for step in found.next_steps] == [119]
