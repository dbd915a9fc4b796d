"""Retrieval evaluated alone: figures of a ranking against graded relevance, at a cut of K.

With the first K of a ranking, of documents or of passages, and grades (0 is not relevant):

- P@K = relevant among the first K / K; P@K (returned) divides by min(K, returned) instead. Nothing returned: 0.
- R@K = relevant among the first K / all relevant. F1@K = 2 P R / (P + R), 0 where both are 0.
- hit@K = 1 if one of the first K is relevant, else 0. MRR@K = 1 / rank of the first relevant one within K, else 0.
- nDCG@K = DCG of the first K / DCG of the best possible first K, where a grade g gains 2^g - 1, discounted by
  log2(rank + 1) (Burges et al. 2005).
- R@K (characters), the span recall = characters of the gold quotes that the first K passages cover / all of them. Where
  chunks overlap, several passages contain one quote: any of them is enough here, while R@K counts each as relevant.

A ranking of passages becomes one of documents before the cut: each document stands where its first passage does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Literal, NamedTuple

from passer.domain.retrieval.passages import RetrievedPassage

By = Literal["document", "passage"]
"""Unit that is counted: documents by name, or passages by id."""
Grades = Mapping[str, int]
"""Grade of each document or passage with one; others count as not relevant."""

FIGURES = ("P", "P (returned)", "R", "F1", "hit", "MRR", "MRR (grade ≥ 2)", "nDCG")
SPAN_RECALL = "R (characters)"
"""Name of the span recall, which needs gold quotes."""


def figure_name(figure: str, k: int | Literal["K"]) -> str:
    """Return the name of a column: `P@10`, `P@10 (returned)`; with `K`, that of the measure at any cut."""
    base, _, more = figure.partition(" ")
    return f"{base}@{k}{f' {more}' if more else ''}"


def figure_and_cut(name: str) -> tuple[str, int]:
    """Return the figure and the cut of a column, which `figure_name` put together."""
    base, _, rest = name.partition("@")
    k, _, more = rest.partition(" ")
    return f"{base} {more}".strip(), int(k)


def ranked_names(passages: Sequence[RetrievedPassage], by: By) -> dict[str, float]:
    """Return passage ids, or names of documents, in order, each with the similarity of its first passage."""
    found: dict[str, float] = {}
    for passage in passages:
        found.setdefault(passage.id if by == "passage" else passage.document, passage.similarity)
    return found


class Span(NamedTuple):
    """Characters [start, end) of a document."""

    document: str
    start: int
    end: int


@dataclass(frozen=True)
class GoldSpans:
    """Positions of the gold quotes of questions in a collection."""

    quotes: Mapping[str, Sequence[Sequence[Span]]]
    """Places of each quote that the collection contains, by question id; a quote may occur several times."""
    passages: Mapping[str, Span]
    """Place of each passage, by id."""

    def recall(self, question: str, first: Sequence[str]) -> float:
        """Return the share of the characters of a question's quotes that passages cover, in [0, 1].

        Of a quote that occurs several times, the occurrence that is covered most counts. ValueError without a quote.
        """
        quotes = self.quotes.get(question)
        if not quotes:
            raise ValueError("span recall needs a gold quote in the collection")
        kept = [self.passages[name] for name in first if name in self.passages]
        found = sum(max(_covered(place, kept) for place in places) for places in quotes)
        return found / sum(places[0].end - places[0].start for places in quotes)


def _covered(place: Span, kept: Sequence[Span]) -> int:
    """Return the number of characters of a place that some passages cover, overlaps counted once."""
    covered, reached = 0, place.start
    for span in sorted(span for span in kept if span.document == place.document):
        low, high = max(span.start, reached), min(span.end, place.end)
        if low < high:
            covered, reached = covered + high - low, high
    return covered


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


def _reciprocal_rank(ranked: Sequence[str], grades: Grades, *, least: int) -> float:
    return next((1 / rank for rank, name in enumerate(ranked, start=1) if grades.get(name, 0) >= least), 0.0)


def _dcg(grades: Sequence[int]) -> float:
    # Grades that were stored before they had a limit may be larger than any number that a computer can hold as 2^g.
    return float(sum((2 ** min(grade, 1000) - 1) / log2(rank + 1) for rank, grade in enumerate(grades, start=1)))
