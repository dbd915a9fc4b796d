"""The table by question, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.analysis.question_table import QuestionTable
from passer.domain.analysis.score_rows import Configuration, ScoreRows
from passer.domain.score import VECTOR_ORDER, Score, ScoreTable

NAN = np.nan


def table(*rows: tuple[int, str, float, float]) -> QuestionTable:
    """From (configuration, question, CPS, METEOR); the first configuration is the baseline of the others."""
    places = [place for place, *_ in rows]
    return QuestionTable.averaged(
        [question for _, question, *_ in rows],
        np.array(places, dtype=np.intp),
        np.array([values for *_, values in ((place, question, [one, two]) for place, question, one, two in rows)]),
        configurations=[
            Configuration(f"c{place}", "m", "m", (), baseline=0 if place else None) for place in sorted({*places})
        ],
        metrics=("CPS", "METEOR"),
    )


THREE = table(
    (0, "b", 1.0, 10.0), (0, "a", 2.0, 20.0), (0, "b", 3.0, NAN),
    (1, "a", 5.0, NAN), (1, "c", 7.0, 1.0),
    (2, "c", 0.5, 2.0), (2, "b", 1.5, 4.0), (2, "a", 9.0, 6.0),
)  # fmt: skip


def test_repetitions_are_averaged_and_a_missing_value_is_left_out_of_its_mean() -> None:
    assert THREE.ids == ("b", "a", "c")
    assert THREE.column(0).tolist() == [2.0, 2.0]
    assert THREE.column(0, 1).tolist() == [10.0, 20.0]
    assert THREE.column(1, 1).tolist() == [1.0]
    assert THREE.repeats[THREE.cells(0)].tolist() == [2, 1]
    assert [THREE.size(place) for place in range(3)] == [2, 2, 3]


def test_noise_is_the_spread_over_repetitions() -> None:
    # b deviates by -1 and +1 from its mean 2; three rows of two questions leave one degree of freedom.
    assert THREE.within_sd(0) == pytest.approx(2**0.5)
    assert THREE.within_sd(1) is None


def test_pairs_are_made_by_question_and_what_is_left_out_is_counted() -> None:
    pairs = THREE.pairs(1, 0)
    assert [THREE.ids[place] for place in pairs.questions] == ["a"]
    assert (pairs.values.tolist(), pairs.baseline.tolist(), pairs.differences.tolist()) == ([5.0], [2.0], [3.0])
    assert (pairs.only_here, pairs.only_baseline) == (1, 1)
    assert THREE.pairs(1, 0, 1).values.size == 0, "METEOR of question a is missing here"


def test_gains_of_several_comparisons_are_laid_side_by_side() -> None:
    assert THREE.comparisons == ((1, 0), (2, 0))
    np.testing.assert_array_equal(THREE.gains(THREE.comparisons), [[NAN, -0.5], [3.0, 7.0], [NAN, NAN]])
    assert THREE.gains([]).shape == (3, 0)


def test_complete_questions_are_those_that_all_have() -> None:
    assert THREE.complete([0, 2])[:, :, 0].tolist() == [[2.0, 2.0], [1.5, 9.0]]
    assert THREE.complete([0, 1, 2]).shape == (3, 1, 2)


def test_no_rows_average_to_nothing() -> None:
    empty = QuestionTable.averaged(
        [], np.zeros(0, dtype=np.intp), np.zeros((0, 2)), configurations=[], metrics=("CPS",)
    )
    assert (empty.ids, empty.comparisons) == ((), ())


def score_rows(*heights: float) -> ScoreRows:
    rows = [{column: Score(value=height) for column in VECTOR_ORDER} for height in heights]
    ids = [f"q{place}" for place in range(len(heights))]
    configurations = [Configuration("base", "m", "m", ("r1",)), Configuration("other", "m", "m", ("r2",), baseline=0)]
    return ScoreRows.stacked([(0, ScoreTable.of(ids, rows)), (1, ScoreTable.of(ids[1:], rows[1:]))], configurations)


def test_two_studies_beside_each_other_share_no_question_and_keep_their_own_baselines() -> None:
    both = score_rows(0.1, 0.2).beside(score_rows(0.3, 0.4, 0.5))
    assert [item.baseline for item in both.configurations] == [None, 0, None, 2]
    assert both.places.tolist() == [0, 0, 1, 2, 2, 2, 3, 3]
    assert len(set(both.table.ids)) == 5
    assert QuestionTable.of_scores(both).pairs(3, 2).values.tolist() == [0.4, 0.5]
