"""Criteria that a person writes for their field; a judge decides for each whether an answer meets it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from passer.domain.base import Frozen, digest_of

CRITERIA = "Criteria"
"""Name of the judged metric; a column has the digest of its criteria as well."""
MOST = 8
"""Most criteria of one assessment: with more, small judges lose count."""
_WEIGHTED = re.compile(r"(\d+(?:\.\d+)?)\s*:\s+(.+)", re.DOTALL)
Verdict = Literal["yes", "no", "does not apply"]


class Criterion(Frozen):
    """A statement about an answer that is true, false, or does not apply."""

    text: str = Field(min_length=1, max_length=300, pattern=r"\S")
    """The statement, such as `Names the article of the law`."""
    weight: float = Field(default=1.0, gt=0, le=1000)
    """Weight; only ratios matter."""


def _read(given: object) -> object:
    """Return a criterion that is given as text as an object; `2: TEXT` has the weight 2."""
    if not isinstance(given, str):
        return given
    found = _WEIGHTED.fullmatch(given.strip())
    return {"text": given.strip()} if found is None else {"text": found[2].strip(), "weight": float(found[1])}


GivenCriterion = Annotated[Criterion, BeforeValidator(_read, json_schema_input_type=Criterion | str)]
"""A criterion as it is given over HTTP: an object, or text such as `2: Names the article of the law`."""


def column_of(criteria: Sequence[Criterion]) -> str:
    """Return the name of the column of these criteria: labels and marks of others never meet under it."""
    return f"{CRITERIA} {digest_of([each.model_dump(mode='json') for each in criteria])[:8]}"


def is_criteria(column: str) -> bool:
    """Return whether a column is that of criteria."""
    return column == CRITERIA or re.fullmatch(rf"{CRITERIA} [0-9a-f]{{8}}", column) is not None


def listed(criteria: Sequence[Criterion]) -> str:
    """Return criteria as one numbered text, `(1) Names the article (2) Is polite`; empty without any."""
    return " ".join(f"({number}) {each.text}" for number, each in enumerate(criteria, start=1))


def share_met(criteria: Sequence[Criterion], verdicts: Sequence[Verdict]) -> float | None:
    """Return sum of weights of `yes` / sum of weights of `yes` and `no`; None if no criterion applies."""
    weights = {"yes": 0.0, "no": 0.0, "does not apply": 0.0}
    for each, verdict in zip(criteria, verdicts, strict=True):
        weights[verdict] += each.weight
    applied = weights["yes"] + weights["no"]
    return weights["yes"] / applied if applied else None
