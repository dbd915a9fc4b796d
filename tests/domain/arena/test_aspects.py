"""Grades of people in aspects: figures by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from passer.domain.arena.aspects import ASPECTS, AspectGrades, GradedAnswer, JudgedAspect, aspect_figures
from passer.metrics.judged.aspects import MEMBERS

RUNS = ("r1", "r2")
EVERY = [GradedAnswer(run, f"q{n}", f"{run}{n}") for n in range(5) for run in RUNS]
ANSWERS = EVERY[:8]
"""Those of the drawn games: all but the fifth question."""


def grades(first: list[int], second: list[int]) -> dict[str, float]:
    """Grades of r1 and r2 question by question, as they are stored."""
    return {
        f"{run}{n}": grade / 2 for run, own in zip(RUNS, (first, second), strict=True) for n, grade in enumerate(own)
    }


def test_aspects_are_the_judged_metrics_of_the_same_names() -> None:
    assert tuple(MEMBERS) == ASPECTS


def test_systems_raters_and_judges_by_hand() -> None:
    ana, ben = grades([2, 2, 1, 2], [1, 0, 1, 0]), grades([2, 2, 1, 2], [1, 0, 0, 0])
    judge = grades([2, 1, 1, 2, 1], [1, 0, 1, 0, 0])
    same = {rater: dict.fromkeys(ana, 0.5) for rater in ("ana", "ben")}
    complete = AspectGrades(
        "Completeness", {"ana": ana, "ben": ben}, {"ana": {"r10": 1.0, "r20": 0.0}}, [JudgedAspect("a", "j", judge)]
    )
    [found, equal] = aspect_figures([complete, AspectGrades("Precision", same, {}, [])], RUNS, ANSWERS, EVERY)
    assert (found.answers, found.repeated, found.consistent) == (8, 2, 1)
    [pair] = found.raters
    assert (pair.answers, pair.same) == (8, 7)
    # Weighted disagreement 1/4 of 8 pairs; by chance the grades 0 to 2 (2, 3, 3 and 3, 2, 3 of 8) disagree 88/256.
    assert pair.kappa == pytest.approx(1 - (0.25 / 8) / (88 / 256))
    assert [(each.questions, each.mean) for each in found.systems] == [(4, 0.875), (4, pytest.approx(0.1875))]
    [own] = found.judges
    assert own.agreement is not None
    # The judge is lower by .5 in one answer and higher by .25 in another.
    assert own.agreement.limits.bias == pytest.approx(-0.25 / 8)
    assert own.ceiling is not None
    # Of all five questions, differences .5, .5, 0, 1, .5: mean .5, s sqrt(.125), t .5 sqrt(5) / s.
    [judged] = own.tests
    assert (judged.test.mean_difference, judged.test.t) == (0.5, pytest.approx(sqrt(10)))
    assert judged.p_holm == judged.test.p, "the judge graded one aspect"
    [test] = found.tests
    # Differences .5, 1, .25, 1: mean .6875, s .375, t 3.6667 with 3 degrees of freedom.
    assert test.test.mean_difference == pytest.approx(0.6875)
    assert test.test.t == pytest.approx(0.6875 / (0.375 / 2))
    assert test.flip_p == pytest.approx(2 / 16, abs=0.02)
    # Equal grades have no p, but belong to the family of two.
    assert test.test.p is not None
    assert test.p_holm == pytest.approx(2 * test.test.p)
    assert [(each.test.p, each.flip_p, each.p_holm) for each in equal.tests] == [(None, None, None)]


def test_nothing_graded_yet() -> None:
    [found] = aspect_figures([AspectGrades("Accuracy", {}, {}, [JudgedAspect("a", "j", {})])], RUNS, ANSWERS, EVERY)
    assert (found.answers, found.raters, found.tests, found.consistent_interval) == (0, (), (), None)
    assert [each.mean for each in found.systems] == [None, None]
    assert found.judges[0].agreement is None
