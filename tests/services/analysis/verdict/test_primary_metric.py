"""The metric of the verdict, and what was changed after the sweep was planned."""

from __future__ import annotations

import pytest

from passer.domain.analysis.choices import SweepChoices
from passer.domain.analysis.run_rows import RunRows
from passer.domain.dataset import Question
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.score import Score
from passer.domain.verdict.two_looks import Looks
from passer.domain.verdict.verdict import VerdictRule
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import noisy, question, run, scores, sweep


def only(column: str, **heights: list[float | None]) -> list[RunRows]:
    """Runs that differ in one column alone; every other metric is .5."""
    return [
        run(
            name,
            [
                question(number, None, scored={**scores(0.5), column: Score(value=value)})
                for number, value in enumerate(values)
            ],
            retrieval=NormalPolicy() if name == "base" else ScorePolicy(min_similarity=place / 10),
            baseline=name == "base",
        )
        for place, (name, values) in enumerate(heights.items())
    ]


def test_a_column_decides_in_its_own_units():
    runs = only("F1 Score", base=noisy(0.4), good=noisy(0.5, seed=3), best=noisy(0.6, seed=4))
    analysis = analyse(runs, recorded=VerdictRule(primary="F1 Score"))
    (found,) = analysis.verdict.conclusions
    assert (found.name, found.number, analysis.verdict.exploratory) == ("best", 1, ())
    differences = [there - here for there, here in zip(noisy(0.6, seed=4), noisy(0.4), strict=True)]  # type: ignore[operator]
    assert found.gain is not None
    assert found.gain.gain == pytest.approx(sum(differences) / 60)
    assert "F1 Score gain" in found.reason
    # The interval belongs to F1, so the gain in CPS has none.
    assert analysis.configurations[1].comparison is not None
    assert analysis.configurations[1].comparison.ci is None


def test_a_lower_perplexity_is_better():
    runs = only("Laplace Perplexity", base=noisy(0.6), good=noisy(0.4, seed=3))
    (found,) = analyse(runs, recorded=VerdictRule(primary="Laplace Perplexity")).verdict.conclusions
    assert (found.name, found.verdict.better) == ("good", ("good",))


def test_a_rule_that_is_changed_afterwards_makes_the_verdict_exploratory():
    runs = sweep(base=noisy(0.4), good=noisy(0.5, seed=3))
    recorded = VerdictRule(margin=0.05)
    assert analyse(runs, SweepChoices(margin=0.05), recorded=recorded).verdict.exploratory == ()
    changed = analyse(runs, SweepChoices(primary="F1 Score", margin=0.1), recorded=recorded)
    assert changed.verdict.exploratory == ("primary", "margin")
    assert changed.rule.margin == 0.1
    assert changed.statements[-1] == "Exploratory: primary metric, margin changed after the sweep was planned."


def test_a_margin_decides_what_is_as_good():
    runs = sweep(base=noisy(0.5), same=noisy(0.5, seed=2))
    outcomes = [
        analyse(runs, recorded=VerdictRule(margin=margin)).configurations[1].comparison for margin in (0.01, 0.3)
    ]
    assert [test and test.judged.outcome for test in outcomes] == ["undecided", "as_good"]


def test_a_planned_first_look_spends_a_part_and_the_second_one_all_questions():
    runs = sweep(base=noisy(0.5, n=140), good=noisy(0.53, n=140, seed=3))
    asked = [Question(id=f"q{number}", text="?", reference="!") for number in range(140)]
    rule = VerdictRule(looks=Looks(first=60, second=140))
    early = [each.model_copy(update={"questions": each.questions[:60]}) for each in runs]
    first, second = (analyse(some, recorded=rule, questions=asked[:n]) for some, n in ((early, 60), (runs, 140)))
    assert first.rule.alpha == pytest.approx(0.00275, abs=1e-5)
    assert second.rule.alpha == 0.05
    (one,), (other,) = first.verdict.conclusions, second.verdict.conclusions
    assert one.basis.look is not None
    assert one.basis.look.text.startswith("First of two planned looks (60 of 140 questions)")
    assert other.basis.look is not None
    assert other.basis.look.text.startswith("Second of two planned looks")
    assert (one.basis.questions, other.basis.questions) == (60, 140)


