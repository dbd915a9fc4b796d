"""The part of verdict.json that states a judged column: the judge's values, and the judgements that they rest on."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from passer.domain.base import Count, Frozen
from passer.domain.ledger.entry import Digest


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
    model_digest: str
    """Digest of the judge's weights; `unknown` if its server reports none."""
    value: JsonValue
    """The parsed reply; null if there is a reason instead."""
    reason: str | None
    """Why there is no reply that can be used."""


class MarkRecord(Frozen):
    """The judge's value of one answer."""

    value: float | None = Field(ge=0, le=1)
    """Value in the judged column; None if there is a reason instead."""
    reason: str | None
    """Why there is none."""
    judgements: tuple[Count, ...]
    """Positions of the judgements that it follows from."""

    @model_validator(mode="after")
    def _value_or_reason(self) -> Self:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a mark has either a value or a reason")
        return self


class JudgedRunRecord(Frozen):
    """The judge's values of a run."""

    id: str
    """Id of the run."""
    marks: tuple[MarkRecord, ...]
    """One for each question, in order."""


class JudgedRecord(Frozen):
    """The judged column that is the primary metric, with the judgements that it rests on."""

    assessment: str
    """Id of the assessment."""
    judge: str
    """Name of the judge's model."""
    column: str
    """Name of the judged metric."""
    status: Literal["unchecked", "biased"]
    """How far people checked it."""
    runs: tuple[JudgedRunRecord, ...]
    """Runs of the configurations, in order."""
    judgements: tuple[JudgementRecord, ...]
    """Each once."""
