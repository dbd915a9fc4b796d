"""What a sweep will retrieve, before anything is generated: figures of each policy, and which thresholds to try."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

import numpy as np

from passer.domain.base import Frozen
from passer.domain.retrieval import RetrievalPolicy
from passer.domain.retrieval_quality import RetrievalQuality
from passer.domain.sweep import SweepPlan

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)
MOST_THRESHOLDS = 12
"""A proposed range has no more values; more configurations cost more power than they give insight."""
TENTH = 10
"""The rank whose similarity is the lower end of a proposed range."""


class Quantiles(Frozen):
    """How a similarity is spread over the questions."""

    p05: float
    """5 % are below."""
    p25: float
    """A quarter is below."""
    p50: float
    """The median."""
    p75: float
    """A quarter is above."""
    p95: float
    """5 % are above."""


class ThresholdRange(Frozen):
    """Thresholds worth comparing."""

    start: float
    """The lowest: about half of the questions keep ten passages or more."""
    stop: float
    """The highest: about half of the questions keep nothing."""
    step: float
    """Between neighbours."""


class CollectionPreview(Frozen):
    """How near the passages of a collection are to the questions."""

    collection: str
    """Its name."""
    questions: int
    """Looked up."""
    depth: int
    """Passages retrieved for each, at most."""
    nearest: Quantiles | None = None
    """Similarity of each question's nearest passage; None where nothing was retrieved."""
    tenth: Quantiles | None = None
    """Similarity of each question's tenth passage, or of the last where there are fewer."""
    farthest: Quantiles | None = None
    """Similarity of each question's last retrieved passage."""
    proposed: ThresholdRange | None = None
    """Between the medians of the tenth and of the nearest; None where nothing was retrieved."""


class PromptTokens(Frozen):
    """Estimated size of prompts, in tokens, over-estimated on purpose."""

    mean: float
    """Over the prompts."""
    most: int
    """Of the longest."""
    overflowing: int
    """Prompts that do not fit the window together with num_predict."""


class PolicyPreview(Frozen):
    """What one policy keeps of a collection, and how long the prompts become."""

    collection: str
    """Of which collection."""
    prompt: str
    """In which prompt template."""
    policy: RetrievalPolicy
    """Which passages it keeps."""
    name: str
    """Shown in tables."""
    is_baseline: bool
    """Whether the others are compared with it."""
    retrieval: RetrievalQuality
    """Passages kept, coverage, and where gold passages are known, their recall."""
    most_passages: int
    """Kept for any one question."""
    tokens: PromptTokens | None
    """Of the prompts; None where no model is asked anything."""


class SweepPreview(Frozen):
    """A plan with the counts that only retrieval gives; nothing was generated, scored or kept."""

    plan: SweepPlan
    """Counts, expected time and warnings."""
    collections: tuple[CollectionPreview, ...]
    """Similarities, and thresholds that are worth comparing."""
    policies: tuple[PolicyPreview, ...]
    """Collection by collection, in the sweep's order."""


def quantiles(values: Sequence[float]) -> Quantiles | None:
    """5, 25, 50, 75 and 95 % quantiles (linear between neighbours); None without values."""
    if not values:
        return None
    found = np.quantile(np.asarray(values, dtype=np.float64), [0.05, 0.25, 0.5, 0.75, 0.95])
    return Quantiles(**dict(zip(Quantiles.model_fields, (float(value) for value in found), strict=True)))


def proposed_range(*, nearest: Quantiles | None, tenth: Quantiles | None) -> ThresholdRange | None:
    """Thresholds between the medians of the tenth and of the nearest passage.

    Below the first, most questions keep more than a model reads with profit; above the second, most keep nothing. The
    finest step is taken that gives no more than MOST_THRESHOLDS values, and both ends are moved outwards to its
    multiples. (The last passage retrieved would be the natural lower end, but in a small collection it is as good as
    unrelated, and the range would be mostly empty of decisions.)
    """
    if nearest is None or tenth is None:
        return None
    for step in STEPS:
        first, last = floor(tenth.p50 / step + 1e-9), ceil(nearest.p50 / step - 1e-9)
        start, stop = max(-1.0, first * step), min(1.0, last * step)
        if last - first < MOST_THRESHOLDS:
            break
    return ThresholdRange(start=round(start, 6), stop=round(stop, 6), step=step)


def prompt_tokens(sizes: Sequence[int], *, room: int | None) -> PromptTokens | None:
    """Sizes of prompts in tokens, and how many exceed `room` (None where there is no window); None without prompts."""
    if not sizes:
        return None
    over = 0 if room is None else sum(1 for size in sizes if size > room)
    return PromptTokens(mean=float(np.mean(sizes)), most=max(sizes), overflowing=over)
