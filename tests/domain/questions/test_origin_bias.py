"""The matrix of who wrote questions by who answered them, on numbers made by hand."""

from __future__ import annotations

import pytest

from passer.domain.judging.judgement import NamedJudge
from passer.domain.questions.origin_bias import OriginValue, origin_matrix


def values(of: dict[tuple[str, str], list[float]], *, datasets: int = 1) -> list[OriginValue]:
    """Values by origin and model; each origin's questions are spread over so many datasets."""
    return [
        OriginValue(dataset=f"{origin}-{n % datasets}", origin=origin, model=model, question=f"q{n}", value=value)
        for (origin, model), several in of.items()
        for n, value in enumerate(several)
    ]


def two_by_two(*, row: float = 0.0, own: float = 0.0) -> dict[tuple[str, str], list[float]]:
    """Means of .5; the questions of A are easier by `row`, and each model gains `own` on its own questions."""
    spread = (-0.02, -0.01, 0.01, 0.02)
    return {
        (origin, model): [0.5 + row * (origin == "A") + own * (origin == model) + each for each in spread]
        for origin in "AB"
        for model in "AB"
    }


def test_a_pure_row_effect_is_no_interaction() -> None:
    found = origin_matrix(values(two_by_two(row=0.2)), metric="Faithfulness")
    assert [each.mean for each in found.cells] == pytest.approx([0.7, 0.7, 0.5, 0.5])
    assert [each.interaction for each in found.cells] == pytest.approx([0, 0, 0, 0])
    assert [each.is_own for each in found.cells] == [True, False, False, True]
    assert str(found.notes[0]).startswith("Datasets differ in difficulty")


def test_an_own_bonus_is_an_effect_and_half_of_it_an_interaction() -> None:
    found = origin_matrix(values(two_by_two(own=0.1)), metric="Faithfulness")
    assert [each.interaction for each in found.cells] == pytest.approx([0.05, -0.05, -0.05, 0.05])
    assert [each.difference for each in found.effects] == pytest.approx([0.1, 0.1])
    assert {each.method for each in found.effects} == {"bootstrap"}
    for each in found.effects:
        assert each.low is not None
        assert each.high is not None
        assert 0 < each.low < 0.1 < each.high
        # No resample is as far from the difference as 0 is; Holm doubles the smaller p of two.
        assert (each.p, each.p_adjusted) == pytest.approx((1 / 2001, 2 / 2001))


def test_origins_are_permuted_over_datasets_where_each_has_two() -> None:
    found = origin_matrix(values(two_by_two(own=0.1), datasets=2), metric="Faithfulness")
    (first, _) = found.effects
    # Of the six choices of two among four datasets, the stated one and its opposite are the most extreme.
    assert (first.method, first.low, first.high) == ("permutation", None, None)
    assert first.p == pytest.approx(2 / 6)
    assert first.difference == pytest.approx(0.1)


def test_people_alone_and_an_empty_cell_have_no_effect() -> None:
    own = values({("people", "A"): [0.5, 0.7], ("B", "B"): [0.5]})
    found = origin_matrix(own, metric="METEOR", judge=NamedJudge("B", 0))
    assert (found.effects, [each.n for each in found.cells]) == ((), [2, 0, 0, 1])
    assert {each.interaction for each in found.cells} == {None}
    assert (found.cells[3].mean, found.cells[3].low) == (0.5, None)
    assert (found.judge, len(found.notes)) == ("B", 4)
    assert "Judged by B (uncalibrated)." in found.notes


def test_answers_to_one_question_under_several_configurations_count_once() -> None:
    several = [OriginValue(dataset="D", origin="A", model="M", question="q", value=each) for each in (0.2, 0.4)]
    (cell,) = origin_matrix(several, metric="METEOR").cells
    assert (cell.n, cell.mean) == (1, pytest.approx(0.3))


def test_drawn_assignments_never_give_a_p_of_zero() -> None:
    # 3,432 assignments of 7 of 14 datasets are drawn from, not all tried: the stated one counts as one of the draws.
    given = {("A", "A"): [1.0] * 7, ("B", "A"): [0.0] * 7}
    [effect] = origin_matrix(values(given, datasets=7), metric="Faithfulness").effects
    assert effect.method == "permutation"
    assert 1 / 2001 <= effect.p < 0.01
