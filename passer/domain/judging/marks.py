"""Marks (by recipes) and labels (by people) of one item in one column, and the values that people choose from."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field, model_validator

from passer.domain.base import Frozen, added_field
from passer.domain.failures.judged_labels import COLUMNS, INCOMPLETE_COLUMN
from passer.domain.score import MissingReason, value_or_reason

Scale = tuple[tuple[float, str], ...]
"""Values in [0, 1], ascending, each with the code of its meaning."""
_DECISION: Scale = ((0.0, "no"), (1.0, "yes"))
_ASPECT: Scale = ((0.0, "no"), (0.5, "partly"), (1.0, "yes"))
_GRADE: Scale = ((0.0, "wrong"), (0.3, "little"), (0.5, "partly-right"), (0.7, "nearly-right"), (1.0, "complete"))
"""The anchors that the judge's instruction of Answer correctness describes."""
_SHARE: Scale = ((0.0, "none"), (0.25, "quarter"), (0.5, "half"), (0.75, "three-quarters"), (1.0, "all"))
SCALES: Mapping[str, Scale] = {
    "Answer correctness": _GRADE,
    "Answer correctness (weighted)": _GRADE,
    **dict.fromkeys(("Answerability", "Answer attempted", *COLUMNS.values(), INCOMPLETE_COLUMN), _DECISION),
    **dict.fromkeys(("Stand-alone question", "Relevance", "Accuracy", "Completeness", "Precision"), _ASPECT),
}
"""Levels of the columns that are no shares."""


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

    _value_or_reason = model_validator(mode="after")(value_or_reason)


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
    imported_by: str | None = added_field(None, max_length=100)
    """Account, or user of the command, that imported it from a file in the rater's name; None if the rater gave it."""


def scale_of(column: str) -> Scale:
    """Return the levels of a judged column; shares have five."""
    return SCALES.get(column, _SHARE)
