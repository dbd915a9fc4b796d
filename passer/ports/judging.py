"""Stores of judgements, assessments with their marks, labels, and drafts with decisions of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from passer.domain.judging.assessment import Assessment
from passer.domain.judging.draw import LabelDraw
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.marks import Label, Mark
from passer.domain.judging.task import TaskText
from passer.domain.questions.drafting import Decision, Draft, Drafting
from passer.domain.sweeps.budget import Budget, Spent


@dataclass(frozen=True)
class JudgementFact:
    """A judge's reply was read."""

    judgement: Judgement


@dataclass(frozen=True)
class MarkFact:
    """A recipe found a value, or the reason why there is none."""

    mark: Mark


@dataclass(frozen=True)
class SpentFact:
    """An assessment has spent so much in all."""

    assessment_id: str
    spent: Spent


class MarkSum(NamedTuple):
    """The marks of a column."""

    column: str
    marks: int
    valued: int
    """Number of these marks with a value."""
    total: float
    """Sum of their values."""


class JudgementStore(Protocol):
    """Judgements by content, and the assessments that use them; facts are written by `EvaluationStore.record`."""

    def judgements(self, keys: Sequence[str]) -> dict[str, Judgement]:
        """Return the judgements that exist among these keys."""

    def add_assessment(self, assessment: Assessment) -> None:
        """Save a new assessment; ConflictError if its id exists."""

    def assessment(self, assessment_id: str) -> Assessment:
        """Return an assessment. Raises NotFoundError if it does not exist."""

    def assessments(self, sweep_id: str | None = None) -> list[Assessment]:
        """Return the assessments that make marks, of a sweep or all, the newest first."""

    def tunings(self, assessment_id: str) -> list[Assessment]:
        """Return what tunes a task by the labels of an assessment's answers, the newest first."""

    def set_budget(self, assessment_id: str, budget: Budget) -> None:
        """Change the limits of an assessment."""

    def marks(self, assessment_id: str, *, column: str | None = None, item_key: str | None = None) -> list[Mark]:
        """Return the marks of an assessment by item, column and repeat; only those of a column or item if given."""

    def marked(self, assessment_id: str) -> set[tuple[str, str, int]]:
        """Return item key, column and repeat of each mark."""

    def mark_sums(self, assessment_id: str) -> tuple[MarkSum, ...]:
        """Return the counts and the sum of the marks of the first repetition by column, to detect changed marks."""

    def delete_failed_marks(self, assessment_id: str) -> int:
        """Delete the marks whose judge gave no reply, so that it is asked again; returns their number."""


class LabelStore(Protocol):
    """Labels of people, and the random draws that chose what they rate."""

    def add_labels(self, labels: Sequence[Label], *, keep_repeated: bool = False) -> int:
        """Save labels, each as the next revision of its rater's label; returns how many were new.

        A label that repeats the newest revision is skipped, unless `keep_repeated`: a rater who keeps a value after
        seeing the judge's has decided anew.
        """

    def labels(self, item_keys: Sequence[str] | None = None, *, column: str | None = None) -> list[Label]:
        """Return the labels of these items (None: of all), in order of item, column, rater and revision."""

    def rated(self, assessment_id: str) -> dict[str, int]:
        """Return the number of items that an assessment has judged and people have rated, by column.

        A column that is not in it is uncalibrated.
        """

    def add_draw(self, draw: LabelDraw) -> None:
        """Save a random draw; ConflictError if its id exists."""

    def draw(self, draw_id: str) -> LabelDraw:
        """Return a draw. Raises NotFoundError if it does not exist."""

    def draws(self, assessment_id: str) -> list[LabelDraw]:
        """Return the draws of an assessment, the newest first."""

    def reserve(self, queue: str, places: Sequence[str], rater: str, *, ttl_s: float) -> str | None:
        """Keep the first of these places that no other rater has for `ttl_s` seconds, and return it; None if none is.

        A rater has one place of a queue at a time: an earlier one is freed. Of two raters who ask at the same moment,
        each gets a place of their own, also from two processes.
        """

    def reserved(self, queue: str) -> dict[str, str]:
        """Return the reserved places of a queue, each with its rater."""

    def free(self, queue: str, place: str, rater: str) -> None:
        """End a reservation; no effect if the rater has not reserved this place."""


@dataclass(frozen=True)
class DraftFact:
    """A draft was made."""

    assessment_id: str
    draft: Draft


class DraftStore(Protocol):
    """Drafts by assessment; they are written by `EvaluationStore.record`, in the order of their windows."""

    def draftings(self) -> list[Assessment]:
        """Return the assessments that draft questions, the newest first."""

    def set_drafting(self, assessment_id: str, drafting: Drafting, tasks: Sequence[TaskText]) -> None:
        """Change how many questions a drafting wants, or whether it wants answers; `tasks` are those of its models."""

    def drafts(self, assessment_id: str) -> list[Draft]:
        """Return the drafts of an assessment in order of window, model and question."""

    def delete_drafts(self, assessment_id: str, *, place: int) -> int:
        """Delete the drafts from this place on; decisions about them stay. Returns their number."""

    def decisions(self, assessment_id: str) -> list[Decision]:
        """Return all decisions of people about drafts of an assessment, by key and revision."""

    def add_decision(self, assessment_id: str, decision: Decision) -> None:
        """Save a decision; ConflictError if one of its revision exists."""
