"""Figures of a judge against people, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.figures.figure import Figure, figure_table
from passer.domain.figures.of_agreement import agreement_figures
from passer.domain.judging.agreement import agreement

COLUMN = "Answer correctness"


def drawn(human: list[float], judge: list[float], numbers: list[int]) -> tuple[Figure, ...]:
    mine, theirs = np.array(human), np.array(judge)
    found = agreement(mine, theirs, [str(number) for number in numbers], labelled=len(human), draws=50)
    return agreement_figures(COLUMN, mine, theirs, numbers, found)


def test_differences_by_means_have_bias_and_limits_of_agreement() -> None:
    # Differences .1, 0, .2: mean .1, standard deviation .1, limits .1 +- .196.
    both, differences = drawn([0.6, 0.2, 0.4], [0.8, 0.3, 0.4], [2, 0, 1])
    assert [(row.x, row.y, row.label) for row in both.series[0].rows] == [
        (0.2, 0.3, "Question 1"),
        (0.4, 0.4, "Question 2"),
        (0.6, 0.8, "Question 3"),
    ]
    # Both axes have the same ends, so that the diagonal is where both agree.
    assert (both.x.domain, both.y.domain, both.has_diagonal) == ((0.2, 0.8), (0.2, 0.8), True)
    rows = differences.series[0].rows
    assert [row.x for row in rows] == pytest.approx([0.25, 0.4, 0.7])
    assert [row.y for row in rows] == pytest.approx([0.1, 0, 0.2])
    assert differences.horizontals == pytest.approx((0.1,))
    assert differences.band == pytest.approx((-0.096, 0.296))
    assert differences.y.domain == pytest.approx((-0.296, 0.296))
    assert "bias, +0.1000; the limits of agreement are \u22120.0960 and +0.2960" in differences.notes[0]


def test_equal_points_are_one_mark_that_counts_answers_and_names_their_questions() -> None:
    # The same question answered by two configurations counts twice and is named once.
    both, differences = drawn([1, 1, 1, 0], [1, 1, 1, 1], [4, 4, 0, 2])
    assert [(row.x, row.y, row.n, row.label) for row in both.series[0].rows] == [
        (0, 1, 1, "Question 3"),
        (1, 1, 3, "Questions 1, 5"),
    ]
    assert [(row.x, row.y, row.n) for row in differences.series[0].rows] == [(0.5, 1, 1), (1, 0, 3)]
    assert all(figure.is_sized for figure in (both, differences))
    table = figure_table(both)
    assert table.columns == ("series", "Question", "People", "Judge", "Answers")
    assert table.rows[1] == ("Rated answers", "Questions 1, 5", 1.0, 1.0, 3)


def test_differences_that_are_equal_but_for_their_last_bits_are_one_mark() -> None:
    assert 0.3 - 0.2 != 0.2 - 0.1
    _, differences = drawn([0.2, 0.2], [0.1 + 0.2, 0.3], [0, 1])
    assert [row.n for row in differences.series[0].rows] == [2]


def test_one_rated_answer_has_no_limits_and_none_has_no_figure() -> None:
    _, differences = drawn([0.5], [0.5], [0])
    assert (differences.band, differences.band_name, differences.horizontals) == (None, "", (0.0,))
    assert differences.y.domain == (-1.0, 1.0)
    assert "need two rated answers" in differences.notes[0]
    assert drawn([], [], []) == ()
