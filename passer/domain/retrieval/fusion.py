"""Reciprocal rank fusion: one ranking out of several, by the places of each passage in them.

Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
SIGIR 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.retrieval.passages import Ranking, RetrievedPassage, Rewriting
from passer.domain.retrieval.places import Places, on_one_corpus
from passer.domain.retrieval.retriever import Fused, Reranked, Retriever, Rewritten
from passer.domain.wording.sentence import LocalizedText


def share(k: int, rank: int) -> float:
    """Return what a place adds to the score of a passage; ranks are from 1."""
    return 1 / (k + rank)


def fused(found: Sequence[Places], *, k: int, depth: int) -> Places:
    """Return the merged ranking of one question: score = sum over the rankings of 1 / (k + rank), rank from 1.

    A passage that a ranking lacks adds nothing, and neither does one that a ranking lists with score 0: BM25 lists
    passages without any word of the question last, in an order that says nothing about them. Equal scores are ordered
    by the best single rank, then by passage id. The seconds of all rankings are added up.
    """
    found = on_one_corpus([_matching(each) for each in found])
    rows, places, scores = _merged_rows([each.rows for each in found], k=k, depth=depth)
    return Places(
        corpus=found[0].corpus,
        rows=rows,
        similarities=np.concatenate([each.similarities for each in found])[places],
        scores=scores,
        embedding_s=sum([each.embedding_s for each in found]),
        retrieval_s=sum([each.retrieval_s for each in found]),
        is_complete=all(each.is_complete for each in found),
        rewriting=_merged([each.rewriting for each in found if each.rewriting is not None]),
    )


def _merged_rows(
    rankings: Sequence[NDArray[np.intp]], *, k: int, depth: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], list[float]]:
    """Return the first `depth` rows, where each has its best rank in the rankings joined, and its score."""
    rows = np.concatenate(rankings)
    ranks = np.concatenate([np.arange(1, len(each) + 1) for each in rankings])
    # Level by level: equal sums whatever the order of the rankings, because the best ranks are always added first.
    levels = np.argsort(ranks, kind="stable")
    ranks = ranks[levels]
    different, first, which = np.unique(rows[levels], return_index=True, return_inverse=True)
    scores = np.bincount(which, weights=1 / (k + ranks))
    order = np.lexsort((different, ranks[first], -scores))[:depth]
    return different[order], levels[first[order]], scores[order].tolist()


def _matching(found: Places) -> Places:
    """Return the passages without those at the end whose score is 0."""
    if found.scores is None:
        return found
    count = len(found.scores)
    while count and found.scores[count - 1] == 0:
        count -= 1
    return found.first(count)


def _merged(rewritings: Sequence[Rewriting]) -> Rewriting | None:
    """All texts that the merged rankings were searched by; a reason only where no ranking was rewritten."""
    if not rewritings:
        return None
    reasons = [each.reason for each in rewritings]
    return Rewriting(
        asked=tuple(dict.fromkeys(text for each in rewritings for text in each.asked)),
        dropped=sum(each.dropped for each in rewritings),
        # A ranking that lacks a reply may differ the next time, so its reason is never lost.
        reason="no-reply" if "no-reply" in reasons else None if None in reasons else reasons[0],
    )


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

    label: LocalizedText
    """The retriever."""
    parts: tuple[LocalizedText, ...]
    """The retrievers, or the texts searched for, whose rankings were merged; empty for a single ranking."""
    rewriting: Rewriting | None = None
    """Query; None if the question was searched for as it was asked."""
    passages: tuple[PlacedPassage, ...]
    """Passages of this ranking, best first."""


class Part(Frozen):
    """One of the rankings from which another was merged."""

    label: LocalizedText
    """The retriever, or the text that was searched for."""
    ranking: Ranking
    """Its passages."""


def ranking_parts(
    retriever: Retriever, label: str, ranking: Ranking, parts: Sequence[Part], grades: dict[str, int] | None
) -> RankingParts:
    """Return a ranking under this label, with the places of its passages in its parts."""
    ranks = [
        # A passage that BM25 lists without a common word adds 0 to a merged score.
        {each.id: each.rank for each in part.ranking.passages if isinstance(retriever, Reranked) or each.score != 0}
        for part in parts
    ]
    k = retriever.k if isinstance(retriever, Fused | Rewritten) else None

    def place(found: dict[str, int], key: str) -> PartRank | None:
        rank = found.get(key)
        return None if rank is None else PartRank(rank=rank, share=None if k is None else share(k, rank))

    return RankingParts(
        label=label,
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
