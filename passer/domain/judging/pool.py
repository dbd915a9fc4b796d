"""The union of the passages that several retrievers found, which a judge grades once (pooling)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.retrieval.retriever import Retriever

MOST_POOLED = 100_000
"""Passages that one assessment grades at most, all questions together."""


class Pool(Frozen):
    """The union of the first K passages of several rankings, question by question (Sparck Jones 1975).

    A judge that grades only what one retriever found makes all others look worse than they are.
    """

    collection: str
    """Name of the collection."""
    k: int = Field(ge=1)
    """Number of passages that were taken of each ranking."""
    retrievers: tuple[Retriever, ...]
    """The retrievers, as they were then."""
    labels: tuple[str, ...]
    """Names of the retrievers, then of the imported rankings."""
    passages: dict[str, tuple[str, ...]]
    """Passage ids by question id, best ranks first; empty in lists of assessments."""


def united(rankings: Sequence[Sequence[str]], k: int) -> tuple[str, ...]:
    """Return the names among the first K of any ranking, rank by rank, each once."""

    def by_rank() -> Iterator[str]:
        for rank in range(k):
            yield from (names[rank] for names in rankings if rank < len(names))

    return tuple(dict.fromkeys(by_rank()))
