"""Reciprocal rank fusion: one ranking out of several, by the places of each passage in them.

Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods",
SIGIR 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from operator import itemgetter
from typing import Any

from passer.domain.ranked_passages import reordered
from passer.domain.retrieval import Ranking, RetrievedPassage, Rewriting

_negated = itemgetter(0)


def share(k: int, rank: int) -> float:
    """Return what a place adds to the score of a passage; ranks are from 1."""
    return 1 / (k + rank)


def fused(rankings: Sequence[Ranking], *, k: int, depth: int) -> Ranking:
    """Return the merged ranking of one question: score = sum over the rankings of 1 / (k + rank), rank from 1.

    A passage that a ranking lacks adds nothing, and neither does one that a ranking lists with score 0: BM25 lists
    passages without any word of the question last, in an order that says nothing about them. Equal scores are ordered
    by the best single rank, then by passage id. The seconds of all rankings are added up.
    """
    merged = _merged_passages([_matching(ranking) for ranking in rankings], k=k, depth=depth)
    return Ranking(
        passages=reordered([(passage, -negated) for negated, _, _, passage in merged]),
        embedding_s=sum([ranking.embedding_s for ranking in rankings]),
        retrieval_s=sum([ranking.retrieval_s for ranking in rankings]),
        is_complete=all(ranking.is_complete for ranking in rankings),
        rewriting=_merged([ranking.rewriting for ranking in rankings if ranking.rewriting is not None]),
    )


def _merged_passages(lists: Sequence[Sequence[RetrievedPassage]], *, k: int, depth: int) -> list[list[Any]]:
    """Return the first `depth` passages, each with its negated score, best rank and id before it."""
    # Level by level: equal sums whatever the order of the rankings, because the best ranks are always added first.
    found: dict[str, list[Any]] = {}
    for rank, level in enumerate(zip_longest(*lists), start=1):
        added = 1 / (k + rank)  # `share`, whose calls would take 3 % of the time of a merge
        for passage in level:
            if passage is not None:
                key = passage.id
                if key in found:
                    found[key][0] -= added
                else:
                    found[key] = [-added, rank, key, passage]
    # By the score alone, which compares numbers only: rankings that differ name three times as many as are kept.
    first = sorted(found.values(), key=_negated)
    end = min(depth, len(first))
    while 0 < end < len(first) and first[end][0] == first[end - 1][0]:
        end += 1
    # Nearly in order: only equal scores may still change places.
    return sorted(first[:end])[:depth]


def _matching(ranking: Ranking) -> Sequence[RetrievedPassage]:
    """Return the passages without those at the end whose score is 0."""
    passages = ranking.passages
    count = len(passages)
    while count and passages[count - 1].score == 0:
        count -= 1
    return passages[:count]


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
