"""The dataset of a study, with the clusters and weights of its questions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from passer.domain.base import Count, Frozen
from passer.domain.dataset import Question, weights_of
from passer.domain.ledger.entry import Digest

_TOLERANCE = 1e-9
"""Weights are means over the questions, so that sums in another order may differ in the last bits."""


class StudyDataset(Frozen):
    """The dataset of all runs."""

    name: str
    """Name within its installation."""
    digest: Digest
    """Digest of language and all questions."""
    questions: Count
    """Number of questions that each run asks."""
    clusters: tuple[str | None, ...] | None
    """Declared cluster of each question, in order; None where no question has one."""
    weights: tuple[Annotated[float, Field(gt=0)], ...] | None
    """Declared weight of each question, in order; None where all are equal."""

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if any(each is not None and len(each) != self.questions for each in (self.clusters, self.weights)):
            raise ValueError("clusters and weights have one value for each question")
        return self

    @classmethod
    def of(cls, name: str, digest: str, asked: Sequence[Question]) -> Self:
        """Return the dataset of the questions that each run asks."""
        clusters, weights = tuple(each.cluster for each in asked), weights_of(asked)
        return cls(
            name=name,
            digest=digest,
            questions=len(asked),
            clusters=clusters if any(each is not None for each in clusters) else None,
            weights=tuple(weights[each.id] for each in asked) if weights else None,
        )

    @property
    def is_declared(self) -> bool:
        """Return whether it declares clusters or weights."""
        return self.clusters is not None or self.weights is not None

    def declared(self, questions: Sequence[Question]) -> list[Question]:
        """Return the questions with the stated clusters and weights."""
        nothing = (None,) * len(questions)
        return [
            question.model_copy(update={"cluster": cluster, "weight": weight})
            for question, cluster, weight in zip(
                questions, self.clusters or nothing, self.weights or nothing, strict=True
            )
        ]

    def other_declared(self, asked: Sequence[Question]) -> Literal["clusters", "weights"] | None:
        """Return what these questions declare otherwise; None where clusters and weights are those."""
        known = self.of(self.name, self.digest, asked)
        if self.clusters != known.clusters:
            return "clusters"
        if self.weights is None or known.weights is None:
            return None if self.weights is known.weights else "weights"
        is_same = len(self.weights) == len(known.weights) and all(
            math.isclose(one, other, rel_tol=_TOLERANCE) for one, other in zip(self.weights, known.weights, strict=True)
        )
        return None if is_same else "weights"
