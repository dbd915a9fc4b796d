"""Permutation tests against full enumeration."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from passer.domain.evidence.permutation import label_test, sign_flip_test

DIFFERENCES = np.array([[0.3, 0.1], [0.5, -0.4], [-0.1, 0.6], [0.4, 0.2], [0.2, 0.3], [0.6, -0.3]])


def near(p: float, draws: int = 10_000) -> object:
    """Within four standard errors of a probability estimated by so many draws."""
    return pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / draws) + 1 / draws)


def t_values(values: np.ndarray) -> np.ndarray:
    return np.abs(values.mean(axis=0)) / (values.std(axis=0, ddof=1) / np.sqrt(len(values)))


def test_p_is_the_share_of_flips_as_extreme_and_max_t_that_of_the_largest():
    observed = t_values(DIFFERENCES)
    drawn = np.array([t_values(DIFFERENCES * np.array(signs)[:, None]) for signs in product((1, -1), repeat=6)])
    alone = (drawn >= observed - 1e-12).mean(axis=0)
    largest = (drawn.max(axis=1)[:, None] >= observed - 1e-12).mean(axis=0)
    assert alone[0] < largest[0], "the correction costs something here"
    found = sign_flip_test(DIFFERENCES, seed=1)
    assert found.p == (near(alone[0]), near(alone[1]))
    assert found.p_max_t == (near(largest[0]), near(largest[1]))
    assert found.resolution == 1 / 10_001


def test_with_weights_t_is_the_weighted_mean_over_its_standard_error():
    weights = np.array([3.0, 1.0, 0.5, 2.0, 1.0, 0.25])

    def t_of(differences: np.ndarray) -> np.ndarray:
        mean = np.average(differences, axis=0, weights=weights)
        influence = weights[:, None] * (differences - mean) / weights.sum()
        return np.abs(mean) / np.sqrt(6 / 5 * (influence**2).sum(axis=0))

    observed = t_of(DIFFERENCES)
    drawn = np.array([t_of(DIFFERENCES * np.array(signs)[:, None]) for signs in product((1, -1), repeat=6)])
    alone = (drawn >= observed - 1e-12).mean(axis=0)
    largest = (drawn.max(axis=1)[:, None] >= observed - 1e-12).mean(axis=0)
    found = sign_flip_test(DIFFERENCES, seed=1, weights=weights)
    assert found.p == (near(alone[0]), near(alone[1]))
    assert found.p_max_t == (near(largest[0]), near(largest[1]))
    assert found.p != sign_flip_test(DIFFERENCES, seed=1).p
    assert sign_flip_test(DIFFERENCES, seed=1, weights=np.full(6, 7.0)) == sign_flip_test(DIFFERENCES, seed=1)


def test_the_same_seed_gives_the_same_p_and_another_another():
    one, same, other = (sign_flip_test(DIFFERENCES, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_no_difference_has_no_p_and_an_equal_one_has_the_smallest_possible():
    differences = np.column_stack([np.zeros(12), np.full(12, 0.1), np.linspace(-0.1, 0.1, 12)])
    found = sign_flip_test(differences, seed=1)
    assert found.p[0] is found.p_max_t[0] is None
    assert found.p[1] == near(2 / 2**12)
    assert found.p[2] == pytest.approx(1.0)
    nothing = sign_flip_test(np.zeros((3, 2)), seed=1)
    assert nothing.p == nothing.p_max_t == (None, None)


def test_a_question_that_a_comparison_lacks_does_not_count_in_it():
    masked = DIFFERENCES.copy()
    masked[4:, 0] = np.nan
    observed = t_values(DIFFERENCES[:4, :1])[0]
    drawn = [t_values(DIFFERENCES[:4, :1] * np.array(signs)[:, None])[0] for signs in product((1, -1), repeat=4)]
    share = float((np.array(drawn) >= observed - 1e-12).mean())
    assert sign_flip_test(masked, seed=3).p[0] == near(share)


def test_a_question_without_any_difference_changes_no_p():
    more = np.vstack([DIFFERENCES[:2], np.full((1, 2), np.nan), DIFFERENCES[2:]])
    assert sign_flip_test(more, seed=1) == sign_flip_test(DIFFERENCES, seed=1)


def test_two_groups_are_compared_by_welch_and_by_every_relabelling():
    first, second = DIFFERENCES[:3], DIFFERENCES[3:] + np.array([0.2, 0.0])
    welch = stats.ttest_ind(first, second, equal_var=False)
    both = np.concatenate([first, second])

    def largest(rows: tuple[int, ...]) -> float:
        rest = [row for row in range(6) if row not in rows]
        return float(np.abs(stats.ttest_ind(both[list(rows)], both[rest], equal_var=False).statistic).max())

    drawn = np.array([largest(rows) for rows in combinations(range(6), 3)])
    found = label_test(first, second, seed=1)
    assert found.t == pytest.approx(welch.statistic)
    assert found.p == pytest.approx(welch.pvalue)
    assert found.differences == pytest.approx((first.mean(axis=0) - second.mean(axis=0)).tolist())
    shares = [float((drawn >= abs(t) - 1e-9).mean()) for t in welch.statistic]
    assert found.p_max_t == (near(shares[0]), near(shares[1]))


def test_groups_that_do_not_differ_at_all_have_no_t():
    alike = np.full((4, 1), 0.3)
    found = label_test(alike, alike, seed=1)
    assert (found.t, found.p, found.p_max_t) == ((None,), (None,), (None,))
