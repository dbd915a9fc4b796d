"""Axes of a sweep, context windows of single models, and ranges of thresholds."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import AliasChoices, Field

from passer.domain.base import Frozen, added_field
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import RetrievalPolicy
from passer.domain.retrieval.passages import Chunking
from passer.domain.retrieval.retriever import Retriever

Threshold = Annotated[float, Field(ge=-1, le=1)]


class Axes(Frozen):
    """Values to vary; every combination becomes a configuration. An empty axis is not varied."""

    min_similarity: tuple[Threshold, ...] = Field(
        default=(), validation_alias=AliasChoices("min_similarity", "minSimilarityScore", "thresholds")
    )
    """Similarity thresholds (Score mode)."""
    k: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = ()
    """Values of k (Normal mode); with thresholds they are additional configurations, not combinations."""
    retrieval: tuple[RetrievalPolicy, ...] = ()
    """Whole retrieval settings as further configurations, such as no retrieval or the published score."""
    model: tuple[Model, ...] = ()
    """Models to compare."""
    temperature: tuple[Annotated[float, Field(ge=0, le=2)], ...] = ()
    """Temperatures to compare, each 0 to 2."""
    prompt: tuple[str, ...] = ()
    """Names of prompt templates."""
    retriever: tuple[Retriever, ...] = added_field(())
    """Retrievers: how passages are ranked before the cut. Each has its own baseline."""
    embedding: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Embedding models. With several, each has its own collection; a single one is required of the collection."""
    chunking: tuple[Chunking, ...] = ()
    """Chunkings. With several, each has its own collection; a single one is required of the collection."""
    repeat: int = Field(default=1, ge=1, le=100)
    """Repeats of each configuration."""


class ModelWindow(Frozen):
    """Context window of one model, where models of a sweep have different ones."""

    model: Model
    """One of the models of the sweep."""
    num_ctx: int = Field(ge=128, le=10_000_000)
    """Tokens that its prompt and answer share."""


MOST_THRESHOLDS = 1_000
"""Thresholds of one range."""


def threshold_range(*, start: float, stop: float, step: float) -> tuple[float, ...]:
    """Return thresholds from start to stop, both included, rounded to 6 decimals.

    Empty if step is not positive, a bound is not finite, or there would be more than 1,000.
    """
    if (
        not (math.isfinite(start) and math.isfinite(stop))
        or step <= 0
        or not 0 <= (stop - start) / step < MOST_THRESHOLDS
    ):
        return ()
    count = int((stop - start) / step + 1e-9) + 1
    return tuple(round(start + i * step, 6) for i in range(count))
