"""Retrieves questions from collections, and caches what a preview retrieved for the sweep that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from passer.domain.base import digest_of
from passer.domain.dataset import Question
from passer.domain.lru_cache import LruCache
from passer.domain.ranking_source import RankingSource, question_digest
from passer.domain.retrieval import Ranking
from passer.domain.retrieval_quality import GoldIndex
from passer.domain.retriever import RankedBy, Retriever
from passer.domain.sweep import Sweep
from passer.ports import Collections, FoundAt, PassageIndex
from passer.services.pipeline.ranker import Ranker

QUESTIONS_PER_SEARCH = 32
"""Questions embedded and searched together."""
MOST_PASSAGES = 50_000
"""Passages remembered in all, about 50 MB; a larger preview is not remembered, and the run retrieves again."""


class QuestionSearch:
    """Ranks the questions of a dataset in one collection; the collection is opened by the first search."""

    def __init__(
        self, collections: Collections, name: str, *, ranker: Ranker, retriever: Retriever, depth: int
    ) -> None:
        self._collections, self._name, self._ranker = collections, name, ranker
        self.retriever, self._depth = retriever, depth
        self._index: PassageIndex | None = None
        self._gold: GoldIndex | None = None

    def rank(self, questions: Sequence[Question], known: Mapping[str, Ranking] | None = None) -> list[Ranking]:
        """Rank some questions together, each with the passages that hold its answer where they are known.

        `known` are rankings by question digest that need no search.
        """
        known = known or {}
        digests = [question_digest(question.text) for question in questions]
        texts = [question.text for question, digest in zip(questions, digests, strict=True) if digest not in known]
        found = iter(self._ranked(texts) if texts else ())
        rankings = [known[digest] if digest in known else next(found) for digest in digests]
        return [self._with_gold(question, ranking) for question, ranking in zip(questions, rankings, strict=True)]

    def _with_gold(self, question: Question, ranking: Ranking) -> Ranking:
        # Gold passages belong to a dataset, not to a text: a shared ranking may come from a sweep on another dataset,
        # so its gold ids are replaced (decision 001).
        if not question.gold_passages:
            return ranking.model_copy(update={"gold_ids": None})
        if self._gold is None:
            self._gold = GoldIndex(self._opened().passages())
        ids = self._gold.passage_ids(question.gold_passages)
        return ranking.model_copy(update={"gold_ids": None if ids is None else tuple(sorted(ids))})

    def warm_up(self, question: Question) -> None:
        """Search once for nothing, so that the time to load the embedding model is measured with no question."""
        self._ranked([question.text])

    def _ranked(self, texts: Sequence[str]) -> list[Ranking]:
        return self._ranker.rank(self._opened(), self.retriever, texts, self._depth)

    def _opened(self) -> PassageIndex:
        if self._index is None:
            self._index = self._collections.open(self._name)
        return self._index


def source_of(collections: Collections, name: str, retriever: Retriever) -> RankingSource:
    """Return the source of rankings that a collection is as it stands now."""
    return RankingSource(version=version_of(collections, name), retriever=retriever)


def version_of(collections: Collections, name: str) -> str:
    """Return the digest of a collection's binding and documents; it changes with every document."""
    for collection, documents in collections.list():
        if collection.name == name:
            return digest_of(
                {
                    "collection": collection.model_dump(mode="json"),
                    # Sorted: no search depends on the order in which documents were added (decision 002).
                    "documents": sorted(document.digest for document in documents),
                }
            )
    return digest_of({"missing": name})


class PlannedSearch(NamedTuple):
    """A ranking that a sweep needs of every question."""

    ranked_by: RankedBy
    retriever: Retriever
    depth: int
    """Passages per question: the most that any policy needs."""


def planned_searches(sweep: Sweep) -> list[PlannedSearch]:
    """Return the rankings that a sweep needs: one for each collection and retriever."""
    depth = max(policy.depth for policy, _ in sweep.policies())
    return [
        PlannedSearch(RankedBy(planned.name, retriever.key), retriever, depth)
        for planned, retriever in product(sweep.collections(), sweep.retrievers)
    ]


def address(source: str, question: Question, depth: int) -> FoundAt:
    """Return the address under which sweeps share a search."""
    return FoundAt(source, question_digest(question.text), depth)


@dataclass(frozen=True)
class RetrievalKey:
    """Conditions of a retrieval. Rankings are reused only under exactly the same conditions."""

    source: str
    """Digest of the ranking source."""
    dataset_digest: str
    questions: int
    depth: int


def ranking_cache(capacity: int = MOST_PASSAGES) -> LruCache[RetrievalKey, Mapping[str, Ranking]]:
    """Return a cache for the rankings of previews, by question id, bounded by their passages."""
    return LruCache(capacity, weigh=lambda rankings: sum(len(each.passages) for each in rankings.values()))
