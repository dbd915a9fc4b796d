"""Agreement of a judge with people, by hand and against independent implementations."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.agreement_measures import spearman_interval
from passer.domain.judging.agreement import agreement, ceiling, error_difference, gwet_ac
from passer.domain.judging.alt_test import alt_test
from passer.domain.judging.length_slope import length_slope


def arrays(human: list[float], judge: list[float]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    return np.array(human), np.array(judge), [f"q{n}" for n in range(len(human))]


def test_skewed_labels_lower_kappa_but_not_ac1() -> None:
    # 90 of 100 both yes, 5 and 5 apart, never both no (Feinstein and Cicchetti's paradox).
    human = [1.0] * 90 + [1.0] * 5 + [0.0] * 5
    judge = [1.0] * 90 + [0.0] * 5 + [1.0] * 5
    found = agreement(*arrays(human, judge), labelled=100, draws=50)
    assert found is not None
    assert found.categories is not None
    assert found.categories.table == ((0, 5), (5, 90))
    assert found.categories.same == 0.9
    assert found.categories.kappa == pytest.approx(-0.0526, abs=5e-5)
    assert found.categories.ac == pytest.approx(0.8895, abs=5e-5)
    assert found.categories.sensitivity == pytest.approx(90 / 95)
    assert found.categories.specificity == 0
    assert found.categories.precision == pytest.approx(90 / 95)


def test_limits_of_agreement_and_bias_by_hand() -> None:
    found = agreement(*arrays([0.2, 0.4, 0.6], [0.3, 0.4, 0.8]), labelled=4, draws=50)
    assert found is not None
    # Differences .1, 0, .2: mean .1, standard deviation .1.
    assert (found.n, found.labelled) == (3, 4)
    assert found.limits.bias == pytest.approx(0.1)
    assert (found.limits.low, found.limits.high) == (pytest.approx(-0.096), pytest.approx(0.296))
    assert found.error == pytest.approx(0.1)
    assert found.rho == pytest.approx(1.0)


def test_a_judge_that_always_says_the_same_has_no_correlation() -> None:
    found = agreement(*arrays([0.0, 1.0, 1.0], [1.0, 1.0, 1.0]), labelled=3, draws=50)
    assert found is not None
    assert (found.rho, found.tau, found.rho_interval) == (None, None, None)
    assert agreement(*arrays([], []), labelled=0) is None


def test_quadratic_kappa_by_hand() -> None:
    human = [0.0, 0.5, 1.0, 1.0, 0.5, 0.0]
    judge = [0.0, 1.0, 1.0, 0.5, 0.5, 0.5]
    found = agreement(*arrays(human, judge), labelled=6, draws=50)
    assert found is not None
    assert found.categories is not None
    # Observed disagreement: three pairs one level apart = 3. Marginals 2,2,2 and 1,3,2 over 6:
    # expected = sum (i - j)^2 row_i column_j / 6 = (2*3*1 + 2*2*4 + 2*1*1 + 2*2*1 + 2*1*4 + 2*3*1) / 6 = 42 / 6 = 7.
    assert found.categories.kappa == pytest.approx(1 - 3 / 7)


def test_the_interval_of_kappa_is_that_of_its_large_sample_error() -> None:
    # 40, 10, 10 and 40 of 100: kappa .6, standard error .08 (Fleiss, Cohen and Everitt, 1969):
    # sqrt(.8 (1 - .4)^2 + .4^2 .2 - (.6 - .5 * .4)^2) / (1 - .5) / 10.
    human = [0.0] * 50 + [1.0] * 50
    judge = [0.0] * 40 + [1.0] * 10 + [0.0] * 10 + [1.0] * 40
    found = agreement(*arrays(human, judge), labelled=100)
    assert found is not None
    assert found.categories is not None
    interval = found.categories.kappa_interval
    assert interval is not None
    assert (interval.low, interval.high) == (pytest.approx(0.443, abs=0.02), pytest.approx(0.757, abs=0.02))
    # Precision, recall, specificity: 40 of 50; (.8 + 1.9208/50 -+ 1.96 sqrt(.16/50 + .9604/50^2)) / (1 + 3.8416/50).
    for share in ("precision", "sensitivity", "specificity"):
        assert getattr(found.categories, share) == 0.8
        ends = getattr(found.categories, f"{share}_interval")
        assert (ends.low, ends.high) == (pytest.approx(0.6696, abs=5e-5), pytest.approx(0.8876, abs=5e-5))
    # A judge that never says yes has no precision.
    never = agreement(*arrays([0.0, 1.0, 1.0], [0.0, 0.0, 0.0]), labelled=3, draws=50)
    assert never is not None
    assert never.categories is not None
    assert (never.categories.precision, never.categories.sensitivity, never.categories.specificity) == (None, 0.0, 1.0)
    assert never.categories.precision_interval is None
    # Wilson's interval of 1 of 1 begins at 1 / (1 + 1.96^2).
    assert never.categories.specificity_interval is not None
    assert never.categories.specificity_interval.low == pytest.approx(1 / (1 + 1.959964**2))


def test_resamples_that_are_all_equal_give_no_interval() -> None:
    # Each resample of 20 items on which both agree has kappa and rho 1, and one against a constant judge has kappa 0:
    # observed and expected agreement are both the share of ones. Wilson's lower end of 20 of 20 is 20 / (20 + 1.96^2).
    human = [0.0, 1.0] * 10
    same, constant = (agreement(*arrays(human, judge), labelled=20) for judge in (human, [1.0] * 20))
    assert same is not None
    assert same.categories is not None
    assert constant is not None
    assert constant.categories is not None
    assert (same.rho, same.rho_interval) == (pytest.approx(1), None)
    assert (same.categories.kappa, same.categories.kappa_interval) == (1, None)
    assert same.categories.same_interval.low == pytest.approx(20 / (20 + 1.959964**2))
    assert (constant.categories.kappa, constant.categories.kappa_interval) == (0, None)
    # One item of 20 on which they differ is in most resamples, absent from (19/20)^20 = 36 % of them: up to 1.
    once = agreement(*arrays(human, [*human[:-1], 0.0]), labelled=20)
    assert once is not None
    assert once.categories is not None
    for interval in (once.rho_interval, once.categories.kappa_interval):
        assert interval is not None
        assert interval.low < 0.9 < interval.high == pytest.approx(1)


def test_equal_differences_of_two_judges_give_no_interval() -> None:
    errors, questions = np.linspace(0, 1, 20), [str(n) for n in range(20)]
    assert error_difference(errors, errors, questions) is None
    assert error_difference(errors, errors + 0.1, questions) is None
    # Half 0 and half .2 is .1 on average, with a standard error of .1 / sqrt(20).
    interval = error_difference(errors, errors + np.tile([0.0, 0.2], 10), questions)
    assert interval is not None
    assert (interval.low, interval.high) == (pytest.approx(0.0562, abs=0.011), pytest.approx(0.1438, abs=0.011))


def test_a_correlation_of_one_has_no_interval_by_formula_however_it_is_rounded() -> None:
    assert spearman_interval(1.0, 20) is None
    assert spearman_interval(-0.9999999999999998, 39) is None


def test_whole_questions_are_resampled() -> None:
    rng = np.random.default_rng(3)
    human = rng.normal(size=30)
    judge = human + rng.normal(size=30)
    alone = agreement(human, judge, [str(n) for n in range(30)], labelled=30, draws=400)
    # The same items three times each carry no more information than once, if they belong to the same questions.
    thrice = agreement(np.tile(human, 3), np.tile(judge, 3), [str(n) for n in range(30)] * 3, labelled=90, draws=400)
    assert alone is not None
    assert thrice is not None
    assert alone.rho_interval is not None
    assert thrice.rho_interval is not None
    width = alone.rho_interval.high - alone.rho_interval.low
    assert thrice.rho_interval.high - thrice.rho_interval.low == pytest.approx(width, rel=0.1)


def test_ac2_has_quadratic_weights() -> None:
    # Weights 1, .75, 0. Pairs (0, 0), (1, 1), (2, 1), (2, 2): po = 3.75 / 4. pi = 1/4, 3/8, 3/8.
    one, other = np.array([0.0, 1.0, 2.0, 2.0]), np.array([0.0, 1.0, 1.0, 2.0])
    expected = (3 + 4 * 0.75) / 6 * (1 / 4 * 3 / 4 + 2 * 3 / 8 * 5 / 8)
    assert gwet_ac(one, other, (0.0, 1.0, 2.0)) == pytest.approx((3.75 / 4 - expected) / (1 - expected))
    assert gwet_ac(one, other, (0.0,)) is None


def test_grades_that_nobody_gave_do_not_move_the_others() -> None:
    """Shares of ten: 9 and 10 are .1 apart, in kappa and in AC2."""
    human, judge = [0.0, 0.0, 0.9, 1.0, 1.0, 0.9], [0.0, 0.0, 1.0, 1.0, 0.9, 0.9]
    found = agreement(*arrays(human, judge), labelled=6, draws=50)
    assert found is not None
    assert found.categories is not None
    assert found.categories.kappa == pytest.approx(1 - 2 / 242.6667, abs=1e-6)
    # AC2 by hand: weights 1 - d^2 between 0, .9 and 1, observed mean (4 + 2 * .99) / 6, each level has a share of 1/3.
    weights = 3 + 2 * (0.19 + 0.0 + 0.99)
    expected = weights / 6 * 3 * (1 / 3 * 2 / 3)
    assert found.categories.ac == pytest.approx((5.98 / 6 - expected) / (1 - expected))


def test_the_human_ceiling() -> None:
    raters = {
        "ana": {"a": 1.0, "b": 0.0, "c": 1.0, "d": 0.0},
        "boris": {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0},
        "clara": {"a": 1.0, "b": 0.0, "c": 1.0, "d": 0.0},
    }
    judge = raters["ana"]
    found = ceiling(raters, judge)
    assert found is not None
    # Kappa of ana and boris: po .75, pe .5 * .25 + .5 * .75 = .5: .5.
    assert found.people == (0.5, 1.0, 0.5)
    assert found.judge == (1.0, 0.5, 1.0)
    assert found.z == pytest.approx((2.5 / 3 - 2 / 3) / np.std([0.5, 1, 0.5], ddof=1))
    # Values by item: a 111, b 000, c 101, d 000: observed disagreement 4 / 2 / 12, expected 2 * 5 * 7 / (12 * 11).
    assert found.alpha == pytest.approx(1 - (1 / 6) / (70 / 132))
    # The judge says what ana says: of c's values 1, 0, 1, 1 six pairs of 12 differ; 7 of all 16 values are 1.
    assert found.alpha_with_judge == pytest.approx(1 - (2 / 16) / (2 * 7 * 9 / (16 * 15)))
    assert found.alternative is None
    assert ceiling({"ana": raters["ana"]}, judge) is None


def test_a_judge_takes_the_place_of_a_rater_by_hand() -> None:
    # 40 items, the raters agree on all but the first four, where boris is alone.
    truth = {str(n): float(n % 2) for n in range(40)}
    boris = {item: 1 - value if int(item) < 4 else value for item, value in truth.items()}
    raters = {"ana": truth, "boris": boris, "clara": truth}
    found = alt_test(raters, truth)
    assert found is not None
    # Against boris the judge is nearer to the others on all items; against ana and clara it says the same as they do.
    assert (found.raters, found.items, found.advantage) == (3, 40, 1.0)
    assert [(each.allowance, each.winning, each.passes) for each in found.verdicts] == [
        (0.1, 1.0, True), (0.15, 1.0, True), (0.2, 1.0, True),
    ]  # fmt: skip
    # One that is wrong in every fourth item loses nine of 40 against ana and clara (in the first, boris is wrong too),
    # which is .225 and more than any allowance; against boris it wins three and loses nine: .15 is not below .2 enough.
    wrong = {item: 1 - value if int(item) % 4 == 0 else value for item, value in truth.items()}
    behind = alt_test(raters, wrong)
    assert behind is not None
    assert not any(each.passes for each in behind.verdicts)
    assert alt_test({"ana": truth, "boris": boris}, truth) is not None
    assert alt_test({"ana": truth}, truth) is None
    assert alt_test(raters, dict(list(truth.items())[:29])) is None


def test_replacing_one_of_two_raters_is_held_to_the_false_discoveries_of_dependent_tests() -> None:
    # Both raters agree on 30 items and the judge differs on three: the mean of behind is .1, its standard error
    # sqrt(.09 / 29) = .05571, t = (.1 - .2) / .05571 = -1.795 with 29 degrees, p = .0415 for each rater. Benjamini and
    # Hochberg would keep .0415; Benjamini and Yekutieli multiply it by 1 + 1/2.
    truth = {str(n): float(n % 2) for n in range(30)}
    judge = {item: 1 - value if int(item) < 3 else value for item, value in truth.items()}
    found = alt_test({"ana": truth, "boris": truth}, judge)
    assert found is not None
    assert [(each.raters, each.winning, each.passes) for each in found.verdicts][2] == ("experts", 0.0, False)
    # The judge differs from both on six items, and says what ana says on 18 where boris differs: .2 behind ana and
    # .4 ahead of boris. One of two raters is half of them, which is enough.
    boris = {item: 1 - value if 6 <= int(item) < 24 else value for item, value in truth.items()}
    judge = {item: 1 - value if int(item) < 6 else value for item, value in truth.items()}
    half = alt_test({"ana": truth, "boris": boris}, judge)
    assert half is not None
    assert [(each.winning, each.passes) for each in half.verdicts] == [(0.5, True)] * 3


def test_the_slope_of_grades_on_length_by_hand() -> None:
    # .03 for each doubling, .5 for each unit of overlap, no noise: least squares finds both.
    rng = np.random.default_rng(5)
    words, overlap = 2.0 ** rng.integers(2, 8, 40), rng.uniform(size=40)
    questions = [f"q{n % 20}" for n in range(40)]
    found = length_slope(0.2 + 0.03 * np.log2(words) + 0.5 * overlap, words, overlap, questions)
    assert found is not None
    assert (found.answers, found.slope) == (40, pytest.approx(0.03))
    assert found.interval.high - found.interval.low == pytest.approx(0, abs=1e-9)
    # Equal words say nothing of length; too few answers or questions, and constant grades, give no slope.
    assert length_slope(overlap, np.full(40, 8.0), overlap, questions) is None
    assert length_slope(np.ones(40), words, overlap, questions) is None
    assert length_slope(overlap[:19], words[:19], overlap[:19], questions[:19]) is None
    assert length_slope(overlap, words, overlap, ["one"] * 40) is None


def test_the_interval_of_the_slope_counts_whole_questions() -> None:
    # Simple regression of four copies of each question: the CR1 formula with G - 1 degrees, written out.
    rng = np.random.default_rng(2)
    words, noise = np.repeat(2.0 ** np.arange(1, 8), 4), np.repeat(rng.normal(size=7), 4)
    found = length_slope(noise, words, np.zeros(28), [str(n // 4) for n in range(28)])
    assert found is not None
    x = np.log2(words) - np.log2(words).mean()
    slope = (x @ noise) / (x @ x)
    rest = noise - noise.mean() - slope * x
    by_question = (x * rest).reshape(7, 4).sum(axis=1)
    error = np.sqrt(by_question @ by_question * (7 / 6) * (27 / 26)) / (x @ x)
    assert found.slope == pytest.approx(slope)
    # 2.446912 is the 97.5th percentile of Student's t with 6 degrees of freedom.
    assert found.interval.high - found.slope == pytest.approx(2.446912 * error, rel=1e-5)


def test_shares_of_agreement_count_equal_answers_of_a_question_once() -> None:
    # Ten questions, each answered by six configurations on which the judge is right or wrong together: 8 of 10 right.
    # As 60 answers Wilson's interval would begin at .68, as ten questions at .49.
    right = [question < 8 for question in range(10) for _ in range(6)]
    human = np.array([float(question % 2) for question in range(10) for _ in range(6)])
    found = agreement(
        human,
        np.where(right, human, 1 - human),
        [f"q{question}" for question in range(10) for _ in range(6)],
        labelled=60,
        draws=20,
    )
    assert found is not None
    assert found.categories is not None
    interval = found.categories.same_interval
    assert interval is not None
    assert interval.low < 0.5
    # Five questions are right or wrong on what people call right: too few for an interval of the recall.
    assert (found.categories.sensitivity, found.categories.sensitivity_interval) == (0.8, None)
