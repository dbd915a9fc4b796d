"""What an open verdict lacks: never a number of questions that would not decide it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from passer.domain.analysis.effort import AnswerEffort
from passer.domain.analysis.run_rows import RunRows
from passer.domain.dataset import Question
from passer.domain.verdict.conclusion import Conclusion
from passer.domain.verdict.two_looks import Looks
from passer.domain.verdict.unobserved_losses import unobserved_share
from passer.domain.verdict.verdict import VerdictRule
from passer.domain.wording.sentence import reading, shown
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.verdict.outlook import changes_needed
from tests.analysis_rows import noisy, sweep


def of(metric: str, runs: list[RunRows], rule: VerdictRule | None = None) -> Conclusion:
    recorded = (rule or VerdictRule()).model_copy(update={"primary": metric})
    (found,) = analyse(runs, recorded=recorded).verdict.conclusions
    return found


def plain(text: str) -> str:
    """The text with ordinary spaces."""
    return " ".join(text.split())


def binary(n: int, right: int, *, lost: int) -> list[RunRows]:
    """The baseline is right in the first questions, the other one in all but `lost` of these."""
    base = [1.0] * right + [0.0] * (n - right)
    return sweep(base=list(base), other=[0.0] * lost + list(base[lost:]))


def priced(runs: list[RunRows], *tokens: int) -> list[RunRows]:
    """Every question with a prompt of its own configuration, and its tokens."""
    made = []
    for rows, count in zip(runs, tokens, strict=True):
        effort = AnswerEffort(generation_s=1.0, prompt_tokens=count)
        items = [
            replace(item, prompt_digest=f"{rows.run_id}{item.question_id}", effort=effort) for item in rows.questions
        ]
        made.append(rows.model_copy(update={"questions": tuple(items)}))
    return made


@pytest.mark.parametrize(("changed", "of_all", "wanted"), [(3, 1000, 10), (1, 60, 10), (9, 60, 1), (60, 60, 10)])
def test_the_questions_that_contain_enough_changed_ones_are_those_of_the_binomial_distribution(
    changed: int, of_all: int, wanted: int
):
    n = changes_needed(changed, of_all, wanted)
    assert n is not None
    assert binom.sf(wanted - 1, n, changed / of_all) >= 0.8
    assert n == wanted or binom.sf(wanted - 1, n - 1, changed / of_all) < 0.8


def test_three_changed_questions_of_a_thousand_are_not_decided_by_59_more():
    """The formula by the spread would say 59: (1.96 + .84)^2 .055^2 / .02^2."""
    found = of("F1 Score", binary(1000, 700, lost=3))
    assert found.number == 3
    assert plain(found.reason) == (
        "Too few questions differ to tell whether a configuration differs from base: other does so in 3 of 1 000 "
        "questions, and an interval needs 10. About 4 172 new questions would contain that many."
    )
    assert [(step.code, step.questions) for step in found.next_steps] == [("more_questions", 5172)]
    # Without an interval nothing was found to be indistinguishable.
    assert found.tied is None
    with reading("bg"):
        assert "се различава при 3 от 1 000 въпроса, а за интервал са нужни 10." in plain(shown(found.reason))


def test_a_planned_second_look_counts_the_questions_that_changed_already():
    rule = VerdictRule(looks=Looks(first=60, second=140))
    found = of("F1 Score", binary(60, 40, lost=9), rule)
    # One more of 9/60: 1 - (1 - .15)^10 = .80.
    assert "About 70 questions would contain that many." in found.reason


def test_a_planned_second_look_is_planned_with_the_error_that_is_left_for_it():
    """The first of two looks has alpha .0028, and its critical value is half as large again as that of .05."""
    runs = sweep(base=noisy(0.5), other=noisy(0.5, seed=2))
    planned = {}
    for looks in (None, Looks(first=60, second=140)):
        found = of("CPS", runs, VerdictRule(looks=looks))
        planned[looks] = {number.name: number.value for number in found.numbers}
    alone, first = planned.values()
    assert first["questions_to_ask"] == pytest.approx(alone["questions_to_ask"], rel=0.1)
    assert first["needed"] > 1.5 * alone["needed"]


@pytest.mark.parametrize("right", [60, 59])
def test_a_configuration_that_is_right_where_the_baseline_never_is_does_not_lack_questions(right: int):
    """Without another amount there is no spread, so that no number of such questions gives an interval."""
    found = of("F1 Score", sweep(base=[0.0] * 60, other=[1.0] * right + [0.0] * (60 - right)))
    assert found.number == 3
    assert found.reason.startswith(
        f"other differs from base by the same amount (+1.0000) in {right} of 60 questions. An interval needs 10 that"
    )
    # It is the reason already.
    assert found.alike == ()
    assert found.next_steps == ()
    # "Cannot be distinguished" would be said of a baseline that is always wrong.
    assert found.tied is None


def test_a_configuration_that_is_not_judged_is_named_beside_one_that_is_better():
    """Recall of a baseline that finds nothing: 57 answers gain 1, and another configuration gains other amounts."""
    rng = np.random.default_rng(3)
    better = list(np.clip(rng.normal(0.4, 0.1, 60), 0, 1))
    runs = sweep(base=[0.0] * 60, same=[1.0] * 57 + [0.0] * 3, better=better)
    found = of("F1 Score", runs)
    assert (found.number, found.name) == (1, "better")
    assert found.verdict.undecided == ("same",)
    assert [plain(line.text) for line in found.alike] == [
        "same differs from base by the same amount (+1.0000) in 57 of 60 questions. An interval needs 10 that differ "
        "by other amounts, so the rule does not judge same, however large its gain is."
    ]
    assert ("alike", found.alike[0]) in found.lines
    with reading("bg"):
        assert "с една и съща стойност (+1,0000) при 57 от 60 въпроса" in plain(shown(found.alike[0].text))
    # No verdict has nothing beside it.
    assert of("F1 Score", runs, VerdictRule(fewest_pairs=61)).alike == ()


def test_a_gain_between_zero_and_the_margin_is_not_decided_by_fewer_questions_than_were_asked():
    """Eight configurations lose .0103 of a margin of .02: 400 questions would have decided at a loss of 0."""
    rng = np.random.default_rng(5)
    base = rng.normal(0.5, 0.1, 400)
    noise = rng.normal(0, 0.1, (8, 400))
    others = {f"t{place}": list(base - 0.0103 + row - row.mean()) for place, row in enumerate(noise)}
    analysis = analyse(sweep(base=list(base), **others), recorded=VerdictRule(primary="F1 Score"))
    (found,) = analysis.verdict.conclusions
    assert found.verdict.questions_needed is not None
    assert found.verdict.questions_needed <= 400
    assert "leave open whether" in found.reason
    tests = [item.comparison.judged for item in analysis.configurations if item.comparison is not None]
    width = max((gain.high or 0) - (gain.low or 0) for gain in tests)
    needed = next(number.value for number in found.numbers if number.name == "needed")
    # With so many questions the widest interval is as long as the margin, and cannot hold both its ends.
    assert width * np.sqrt(400 / needed) == pytest.approx(0.02, rel=1e-3)
    assert needed > 400


def test_an_equal_configuration_that_costs_less_is_named_with_what_other_questions_may_hold():
    rows = priced(binary(60, 40, lost=0), 900, 300)
    found = of("F1 Score", rows)
    assert (found.number, found.name) == (4, None)
    assert found.reason.startswith("Keep base: every other configuration is worse, as good but not cheaper, or has the")
    assert "other has the same value in every question with 67 % fewer prompt tokens." in plain(found.reason)
    # Hanley and Lippman-Hand: 3 / 60 is 5.0 %.
    assert "at most 4.9 % have another value (95 % confidence)." in plain(found.reason)
    assert unobserved_share(60) == pytest.approx(1 - 0.05 ** (1 / 60))
    assert "tokens" not in of("F1 Score", priced(binary(60, 40, lost=0), 300, 300)).reason
    with reading("bg"):
        assert "с 67 % по-малко токени" in plain(shown(found.reason))


def test_nine_clusters_lack_clusters_although_all_their_questions_differ():
    runs = sweep(base=noisy(0.4), other=noisy(0.5, seed=2))
    asked = [Question(id=f"q{n}", text="?", reference="!", cluster=f"c{n % 9}") for n in range(60)]
    (found,) = analyse(runs, questions=asked).verdict.conclusions
    assert plain(found.reason) == (
        "Too few clusters of questions differ to tell whether a configuration differs from base: other does so in 9 of "
        # Ten new clusters of the same size.
        "9 clusters of questions, and an interval needs 10. About 67 new questions would contain that many."
    )


def test_intervals_are_simultaneous_over_the_configurations_that_have_one():
    base = noisy(0.4)
    few = [height + 0.2 if number < 3 else height for number, height in enumerate(base)]
    alone, both = analyse(sweep(base=base, few=few)), analyse(sweep(base=base, few=few, other=noisy(0.5, seed=2)))
    # `few` left the family: an interval of it would be infinite.
    assert "intervals" not in alone.verdict.conclusions[0].basis.line.text
    assert not [text for text in alone.statements if "bootstrap" in text]
    assert both.verdict.conclusions[0].basis.comparisons == 1
    assert "simultaneous over 1 comparison." in both.verdict.conclusions[0].basis.line.text
    assert [text for text in both.statements if "bootstrap of whole questions for 1 comparison." in text]
