"""The part of verdict.json that states a judged column: the judge's values, and the replies that they follow from."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from passer.domain.base import Count, Frozen, added_field
from passer.domain.judging.task import TaskText
from passer.domain.ledger.entry import Digest
from passer.domain.score import MissingReason, value_or_reason


class JudgementRecord(Frozen):
    """A reply of the judge."""

    key: Digest
    """Content address: task, texts, judge and repetition."""
    task: str
    """Name of the task."""
    task_digest: Digest
    """Digest of the task's instruction, schema and examples."""
    given_digest: Digest
    """Digest of the texts that the judge read."""
    prompt_digest: Digest | None = added_field(None)
    """Digest of the messages as they were sent first; not before version 6."""
    reply_digest: Digest | None = added_field(None)
    """SHA-256 of the last reply as the server sent it; left out before version 6, and where there was no reply."""
    model_digest: str
    """Digest of the judge's weights; `unknown` if its server reports none."""
    value: JsonValue
    """The parsed reply; null if there is a reason instead."""
    reason: str | None
    """Reason why there is no usable reply."""


class MarkRecord(Frozen):
    """The judge's value of one answer."""

    value: float | None = Field(ge=0, le=1)
    """Value in the judged column; None if there is a reason instead."""
    reason: MissingReason | None
    """Reason why it is missing."""
    judgements: tuple[Count, ...]
    """Positions of the judgements that it follows from."""

    _value_or_reason = model_validator(mode="after")(value_or_reason)


class JudgedRunRecord(Frozen):
    """The judge's values of a run."""

    id: str
    """Id of the run."""
    marks: tuple[MarkRecord, ...]
    """One for each question, in order."""


class InclusionRecord(Frozen):
    """A question of the population that a draw was made from."""

    question: Count
    """Position of the question."""
    inclusion: float = Field(ge=0, le=1)
    """Probability with which the draw chose it."""


class RatingRecord(Frozen):
    """The first value that a person gave an answer, before the judge's value was shown."""

    question: Count
    """Position of the question."""
    rater: Count
    """Number of the person, from 0 in the order of their first rating; names are not published."""
    value: float = Field(ge=0, le=1)
    """Value in the judged column."""


class RatedRunRecord(Frozen):
    """The ratings of a run's answers."""

    id: str
    """Id of the run."""
    ratings: tuple[RatingRecord, ...]
    """Ordered by question, then rater."""


class RatedMeanRecord(Frozen):
    """Mean of a configuration that ratings correct."""

    value: float | None
    """Mean by the estimator of the gains; None with fewer than 20 ratings."""
    standard_error: float | None
    """Standard error by cluster; None without a value, or with ratings of one cluster alone."""
    rated: Count
    """Number of rated questions."""
    others: Count
    """Number of judged questions that were not drawn."""


class RatingsRecord(Frozen):
    """Ratings of people that correct the gains, and the random draw that chose what they rated."""

    seed: Count
    """Seed of the draw; the folds in which the judge's weight is estimated follow from it."""
    drawn: tuple[InclusionRecord, ...]
    """Drawn questions, in order."""
    others: tuple[InclusionRecord, ...]
    """Questions that were not drawn, in order."""
    runs: tuple[RatedRunRecord, ...]
    """Runs of the configurations, in order."""
    means: tuple[RatedMeanRecord, ...]
    """Corrected mean of each configuration, in order."""


class JudgedRecord(Frozen):
    """The judged column that is the primary metric, with its judgements."""

    assessment: str
    """Id of the assessment."""
    judge: str
    """Name of the judge's model."""
    column: str
    """Name of the judged metric."""
    status: Literal["unchecked", "biased", "corrected"]
    """Status of the judge, by how people checked it."""
    questions: tuple[str, ...] = added_field(())
    """Ids of all questions that were asked, in the order of the marks. Before version 6 there is none, and the marks
    are those of the verdict's questions."""
    tasks: tuple[TaskText, ...] = added_field(())
    """The judge's tasks as they were asked; not before version 6."""
    runs: tuple[JudgedRunRecord, ...]
    """Runs of the configurations, in order."""
    judgements: tuple[JudgementRecord, ...]
    """Each once; since version 6 in the order of their first use."""
    ratings: RatingsRecord | None = added_field(None)
    """Correction of the gains; only with the status `corrected`, and not before version 7."""

    @property
    def is_whole(self) -> bool:
        """Return whether it states all questions, tasks and digests, as since version 6."""
        return bool(self.questions)

    @model_validator(mode="after")
    def _whole_or_old(self) -> Self:
        stated = [each.prompt_digest is not None for each in self.judgements]
        replied = any(each.reply_digest is not None for each in self.judgements)
        if not all(stated) if self.is_whole else any(stated) or replied or self.tasks:
            raise ValueError("questions, tasks and digests of prompts are stated together, or not at all")
        return self

    @model_validator(mode="after")
    def _corrected_by_ratings(self) -> Self:
        if (self.status == "corrected") != (self.ratings is not None) or (self.ratings and not self.is_whole):
            raise ValueError("ratings are stated exactly where they correct the gains, with all questions")
        return self
