"""One question to a judge: the task that it belongs to, and the texts that it is about."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from passer.domain.base import Frozen

Given = dict[str, str | int | list[str]]
"""Texts, numbers and numbered lists of texts by the name under which the judge reads them, in order."""
REFERENCES = "references"
"""Member of an ask with several right answers; one is `reference`, so that stored judgements are reused."""


def references_given(references: Sequence[str]) -> Given:
    """Return right answers as a judge is given them; there must be at least one."""
    return {"reference": references[0]} if len(references) == 1 else {REFERENCES: list(references)}


class Ask(Frozen):
    """One question to a judge."""

    task: str
    """Name of the task that the ask belongs to."""
    given: Given
    """The texts, numbers and lists that the judge reads, by name."""
    lengths: dict[str, int] = Field(default_factory=dict)
    """Members of the reply that must be lists of exactly this length; checked by code, not by the schema."""
    sample: int = Field(default=0, ge=0)
    """Number among several samples of the same ask; each is drawn with a seed of its own."""


class Embed(Frozen):
    """Texts whose vectors are needed: float32 of shape (len(texts), dimension), L2-normalised."""

    texts: tuple[str, ...]
    """Texts in order; none of them is empty."""
