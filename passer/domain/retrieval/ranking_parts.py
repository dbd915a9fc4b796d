"""Parts of a merged or reordered ranking: the rankings from which it was merged, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.retrieval.fusion import share
from passer.domain.retrieval.passages import Ranking, RetrievedPassage, Rewriting
from passer.domain.retrieval.retriever import Fused, Reranked, Retriever, Rewritten
from passer.domain.wording.sentence import Said


class PartRank(Frozen):
    """The place of a passage in one of the rankings that were merged."""

    rank: Annotated[int, Field(ge=1)]
    """Rank, from 1."""
    share: float | None = None
    """Contribution of this rank to the passage's score, 1 / (k + rank); None if no rankings were merged."""


class PlacedPassage(Frozen):
    """A passage of a ranking with its places in the parts."""

    passage: RetrievedPassage
    """Rank, similarity and score in the ranking itself."""
    grade: int | None = None
    """Grade of relevance; None where nothing is known to be relevant for the question."""
    places: tuple[PartRank | None, ...] = ()
    """Its place in each part; None in a part that lacks it."""


class RankingParts(Frozen):
    """The ranking of one question by one retriever."""

    label: Said
    """The retriever."""
    parts: tuple[Said, ...]
    """The retrievers, or the texts searched for, whose rankings were merged; empty for a single ranking."""
    rewriting: Rewriting | None = None
    """Query; None if the question was searched for as it was asked."""
    passages: tuple[PlacedPassage, ...]
    """Best first."""


class Part(Frozen):
    """One of the rankings from which another was merged."""

    label: Said
    """The retriever, or the text that was searched for."""
    ranking: Ranking
    """Its passages."""


def ranking_parts(
    retriever: Retriever, ranking: Ranking, parts: Sequence[Part], grades: dict[str, int] | None
) -> RankingParts:
    """Return a ranking with the places of its passages in its parts."""
    ranks = [
        # What BM25 lists without a common word adds nothing to a merged score.
        {each.id: each.rank for each in part.ranking.passages if isinstance(retriever, Reranked) or each.score != 0}
        for part in parts
    ]
    k = retriever.k if isinstance(retriever, Fused | Rewritten) else None

    def place(found: dict[str, int], key: str) -> PartRank | None:
        rank = found.get(key)
        return None if rank is None else PartRank(rank=rank, share=None if k is None else share(k, rank))

    return RankingParts(
        label=retriever.label,
        parts=tuple(part.label for part in parts),
        rewriting=ranking.rewriting,
        passages=tuple(
            PlacedPassage(
                passage=passage,
                grade=None if grades is None else grades.get(passage.id, 0),
                places=tuple(place(found, passage.id) for found in ranks),
            )
            for passage in ranking.passages
        ),
    )
