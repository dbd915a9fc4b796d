"""Missing, failed, cut and repeated answers, and runs that cannot be compared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from passer.domain.analysis.choices import SweepChoices
from passer.domain.panel import panel_named
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.score import VECTOR_ORDER, Score, ScoreRow
from passer.domain.verdict.judged_rule import JudgedBy, JudgedColumn
from passer.domain.verdict.verdict import VerdictRule
from passer.errors import ConflictError, InputError
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import by_name, noisy, question, run, scores, sweep

PHASE3 = panel_named("phase3")


def test_an_empty_answer_takes_the_worst_value_and_is_counted() -> None:
    silent = question(1, None, scored=dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="empty_answer")))
    base, other = sweep(base=[0.0, 0.5, 1.0], other=[0.2, 0.5, 0.8])
    other = other.model_copy(update={"questions": (other.questions[0], silent, other.questions[2])})
    analysis = analyse([base, other])
    result = by_name(analysis)["other"]
    assert result.mean_cps == pytest.approx((0.2 + 0.0 + 0.8) / 3)
    assert (result.n, result.n_worst_filled, result.n_excluded) == (3, 1, 0)
    assert result.worst_filled == {"empty_answer": len(PHASE3.columns)}
    assert any("worst value" in warning for warning in analysis.warnings)
    (alternative,) = analysis.alternatives
    assert alternative.decision == "missing scores excluded"
    assert alternative.mean_cps[1] == pytest.approx(0.5)
    dropped = by_name(analyse([base, other], SweepChoices(missing="drop")))["other"]
    assert (dropped.n, dropped.n_excluded, dropped.excluded) == (2, 1, {"empty_answer": 1})


def test_what_the_measuring_lost_leaves_every_configuration() -> None:
    base, other = sweep(base=[0.0, 0.5, 1.0], other=[0.2, 0.5, 0.8])
    broken = question(1, None, scored=scores(0.5, **{"Bert-Score.f1": "encoder_unavailable"}))
    failed = question(0, None, state="failed")
    other = other.model_copy(update={"questions": (failed, broken, other.questions[2])})
    three = run("three", [question(n, 0.4) for n in range(3)], retrieval=ScorePolicy(min_similarity=0.9))
    analysis = analyse([base, other, three])
    results = by_name(analysis)
    assert [results[name].n for name in ("base", "other", "three")] == [1, 1, 1]
    assert results["other"].excluded == {"generation_failed": 1, "encoder_unavailable": 1}
    assert results["other"].n_failed == 1
    assert results["three"].excluded == {"another_configuration": 2}
    assert analysis.pools[0].rows == 3


def test_another_recommendation_under_drop_is_a_warning() -> None:
    # The silent threshold is far better where it speaks; it is silent for half of the questions.
    runs = sweep(base=noisy(0.5), silent=noisy(0.7, seed=2))
    empty = ScoreRow.of(dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="empty_answer")))
    items = [replace(q, scores=empty) if n % 2 else q for n, q in enumerate(runs[1].questions)]
    analysis = analyse([runs[0], runs[1].model_copy(update={"questions": tuple(items)})])
    assert analysis.verdict.conclusions[0].name is None
    assert analysis.alternatives[0].recommended == ("silent",)
    assert any("missing scores excluded, the recommendation for" in line for line in analysis.warnings)


def test_a_gain_that_failed_questions_could_undo_is_named() -> None:
    """54 questions gain .05, 6 failed where the baseline has .5: (54 x .05 - 6 x .5) / 60 is below 0."""
    # The worst value of the pool is 0.
    base, other = sweep(base=[*noisy(0.5)[:59], 0.0], other=[*noisy(0.55, seed=4)[:59], 0.0])
    items = [question(n, None, state="failed") if n < 6 else item for n, item in enumerate(other.questions)]
    failing = other.model_copy(update={"questions": tuple(items)})
    analysis = analyse([base, failing], recorded=VerdictRule(primary="METEOR"))
    (found,) = analysis.verdict.conclusions
    assert (found.verdict.kind, found.name) == ("better", "other")
    said = "With failed questions as the worst value, the recommendation for m would be none instead of other."
    assert said in [line.text for line in found.would_change]
    assert [each.recommended for each in analysis.alternatives if "failed" in each.decision] == [(None,)]
    assert not any("failed" in each.decision for each in analyse([base, other]).alternatives)


def test_a_configuration_that_never_answered_does_not_take_the_others_along() -> None:
    base, good, gone = sweep(base=[0.0, 0.5, 1.0], good=[0.2, 0.6, 0.9], gone=[None, None, None])
    gone = gone.model_copy(update={"questions": tuple(question(n, None, state="failed") for n in range(3))})
    analysis = analyse([base, good, gone])
    results = by_name(analysis)
    assert results["good"].comparison.n_pairs == 3
    assert (results["gone"].n, results["gone"].n_failed, results["gone"].mean_cps) == (0, 3, None)
    assert any(warning.startswith("gone: no question is included") for warning in analysis.warnings)


def test_without_wordnet_the_panel_without_meteor_is_named() -> None:
    heights = {"base": [0.1, 0.5], "other": [0.2, 0.8]}
    runs = sweep(**heights)
    blind = [
        row.model_copy(
            update={
                "questions": tuple(
                    question(n, None, scored=scores(height, METEOR="wordnet_unavailable"))
                    for n, height in enumerate(heights[row.run_id])
                )
            }
        )
        for row in runs
    ]
    analysis = analyse(blind)
    assert analysis.panel == "phase3-no-meteor"
    assert any("phase3-no-meteor" in warning for warning in analysis.warnings)
    assert analyse(runs).panel == "phase3"
    with pytest.raises(InputError, match=r"No answer has a value of METEOR \(WordNet not installed\)"):
        analyse(blind, SweepChoices(panel="phase3"))


def test_truncated_answers_are_kept_or_leave_everywhere_and_both_are_shown() -> None:
    base, other = sweep(base=[0.0, 0.5, 1.0], other=[0.2, 0.5, 0.8])
    cut = replace(other.questions[2], truncated="prompt")
    other = other.model_copy(update={"questions": (*other.questions[:2], cut)})
    kept = analyse([base, other])
    assert by_name(kept)["other"].n_truncated == 1
    assert [item.decision for item in kept.alternatives] == ["truncated answers excluded"]
    out = analyse([base, other], SweepChoices(truncated="exclude"))
    assert [item.n for item in out.configurations] == [2, 2]
    assert by_name(out)["other"].excluded == {"truncated": 1}
    assert by_name(out)["base"].excluded == {"another_configuration": 1}
    assert out.alternatives[0].mean_cps == tuple(item.mean_cps for item in kept.configurations)


def test_questions_on_one_side_are_left_out_and_counted() -> None:
    base, other = sweep(base=[0.0, 0.2, 1.0], other=[0.5, 0.5])
    moved = tuple(replace(q, question_id=f"q{n + 1}") for n, q in enumerate(other.questions))
    analysis = analyse([base, other.model_copy(update={"questions": moved})])
    test = by_name(analysis)["other"].comparison
    assert (test.n_pairs, test.only_here, test.only_baseline) == (2, 0, 1)
    assert test.gain == pytest.approx((0.5 - 0.2 + 0.5 - 1.0) / 2)


def test_a_question_that_stands_twice_is_averaged_and_reported() -> None:
    base, other = sweep(base=[0.0, 1.0], other=[0.2, 0.8])
    twice = (*other.questions, question(0, 0.4))
    analysis = analyse([base, other.model_copy(update={"questions": twice})])
    result = by_name(analysis)["other"]
    assert (result.n, result.n_repeated) == (2, 1)
    assert result.mean_cps == pytest.approx((0.3 + 0.8) / 2)
    assert any("1 question occurs more than once" in warning for warning in analysis.warnings)


def test_unfinished_questions_enter_nowhere_and_are_counted() -> None:
    base, other = sweep(base=[0.0, 0.5], other=[0.2, 0.6])
    waiting = (question(2, None, state="pending"), question(3, None, state="answered"))
    analysis = analyse([base, other.model_copy(update={"questions": (*other.questions, *waiting)})])
    result = by_name(analysis)["other"]
    assert (result.n, result.n_unfinished, result.n_excluded) == (2, 2, 0)
    with pytest.raises(ConflictError, match="No question is scored yet"):
        analyse([other.model_copy(update={"questions": waiting})])


def test_a_metric_that_one_configuration_lacks_everywhere_is_named() -> None:
    base, other = sweep(base=[0.2, 0.5, 0.7], other=[0.2, 0.5, 0.8])
    lacking = [
        question(place, None, scored=scores(0.5, **{"Bert-Score.f1": "encoder_unavailable"})) for place in range(3)
    ]
    runs = [base, other.model_copy(update={"questions": tuple(lacking)})]
    with pytest.raises(
        InputError, match=r"most often Bert-Score\.f1 in other \(encoder not available\)\. Choose another"
    ):
        analyse(runs, SweepChoices(panel="text-1"))


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ({}, {"profile": "published"}, "differ in profile"),
        ({}, {"dataset": "e"}, "differ in dataset"),
        ({}, {"strip_thinking": False}, "strip_thinking"),
        ({"dataset_digest": "1"}, {"dataset_digest": "2"}, "dataset version"),
        ({"identity": {"encoder": "a"}}, {"identity": {"encoder": "b"}}, r"differ in encoder \(a, b\)"),
    ],
)
def test_what_cannot_be_compared_is_refused(one: dict[str, Any], other: dict[str, Any], message: str) -> None:
    rows = [question(0, 0.1), question(1, 0.2)]
    with pytest.raises(ConflictError, match=message):
        analyse([run("a", rows, **one), run("b", rows, **other)])


def test_nothing_and_the_same_run_twice_are_refused() -> None:
    rows = run("a", [question(0, 0.1)])
    with pytest.raises(InputError, match="nothing to analyse"):
        analyse([])
    with pytest.raises(InputError, match="chosen twice"):
        analyse([rows, rows])


def test_a_configuration_that_keeps_nothing_for_most_questions_is_a_warning():
    base, tight = sweep(base=[0.5] * 10, tight=[0.4] * 10)
    none = [replace(each, retrieval=QuestionRetrieval(kept=int(place < 4))) for place, each in
            enumerate(tight.questions)]  # fmt: skip
    some = [replace(each, retrieval=QuestionRetrieval(kept=3)) for each in base.questions]
    runs = [base.model_copy(update={"questions": tuple(some)}), tight.model_copy(update={"questions": tuple(none)})]
    said = [text for text in analyse(runs).warnings if "measures abstention" in text]
    assert said == ["tight kept no passage for 60\u202f% of the questions: it measures abstention, not retrieval."]


def test_a_judge_decides_also_where_no_encoder_scored() -> None:
    heights = {"base": [0.1, 0.5, 0.3], "other": [0.2, 0.8, 0.4]}
    lost = dict.fromkeys(("Bert-Score.f1", "Cosine similarity"), "encoder_unavailable")
    runs = [
        row.model_copy(
            update={
                "panel": "text-1",
                "questions": tuple(
                    question(n, None, scored=scores(height, **lost)) for n, height in enumerate(heights[row.run_id])
                ),
            }
        )
        for row in sweep(**heights)
    ]
    with pytest.raises(InputError, match=r"No answer has a value of Bert-Score.f1 \(encoder not available\)"):
        analyse(runs)
    judged = JudgedColumn(
        by=JudgedBy(assessment="a", judge="J", status="unchecked"),
        column="Answer correctness",
        scores={run.run_id: {each.question_id: Score(value=0.5) for each in run.questions} for run in runs},
        labels=None,
    )
    analysis = analyse(runs, judged=judged)
    assert analysis.panel == "text-1-no-bert-score.f1"
    # Of text-1 without its weight of .25: .2, .2, .2 and .15 of .75.
    [pool] = analysis.pools
    assert [item.metric for item in pool.metrics] == ["METEOR", "Rouge-l.f", "F1 Score", "BLEU"]
    assert analysis.verdict.conclusions[0].judge is not None
    assert any("text-1-no-bert-score.f1" in warning for warning in analysis.warnings)