def test_after_an_unplanned_look_only_the_new_questions_are_tested():
    # The first 60 questions show a gain that the other 80 do not.
    base, good = noisy(0.5, n=140), [*noisy(0.6, seed=3), *noisy(0.5, n=80, seed=9)]
    asked = [Question(id=f"q{number}", text="?", reference="!") for number in range(140)]
    rule = VerdictRule(looks=Looks(first=60, second=140, is_planned=False))
    analysis = analyse(sweep(base=base, good=good), recorded=rule, questions=asked)
    (found,) = analysis.verdict.conclusions
    assert (found.number, found.basis.questions) == (3, 80)
    assert found.basis.look is not None
    assert "only the 80 new questions are tested" in found.basis.look.text
    # The 60 earlier ones have values; they are not tested.
    assert "; 80 questions;" in found.basis.line.text
    assert analyse(sweep(base=base, good=good)).verdict.conclusions[0].number == 1


def test_too_few_new_questions_after_an_unplanned_look_are_made_up_by_new_ones_alone():
    base, good = noisy(0.5, n=70), noisy(0.6, n=70, seed=3)
    asked = [Question(id=f"q{number}", text="?", reference="!") for number in range(70)]
    rule = VerdictRule(looks=Looks(first=60, second=70, is_planned=False))
    (found,) = analyse(sweep(base=base, good=good), recorded=rule, questions=asked).verdict.conclusions
    assert found.reason == "Only 10 questions can be compared, and a verdict needs 20."
    (step,) = found.next_steps
    assert (step.text, step.looks) == ("Run 80 questions", Looks(first=60, second=80, is_planned=False))


def test_a_weight_of_two_is_a_question_asked_twice():
    """Means, gains and intervals are those of a sweep in which the heavy questions occur twice, in one cluster."""
    heights = {"base": noisy(0.4), "good": noisy(0.45, seed=3), "other": noisy(0.4, seed=4)}
    twice = [place for place in range(60) if place % 4 == 0]
    asked = [Question(id=f"q{place}", text="?", reference="!", cluster=f"c{place}") for place in range(60)]
    heavy = [each.model_copy(update={"weight": 2.0 if place in twice else 1.0}) for place, each in enumerate(asked)]
    copies = [asked[place].model_copy(update={"id": f"q{60 + n}"}) for n, place in enumerate(twice)]
    more = {name: [*values, *(values[place] for place in twice)] for name, values in heights.items()}
    weighted = analyse(sweep(**heights), questions=heavy)
    copied = analyse(sweep(**more), questions=[*asked, *copies])
    for one, other in zip(weighted.configurations, copied.configurations, strict=True):
        assert one.mean_cps == pytest.approx(other.mean_cps)
        assert [each.mean for each in one.metrics] == pytest.approx([each.mean for each in other.metrics])
        if one.comparison is not None and other.comparison is not None:
            ours, theirs = one.comparison, other.comparison
            assert (ours.gain, ours.improvement_pct) == pytest.approx((theirs.gain, theirs.improvement_pct))
            assert (ours.judged.low, ours.judged.high) == pytest.approx((theirs.judged.low, theirs.judged.high))
            # 60 questions, 15 of them twice as heavy: 75^2 / (45 + 15 * 4).
            assert (ours.judged.pairs, ours.judged.effective_pairs) == (60, pytest.approx(75**2 / 105))
    (conclusion,) = weighted.verdict.conclusions
    assert conclusion.basis.weighting is not None
    assert "60 pairs are as informative as 53.6 of equal weight" in conclusion.basis.weighting.text
    assert copied.verdict.conclusions[0].basis.weighting is None


def test_a_few_heavy_questions_are_not_enough_for_a_verdict():
    heights = {"base": noisy(0.4), "good": noisy(0.6, seed=3)}
    asked = [
        Question(id=f"q{place}", text="?", reference="!", weight=1000.0 if place < 5 else 1.0) for place in range(60)
    ]
    (found,) = analyse(sweep(**heights), questions=asked).verdict.conclusions
    assert (found.number, found.verdict.missing) == (0, ("too_few_pairs",))
