"""Questions looked up in a collection, and what a preview found kept for the run that follows it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

from passer.domain.base import digest_of
from passer.domain.dataset import Question
from passer.domain.retrieval import Ranking
from passer.domain.retrieval_quality import GoldIndex
from passer.ports import Collections, PassageIndex

QUESTIONS_PER_SEARCH = 32
"""Questions embedded and looked up together."""
MOST_PASSAGES = 50_000
"""Passages remembered in all, about 50 MB; a larger preview is not remembered, and the run retrieves again."""


def ranked(index: PassageIndex, questions: Sequence[Question], depth: int) -> Iterator[dict[str, Ranking]]:
    """Rankings by question id, a few at a time, each with the passages that hold the answer where they are known."""
    gold = GoldIndex(index.passages() if any(question.gold_passages for question in questions) else ())
    for start in range(0, len(questions), QUESTIONS_PER_SEARCH):
        batch = questions[start : start + QUESTIONS_PER_SEARCH]
        found = index.search([question.text for question in batch], depth)
        yield {
            question.id: _with_gold(ranking, gold.passage_ids(question.gold_passages))
            for question, ranking in zip(batch, found, strict=True)
        }


def version_of(collections: Collections, name: str) -> str:
    """Digest of what a collection is bound to and holds; it changes with every document."""
    for collection, documents in collections.list():
        if collection.name == name:
            return digest_of(
                {
                    "collection": collection.model_dump(mode="json"),
                    "documents": sorted(document.digest for document in documents),
                }
            )
    return digest_of({"missing": name})


@dataclass(frozen=True)
class Looked:
    """What was looked up: rankings are only used again for exactly the same."""

    collection: str
    version: str
    dataset_digest: str
    questions: int
    depth: int


@dataclass
class RankingMemory:
    """Rankings of the last previews, in this process alone."""

    most_passages: int = MOST_PASSAGES
    _kept: OrderedDict[Looked, Mapping[str, Ranking]] = field(default_factory=OrderedDict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def get(self, looked: Looked) -> Mapping[str, Ranking] | None:
        """Rankings by question id, if they are still here."""
        with self._lock:
            if looked in self._kept:
                self._kept.move_to_end(looked)
            return self._kept.get(looked)

    def keep(self, looked: Looked, rankings: Mapping[str, Ranking]) -> None:
        """Keep them, and let go of what was not used for longest."""
        with self._lock:
            self._kept[looked] = rankings
            self._kept.move_to_end(looked)
            while self._kept and sum(_size(each) for each in self._kept.values()) > self.most_passages:
                self._kept.popitem(last=False)


def _size(rankings: Mapping[str, Ranking]) -> int:
    return sum(len(ranking.passages) for ranking in rankings.values())


def _with_gold(ranking: Ranking, gold_ids: frozenset[str] | None) -> Ranking:
    return ranking.model_copy(update={"gold_ids": None if gold_ids is None else tuple(sorted(gold_ids))})
