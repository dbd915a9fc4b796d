"""Reciprocal rank fusion: one ranking out of several, by the places of each passage in them.

Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
SIGIR 2009.
"""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.retrieval import Ranking, RetrievedPassage, Rewriting


def fused(rankings: Sequence[Ranking], *, k: int, depth: int) -> Ranking:
    """Return the merged ranking of one question: score = sum over the rankings of 1 / (k + rank), rank from 1.

    A passage that a ranking lacks adds nothing, and neither does one that a ranking lists with score 0: BM25 lists
    passages without any word of the question last, in an order that says nothing about them. Equal scores are ordered
    by the best single rank, then by passage id. The seconds of all rankings are added up.
    """
    ranks: dict[str, list[int]] = {}
    passages: dict[str, RetrievedPassage] = {}
    for ranking in rankings:
        for passage in ranking.passages:
            if passage.score != 0:
                ranks.setdefault(passage.id, []).append(passage.rank)
                passages.setdefault(passage.id, passage)
    # Sorted before they are added, so that the order of the rankings cannot change the last bit of a sum.
    scores = {key: sum(1 / (k + rank) for rank in sorted(found)) for key, found in ranks.items()}
    order = sorted(scores, key=lambda key: (-scores[key], min(ranks[key]), key))[:depth]
    return Ranking(
        passages=tuple(
            # Not validated again: the values come from passages that were, and a copy costs three times as much.
            RetrievedPassage.model_construct(**{**passages[key].__dict__, "rank": rank, "score": scores[key]})
            for rank, key in enumerate(order, start=1)
        ),
        embedding_s=sum(ranking.embedding_s for ranking in rankings),
        retrieval_s=sum(ranking.retrieval_s for ranking in rankings),
        is_complete=all(ranking.is_complete for ranking in rankings),
        rewriting=_merged([ranking.rewriting for ranking in rankings if ranking.rewriting is not None]),
    )


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
