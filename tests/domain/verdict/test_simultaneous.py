"""Expectations: the hand examples of the rule (all resamples enumerated), and published outputs of SplitMix64."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.verdict.cluster_sums import cluster_sums
from passer.domain.verdict.counter_random import drawn_indices, splitmix64
from passer.domain.verdict.simultaneous import Moments, of_extremes, simultaneous, tallied

PAIR = np.array([[2.0, -1.0], [3.0, 1.0], [4.0, 0.0], [7.0, 4.0]])
"""Differences of two configurations on four questions."""


@pytest.mark.parametrize(
    ("seed", "outputs"),
    [
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]),
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]),
    ],
)
def test_outputs_are_those_of_the_published_generator(seed, outputs):
    assert splitmix64(seed, np.arange(len(outputs), dtype=np.uint64)).tolist() == outputs


def test_draws_do_not_depend_on_where_a_chunk_begins():
    whole = drawn_indices(7, first=0, draws=5, size=9)
    assert whole.min() >= 0
    assert whole.max() < 9
    assert np.array_equal(whole[3:], drawn_indices(7, first=3, draws=2, size=9))


def test_draws_of_many_clusters_are_those_of_the_places_one_by_one():
    """The definition: the upper 32 bits of output b * size + i, times the size, shifted by 32."""
    size, seed = 20_011, 2**64 - 5
    places = np.arange(3 * size, 5 * size, dtype=np.uint64)
    upper = [int(output) >> 32 for output in splitmix64(seed, places)]
    expected = np.array([each * size >> 32 for each in upper]).reshape(2, size)
    assert np.array_equal(drawn_indices(seed, first=3, draws=2, size=size), expected)
    counts = tallied(expected, size)
    assert counts.sum(axis=1).tolist() == [size, size]
    assert counts[1, expected[1, 7]] == (expected[1] == expected[1, 7]).sum()


def test_standard_errors_by_question_and_by_cluster():
    differences = np.array([[1.0], [2.0], [3.0]])
    assert cluster_sums(differences).standard_errors == pytest.approx([0.57735], abs=5e-6)
    assert cluster_sums(differences, clusters=[0, 0, 1]).standard_errors == pytest.approx([0.66667], abs=5e-6)


def test_all_256_resamples_of_four_questions_by_hand():
    found = simultaneous(cluster_sums(PAIR), seed=1)
    assert found.resamples == 256
    assert found.gains.tolist() == [4.0, 1.0]
    assert np.square(found.standard_errors) == pytest.approx([7 / 6, 7 / 6])
    assert found.gains / found.standard_errors == pytest.approx([3.703280, 0.925820], abs=5e-7)
    assert (found.upper, found.lower) == (3.0, -7.0)
    assert found.p_values.tolist() == [6 / 256, 94 / 256]
    assert found.low == pytest.approx([0.759630, -2.240370], abs=5e-7)
    assert found.high == pytest.approx([11.560864, 8.560864], abs=5e-7)


def test_all_256_resamples_of_four_clusters_by_hand():
    differences = np.array([[0.0, -1.0], [2.0, -2.0], [2.0, 1.0], [3.0, 0.0], [8.0, 4.0]])
    found = simultaneous(cluster_sums(differences, clusters=[0, 0, 1, 2, 3]), seed=1)
    assert found.gains == pytest.approx([3.0, 0.4])
    assert np.square(found.standard_errors) == pytest.approx([56 / 25, 2792 / 1875])
    assert (found.upper, found.lower) == pytest.approx((3.8, -11.375), abs=1e-8)
    assert found.p_values.tolist() == [34 / 256, 210 / 256]


def test_both_ends_have_the_same_rank_by_hand():
    # alpha / 2 of 39 resamples and the sample itself is one: each end is the outermost resample, beyond it p is 2 / 40.
    largest = np.random.default_rng(0).permutation(np.arange(1.0, 40.0))
    gains, errors = np.array([39.5, -39.5, 38.5, -38.5]), np.ones(4)
    found = of_extremes(gains, errors, largest, -largest, alpha=0.05)
    assert (found.upper, found.lower) == (39.0, -39.0)
    assert found.p_values.tolist() == [2 / 40, 2 / 40, 4 / 40, 4 / 40]
    assert ((found.low > 0) | (found.high < 0)).tolist() == [True, True, False, False]
    # Versions 1 to 3 of verdict.json called the last one worse, with p = .1.
    assert of_extremes(gains, errors, largest, -largest, alpha=0.05, old_rank=True).high[3] < 0


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("seed", range(8))
def test_interval_and_p_value_agree(alpha, seed):
    rng = np.random.default_rng(seed)
    differences = np.where(rng.random((40, 6)) < 0.3, rng.normal(0.05, 0.2, (40, 6)), 0.0)
    found = simultaneous(cluster_sums(differences), seed=seed, alpha=alpha, draws=999)
    excludes = (found.low > 0) | (found.high < 0)
    assert (excludes == (found.p_values <= alpha)).all()


def test_weights_count_a_question_as_often_as_they_say():
    weighted = cluster_sums(PAIR, weights=np.array([1.0, 2.0, 1.0, 1.0]))
    doubled = cluster_sums(PAIR[[0, 1, 1, 2, 3]], clusters=[0, 1, 1, 2, 3])
    assert weighted.gains == pytest.approx(doubled.gains)
    assert weighted.standard_errors == pytest.approx(doubled.standard_errors)
    one, other = (simultaneous(sums, seed=3) for sums in (weighted, doubled))
    assert (one.upper, one.lower) == pytest.approx((other.upper, other.lower))


def test_a_missing_pair_counts_for_its_configuration_alone():
    holed = PAIR.copy()
    holed[1, 1] = np.nan
    sums = cluster_sums(holed)
    assert sums.gains == pytest.approx([4.0, 1.0])
    assert sums.sizes.tolist() == [4, 3]
    assert sums.standard_errors[1] == pytest.approx(np.std([-1.0, 0.0, 4.0], ddof=1) / np.sqrt(3))
    assert np.isfinite(simultaneous(sums, seed=1, draws=99).p_values).all()


def test_many_questions_give_the_same_interval_however_they_are_chunked(monkeypatch):
    differences = np.random.default_rng(0).normal(0.01, 0.1, (300, 4))
    whole = simultaneous(cluster_sums(differences), seed=5, draws=999)
    monkeypatch.setattr("passer.domain.verdict.simultaneous._CELLS", 7_000)
    parts = simultaneous(cluster_sums(differences), seed=5, draws=999)
    assert (whole.upper, whole.lower) == (parts.upper, parts.lower)
    assert whole.p_values.tolist() == parts.p_values.tolist()


def test_a_configuration_without_spread_is_refused():
    with pytest.raises(ValueError, match="without spread"):
        simultaneous(cluster_sums(np.column_stack([PAIR[:, 0], np.ones(4)])), seed=1)


def test_pairs_given_once_stand_for_both_orders():
    mirrored = np.column_stack([PAIR, -PAIR])
    once = simultaneous(cluster_sums(PAIR), seed=1, both_ways=True)
    twice = simultaneous(cluster_sums(mirrored), seed=1)
    assert (once.upper, once.lower) == (twice.upper, twice.lower)
    assert once.p_values.tolist() == twice.p_values[:2].tolist()


def test_many_resamples_have_the_mean_and_the_variance_of_their_rows():
    rng = np.random.default_rng(5)
    values = rng.normal(size=3000)
    centred = values - values.mean()
    counts = rng.multinomial(3000, [1 / 3000] * 3000, size=500).astype(np.float64)
    shift, variance = Moments.of(cluster_sums(centred[:, None])).shifts(counts)
    for row in (0, 408, 409, 499):
        drawn = np.repeat(centred, counts[row].astype(int))
        assert shift[row, 0] == pytest.approx(drawn.mean(), abs=1e-12)
        assert variance[row, 0] == pytest.approx(drawn.var(ddof=1) / 3000)
