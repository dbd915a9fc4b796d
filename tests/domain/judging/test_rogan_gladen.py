"""A share corrected by labels of another data set: the worked example by hand, its limits, coverage in simulation."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.judging.rogan_gladen import (
    JudgeErrors,
    LabelledAnswer,
    LabelledShare,
    carried_share,
    labelled_share,
    plain_share,
)


def counted(n: int, right: int) -> LabelledShare:
    return labelled_share([LabelledAnswer(place < right, 1.0, str(place)) for place in range(n)])


def errors(negatives: int, negatives_right: int, positives: int, positives_right: int) -> JudgeErrors:
    return JudgeErrors(no=counted(negatives, negatives_right), yes=counted(positives, positives_right))


def test_the_plain_estimate_by_hand() -> None:
    # (.4 + .7 - 1) / (.7 + .9 - 1) = .1 / .6
    assert plain_share(0.4, specificity=0.7, sensitivity=0.9) == pytest.approx(1 / 6)
    assert plain_share(0.4, specificity=1, sensitivity=1) == pytest.approx(0.4)


def test_the_adjusted_estimate_by_hand() -> None:
    # p~ = 401.9207/1003.8415 = .400383; q0~ = 141/202 = .698020; q1~ = 181/202 = .896040; J = .594059.
    # Variance: (.00023916 + .69615 * .00104350 + .02744 * .00046115) / .352907 = .0027719.
    found = carried_share(400, 1000, errors(200, 140, 200, 180))
    assert found is not None
    assert found.value == pytest.approx(0.1656, abs=1e-4)
    assert found.error == pytest.approx(0.0526, abs=1e-4)
    assert found.interval.low == pytest.approx(0.1656 - 1.96 * 0.05265, abs=2e-4)
    assert found.interval.high == pytest.approx(0.1656 + 1.96 * 0.05265, abs=2e-4)


def test_a_weighted_share_by_hand() -> None:
    def share(*answers: tuple[bool, float, str]) -> LabelledShare:
        return labelled_share([LabelledAnswer(*each) for each in answers])

    # q = (3 + 1)/6; variance ((3/3)^2 + (1/3)^2 + (2 * 2/3)^2)/36 = 26/324; size (2/9)/(26/324) = 72/26.
    found = share((True, 3, "a"), (True, 1, "b"), (False, 2, "c"))
    assert (found.n, found.right) == (3, 2)
    assert found.share == pytest.approx(2 / 3)
    assert found.size == pytest.approx(72 / 26)
    # Two answers to each question that agree count as one: variance (1^2 + 1^2)/16, size .25/.125.
    found = share((True, 1, "a"), (True, 1, "a"), (False, 1, "b"), (False, 1, "b"))
    assert (found.share, found.size) == (0.5, 2)
    # Two that differ are no more than two answers, although they balance.
    assert share((True, 1, "a"), (False, 1, "a"), (True, 1, "b"), (False, 1, "b")).size == 4
    # All right: Kish's size, (1 + 1 + 4)^2/(2^2 + 4^2).
    found = share((True, 1, "a"), (True, 1, "a"), (True, 4, "b"))
    assert (found.share, found.size) == (1, 36 / 20)
    assert (counted(40, 30).size, counted(40, 40).size) == (pytest.approx(40), 40)
    assert share().model_dump() == {"n": 0, "right": 0, "share": None, "size": 0}


def test_the_adjusted_estimate_with_weights_by_hand() -> None:
    # q0~ = (.8 * 10 + 1)/12 = .75; q1~ = (.9 * 18 + 1)/20 = .86; J = .61; p~ = 41.92073/103.84146 = .403699.
    # (.403699 + .75 - 1)/.61 = .251966; variance (.00231821 + .55955 * .015625 + .063487 * .00602)/.3721 = .030754.
    known = JudgeErrors(
        no=LabelledShare(n=16, right=11, share=0.8, size=10), yes=LabelledShare(n=24, right=22, share=0.9, size=18)
    )
    found = carried_share(40, 100, known)
    assert found is not None
    assert found.value == pytest.approx(0.251966, abs=1e-5)
    assert found.error == pytest.approx(0.175368, abs=1e-5)
    assert found.interval.low == 0
    assert found.interval.high == pytest.approx(0.251966 + 1.959964 * 0.175368, abs=1e-4)


def test_a_judge_at_chance_and_too_few_labels_correct_nothing() -> None:
    # q0~ = q1~ = 51/102: J = 0.
    assert carried_share(40, 100, errors(100, 50, 100, 50)) is None
    # q0~ = q1~ = 56/102: J = .098, just below the limit; 57/102: J = .118, just above it.
    assert carried_share(40, 100, errors(100, 55, 100, 55)) is None
    assert carried_share(40, 100, errors(100, 56, 100, 56)) is not None
    assert carried_share(40, 100, errors(4, 4, 100, 95)) is None
    assert carried_share(40, 100, errors(100, 95, 4, 4)) is None
    assert carried_share(0, 0, errors(100, 95, 100, 95)) is None


def test_an_estimate_outside_the_possible_is_cut() -> None:
    # The judge says yes less often than it errs: (.02 + .8 - 1) is below 0.
    found = carried_share(2, 100, errors(100, 80, 100, 90))
    assert found is not None
    assert (found.value, found.interval.low) == (0.0, 0.0)
    assert 0 < found.interval.high < 0.2


def test_intervals_cover_although_the_other_data_has_another_share() -> None:
    """Specificity .8, sensitivity .9; share .7 where the 60 labels come from, .3 among the 200 answers here."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(1000):
        positives = int(rng.binomial(60, 0.7))
        known = errors(
            60 - positives, int(rng.binomial(60 - positives, 0.8)), positives, int(rng.binomial(positives, 0.9))
        )
        right = int(rng.binomial(200, 0.3))
        yes = int(rng.binomial(right, 0.9) + rng.binomial(200 - right, 0.2))
        found = carried_share(yes, 200, known)
        assert found is not None
        covered += found.interval.low <= 0.3 <= found.interval.high
    assert covered / 1000 >= 0.93


