"""Cuts that adapt to the ranking of each question: relative to its best passage, or at its largest drop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from pydantic import AliasChoices, Field

from passer.domain.base import Frozen


class RelativePolicy(Frozen):
    """The passages nearly as similar as the best one of the question: a threshold that adapts to each question."""

    mode: Literal["relative"] = "relative"
    """`relative`"""
    share: float = Field(default=0.85, gt=0, le=1)
    """Smallest similarity kept, as a share of the best passage's."""
    max_k: int = Field(default=100, ge=1, le=1000, validation_alias=AliasChoices("max_k", "maxK"))
    """Most passages kept."""

    @property
    def depth(self) -> int:
        return self.max_k

    @property
    def label(self) -> str:
        return f"Relative ≥ {self.share:.2f}"

    def keep(self, similarities: Sequence[float]) -> range:
        """Return the range of places (from 0) kept of a ranking with these descending similarities.

        The best passage is always kept, also where no similarity is above 0.
        """
        nearest = similarities[: self.max_k]
        bound = min(nearest[0], self.share * nearest[0]) if nearest else 0.0
        return range(sum(1 for similarity in nearest if similarity >= bound))


class GapPolicy(Frozen):
    """The passages before the largest drop in similarity: a cut where the ranking itself breaks off."""

    mode: Literal["gap"] = "gap"
    """`gap`"""
    among: int = Field(default=20, ge=2, le=1000)
    """Number of nearest passages among which the largest drop is searched for."""

    @property
    def depth(self) -> int:
        return self.among

    @property
    def label(self) -> str:
        return f"Largest gap of {self.among}"

    def keep(self, similarities: Sequence[float]) -> range:
        """Return the range of places (from 0) kept of a ranking with these descending similarities.

        Of equal drops the first counts; without any drop all are kept.
        """
        nearest = similarities[: self.among]
        drops = [one - two for one, two in pairwise(nearest)]
        largest = max(drops, default=0.0)
        return range(drops.index(largest) + 1 if largest > 0 else len(nearest))
