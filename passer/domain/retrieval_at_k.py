"""Retrieval evaluated alone: figures of a ranking against graded relevance, at a cut of K.

With the first K of a ranking, of documents or of passages, and grades (0 is not relevant):

- P@K = relevant among the first K / K; P@K (returned) divides by min(K, returned) instead. Nothing returned: 0.
- R@K = relevant among the first K / all relevant. F1@K = 2 P R / (P + R), 0 where both are 0.
- hit@K = 1 if one of the first K is relevant, else 0. MRR@K = 1 / rank of the first relevant one within K, else 0.
- nDCG@K = DCG of the first K / DCG of the best possible first K, where a grade g gains 2^g - 1, discounted by
  log2(rank + 1) (Burges et al. 2005).

A ranking of passages becomes one of documents before the cut: each document stands where its first passage does.
Distances are 1 - similarity, in [0, 2]. Their bands and the ratings of figures are those of LitPath AI.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import Literal

import numpy as np

from passer.domain.base import Frozen
from passer.domain.retrieval import RetrievedPassage

By = Literal["document", "passage"]
"""What is counted: documents by name, or passages by id."""
Grades = Mapping[str, int]
"""Grade of each document or passage with one; others count as not relevant."""

FIGURES = ("P", "P (returned)", "R", "F1", "hit", "MRR", "MRR (grade ≥ 2)", "nDCG")
BANDS = ((0.0, 0.5, "very high"), (0.5, 1.0, "high"), (1.0, 1.5, "moderate"))
"""Half-open bands of distance, [low, high). From 1.5 on a passage is dropped, also at exactly 1.5."""


def figure_name(figure: str, k: int) -> str:
    """Return the name of a column: `P@10`, `P@10 (returned)`."""
    base, _, more = figure.partition(" ")
    return f"{base}@{k}{f' {more}' if more else ''}"


def ranked_names(passages: Sequence[RetrievedPassage], by: By) -> list[str]:
    """Return passage ids in order, or the names of their documents, each at its first passage."""
    if by == "passage":
        return [passage.id for passage in passages]
    return list(dict.fromkeys(passage.document for passage in passages))


def at_k(ranked: Sequence[str], grades: Grades, k: int) -> dict[str, float]:
    """Return each of FIGURES for one question with at least one relevant name; ValueError without one."""
    relevant = {name for name, grade in grades.items() if grade >= 1}
    if not relevant:
        raise ValueError("figures at K need a relevant document or passage")
    first = ranked[:k]
    found = sum(1 for name in first if name in relevant)
    precision, recall = found / k, found / len(relevant)
    return {
        "P": precision,
        "P (returned)": found / len(first) if first else 0.0,
        "R": recall,
        "F1": 2 * precision * recall / (precision + recall) if found else 0.0,
        "hit": float(found > 0),
        "MRR": _reciprocal_rank(first, grades, least=1),
        "MRR (grade ≥ 2)": _reciprocal_rank(first, grades, least=2),
        "nDCG": _dcg([grades.get(name, 0) for name in first])
        / _dcg(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k]),
    }


def unjudged(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return the share of the first K without a grade, which count as not relevant; 0 where nothing is returned."""
    first = ranked[:k]
    return sum(1 for name in first if name not in grades) / len(first) if first else 0.0


def f1_of_means(precision: float, recall: float) -> float:
    """Return F1 of mean precision and mean recall, which is not the mean of the questions' F1."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


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


def _reciprocal_rank(ranked: Sequence[str], grades: Grades, *, least: int) -> float:
    return next((1 / rank for rank, name in enumerate(ranked, start=1) if grades.get(name, 0) >= least), 0.0)


def _dcg(grades: Sequence[int]) -> float:
    return float(sum((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades, start=1)))
