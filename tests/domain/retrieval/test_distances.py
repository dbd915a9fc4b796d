"""Bands of distance by hand, and the ratings that LitPath AI prints."""

from __future__ import annotations

import pytest

from passer.domain.retrieval.distances import RATINGS, Rated, Rating, band_figures, distances, rating


def test_distances_fall_into_half_open_bands() -> None:
    # Distances 0, .5, .9, 1, 1.5 and 2: the last two are dropped.
    found = distances([1.0, 0.5, 0.1, 0.0, -0.5, -1.0])
    assert found.bands == {"very high": 1, "high": 2, "moderate": 1}
    assert (found.count, found.dropped, found.smallest, found.largest, found.mean) == (4, 2, 0.0, 1.0, 0.6)
    assert distances([]).mean is None


@pytest.mark.parametrize(
    ("of", "mean", "expected"),
    [
        ("distance", 0.838, "good"),
        ("R", 0.833, "good"),
        ("R", 0.667, "acceptable"),
        ("P", 0.267, "acceptable"),
        ("P", 0.444, "good"),
        ("distance", 2.0, "poor"),
        ("R", 1.0, "excellent"),
        ("P", 0.0, "poor"),
    ],
)
def test_the_ratings_of_litpath_follow_from_the_figures(of: Rated, mean: float, expected: Rating) -> None:
    assert rating(of, mean) == expected


def test_the_ranges_of_ratings_leave_no_gap() -> None:
    for ranges in RATINGS.values():
        ascending = sorted(ranges)
        assert ascending[0][0] == 0
        assert [low for low, _, _ in ascending[1:]] == [high for _, high, _ in ascending[:-1]]


def test_each_question_counts_the_same_in_the_mean() -> None:
    # Distances .2 and .4 of one question, .8 of the other; the third of the first question is beyond the cut.
    near = {"a": [0.8, 0.6, -0.9], "b": [0.2]}
    found = band_figures(near, 2, {"a": "en", "b": "tl"})
    assert (found.mean, found.rating) == (0.55, "good")
    assert found.all.mean == pytest.approx((0.2 + 0.4 + 0.8) / 3, abs=1e-4)
    assert {name: each.count for name, each in found.groups.items()} == {"en": 2, "tl": 1}
    # The mean of the groups' means: (.3 + .8) / 2.
    assert found.over_groups == 0.55
    assert found.unanswerable is None
    assert band_figures({}, 2, {}).mean is None


def test_questions_without_an_answer_show_what_was_returned_for_them() -> None:
    # Distances .9 and 1.6 of the question that nothing answers: one is returned within 1.5.
    found = band_figures({"a": [0.8], "none": [0.1, -0.6]}, 2, {}, frozenset({"none"})).unanswerable
    assert found is not None
    assert (found.count, found.dropped, found.smallest) == (1, 1, 0.9)
    assert band_figures({"a": [0.8]}, 2, {"a": "en"}).over_groups is None
