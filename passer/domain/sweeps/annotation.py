"""Annotations of a sweep by people: part of no digest, and no result depends on them."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from passer.domain.base import Frozen


def _distinct(tags: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tags))


Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]


class Annotation(Frozen):
    """Name, tags and note of a sweep, and whether it is archived."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)] | None = None
    """Another name; None for the one that the sweep was created with."""
    tags: Annotated[tuple[Tag, ...], Field(max_length=20), AfterValidator(_distinct)] = ()
    """Words by which lists are filtered; a repeated one is kept once."""
    note: str = Field(default="", max_length=10_000)
    """Free text."""
    archived: bool = False
    """True if lists leave it out unless archived sweeps are asked for."""
