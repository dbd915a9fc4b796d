"""Random draws of questions for people to rate, with the probability of every question to be drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen

FEWEST_APART = 10
"""Fewest questions on which verdicts differ (and agree) for a draw in two strata."""
MOST_OF_A_STRATUM = 0.8
"""Largest share of a stratum that is drawn, so that some of it stays unlabelled and its weight is defined."""


class DrawnQuestion(Frozen):
    """A question that a draw chose."""

    number: int = Field(ge=0)
    """Place of the question in the dataset, counted from 0."""
    inclusion: float = Field(gt=0, le=1)
    """Probability with which the draw includes the question."""


class LabelDraw(Frozen):
    """A random draw of questions; all answers of the chosen runs to them are rated."""

    id: str
    """Unique id."""
    assessment_id: str
    """Id of the assessment whose judge the labels calibrate."""
    runs: tuple[str, ...]
    """Ids of the runs whose answers are rated."""
    column: str
    """Name of the judged metric that people rate."""
    seed: int
    """Seed of the draw, and of the order in which answers are shown."""
    questions: tuple[DrawnQuestion, ...]
    """Drawn questions in the order of the dataset."""
    others: tuple[DrawnQuestion, ...]
    """Questions that were not drawn, with the probability that they would have been."""
    raters: int | None = Field(default=None, ge=1, le=20)
    """Number of people who rate each answer; None: every rater rates every answer."""
    created_at: datetime
    """Time of the draw, in UTC."""


def draw_questions(
    numbers: Sequence[int], apart: Collection[int], *, count: int, seed: int
) -> tuple[tuple[DrawnQuestion, ...], tuple[DrawnQuestion, ...]]:
    """Return `count` questions drawn without replacement, and the others, both with their probability.

    Half of them come from `apart`, the questions on which the judge's verdicts differ between configurations, because
    only those decide between configurations; both strata need 10 questions, else all questions are one stratum. All
    questions are drawn where `count` is at least their number.
    """
    if count >= len(numbers):
        return tuple(DrawnQuestion(number=number, inclusion=1.0) for number in numbers), ()
    return _drawn(_strata(numbers, apart, count), seed)


def draw_of_groups(
    groups: Mapping[str, Sequence[int]], *, count: int, seed: int
) -> tuple[tuple[DrawnQuestion, ...], tuple[DrawnQuestion, ...]]:
    """Return `count` questions of each group drawn without replacement, and the others, both with their probability.

    A group with fewer questions gives all of them.
    """
    return _drawn([(groups[name], min(count, len(groups[name]))) for name in sorted(groups)], seed)


def is_simple(questions: Sequence[DrawnQuestion]) -> bool:
    """Return whether all questions had the same probability to be drawn."""
    return len({question.inclusion for question in questions}) <= 1


def _drawn(
    strata: Iterable[tuple[Sequence[int], int]], seed: int
) -> tuple[tuple[DrawnQuestion, ...], tuple[DrawnQuestion, ...]]:
    generator = np.random.default_rng(seed)
    drawn: list[DrawnQuestion] = []
    others: list[DrawnQuestion] = []
    for stratum, size in strata:
        chosen = set(generator.choice(len(stratum), size=size, replace=False).tolist())
        for place, number in enumerate(stratum):
            question = DrawnQuestion(number=number, inclusion=size / len(stratum))
            (drawn if place in chosen else others).append(question)
    return tuple(sorted(drawn, key=_number)), tuple(sorted(others, key=_number))


def _strata(numbers: Sequence[int], apart: Collection[int], count: int) -> list[tuple[list[int], int]]:
    differ = [number for number in numbers if number in apart]
    same = [number for number in numbers if number not in apart]
    if min(len(differ), len(same)) < FEWEST_APART:
        return [(list(numbers), count)]
    most, most_same = (int(MOST_OF_A_STRATUM * len(stratum)) for stratum in (differ, same))
    of_differ = min(most, max(count // 2, count - most_same))
    of_same = min(most_same, count - of_differ)
    return [(differ, of_differ), (same, of_same)] if of_differ and of_same else [(list(numbers), count)]


def _number(question: DrawnQuestion) -> int:
    return question.number
