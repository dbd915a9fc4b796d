"""READ FIRST of retrieval: how each form of retriever ranks the passages of a collection for the questions asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Protocol

import numpy as np

from passer.domain.dataset import Question
from passer.domain.lru_cache import LruCache
from passer.domain.retrieval.expansion import expansion
from passer.domain.retrieval.fusion import Part, fused
from passer.domain.retrieval.passage_relevance import Graded
from passer.domain.retrieval.passages import Ranking, Rewriting
from passer.domain.retrieval.places import Places
from passer.domain.retrieval.quality import GoldIndex
from passer.domain.retrieval.ranking_source import question_digest
from passer.domain.retrieval.refinements import PassageJudge, Reranker, Terms, Variations
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Reranked, Retriever, Rewritten, with_helpers
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError
from passer.ports import Collections, Counted, PassageIndex, Rerankers, SearchAddress

QUESTIONS_PER_SEARCH = 32
"""Questions embedded and searched together."""
MOST_PASSAGES = 50_000
"""Passages remembered in all, about 50 MB; a larger preview is not remembered, and the run retrieves again."""


class Rewriters(Protocol):
    """Rewrites questions before they are searched for, by models."""

    def pinned(self, by: Variations) -> Variations:
        """Return the rewriter with the digests of what it depends on now.

        Raises UnavailableError if one of them is not available, and ModelNotFoundError if the model does not exist.
        """

    def rewrite(self, by: Variations, questions: Sequence[str], counted: Counted) -> list[Rewriting]:
        """Return the texts to search for in place of each question; `counted` is called for each question that is done.

        ConflictError if a pinned digest is another one now; UnavailableError if a model does not answer.
        """


class Judges(Protocol):
    """Grades passages for a question, by models."""

    def pinned(self, by: PassageJudge) -> PassageJudge:
        """Return the reranker with the digests of what it depends on now.

        Raises UnavailableError if one of them is not available, and ModelNotFoundError if the model does not exist.
        """

    def grades(self, by: PassageJudge, question: str, texts: Sequence[str]) -> list[Graded]:
        """Return the grade of each text.

        ConflictError if a pinned digest is another one now; UnavailableError if a model does not answer.
        """


@dataclass(frozen=True)
class Ranker:
    """Ranks passages by any retriever."""

    rewriters: Rewriters | None = None
    """None where no model can be asked: retrievers that need one are refused."""
    rerankers: Rerankers | None = None
    """Cross-encoders; None where there are none."""
    judges: Judges | None = None
    """None where no model can be asked."""
    counted: Callable[[str, int], None] = lambda _, __: None
    """Called with the label of a retriever that asks a model, and the number of questions that it is done with."""

    def pinned(self, retriever: Retriever) -> Retriever:
        """Return the retriever with the digests of the models and texts outside of it that its ranking depends on."""
        return with_helpers(
            retriever,
            rewriter=lambda by: by if isinstance(by, Terms) else self._rewriters().pinned(by),
            reranker=lambda by: (
                self._judges().pinned(by) if isinstance(by, PassageJudge) else self._rerankers().pinned(by)
            ),
        )

    def rank(self, index: PassageIndex, retriever: Retriever, questions: Sequence[str], depth: int) -> list[Ranking]:
        """Rank the passages of a collection for each question, at most `depth` of them."""
        return [found.ranking() for found in self._places(index, retriever, questions, depth)]

    def parts(self, index: PassageIndex, retriever: Retriever, question: str, ranking: Ranking) -> list[Part]:
        """Return the rankings from which the ranking of a question was merged; none for a single search."""

        def part(label: str, of: Retriever, text: str, depth: int) -> Part:
            return Part(label=label, ranking=self.rank(index, of, [text], depth)[0])

        match retriever:
            case Fused(of=of, depth=depth):
                return [part(each.label, each, question, depth) for each in of]
            case Rewritten(of=one, by=Variations(), depth=depth) if ranking.rewriting is not None:
                return [part(text, one, text, depth) for text in ranking.rewriting.asked]
            case Reranked(of=one, depth=depth):
                return [part(one.label, one, question, max(depth, len(ranking.passages)))]
        return []

    def _places(self, index: PassageIndex, retriever: Retriever, questions: Sequence[str], depth: int) -> list[Places]:
        match retriever:
            case Dense() | Lexical():
                return index.places(questions, depth, retriever)
            case Fused():
                # Always use the retriever's own depth: the merged ranking must not depend on the requested number.
                found = [self._places(index, each, questions, retriever.depth) for each in retriever.of]
                return [fused(each, k=retriever.k, depth=depth) for each in zip(*found, strict=True)]
            case Rewritten():
                return self._rewritten(index, retriever, questions, depth)
            case Reranked():
                return self._reranked(index, retriever, questions, depth)

    def _rewriters(self) -> Rewriters:
        if self.rewriters is None:
            raise ConfigError(sentence("retriever.no-models"), field="retriever")
        return self.rewriters

    def _rerankers(self) -> Rerankers:
        if self.rerankers is None:
            raise ConfigError(sentence("retriever.no-models"), field="retriever")
        return self.rerankers

    def _judges(self) -> Judges:
        if self.judges is None:
            raise ConfigError(sentence("retriever.no-models"), field="retriever")
        return self.judges

    def _reranked(self, index: PassageIndex, retriever: Reranked, questions: Sequence[str], depth: int) -> list[Places]:
        # Never fewer than are read: the order of the first passages must not depend on how many are asked for.
        found = self._places(index, retriever.of, questions, max(depth, retriever.depth))
        read = list[Places]()
        for question, places in zip(questions, found, strict=True):
            read.append(self._read(retriever, question, places).first(depth))
            self.counted(retriever.label, len(read))
        return read

    def _read(self, retriever: Reranked, question: str, found: Places) -> Places:
        """Order the first passages by their scores, equal ones as they were; the others follow as they were.

        Passages that a model did not grade come after those that it graded.
        """
        began = perf_counter()
        texts = [passage.text for passage in found.first(retriever.depth).found()]
        scores, is_complete = self._scores(retriever.by, question, texts)
        order = sorted(range(len(texts)), key=lambda place: _descending(scores[place]))
        others = range(len(texts), len(found.rows))
        places = np.array([*order, *others], dtype=np.intp)
        return replace(
            found,
            rows=found.rows[places],
            similarities=found.similarities[places],
            scores=[*(scores[place] for place in order), *(None for _ in others)],
            retrieval_s=found.retrieval_s + perf_counter() - began,
            is_complete=is_complete and found.is_complete,
        )

    def _scores(self, by: Reranker, question: str, texts: Sequence[str]) -> tuple[Sequence[float | None], bool]:
        """Return the score of each text, and whether scoring again gives the same."""
        if not isinstance(by, PassageJudge):
            return self._rerankers().scores(by, question, texts), True
        grades = self._judges().grades(by, question, texts)
        return [None if each.grade is None else float(each.grade) for each in grades], all(
            each.is_final for each in grades
        )

    def _rewritten(
        self, index: PassageIndex, retriever: Rewritten, questions: Sequence[str], depth: int
    ) -> list[Places]:
        """Rank by the texts that each question is rewritten to, and measure similarities with the question itself."""
        rewritings = self._rewritings(retriever, questions)
        texts = [text for each in rewritings for text in each.asked]
        # The retriever's own depth, as for Fused.
        found = iter(self._places(index, retriever.of, texts, retriever.depth))
        merged = [
            self._merged(retriever, [next(found) for _ in each.asked], min(depth, retriever.depth))
            for each in rewritings
        ]
        # One scale for all retrievers: a score is comparable only within its retriever, a similarity always means the
        # question as it was asked.
        similarities = index.similarities(questions, [[passage.id for passage in each.found()] for each in merged])
        return [
            replace(each, similarities=np.array(near, dtype=np.float64), rewriting=rewriting)
            for each, near, rewriting in zip(merged, similarities, rewritings, strict=True)
        ]

    def _rewritings(self, retriever: Rewritten, questions: Sequence[str]) -> list[Rewriting]:
        by = retriever.by
        if isinstance(by, Terms):
            return [expansion(question, by) for question in questions]
        return self._rewriters().rewrite(by, questions, partial(self.counted, retriever.label))

    @staticmethod
    def _merged(retriever: Rewritten, found: Sequence[Places], depth: int) -> Places:
        if not isinstance(retriever.by, Terms):
            return fused(found, k=retriever.k, depth=depth)
        # One text gives one ranking, without merging. What ordered it is kept as the score, because the similarity
        # will be the one with the question as it was asked.
        only = found[0].first(depth)
        near = only.similarities.tolist()
        scores = near if only.scores is None else only.scores
        return replace(only, scores=[by if score is None else score for by, score in zip(near, scores, strict=True)])


WITHOUT_MODELS = Ranker()
"""Ranks by the retrievers that ask no model."""


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
        """Rank some questions together, each with the passages that contain its answer where they are known.

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
        """Run one search and drop its result, so that no question measures the time to load the embedding model."""
        self._ranked([question.text])

    def _ranked(self, texts: Sequence[str]) -> list[Ranking]:
        return self._ranker.rank(self._opened(), self.retriever, texts, self._depth)

    def _opened(self) -> PassageIndex:
        if self._index is None:
            self._index = self._collections.open(self._name)
        return self._index


def address(source: str, question: Question, depth: int) -> SearchAddress:
    """Return the address under which sweeps share a search."""
    return SearchAddress(source, question_digest(question.text), depth)


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


def _descending(score: float | None) -> tuple[bool, float]:
    return score is None, -(score or 0.0)
