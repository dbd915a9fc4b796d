"""Figures of pairs, worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from passer.domain.analysis.question_matrix import QuestionMatrix
from passer.domain.dataset import Question
from passer.domain.figures.of_pairs import MOST, differences_figure, pairs_figure
from passer.domain.statistics import Interval
from passer.services.analysis.question_matrix import matrix_of
from tests.services.analysis.matrix_rows import FOUR, matrix_run, matrix_runs

IDS = [question.id for question in FOUR]


@pytest.fixture(name="matrix", scope="module")
def _matrix() -> QuestionMatrix:
    return matrix_of(matrix_runs(), FOUR, metric="METEOR")


def test_a_configuration_is_drawn_against_its_baseline_by_cause(matrix: QuestionMatrix) -> None:
    lost, other = pairs_figure(matrix, 2, IDS).series
    # Baseline 0 .5 .8, here .3 1 .2; the fourth question failed here and has no pair.
    assert [(row.x, row.y, row.label) for row in lost.rows] == [(0.8, 0.2, "Question q2")]
    assert [(row.x, row.y) for row in other.rows] == [(0.0, 0.3), (0.5, 1.0)]
    assert pairs_figure(matrix, 2, IDS).has_diagonal
    # Gains of .3, .5 and -.6: .2 over three questions.
    assert "Mean difference: +0.0667." in pairs_figure(matrix, 2, IDS).notes[0]
    abstained = pairs_figure(matrix, 1, IDS).series[0]
    assert [(row.label, abstained.name) for row in abstained.rows] == [("Question q3", "Abstained")]


def test_without_a_pair_there_is_no_mean_difference(matrix: QuestionMatrix) -> None:
    scores = matrix.scores.copy()
    scores[:, 2] = np.nan
    nothing = replace(matrix, scores=scores)
    for figure in (pairs_figure(nothing, 2, IDS), differences_figure(nothing, 2)):
        assert (figure.series, figure.notes) == ((), ("No question has a score with both configurations.",))


def test_causes_and_questions_of_equal_scores_in_the_figure_of_pairs(matrix: QuestionMatrix) -> None:
    """By hand: six questions; the lower quartile of 0, .1, .1, .2, .5, .5 and six times .8 is .175."""
    base = np.full(6, 0.8)
    here = np.array([0.5, 0.2, 0.1, 0.0, 0.5, 0.1])
    kept = np.array([[1, 0], [0, 0], [1, 1], [1, 1], [1, 1], [1, 1]], dtype=np.int8)
    states = np.zeros((6, 2), dtype=np.uint8)
    states[3, 1] = 1
    columns = (matrix.columns[0], matrix.columns[1].model_copy(update={"baseline": 0}))
    scores = np.stack([base, here], axis=1)
    figure = pairs_figure(
        replace(matrix, columns=columns, scores=scores, kept=scores.astype(np.int32), states=states, gold_kept=kept),
        1,
        ["a-1", "a-2", "b-1", "b-2", "c-1", "c-2"],
    )
    assert [(series.name, [(row.label, row.y, row.n) for row in series.rows]) for series in figure.series] == [
        ("Gold passage lost", [("Question a-1", 0.5, 1)]),
        ("No gold passage kept, as with the baseline", [("Question a-2", 0.2, 1)]),
        ("Abstained", [("Question b-2", 0.0, 1)]),
        ("Gold passage kept, low score", [("Questions b-1, c-2", 0.1, 2)]),
        ("Other questions", [("Question c-1", 0.5, 1)]),
    ]
    assert figure.is_sized
    assert "below 0.1750, the lower quartile" in figure.notes[1]


def test_differences_are_the_margin_of_the_pairs(matrix: QuestionMatrix) -> None:
    figure = differences_figure(matrix, 2, Interval(low=-0.2, high=0.3))
    # Gains of .3, .5 and -.6 span 1.1: 40 bins of .02 would be too few, of .05 are 22.
    drawn = [(row.x, row.n) for row in figure.series[0].rows if row.n]
    assert drawn == [(pytest.approx(-0.575, abs=0.051), 1), (pytest.approx(0.325, abs=0.051), 1), (0.525, 1)]
    assert sum(row.y for row in figure.series[0].rows) == pytest.approx(100)
    assert figure.verticals == pytest.approx((-0.2, 0, 0.2 / 3, 0.3))
    assert "mean difference of +0.0667, and its simultaneous interval from \u22120.2000 to +0.3000" in figure.notes[0]
    assert differences_figure(matrix, 2).verticals == pytest.approx((0, 0.2 / 3))
    # Of CPS in points, as in the table and the figure beside it.
    cps = differences_figure(replace(matrix, metric="CPS"), 2, Interval(low=-0.2, high=0.3))
    assert "+6.67 points, and its simultaneous interval from \u221220.00 to +30.00" in cps.notes[0]


def test_of_many_questions_an_even_part_is_drawn_and_all_are_counted() -> None:
    n = 2 * MOST + 1
    heights = [number / n for number in range(n)]
    runs = [matrix_run("base", heights), matrix_run("low", heights, threshold=0.3)]
    asked = [Question(id=f"q{number}", text="?", reference="") for number in range(n)]
    figure = pairs_figure(matrix_of(runs, asked, metric="METEOR"), 1, [question.id for question in asked])
    drawn = [row for series in figure.series for row in series.rows]
    # Every third one, so that no more than MOST remain.
    assert [row.label for row in drawn[:2]] == ["Question q0", "Question q3"]
    assert len(drawn) == -(-n // 3) <= MOST
    assert figure.notes[0].startswith("4\u202f001 questions with a score in both, 2\u202f667 of them not drawn. ")
