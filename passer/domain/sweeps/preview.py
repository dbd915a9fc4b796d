"""Preview of a sweep's retrieval before any generation: figures per setting, and a proposed range of thresholds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil, floor
from typing import Self

import numpy as np

from passer.domain.base import Frozen
from passer.domain.figures.figure import Figure
from passer.domain.retrieval.cuts import RetrievalPolicy
from passer.domain.retrieval.passages import Ranking
from passer.domain.retrieval.quality import RetrievalQuality
from passer.domain.retrieval.retriever import Dense, Retriever
from passer.domain.sweeps.plan import SweepPlan
from passer.domain.wording.sentence import LocalizedText

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)
MOST_THRESHOLDS = 12
"""Most values in a proposed range; each further configuration costs statistical power."""
TENTH = 10
"""The rank whose similarity is the lower end of a proposed range."""


class Quantiles(Frozen):
    """Distribution of a similarity over the questions."""

    p05: float
    """5 % quantile."""
    p50: float
    """The median."""
    p95: float
    """95 % quantile."""


class ThresholdRange(Frozen):
    """A range of thresholds to compare."""

    start: float
    """Lowest threshold: about half of the questions keep ten passages or more."""
    stop: float
    """Highest threshold: about half of the questions keep none."""
    step: float
    """Difference between neighbours."""


class CollectionPreview(Frozen):
    """Similarities between a collection's passages and the questions."""

    collection: str
    """Name of the collection."""
    questions: int
    """Number of questions for which passages were retrieved."""
    depth: int
    """Passages retrieved per question, at most."""
    nearest: Quantiles | None = None
    """Similarity of each question's nearest passage; None if nothing was retrieved."""
    tenth: Quantiles | None = None
    """Similarity of each question's tenth passage; None where fewer are retrieved."""
    proposed: ThresholdRange | None = None
    """Range between the medians of the tenth (or last) and of the nearest passage; None if nothing was retrieved."""

    @classmethod
    def of(cls, collection: str, rankings: Collection[Ranking], *, depth: int) -> Self:
        """Describe one ranking of at most `depth` passages for each question."""
        found = [ranking.passages for ranking in rankings if ranking.passages]
        nearest = quantiles([passages[0].similarity for passages in found])
        tenth = quantiles([passages[TENTH - 1].similarity for passages in found if len(passages) >= TENTH])
        farthest = quantiles([passages[-1].similarity for passages in found])
        return cls(
            collection=collection,
            questions=len(rankings),
            depth=depth,
            nearest=nearest,
            tenth=tenth,
            # With maxK below ten the last passage is the lower end: nobody keeps more.
            proposed=proposed_range(nearest=nearest, tenth=tenth or farthest),
        )


class PromptTokens(Frozen):
    """Estimated prompt sizes in tokens, over-estimated on purpose."""

    mean: float
    """Mean over the prompts."""
    most: int
    """The longest prompt."""
    overflowing: int
    """Prompts that do not fit the context window together with num_predict."""


class PolicyPreview(Frozen):
    """Passages that one retrieval setting keeps, and the resulting prompt sizes."""

    collection: str
    """Name of the collection."""
    prompt: str
    """Name of the prompt template."""
    retriever: Retriever = Dense()
    """Ranking function of the passages."""
    policy: RetrievalPolicy
    """The retrieval setting."""
    name: LocalizedText
    """Name in tables."""
    is_baseline: bool
    """True if it is the baseline."""
    retrieval: RetrievalQuality
    """Passages kept, questions with passages, and their recall where gold passages are known."""
    most_passages: int
    """Most passages kept for one question."""
    tokens: PromptTokens | None
    """Prompt sizes; None if no model is asked."""


class SweepPreview(Frozen):
    """A plan with the counts that need retrieval; nothing was generated, scored or saved."""

    plan: SweepPlan
    """Counts, expected time and warnings."""
    collections: tuple[CollectionPreview, ...]
    """Similarities, and thresholds worth comparing, per collection."""
    policies: tuple[PolicyPreview, ...]
    """Retrieval settings, per collection, in the sweep's order."""
    figures: tuple[Figure, ...] = ()
    """Similarities of gold and other passages with the thresholds, per collection."""


def quantiles(values: Sequence[float]) -> Quantiles | None:
    """Return the 5, 50 and 95 % quantiles (linear interpolation); None without values."""
    if not values:
        return None
    found = np.quantile(np.asarray(values, dtype=np.float64), [0.05, 0.5, 0.95])
    return Quantiles(**dict(zip(Quantiles.model_fields, (float(value) for value in found), strict=True)))


def proposed_range(*, nearest: Quantiles | None, tenth: Quantiles | None) -> ThresholdRange | None:
    """Return a range of thresholds between the median similarities of the tenth and of the nearest passage.

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
    """Return prompt sizes in tokens and how many exceed `room` (None without a window); None without prompts."""
    if not sizes:
        return None
    over = 0 if room is None else sum(1 for size in sizes if size > room)
    return PromptTokens(mean=float(np.mean(sizes)), most=max(sizes), overflowing=over)
