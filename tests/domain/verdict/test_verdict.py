"""The five verdicts, each from gains given by hand; the corrected gain against a simulated truth."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.verdict.corrected_gain import corrected_gain
from passer.domain.verdict.family import FamilyGain, outcome_of
from passer.domain.verdict.verdict import Baseline, Candidate, Verdict, VerdictRule, conclude, recommended_among

RULE = VerdictRule()


def candidate(name: str, gain: float, low: float, high: float, **given: object) -> Candidate:
    """A configuration of 60 questions with this interval."""
    found = {"pairs": 60, "clusters": 60, "changed": 60} | {
        key: given.pop(key) for key in ("pairs", "clusters") if key in given
    }
    judged = FamilyGain(
        gain=gain, standard_error=0.01, low=low, high=high, p=0.5, outcome=outcome_of(low, high, margin=0.02), **found
    )
    return Candidate(id=name, gain=judged, planned=60, **given)


BETTER = candidate("better", 0.05, 0.01, 0.09, tcps=0.5)
STEADIER = candidate("steadier", 0.04, 0.005, 0.08, tcps=0.6)
WORSE = candidate("worse", -0.05, -0.09, -0.01)
AS_GOOD = candidate("as good", 0.0, -0.015, 0.02)
OPEN = candidate("open", 0.0, -0.05, 0.05)


DONE = Baseline(planned=60)


def verdict(*candidates: Candidate) -> Verdict:
    return conclude(candidates, RULE, baseline=DONE)


def test_better_recommends_the_highest_tcps_among_the_better_ones():
    found = verdict(BETTER, STEADIER, WORSE, OPEN)
    assert (found.kind, found.recommended) == ("better", "steadier")
    assert (found.better, found.worse, found.undecided) == (("better", "steadier"), ("worse",), ("open",))


def test_with_another_primary_metric_the_largest_gain_is_recommended():
    rule = VerdictRule(primary="F1 Score")
    assert recommended_among([STEADIER, BETTER], rule) == BETTER


def test_as_good_and_cheaper_recommends_the_cheapest():
    thirds = candidate("thirds", 0.0, -0.01, 0.02, cost=400.0, baseline_cost=1200.0)
    halves = candidate("halves", 0.01, -0.01, 0.02, cost=600.0, baseline_cost=1200.0)
    found = verdict(halves, thirds, OPEN)
    assert (found.kind, found.recommended) == ("as_good_cheaper", "thirds")
    assert thirds.saved == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("cost", "kind"), [(91.0, "keep_baseline"), (90.0, "as_good_cheaper"), (None, "keep_baseline")]
)
def test_as_good_must_save_a_tenth(cost, kind):
    assert verdict(candidate("x", 0.0, -0.01, 0.02, cost=cost, baseline_cost=100.0), WORSE).kind == kind


def test_cannot_tell_says_what_would():
    found = verdict(OPEN, WORSE)
    assert (found.kind, found.recommended) == ("cannot_tell", None)
    # critical value .05 / .01 = 5; SD .01 sqrt(60); z.8 = .8416
    assert found.detectable == pytest.approx((5 + 0.8416) * 0.01, abs=1e-5)
    assert found.questions_needed == int(np.ceil((5.8416 / 0.02) ** 2 * 0.0001 * 60))


def test_keep_the_baseline_where_all_are_worse_or_as_good_and_not_cheaper():
    assert verdict(WORSE, AS_GOOD).kind == "keep_baseline"


@pytest.mark.parametrize(
    ("candidates", "baseline", "missing"),
    [
        ([BETTER], None, ("no_baseline",)),
        ([BETTER], Baseline(planned=60, open=1), ("baseline_unfinished",)),
        ([BETTER.model_copy(update={"missing": 7})], DONE, ("failed_or_open",)),
        ([candidate("x", 0.1, 0.05, 0.2, pairs=19, clusters=19)], DONE, ("too_few_pairs",)),
        ([candidate("x", 0.1, 0.05, 0.2, clusters=5)], DONE, ("too_few_clusters",)),
        ([BETTER], Baseline(planned=12, failed=12), ("failed_or_open",)),
        ([], DONE, ("too_few_pairs",)),
        (
            [candidate("x", 0.1, 0.05, 0.2, pairs=0, clusters=0, missing=60)],
            Baseline(planned=48, open=31),
            ("baseline_unfinished", "failed_or_open", "too_few_pairs"),
        ),
    ],
)
def test_no_verdict_names_what_is_missing(candidates, baseline, missing):
    found = conclude(candidates, RULE, baseline=baseline)
    assert (found.kind, found.missing, found.recommended) == ("no_verdict", missing, None)


def test_six_failures_of_sixty_do_not_prevent_a_verdict():
    assert verdict(BETTER.model_copy(update={"missing": 6})).kind == "better"


def largest_mean(scores: np.ndarray, _weights: np.ndarray | None = None) -> int:
    return 1 + int(np.argmax((scores[1:] - scores[0]).mean(axis=1)))


def test_the_corrected_gain_of_the_best_of_ten_equal_configurations_is_not_biased():
    corrected, naive = [], []
    for sweep in range(60):
        scores = np.random.default_rng(sweep).normal(0.5, 0.1, (11, 60))
        found = corrected_gain(
            scores, lambda half, s=scores: s[:, half], largest_mean, clusters=range(60), seed=sweep, splits=50
        )
        corrected.append(found.gain)
        naive.append((scores[largest_mean(scores)] - scores[0]).mean())
        assert found.optimism > 0
    error = 0.1 * np.sqrt(2 / 60)
    assert abs(np.mean(corrected)) <= 0.35 * error, "within the error of 60 simulated sweeps"
    assert np.mean(naive) > 0.8 * error, "the gain of the best of ten is not the gain to expect"


def test_a_real_gain_is_stable_and_splits_keep_clusters_whole():
    scores = np.random.default_rng(0).normal(0.5, 0.02, (3, 40))
    scores[2] += 0.1
    seen = []

    def constants_of(half: np.ndarray) -> np.ndarray:
        seen.append(half)
        return scores[:, half]

    clusters = [question // 4 for question in range(40)]
    found = corrected_gain(scores, constants_of, largest_mean, clusters=clusters, seed=1)
    assert found.is_stable
    assert found.gain == pytest.approx(0.1, abs=0.02)
    assert found.chosen_share == (0.0, 1.0)
    assert all(
        (len(half) == 20 and set(np.bincount(half // 4)) == {0, 4}) or set(np.bincount(half // 4)) == {4}
        for half in seen
    )
    assert len({tuple(half) for half in seen}) > 100


def test_too_few_clusters_have_no_halves():
    scores = np.zeros((2, 6))
    assert corrected_gain(scores, lambda _: scores, largest_mean, clusters=[0, 0, 1, 1, 2, 2], seed=1) is None


def test_halves_choose_and_confirm_by_weight():
    """The first 20 questions prefer the first configuration, the others the second; weight decides between them."""
    early = np.arange(40) < 20
    scores = np.stack([np.zeros(40), np.where(early, 0.2, 0.0), np.where(early, 0.0, 0.2)])

    def heaviest_mean(half: np.ndarray, weights: np.ndarray | None) -> int:
        return 1 + int(np.argmax(half[1:] @ weights))

    found = corrected_gain(
        scores,
        lambda half: scores[:, half],
        heaviest_mean,
        clusters=range(40),
        weights=np.where(early, 9.0, 1.0),
        seed=1,
    )
    assert found.chosen_share == (1.0, 0.0)
    # Nine tenths of the weight gains .2.
    assert found.gain == pytest.approx(0.18, abs=0.01)
