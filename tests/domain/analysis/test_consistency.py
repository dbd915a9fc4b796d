"""Agreement of repeats, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.analysis.consistency import consistency_of

# Four questions asked three times: right in 3, 2, 1 and 0 of the repeats.
QUESTIONS = np.repeat(np.arange(4), 3)
SCORES = np.array([0.9, 0.8, 0.7, 0.9, 0.5, 0.2, 0.6, 0.1, 0.4, 0.0, 0.3, 0.1])


def _found(scores: np.ndarray = SCORES, questions: np.ndarray = QUESTIONS, **more: object):
    given = {"metric": "F1 Score", "higher_is_better": True, "right_from": None, **more}
    return consistency_of(questions, scores, **given)


def test_agreement_flips_and_right_in_all_by_hand():
    found = _found()
    assert (found.repeats, found.questions, found.right_from) == (3, 4, 0.5)
    # Pairs that agree: 3 of 3, 1 of 3, 1 of 3, 3 of 3.
    assert found.agreement == pytest.approx((1 + 1 / 3 + 1 / 3 + 1) / 4)
    assert (found.flipped.value, found.always_right.value) == (0.5, 0.25)
    # Wilson's interval of 1 of 4 (R: prop.test(1, 4, correct = FALSE)).
    assert found.always_right.interval.low == pytest.approx(0.04559, abs=1e-5)
    assert found.always_right.interval.high == pytest.approx(0.69936, abs=1e-5)


def test_the_bound_and_the_direction_decide_what_is_right():
    assert _found(right_from=0.75).always_right.value == 0.0
    lower = _found(1 - SCORES, higher_is_better=False)
    assert (lower.flipped.value, lower.always_right.value) == (0.5, 0.25)


def test_without_repeats_or_a_scale_there_is_nothing_to_say():
    assert _found(questions=np.arange(12)) is None
    # Two of ten questions occur twice: an accident, no repeats.
    assert _found(questions=np.array([*range(10), 0, 1])) is None
    assert _found(SCORES * 100) is None, "no score of this metric is right by itself"
    assert _found(SCORES * 100, right_from=50).always_right.value == 0.25
    assert _found(np.array([]), np.array([], dtype=int)) is None


def test_a_question_that_was_asked_once_among_repeated_ones_is_left_out():
    found = _found(np.array([*SCORES, 0.9]), np.array([*QUESTIONS, 9]))
    assert (found.questions, found.agreement) == (4, pytest.approx(2 / 3))