def test_weights_undo_a_draw_that_prefers_questions_on_which_the_judge_errs() -> None:
    """A tenth of the other data is hard (right in .55 of the answers, else in .95) and gives half of the labels."""
    rng = np.random.default_rng(6)
    covered, values = 0, {"weighted": 0.0, "alike": 0.0}
    for _ in range(1000):
        kinds: tuple[list[LabelledAnswer], list[LabelledAnswer]] = ([], [])
        for n in range(120):
            said, is_hard = int(rng.random() < 0.6), n % 2 == 0
            is_right = bool(rng.random() < (0.55 if is_hard else 0.95))
            kinds[said].append(LabelledAnswer(is_right, 1.0 if is_hard else 9.0, str(n)))
        # A tenth is hard here as well: the judge is right in .91 of the answers, whatever people would say.
        right = int(rng.binomial(300, 0.3))
        yes = int(rng.binomial(right, 0.91) + rng.binomial(300 - right, 0.09))
        no_yes = [labelled_share(own) for own in kinds]
        alike = [labelled_share([each._replace(weight=1.0) for each in own]) for own in kinds]
        found = carried_share(yes, 300, JudgeErrors(no=no_yes[0], yes=no_yes[1]))
        plain = carried_share(yes, 300, JudgeErrors(no=alike[0], yes=alike[1]))
        assert found is not None
        assert plain is not None
        covered += found.interval.low <= 0.3 <= found.interval.high
        values["weighted"] += found.value / 1000
        values["alike"] += plain.value / 1000
    assert covered / 1000 >= 0.93
    # Without weights the judge is taken to be right in .75 only: (.336 - .25)/.5 = .172.
    assert values == {"weighted": pytest.approx(0.3, abs=0.03), "alike": pytest.approx(0.172, abs=0.03)}
