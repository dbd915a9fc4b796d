"""What a search found, as numbers: a merge of five rankings drops most of their passages before any is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from passer.domain.retrieval.passages import Passage, Ranking, Rewriting
from passer.domain.retrieval.ranked_passages import retrieved


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The first passages of a retriever for one question, best first."""

    shelf: Sequence[Passage]
    """Passages by id, those that were not found among them: the lower of two rows has the lower id."""
    rows: NDArray[np.intp]
    """Rows of the passages on the shelf, best first."""
    similarities: NDArray[np.float64]
    """Cosine of each with the question, in [-1, 1]."""
    scores: Sequence[float | None] | None = None
    """What ordered them; None for the similarity."""
    embedding_s: float = 0.0
    """Seconds to embed the question."""
    retrieval_s: float = 0.0
    """Seconds to search."""
    rewriting: Rewriting | None = None
    """Query; None if the question was searched for as it was asked."""
    is_complete: bool = True
    """Whether every model that took part replied."""

    def found(self) -> list[Passage]:
        """Return the passages, best first."""
        return [self.shelf[row] for row in self.rows.tolist()]

    def first(self, depth: int) -> Places:
        """Return the first passages."""
        scores = None if self.scores is None else self.scores[:depth]
        return replace(self, rows=self.rows[:depth], similarities=self.similarities[:depth], scores=scores)

    def ranking(self) -> Ranking:
        """Return the ranking, its passages made."""
        return Ranking(
            passages=retrieved(self.found(), self.similarities.tolist(), self.scores),
            embedding_s=self.embedding_s,
            retrieval_s=self.retrieval_s,
            is_complete=self.is_complete,
            rewriting=self.rewriting,
        )


def on_one_shelf(found: Sequence[Places]) -> Sequence[Places]:
    """Return what several searches found as rows of the same passages.

    Searches of one version of a collection share them already. Those of an approximate graph, and those between which
    the collection changed, have each their own.
    """
    if all(each.shelf is found[0].shelf for each in found):
        return found
    by_id = {passage.id: passage for each in reversed(found) for passage in each.found()}
    shelf = [by_id[key] for key in sorted(by_id)]
    row_of = {passage.id: row for row, passage in enumerate(shelf)}
    return [
        replace(each, shelf=shelf, rows=np.array([row_of[passage.id] for passage in each.found()], dtype=np.intp))
        for each in found
    ]
