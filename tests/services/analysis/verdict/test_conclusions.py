"""What a page shows of a verdict: gain, ties, cost, gold passages, margin, disagreements, next steps."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.analysis.analysis import SweepSummary
from passer.domain.analysis.run_rows import RunRows
from passer.domain.figures.points import study_of_sweep
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.score import Score
from passer.domain.verdict.conclusion import SweepVerdict
from passer.domain.verdict.two_looks import Looks
from passer.domain.verdict.verdict import VerdictRule
from passer.domain.wording.sentence import reading, shown
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import conclusion, keeping, noisy, question, run, scores, sweep


def test_the_recommended_gain_comes_with_its_interval_and_its_correction():
    found = conclusion(sweep(base=noisy(0.4), good=noisy(0.5, seed=3), best=noisy(0.6, seed=4)))
    assert (found.number, found.name, found.run_ids) == (1, "best", ("best",))
    gain = found.gain
    assert gain is not None
    assert gain.low is not None
    assert gain.corrected is not None
    # Every half chooses `best`, so only the halves differ: the correction must not move the gain.
    assert gain.corrected == pytest.approx(gain.gain, abs=0.005)
    assert (gain.pairs, gain.splits, gain.better_share, gain.is_stable) == (60, 200, 1.0, True)
    assert {number.name for number in found.numbers} == {"n", "gain", "low", "high", "corrected", "better_share"}
    assert found.basis.line.text.endswith("slightly pessimistic, because each choice uses only half of the questions.")
    assert "pessimistic" not in conclusion(sweep(base=noisy(0.4), other=noisy(0.4, seed=9))).basis.line.text
    assert found.tied is not None
    assert found.tied.names == ("best",)
    assert "No other configuration ties with the best one, best" in found.tied.line.text


def test_configurations_with_equal_answers_are_tied():
    found = conclusion(sweep(base=noisy(0.4), one=noisy(0.6, seed=4), other=noisy(0.6, seed=5)))
    assert found.tied is not None
    assert set(found.tied.names) == {"one", "other"}
    assert found.tied.line.text == "1 configuration cannot be distinguished from the best one, one."


@pytest.mark.parametrize(
    ("n", "mean", "spread", "tied", "said"),
    [
        (60, 0.61, 0.12, {"even", "wide"}, "cannot be distinguished from the best one, wide; even is one of them."),
        (600, 0.63, 0.25, {"wide"}, "wide has the largest gain, and even can be distinguished from it."),
    ],
)
def test_the_tied_set_names_the_best_where_an_evener_one_is_recommended(
    n: int, mean: float, spread: float, tied: set[str], said: str
):
    """T-CPS takes the spread off, so the configuration with the largest mean is not the recommended one.

    The differences have a standard error of `spread` / sqrt(n): .015 around .01, and .010 around .03.
    """
    rng = np.random.default_rng(2)
    even = list(0.6 + rng.uniform(-0.02, 0.02, n))
    wide = list(mean + spread * np.resize([-1.0, 1.0], n) + rng.uniform(-0.02, 0.02, n))
    found = conclusion(sweep(base=noisy(0.4, n), even=even, wide=wide))
    assert found.tied is not None
    assert (found.name, set(found.tied.names)) == ("even", tied)
    assert said in found.tied.line.text


def test_a_list_names_the_best_by_the_metric_that_decides():
    """METEOR falls from .8 to .3 where every other column rises, so the highest CPS is not the best."""

    def of(name: str, quality: float, meteor: float) -> RunRows:
        shift = np.random.default_rng(len(name)).normal(0, 0.02, 40)
        rows = [
            question(n, None, scored=scores(quality) | {"METEOR": Score(value=float(meteor + each))})
            for n, each in enumerate(shift)
        ]
        policy = NormalPolicy() if name == "base" else ScorePolicy(min_similarity=0.5)
        return run(name, rows, retrieval=policy, baseline=name == "base")

    analysis = analyse([of("base", 0.4, 0.8), of("other", 0.6, 0.3)], recorded=VerdictRule(primary="METEOR"))
    (found,) = SweepSummary.of(analysis).models
    assert (found.verdict.kind, found.metric, found.best, found.judge) == ("keep_baseline", "METEOR", "base", None)
    assert found.means[1] is not None
    assert found.means[0] is not None
    assert found.means[1] > found.means[0]


@pytest.mark.parametrize(
    ("primary", "margin", "said", "bulgarian"),
    [
        ("CPS", "2 points", "from 0 to 1 in less than one question.", "от 0 до 1 при по-малко от един въпрос."),
        ("METEOR", "0.02", "by 1 in less than one question.", "с 1 при по-малко от един въпрос."),
    ],
)
def test_a_margin_below_one_question_is_said_in_words(primary: str, margin: str, said: str, bulgarian: str):
    runs = sweep(base=noisy(0.4, n=30), good=noisy(0.6, n=30, seed=3))
    (found,) = analyse(runs, recorded=VerdictRule(primary=primary)).verdict.conclusions
    assert found.margin is not None
    # .02 of 30 questions.
    assert (found.margin.questions, found.margin.of) == (pytest.approx(0.6), 30)
    text = found.margin.line.text
    assert text == f"With 30 questions, a margin of {margin} corresponds to a change {said}"
    with reading("bg"):
        assert shown(text).endswith(bulgarian)


def test_a_threshold_is_followed_by_a_finer_range_and_by_as_many_passages():
    base, low, good, high = sweep(base=noisy(0.4), low=noisy(0.3), good=noisy(0.6, seed=3), high=noisy(0.3, seed=2))
    found = conclusion([base, low, keeping(good), high])
    steps = {step.code: step for step in found.next_steps}
    # Thresholds .1, .2, .3: a fifth of .1 on both sides of .2.
    assert steps["finer_range"].thresholds == pytest.approx([0.1 + 0.02 * place for place in range(11)])
    assert steps["finer_range"].run_ids == ("good",)
    assert (steps["matched_k"].k, steps["matched_k"].thresholds) == ((2,), (0.2,))


def test_an_undecided_sweep_says_how_many_questions_to_run():
    found = conclusion(sweep(base=noisy(0.5), same=noisy(0.5, seed=2)))
    assert found.number == 3
    (step,) = found.next_steps
    numbers = {number.name: number.value for number in found.numbers}
    assert set(numbers) == {"n", "detectable", "needed", "questions_to_ask"}
    planned = int(numbers["questions_to_ask"])
    assert f"About {planned:,}".replace(",", "\u202f") in found.reason
    assert (step.code, step.questions) == ("more_questions", 60 + planned)
    # Nobody declared this look, so the new sweep tests the new questions alone.
    assert step.looks == Looks(first=60, second=60 + planned, is_planned=False)
    assert step.text.replace("\u202f", "") == f"Run {step.questions} questions"
    # Recorded digests contain the number by the critical value of these questions, as verdict.json has it.
    assert numbers["needed"] == found.verdict.questions_needed
    old = tuple(number for number in found.numbers if number.name != "questions_to_ask")
    before = found.model_copy(update={"numbers": old})
    assert SweepVerdict(conclusions=(before,)).digest == SweepVerdict(conclusions=(found,)).digest


@pytest.mark.parametrize(
    ("before", "abstentions", "is_said"), [(0, 60, True), (0, 6, True), (0, 5, False), (12, 18, True)]
)
def test_a_recommendation_says_that_it_abstains_more_often_than_the_baseline(
    before: int, abstentions: int, is_said: bool
):
    """A cut that leaves no passage had the largest gain, because wrong answers score less than an abstention."""
    base, other = sweep(base=noisy(0.3), other=noisy(0.5, seed=2))
    answered, refused = QuestionRetrieval(kept=2, abstained=False), QuestionRetrieval(kept=0, abstained=True)
    rows = [keeping(runs, *[refused] * n, *[answered] * (60 - n)) for runs, n in ((base, before), (other, abstentions))]
    found = conclusion(rows)
    assert (found.number, found.name) == (1, "other")
    here, there = (round(100 * n / 60) for n in (abstentions, before))
    said = f"But other abstains in {here} % of its answers (base: {there} %), and CPS scores an"
    assert (said in found.reason.replace("\N{NARROW NO-BREAK SPACE}", " ")) is is_said
    assert ("abstained" in {number.name for number in found.numbers}) is is_said


def test_an_undecided_sweep_says_what_is_left_to_choose_from():
    """Equal means tie whichever draw is higher; a mean .3 lower is many standard errors away."""
    analysis = analyse(sweep(base=noisy(0.5), same=noisy(0.5, seed=5), low=noisy(0.2, seed=3)))
    (found,) = analysis.verdict.conclusions
    assert (found.number, found.name) == (3, None)
    assert found.tied is not None
    assert set(found.tied.names) == {"base", "same"}
    assert "1 configuration cannot be distinguished from the best one" in found.tied.line.text
    assert "The number is for" not in found.reason, "only one is undecided"
    # Recorded digests of such verdicts contain no ties.
    without = analysis.verdict.model_copy(update={"conclusions": (found.model_copy(update={"tied": None}),)})
    assert analysis.verdict.digest == without.digest
    # Figures fill the marks of these, and draw the others as outlines.
    assert {name for _, name in study_of_sweep(analysis).tied} == {"base", "same"}


def test_what_is_worse_than_the_baseline_does_not_tie_with_the_best():
    """The 15 pairs of six configurations have wider intervals than the five comparisons with the baseline."""
    others = {f"c{place}": noisy(0.485, seed=10 + place) for place in range(5)}
    analysis = analyse(sweep(base=noisy(0.5), **others))
    (found,) = analysis.verdict.conclusions
    assert (found.number, found.verdict.worse) == (3, ("c0",))
    assert found.tied is not None
    assert found.tied.names == ("base", "c1", "c2", "c3", "c4")
    # Of several undecided ones the plan names the one that it is for.
    errors = {item.name: item.comparison.judged.standard_error for item in analysis.configurations if item.comparison}
    widest = max(found.verdict.undecided, key=lambda name: errors[name] or 0.0)
    assert found.reason.endswith(f"The number is for {widest}, whose differences vary most.")
    assert found.tied.line.text.startswith("4 configurations cannot be distinguished from the best one")


def test_more_questions_than_the_dataset_has_are_not_offered():
    runs = sweep(base=noisy(0.5), same=noisy(0.5, seed=2))
    needed = conclusion(runs).next_steps[0].questions
    assert needed is not None
    for available, code in ((needed, "more_questions"), (needed - 1, "add_questions"), (60, "add_questions")):
        (found,) = analyse(runs, available=available).verdict.conclusions
        (step,) = found.next_steps
        assert (step.code, step.questions) == (code, needed)
    assert step.text.replace("\u202f", "") == f"Add {needed - 60} questions to the dataset of 60"
    few = sweep(base=noisy(0.5, 4), same=noisy(0.6, 4, seed=2))
    (found,) = analyse(few, available=4).verdict.conclusions
    assert (found.number, [step.code for step in found.next_steps]) == (0, ["add_questions"])


def test_the_margin_is_read_in_questions_and_beside_the_repeats():
    items = [[question(n, height + shift) for n, height in enumerate(noisy(0.4))] for shift in (-0.01, 0.01)]
    base = [run(f"base{r}", own, baseline=True, repeat=r + 1) for r, own in enumerate(items)]
    good = run(
        "good", [question(n, height) for n, height in enumerate(noisy(0.6, seed=3))], retrieval=NormalPolicy(k=3)
    )
    analysis = analyse([*base, good])
    margin = analysis.verdict.conclusions[0].margin
    assert margin is not None
    assert (margin.questions, margin.of) == (pytest.approx(1.2), 60)
    assert "a change from 0 to 1 in 1.2 of 60 questions" in margin.line.text
    # Two repeats .02 apart in each question: SD .02 / sqrt 2 of a question, over 60 questions and 2 repeats.
    pool = analysis.pools[0].metrics[0]
    assert margin.repeat_sd == pytest.approx(0.02 / 2**0.5 / 120**0.5 / (pool.maximum - pool.minimum))


def test_a_t_test_that_decides_otherwise_is_named():
    # Gains of .02 with three losses of .3: significant for neither; eleven gains of .2 and one loss split the two.
    differences = [0.02] * 20
    base = [0.5 + 0.01 * (n % 7) for n in range(20)]
    better = [height + gain for height, gain in zip(base, differences, strict=True)]
    better[0] += 0.01
    runs = sweep(base=base, better=better)
    test = analyse(runs).configurations[1].comparison
    assert test is not None
    assert test.p_holm is not None
    lines = conclusion(runs).would_change
    agrees = (test.p_holm <= 0.05) == (test.judged.outcome == "better")
    assert bool(lines) is not agrees


def test_a_decision_that_recommends_another_configuration_would_change_the_verdict():
    # Eight cut answers of `good` score 0; without these questions it is better.
    base, good = noisy(0.5, n=40), [height and height + 0.06 for height in noisy(0.5, n=40, seed=8)]
    runs = sweep(base=base, good=good)
    cut = [each if n > 7 else question(n, 0.0, truncated="answer") for n, each in enumerate(runs[1].questions)]
    runs[1] = runs[1].model_copy(update={"questions": tuple(cut)})
    analysis = analyse(runs)
    (found,) = analysis.verdict.conclusions
    assert found.name is None
    assert [each.recommended for each in analysis.alternatives] == [("good",)]
    assert any(line.text in analysis.warnings for line in found.would_change)


def test_a_metric_of_its_own_is_not_counted_in_points_and_says_that_lower_is_better():
    rule = VerdictRule(primary="Laplace Perplexity", alpha=0.1, draws=999)
    runs = sweep(base=noisy(0.4), good=noisy(0.6, seed=3))
    (found,) = analyse(runs, recorded=rule).verdict.conclusions
    # A quality of .6 instead of .4 is a perplexity of .4 instead of .6: a gain of about .2.
    assert "Laplace Perplexity (lower is better; a positive gain is a decrease) gain +0.20" in found.reason
    assert "(90 % interval +0." in found.reason
    assert "points" not in found.reason
    assert found.basis.line.text.startswith(
        "Laplace Perplexity (lower is better; a positive gain is a decrease), in its"
    )
    assert found.margin is not None
    assert "a change by 1 in 1.2 of 60 questions" in found.margin.line.text


def test_the_usual_margin_of_another_scale_is_warned_of_beside_the_verdict():
    runs = sweep(base=noisy(0.4, n=30), good=noisy(0.6, n=30, seed=3))
    said = "the scale of Laplace Perplexity is another one"
    usual = analyse(runs, recorded=VerdictRule(primary="Laplace Perplexity"))
    assert any(said in warning for warning in usual.warnings)
    chosen = analyse(runs, recorded=VerdictRule(primary="Laplace Perplexity", margin=3.0))
    assert not any(said in warning for warning in chosen.warnings)
