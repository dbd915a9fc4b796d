"""Marks (by recipes) and labels (by people) of one item in one column; equal keys make calibration a join."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field, model_validator

from passer.domain.base import Frozen, younger
from passer.domain.score import MissingReason


class Mark(Frozen):
    """The value that a recipe gives one item in one column: a finite number, or None with a reason."""

    assessment_id: str
    """Id of the assessment that the mark belongs to."""
    item_key: str
    """Content address of the item."""
    column: str
    """Name of the judged metric."""
    repeat: int = Field(default=1, ge=1)
    """Repetition of the judge, counted from 1."""
    value: float | None
    """Finite number; None if there is a reason instead."""
    reason: MissingReason | None = None
    """Reason why there is no value; None if there is one."""
    note: str = ""
    """Remark on the value, such as how many facts were dropped."""
    judgement_keys: tuple[str, ...] = ()
    """Keys of the judgements that the recipe used, in order."""

    @model_validator(mode="after")
    def _value_or_reason(self) -> Mark:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a mark has either a value or a reason")
        return self


class Label(Frozen):
    """The value that a person gives one item in one column."""

    item_key: str
    """Content address of the item."""
    column: str = Field(min_length=1, max_length=100)
    """Name of the judged metric."""
    rater: str = Field(min_length=1, max_length=100)
    """Name of the person who rated the item."""
    revision: int = Field(default=1, ge=1)
    """1 for the first label of a rater, which calibration uses; later ones are corrections."""
    value: float
    """Finite number on the scale of the column."""
    note: str = Field(default="", max_length=2000)
    """Comment of the rater."""
    draw: str | None = Field(default=None, max_length=64)
    """The random draw that chose the item; None if a person chose it."""
    inclusion: float | None = Field(default=None, gt=0, le=1)
    """Probability with which the draw included the item's question."""
    at: datetime
    """Time of the rating, in UTC."""
    imported_by: str | None = younger(None, max_length=100)
    """Account, or user of the command, that imported it from a file in the rater's name; None if the rater gave it."""
