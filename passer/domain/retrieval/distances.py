"""Distances of retrieved passages from their questions, in bands, and ratings of figures: the tables of LitPath AI.

A distance is 1 - similarity, in [0, 2]. Distances of different embedding models have different scales: bands compare
questions and groups of questions, never models.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from passer.domain.base import Frozen

BANDS = ((0.0, 0.5, "very high"), (0.5, 1.0, "high"), (1.0, 1.5, "moderate"))
"""Half-open bands of distance, [low, high). From 1.5 on a passage is dropped, also at exactly 1.5."""
Rating = Literal["excellent", "good", "acceptable", "poor"]
Rated = Literal["distance", "P", "R"]
RATINGS: Mapping[Rated, tuple[tuple[float, float, Rating], ...]] = {
    "distance": ((0.0, 0.5, "excellent"), (0.5, 1.0, "good"), (1.0, 1.5, "acceptable"), (1.5, 2.01, "poor")),
    "P": ((0.6, 1.01, "excellent"), (0.4, 0.6, "good"), (0.2, 0.4, "acceptable"), (0.0, 0.2, "poor")),
    "R": ((0.9, 1.01, "excellent"), (0.7, 0.9, "good"), (0.5, 0.7, "acceptable"), (0.0, 0.5, "poor")),
}
"""Half-open ranges of a mean, [low, high), with their rating.

LitPath AI prints ratings without their limits. These limits are PaSSER's, and give each rating that it prints.
"""


class Distances(Frozen):
    """Distances, 1 - similarity, of the passages kept for one question or for several."""

    count: int
    """Passages with a distance below 1.5."""
    dropped: int
    """Passages at 1.5 or more."""
    mean: float | None = None
    """Mean distance of those counted, 4 decimals; None without one."""
    smallest: float | None = None
    """Smallest distance, 4 decimals."""
    largest: float | None = None
    """Largest distance, 4 decimals."""
    bands: dict[str, int]
    """Passages in each band, by its name."""


def distances(similarities: Sequence[float]) -> Distances:
    """Count the distances of some passages by band."""
    # LitPath AI keeps distances up to 1.5 but counts only those below it, so its 1.5 is in no band; here it is dropped.
    near = sorted(distance for distance in (1 - similarity for similarity in similarities) if distance < BANDS[-1][1])
    return Distances(
        count=len(near),
        dropped=len(similarities) - len(near),
        mean=round(float(np.mean(near)), 4) if near else None,
        smallest=round(near[0], 4) if near else None,
        largest=round(near[-1], 4) if near else None,
        bands={name: sum(1 for distance in near if low <= distance < high) for low, high, name in BANDS},
    )


class BandFigures(Frozen):
    """Distances of the first passages or documents of all questions, at one cut."""

    all: Distances
    """Distances of all questions together."""
    mean: float | None
    """Mean of the questions' mean distances, each question with the same weight, 4 decimals; None without one."""
    rating: Rating | None
    """Rating of that mean."""
    groups: dict[str, Distances]
    """Distances of the questions of each group together, by its name."""
    over_groups: float | None = None
    """Mean of the groups' means, each group with the same weight, 4 decimals; None without two groups."""
    unanswerable: Distances | None = None
    """Distances of the questions that are declared to have no relevant passage, together: a retriever that returned
    nothing below 1.5 would count 0; None without such questions."""


def band_figures(
    similarities: Mapping[str, Sequence[float]],
    k: int,
    groups: Mapping[str, str],
    unanswerable: Collection[str] = (),
) -> BandFigures:
    """Return the distances of the first K of each question; similarities and groups are by question id."""
    first = {question: tuple(near[:k]) for question, near in similarities.items()}

    def together(questions: Iterable[str]) -> Distances:
        return distances([each for question in questions for each in first[question]])

    means = [found.mean for near in first.values() if (found := distances(near)).mean is not None]
    mean = _rounded_mean(means)
    of_groups = {
        name: together(question for question in first if groups.get(question) == name)
        for name in sorted(set(groups.values()))
    }
    unwanted = [question for question in first if question in unanswerable]
    group_means = [found.mean for found in of_groups.values() if found.mean is not None]
    return BandFigures(
        all=together(first),
        mean=mean,
        rating=None if mean is None else rating("distance", mean),
        groups=of_groups,
        over_groups=_rounded_mean(group_means) if len(group_means) > 1 else None,
        unanswerable=together(unwanted) if unwanted else None,
    )


def _rounded_mean(values: Sequence[float]) -> float | None:
    return round(float(np.mean(values)), 4) if values else None


def rating(of: Rated, mean: float) -> Rating:
    """Return the rating of a mean distance, precision or recall; it is computed and never typed in."""
    return next(name for low, high, name in RATINGS[of] if low <= mean < high)
