"""Cuts: the policies that decide which passages of a ranking a model gets to see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from passer.domain.base import Frozen
from passer.domain.defaults import K_INCREMENT, MAX_K, K
from passer.domain.wording.sentence import sentence


class NormalPolicy(Frozen):
    """The k nearest passages."""

    mode: Literal["normal"] = "normal"
    """`normal`"""
    k: int = Field(default=K, ge=1, le=1000)
    """Number of passages."""

    @property
    def depth(self) -> int:
        """Return the number of nearest passages that this policy needs."""
        return self.k

    @property
    def label(self) -> str:
        """Return a short name for tables, in English; fields with text show it in the reader's language."""
        return sentence("name.normal", at=str(self.k))

    def keep(self, similarities: Sequence[float]) -> range:
        """Return the range of places (from 0) kept of a ranking with these descending similarities."""
        return range(min(self.k, len(similarities)))


class ScorePolicy(Frozen):
    """The passages at least this similar, among the max_k nearest."""

    mode: Literal["score"] = "score"
    """`score`"""
    min_similarity: float = Field(ge=-1, le=1, validation_alias=AliasChoices("min_similarity", "minSimilarityScore"))
    """Smallest similarity kept, in [-1, 1]; `minSimilarityScore` on screen."""
    max_k: int = Field(default=MAX_K, ge=1, le=1000, validation_alias=AliasChoices("max_k", "maxK"))
    """Most passages kept."""
    k_increment: int = Field(
        default=K_INCREMENT, ge=1, le=1000, validation_alias=AliasChoices("k_increment", "kIncrement")
    )
    """Step by which the original fetches more; the result does not depend on it."""

    @property
    def depth(self) -> int:
        return self.max_k

    @property
    def label(self) -> str:
        return sentence("name.score", at=f"{self.min_similarity:.2f}")

    def keep(self, similarities: Sequence[float]) -> range:
        """Return the range of places (from 0) kept of a ranking with these descending similarities."""
        nearest = similarities[: self.max_k]
        return range(sum(1 for similarity in nearest if similarity >= self.min_similarity))


class NoRetrievalPolicy(Frozen):
    """Closed book: no passages."""

    mode: Literal["none"] = "none"
    """`none`"""

    @property
    def depth(self) -> int:
        return 0

    @property
    def label(self) -> str:
        return sentence("name.none")

    def keep(self, similarities: Sequence[float]) -> range:
        return range(0)


class PublishedScorePolicy(Frozen):
    """Cut of the published program: fetch stepwise and keep passages at least this *distant*. For replication only."""

    mode: Literal["published-score"] = "published-score"
    """`published-score`"""
    min_distance: float = Field(ge=0, le=2, validation_alias=AliasChoices("min_distance", "minSimilarityScore"))
    """The published `minSimilarityScore`, which was compared with the cosine distance."""
    max_k: int = Field(default=MAX_K, ge=1, le=1000, validation_alias=AliasChoices("max_k", "maxK"))
    """Most passages kept."""
    k_increment: int = Field(
        default=K_INCREMENT, ge=1, le=1000, validation_alias=AliasChoices("k_increment", "kIncrement")
    )
    """Number of further passages at each step; here it changes the result."""

    @property
    def depth(self) -> int:
        return -(-self.max_k // self.k_increment) * self.k_increment

    @property
    def label(self) -> str:
        return sentence("name.published-score", at=f"{self.min_distance:.2f}")

    def keep(self, similarities: Sequence[float]) -> range:
        """Return the range of places (from 0) kept of a ranking with these descending similarities."""
        fetched = 0
        while True:
            fetched += self.k_increment
            near = min(fetched, len(similarities))
            first = next((i for i in range(near) if 1 - similarities[i] >= self.min_distance), near)
            if near - first < fetched or fetched >= self.max_k:
                return range(first, min(near, first + self.max_k))


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
        return sentence("name.relative", at=f"{self.share:.2f}")

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
        return sentence("name.gap", at=str(self.among))

    def keep(self, similarities: Sequence[float]) -> range:
        """Return the range of places (from 0) kept of a ranking with these descending similarities.

        Of equal drops the first counts; without any drop all are kept.
        """
        nearest = similarities[: self.among]
        drops = [one - two for one, two in pairwise(nearest)]
        largest = max(drops, default=0.0)
        return range(drops.index(largest) + 1 if largest > 0 else len(nearest))


RetrievalPolicy = Annotated[
    NormalPolicy | ScorePolicy | NoRetrievalPolicy | PublishedScorePolicy | RelativePolicy | GapPolicy,
    Field(discriminator="mode"),
]
