"""Outcomes: intervals by the rule's own hand example, membership by its definition, plans by Miller's example."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.null_sweeps import SHAPES
from passer.domain.verdict import family, simultaneous
from passer.domain.verdict.family import FamilyGain, FamilyRule, family_gains, outcome_of, tied_with_best
from passer.domain.verdict.sample_size import MeasuredCritical, questions_needed
from passer.domain.verdict.verdict import critical_value

RULE = FamilyRule(draws=999)
N = 60


def changing(count: int, gain: float, *, rng: np.random.Generator) -> np.ndarray:
    """Differences of N questions of which `count` change."""
    return np.where(np.arange(N) < count, rng.normal(gain, 0.05, N), 0.0)


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (0.001, 0.1, "better"),
        (-0.2, -0.001, "worse"),
        (-0.019, 0.03, "as_good"),
        (-0.02, 0.03, "undecided"),
        (-0.1, 0.1, "undecided"),
        (0.0, 0.1, "as_good"),
        (-np.inf, np.inf, "undecided"),
    ],
)
def test_the_first_outcome_that_holds(low, high, outcome):
    assert outcome_of(low, high, margin=0.02) == outcome


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.019, 0.019, True),
        (-0.019, 0.02, False),
        (-0.019, None, False),
        # Better by less than the margin is still better, and a loss within it still a loss.
        (0.001, 0.019, False),
        (-0.019, -0.001, False),
    ],
)
def test_no_different_is_an_interval_within_the_margin_on_both_sides(low, high, said):
    outcome = outcome_of(low, np.inf if high is None else high, margin=0.02)
    gain = FamilyGain(gain=0.0, low=low, high=high, outcome=outcome, pairs=60, clusters=60, changed=60)
    assert gain.is_no_different(0.02) is said


def test_a_clear_gain_a_clear_loss_and_nothing_clear():
    rng = np.random.default_rng(1)
    differences = np.column_stack(
        [rng.normal(0.1, 0.05, N), rng.normal(-0.1, 0.05, N), rng.normal(0.0, 0.3, N), rng.normal(0.0, 0.01, N)]
    )
    gains = family_gains(differences, RULE)
    assert [gain.outcome for gain in gains] == ["better", "worse", "undecided", "as_good"]
    assert all(gain.low < gain.gain < gain.high for gain in gains)
    assert [gain.p <= RULE.alpha for gain in gains] == [True, True, False, False]


def test_few_changes_leave_the_family_and_widen_nobodys_interval():
    rng = np.random.default_rng(2)
    clear = rng.normal(0.1, 0.05, N)
    few, none = changing(9, -0.3, rng=rng), np.zeros(N)
    alone = family_gains(clear[:, None], RULE)
    together = family_gains(np.column_stack([clear, few, none]), RULE)
    assert together[0] == alone[0]
    assert (together[1].outcome, together[1].reason, together[1].changed) == ("undecided", "few_changed", 9)
    assert (together[2].outcome, together[2].reason) == ("identical", "identical")
    assert family_gains(changing(10, -0.3, rng=rng)[:, None], RULE)[0].reason is None


def test_one_amount_in_nearly_all_questions_leaves_the_family_and_widens_nobodys_interval():
    rng = np.random.default_rng(2)
    clear = rng.normal(0.1, 0.05, N)
    # As scores leave it: 57 differences are .1 but for their last bits, and their resamples have no spread.
    base = rng.random(N)
    amount = base + np.where(np.arange(N) < 57, 0.1, 0.0) - base
    alone = family_gains(clear[:, None], RULE)
    together = family_gains(np.column_stack([clear, amount]), RULE)
    assert (together[0], alone[0].outcome) == (alone[0], "better")
    found = together[1]
    assert (found.outcome, found.reason, found.low, found.alike) == ("undecided", "one_amount", None, 57)
    assert (found.changed, found.amount, found.gain) == (57, pytest.approx(0.1), pytest.approx(0.095))
    # By the rule before version 8 one resample in twenty has an infinite t*, and nothing is decided.
    old = family_gains(np.column_stack([clear, amount]), FamilyRule(draws=999, old_family=True))
    assert [(gain.outcome, gain.reason, gain.low) for gain in old] == [("undecided", None, None)] * 2


@pytest.mark.parametrize(
    ("others", "size", "reason"),
    [(9, 60, "one_amount"), (10, 60, None), (9, 19, "one_amount"), (9, 18, None), (1, 11, "one_amount")],
)
def test_ten_clusters_must_differ_from_an_amount_that_most_clusters_have(others: int, size: int, reason: str | None):
    differences = np.where(np.arange(size) < others, np.linspace(0.2, 0.3, size), -0.1)
    (found,) = family_gains(differences[:, None], RULE)
    assert (found.reason, found.alike) == (reason, size - others if reason else None)
    # t* does not depend on what is added to all differences, so the rule does not either.
    (moved,) = family_gains(differences[:, None] + 0.1, RULE)
    assert (moved.reason == "few_changed") == (others < 10)


def test_clusters_and_weights_have_one_amount_where_their_means_are_alike():
    # Means .2 and .1 in turn, then 1; the sums are .2, .3 and so on, none like the other.
    weights = np.tile([1.0, 1.0, 1.0, 2.0], 15)
    differences = np.tile([0.3, 0.1, 0.4, 0.1], 15)
    differences[-8:] = np.linspace(-1, 1, 8)
    clusters = np.repeat(np.arange(30), 2).tolist()
    (found,) = family_gains(differences[:, None], RULE, clusters=clusters, weights=weights)
    assert (found.reason, found.alike, found.clusters) == ("one_amount", 26, 30)
    assert found.amount == pytest.approx(0.2)
    assert family_gains(differences[:, None], RULE)[0].reason is None


def test_a_pair_with_one_amount_leaves_the_family_of_the_best():
    rng = np.random.default_rng(6)
    one = np.where(np.arange(N) < 57, 0.1, 0.0)
    columns = np.column_stack([np.zeros(N), one, rng.normal(0.3, 0.05, N)])
    # The third is better than both, whatever the first two have between them.
    assert tied_with_best(columns, RULE) == (2,)
    assert tied_with_best(columns, FamilyRule(draws=999, old_family=True)) == (0, 1, 2)


def test_a_constant_gain_has_no_interval():
    [gain] = family_gains(np.full((N, 1), 0.5), RULE)
    assert (gain.gain, gain.outcome, gain.reason) == (0.5, "undecided", "no_spread")


@pytest.mark.parametrize("difference", [-1 / 3, 1 / 7, -0.2 / 1.1, 0.1, -0.3])
def test_the_rounding_of_equal_differences_is_no_spread(difference: float) -> None:
    # The mean of 19 times -1/3 is not exactly -1/3; divided by what is left, it was "better" than a baseline.
    found = family_gains(np.full((19, 1), difference), FamilyRule())[0]
    assert (found.outcome, found.reason, found.standard_error) == ("undecided", "no_spread", 0.0)
    # It says nothing of the others of its family either.
    spread = np.random.default_rng(4).normal(0.5, 0.1, (19, 1))
    both = family_gains(np.hstack([np.full((19, 1), difference), spread]), FamilyRule())
    assert (both[0].reason, both[1].outcome) == ("no_spread", "better")


def test_without_pairs_there_is_no_gain():
    assert family_gains(np.zeros((0, 1)), RULE)[0].gain is None
    [one] = family_gains(np.full((3, 1), np.nan), RULE)
    assert (one.gain, one.pairs, one.reason) == (None, 0, "too_few")


def test_the_same_prompts_twice_do_not_widen_the_family():
    rng = np.random.default_rng(3)
    first, second = rng.normal(0.03, 0.1, N), rng.normal(0.0, 0.1, N)
    once = family_gains(np.column_stack([first, second]), RULE)
    twice = family_gains(np.column_stack([first, second, second]), RULE)
    assert twice[:2] == once


def test_clusters_make_alike_questions_count_less():
    rng = np.random.default_rng(4)
    shared = np.repeat(rng.normal(0.02, 0.05, 12), 5)
    differences = (shared + rng.normal(0, 0.01, 60))[:, None]
    [alone] = family_gains(differences, RULE)
    [clustered] = family_gains(differences, RULE, clusters=np.repeat(np.arange(12), 5))
    assert clustered.clusters == 12
    assert clustered.high - clustered.low > 1.5 * (alone.high - alone.low)


def test_those_that_cannot_be_told_from_the_best():
    rng = np.random.default_rng(5)
    good = rng.normal(0.1, 0.03, N)
    differences = np.column_stack([good, good + rng.normal(0, 0.02, N), rng.normal(0, 0.03, N), np.zeros(N)])
    assert tied_with_best(differences, RULE) == (0, 1)


def test_the_pairs_of_a_large_family_are_compared_in_blocks_with_the_same_result(monkeypatch):
    rng = np.random.default_rng(6)
    differences = rng.normal(np.linspace(0, 0.2, 12), 0.05, (N, 12))
    whole = tied_with_best(differences, RULE)
    monkeypatch.setattr(simultaneous, "_CELLS", 500)
    monkeypatch.setattr(family, "MOST_PAIRED", 7 * N)
    assert tied_with_best(differences, RULE) == whole
    assert 0 < len(whole) < 12


def test_too_many_pairs_are_not_begun():
    assert tied_with_best(np.zeros((1_000, 1_000)), RULE) is None


@pytest.mark.parametrize(("repeats", "questions"), [(1, 252), (2, 157), (3, 126), (5, 101)])
def test_repeats_are_cheaper_than_questions(repeats, questions):
    # Miller 2024, section 5: the variance of a difference is omega^2 + 2 sigma^2 / K.
    assert questions_needed(margin=0.05, difference_variance=0.02 + 2 * 0.03 / repeats) == questions


def test_a_plan_expects_less_skewness_of_more_questions():
    """Rare losses: about 360 questions find a gain of .02 for nine configurations with power .8 (simulated)."""
    planned, cautious = [], []
    for sweep in range(20):
        gains = family_gains(SHAPES["rare_losses"](np.random.default_rng((60, sweep)), 60), RULE)
        widest = max(gains, key=lambda gain: gain.standard_error or 0.0)
        spread = {"margin": 0.02, "difference_variance": 60 * (widest.standard_error or 0.0) ** 2}
        critical = MeasuredCritical(critical_value(widest), 60, comparisons=9, alpha=0.05)
        assert critical.at(60) == critical.value
        planned.append(critical.clusters_needed(**spread))
        cautious.append(questions_needed(**spread, critical=critical.value))
        assert critical.at(planned[-1] - 1) > critical.at(planned[-1]) > 2.5
    # The widest of nine spreads is above the true one, which is all that may be left of the surplus.
    assert 360 < np.median(planned) < 1.5 * 360
    assert np.median(cautious) > 2 * 360


def test_a_weight_of_two_is_the_same_question_twice_in_one_cluster():
    rng = np.random.default_rng(6)
    differences = rng.normal((0.03, 0.0), 0.1, (N, 2))
    differences[3, 1] = np.nan
    twice = np.arange(N) % 3 == 0
    weighted = family_gains(differences, RULE, weights=np.where(twice, 2.0, 1.0))
    copied = np.concatenate([differences, differences[twice]])
    places = [*range(N), *np.flatnonzero(twice)]
    for one, other in zip(weighted, family_gains(copied, RULE, clusters=places), strict=True):
        same = ("gain", "standard_error", "low", "high", "p", "outcome", "clusters", "changed")
        assert [getattr(one, name) for name in same] == [
            pytest.approx(value) if isinstance(value := getattr(other, name), float) else value for name in same
        ]
    # 60 questions, 20 of them twice as heavy: 80^2 / (40 + 20 * 4).
    assert [gain.pairs for gain in weighted] == [60, 59]
    assert weighted[0].effective_pairs == pytest.approx(80**2 / 120)
    assert family_gains(differences, RULE)[0].effective_pairs is None


def test_only_the_proportions_of_weights_matter():
    rng = np.random.default_rng(7)
    differences, weights = rng.normal(0.03, 0.1, (N, 1)), rng.uniform(0.5, 2.0, N)
    [one], [other] = (family_gains(differences, RULE, weights=factor * weights) for factor in (1.0, 8.0))
    assert (one.gain, one.low, one.high, one.p) == pytest.approx((other.gain, other.low, other.high, other.p))
