"""Label-corrected gains: the formulas of PPI++ on differences, the interval of the verdict, and a biased judge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from passer.domain.judging.corrected import label_weights, ppi
from passer.domain.verdict.family import FamilyRule, family_gains
from passer.domain.verdict.label_gains import Labelled, label_corrected_gains, label_corrected_means

RULE = FamilyRule(draws=999)
N = 120


def given(labels: Any, judged: Any, labelled: int, **more: Any) -> Labelled:
    drawn = np.arange(len(judged)) < labelled
    return Labelled(
        labels=np.where(drawn[:, None], labels, np.nan),
        judged=np.asarray(judged),
        is_drawn=drawn,
        is_other=~drawn,
        weights=np.ones(len(judged)),
        seed=1,
        **more,
    )


def test_where_everything_is_labelled_the_labels_are_judged_as_any_differences():
    labels = np.random.default_rng(1).normal([0.05, -0.1], 0.1, (60, 2))
    found = label_corrected_gains(given(labels, labels + 0.3, 60), RULE)
    plain = family_gains(labels, RULE)
    for corrected, own in zip(found, plain, strict=True):
        assert [corrected.gain, corrected.low, corrected.high] == pytest.approx(
            [own.gain, own.low, own.high], abs=1e-12
        )
        assert (corrected.outcome, corrected.pairs, corrected.p) == (own.outcome, 60, own.p)


def test_gain_and_error_are_those_of_ppi():
    rng = np.random.default_rng(2)
    truth = rng.normal(0.05, 0.1, (N, 1))
    judged = truth + 0.2 + rng.normal(0, 0.05, (N, 1))
    (found,) = label_corrected_gains(given(truth, judged, 40), RULE)
    labels, near, others = truth[:40, 0], judged[:40, 0], judged[40:, 0]
    weight = label_weights(labels, near, others, seed=1)
    expected = ppi(labels, near, others, weight=weight)
    assert 0.5 < weight.mean() < 0.9
    assert found.gain == pytest.approx(expected.value, abs=1e-12)
    assert found.standard_error == pytest.approx(expected.error, abs=1e-12)
    # The judge is .2 too kind; the labels take that away, and the judge makes the labels more exact.
    assert found.gain == pytest.approx(0.05, abs=0.04)
    assert expected.error < labels.std(ddof=1) / np.sqrt(40)
    assert found.pairs == N


def test_means_and_their_errors_are_those_of_ppi():
    rng = np.random.default_rng(6)
    truth = rng.uniform(0, 1, (N, 2))
    judged = np.clip(truth + 0.2 + rng.normal(0, 0.05, (N, 2)), 0, 1)
    judged[50, 1] = np.nan
    found = label_corrected_means(given(truth, judged, 40))
    for place, mean in enumerate(found):
        labels, near, others = truth[:40, place], judged[:40, place], judged[40:, place]
        others = others[~np.isnan(others)]
        expected = ppi(labels, near, others, weight=label_weights(labels, near, others, seed=1))
        assert mean.value == pytest.approx(expected.value, abs=1e-12)
        assert mean.standard_error == pytest.approx(expected.error, abs=1e-12)
        assert (mean.rated, mean.others) == (40, len(others))
    # Where everything is labelled, a mean is that of the labels, and its error sd / sqrt(n).
    (whole, _) = label_corrected_means(given(truth, judged, N))
    assert whole.value == pytest.approx(truth[:, 0].mean())
    assert whole.standard_error == pytest.approx(truth[:, 0].std(ddof=1) / np.sqrt(N))
    (few, _) = label_corrected_means(given(truth, judged, 19))
    assert (few.value, few.standard_error, few.rated) == (None, None, 19)


def test_a_useless_judge_leaves_the_labels_alone_and_few_labels_have_no_interval():
    rng = np.random.default_rng(3)
    truth, noise = rng.normal(0.1, 0.1, (N, 1)), np.zeros((N, 1))
    (found,) = label_corrected_gains(given(truth, noise, 40), RULE)
    assert found.gain == pytest.approx(truth[:40].mean())
    (few,) = label_corrected_gains(given(truth, truth, 19), RULE)
    assert (few.outcome, few.reason, few.low) == ("undecided", "too_few", None)
    (unchanged,) = label_corrected_gains(given(noise, noise, 40), RULE)
    assert (unchanged.outcome, unchanged.reason) == ("undecided", "few_changed")


@pytest.mark.parametrize("others", [0, 3])
def test_people_who_see_one_amount_in_nearly_all_questions_leave_the_others_their_intervals(others: int):
    rng = np.random.default_rng(7)
    clear = rng.normal(0.2, 0.1, N)
    amount = np.where(np.arange(N) < others, 0.0, 0.1)
    labels, judged = np.column_stack([clear, amount]), np.column_stack([clear, np.zeros(N)])
    (alone,) = label_corrected_gains(given(labels[:, :1], judged[:, :1], 40), RULE)
    both = label_corrected_gains(given(labels, judged, 40), RULE)
    assert [both[0].low, both[0].high, both[0].p] == pytest.approx([alone.low, alone.high, alone.p], abs=1e-12)
    assert (both[1].outcome, both[1].reason, both[1].alike) == ("undecided", "one_amount", 40 - others)
    assert (both[1].amount, both[1].clusters, both[1].changed) == (pytest.approx(0.1), 40, 40 - others)
    # Before version 8 "fewer than 10 differ" was said of 40 equal differences.
    old = label_corrected_gains(given(labels, judged, 40), FamilyRule(draws=999, old_family=True))
    assert old[1].reason == (None if others else "few_changed")
    assert old[1].alike is None


def test_unequal_draws_are_weighted():
    # Half of the questions gain 1 and are drawn with probability .9, the others gain 0 with probability .1.
    gains = np.repeat([1.0, 0.0], 100)[:, None] + np.random.default_rng(4).normal(0, 0.01, (200, 1))
    drawn = np.zeros(200, dtype=bool)
    drawn[:90], drawn[100:110] = True, True
    share = np.where(np.arange(200) < 100, 0.9, 0.1)
    (found,) = label_corrected_gains(
        Labelled(
            labels=np.where(drawn[:, None], gains, np.nan),
            judged=np.zeros((200, 1)),
            is_drawn=drawn,
            is_other=~drawn,
            weights=np.where(drawn, 1 / share, 1 / (1 - share)),
            seed=1,
        ),
        RULE,
    )
    assert found.gain == pytest.approx(0.5, abs=0.01)


def test_a_biased_judge_makes_nothing_better_that_is_not():
    """200 sweeps of three configurations without any true gain; the judge favours each by .1."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(200):
        truth = rng.normal(0, 0.1, (N, 3))
        judged = truth + 0.1 + rng.normal(0, 0.05, (N, 3))
        found = label_corrected_gains(given(truth, judged, 40), FamilyRule(draws=499))
        wrong += any(each.outcome == "better" for each in found)
    assert wrong / 200 <= 0.06
