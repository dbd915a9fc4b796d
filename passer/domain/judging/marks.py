"""What a recipe and what a person says of one item in one column; both have the same key, so calibration is a join."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field, model_validator

from passer.domain.base import Frozen
from passer.domain.score import MissingReason


class Mark(Frozen):
    """What a recipe says of one item in one column: a finite number, or None with a reason."""

    assessment_id: str
    """The assessment that made it."""
    item_key: str
    """Key of the item."""
    column: str
    """Name of the metric."""
    repeat: int = Field(default=1, ge=1)
    """Repetition of the judge, from 1."""
    value: float | None
    """Finite, or None."""
    reason: MissingReason | None = None
    """Why there is no value; None if there is one."""
    note: str = ""
    """What to know of the value."""
    judgement_keys: tuple[str, ...] = ()
    """Judgements that the recipe used, in order."""

    @model_validator(mode="after")
    def _value_or_reason(self) -> Mark:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a mark has either a value or a reason")
        return self


class Label(Frozen):
    """What a person says of one item in one column."""

    item_key: str
    """Key of the item."""
    column: str = Field(min_length=1, max_length=100)
    """Name of the metric."""
    rater: str = Field(min_length=1, max_length=100)
    """Who says it."""
    revision: int = Field(default=1, ge=1)
    """1 for the first label of a rater, which calibration uses; later ones are corrections."""
    value: float
    """Finite."""
    note: str = Field(default="", max_length=2000)
    """Why."""
    draw: str | None = Field(default=None, max_length=64)
    """The random draw that chose the item; None if a person chose it."""
    inclusion: float | None = Field(default=None, gt=0, le=1)
    """Probability with which the draw included the item's question."""
    at: datetime
    """UTC."""
