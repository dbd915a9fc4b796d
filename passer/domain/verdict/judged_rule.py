"""The rule of a verdict on a judged column: the judge's values, corrected by people's labels where there are any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from passer.domain.base import Count, Frozen
from passer.domain.score import Score
from passer.domain.wording.sentence import LocalizedText

JudgeStatus = Literal["waiting", "unchecked", "corrected", "biased"]
"""Extent to which a judge may decide.

waiting: it has not judged all answers yet, so it decides nothing. unchecked: no ratings by people that correct the
gains, so the judge's values alone decide and every sentence says so. corrected: labels correct every gain, and the
corrected gain is the gain. biased: labels show that the judge's bias differs between configurations, and are too
few to correct the gains: it decides nothing.
"""


class JudgedBy(Frozen):
    """The judge whose column is the primary metric."""

    assessment: str
    """Id of the assessment; empty while there is none."""
    judge: str
    """Name of the judge's model."""
    status: JudgeStatus
    """Status of the judge."""


class JudgeBasis(Frozen):
    """The judge of a verdict, in words."""

    assessment: str
    """Id of the assessment; empty while there is none."""
    judge: str
    """Name of the judge's model."""
    column: str
    """Name of the judged column."""
    status: JudgeStatus
    """Status of the judge."""
    labelled: Count
    """Questions with ratings by people that correct the gains; 0 unless `corrected`."""
    judged: Count
    """Answers of the compared runs that have a judged value."""
    answers: Count
    """Answers of the compared runs."""
    heading: LocalizedText
    """The kind of verdict with the judge's name and how far it was checked."""
    line: LocalizedText
    """Contribution of the judge and the labels, in one or two sentences."""


@dataclass(frozen=True)
class DrawnLabels:
    """Labels of one random draw that cover every compared run."""

    ratings: Mapping[str, Mapping[str, Mapping[str, float]]]
    """First labels of the drawn answers, by run, question id and rater."""
    drawn: Mapping[str, float]
    """Probability with which each drawn question was included, by id."""
    others: Mapping[str, float]
    """The same for the questions of the draw's population that were not drawn."""
    seed: int
    """Seed of the draw."""

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, float]]:
        """Return the mean of the raters' labels, by run and question id."""
        return {
            run: {question: sum(given.values()) / len(given) for question, given in own.items()}
            for run, own in self.ratings.items()
        }


@dataclass(frozen=True)
class JudgedColumn:
    """A judged column of the runs of a sweep, as the primary metric of its verdict."""

    by: JudgedBy
    """The judge, and how far it may decide."""
    column: str
    """Name of the judged metric."""
    scores: Mapping[str, Mapping[str, Score]]
    """Value or reason of each answer, by run and question id."""
    labels: DrawnLabels | None
    """Labels that correct the gains; None unless the status is `corrected`."""
    judgement_keys: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Keys of the judgements that each value follows from, by run and question id."""
    is_recorded: bool = False
    """True if column and judge were recorded before the sweep ran; a verdict by any other column is exploratory."""
