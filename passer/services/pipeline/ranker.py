"""READ FIRST of retrieval: how each form of retriever ranks the passages of a collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from passer.domain.fusion import fused
from passer.domain.query_rewriters import QueryRewriter
from passer.domain.retrieval import Ranking, RetrievedPassage, Rewriting
from passer.domain.retriever import Dense, Fused, Lexical, Reranked, Retriever, Rewritten, with_helpers
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError
from passer.ports import PassageIndex, Rerankers


class Rewriters(Protocol):
    """Rewrites questions before they are searched for."""

    def pinned(self, by: QueryRewriter) -> QueryRewriter:
        """Return the rewriter with the digests of what it depends on now; UnavailableError, ModelNotFoundError."""
        ...

    def rewrite(self, by: QueryRewriter, questions: Sequence[str]) -> list[Rewriting]:
        """Return the texts to search for in place of each question.

        ConflictError if a pinned digest is another one now; UnavailableError if a model does not answer.
        """
        ...


@dataclass(frozen=True)
class Ranker:
    """Ranks passages by any retriever."""

    rewriters: Rewriters | None = None
    """None where no model can be asked: retrievers that need one are refused."""
    rerankers: Rerankers | None = None
    """None where there are no rerankers."""

    def pinned(self, retriever: Retriever) -> Retriever:
        """Return the retriever with the digests of the models and texts outside of it that its ranking depends on."""
        return with_helpers(
            retriever,
            rewriter=lambda by: self._rewriters().pinned(by),
            reranker=lambda by: self._rerankers().pinned(by),
        )

    def rank(self, index: PassageIndex, retriever: Retriever, questions: Sequence[str], depth: int) -> list[Ranking]:
        """Rank the passages of a collection for each question, at most `depth` of them."""
        match retriever:
            case Dense():
                return index.search(questions, depth)
            case Lexical():
                return index.search_terms(questions, depth, retriever=retriever)
            case Fused():
                # Always as deep as the retriever says: what is merged must not depend on how much of it is asked for.
                found = [self.rank(index, each, questions, retriever.depth) for each in retriever.of]
                return [fused(rankings, k=retriever.k, depth=depth) for rankings in zip(*found, strict=True)]
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

    def _reranked(
        self, index: PassageIndex, retriever: Reranked, questions: Sequence[str], depth: int
    ) -> list[Ranking]:
        found = self.rank(index, retriever.of, questions, max(depth, retriever.depth))
        return [
            self._read(retriever, question, ranking, depth) for question, ranking in zip(questions, found, strict=True)
        ]

    def _read(self, retriever: Reranked, question: str, ranking: Ranking, depth: int) -> Ranking:
        """Order the first passages by their scores, equal ones as they were; the others follow as they were."""
        began = perf_counter()
        first, others = ranking.passages[: retriever.depth], ranking.passages[retriever.depth :]
        scores = self._rerankers().scores(retriever.by, question, [passage.text for passage in first])
        order = sorted(range(len(first)), key=lambda place: -scores[place])
        scored = [*((first[place], scores[place]) for place in order), *((passage, None) for passage in others)]
        passages = tuple(
            passage.model_copy(update={"rank": rank, "score": score})
            for rank, (passage, score) in enumerate(scored[:depth], start=1)
        )
        spent = ranking.retrieval_s + perf_counter() - began
        return ranking.model_copy(update={"passages": passages, "retrieval_s": spent})

    def _rewritten(
        self, index: PassageIndex, retriever: Rewritten, questions: Sequence[str], depth: int
    ) -> list[Ranking]:
        """Rank by the texts that each question is rewritten to, and measure similarities with the question itself."""
        rewritings = self._rewriters().rewrite(retriever.by, questions)
        texts = [text for each in rewritings for text in each.asked]
        rankings = iter(self.rank(index, retriever.of, texts, retriever.depth))
        merged = [
            fused([next(rankings) for _ in each.asked], k=retriever.k, depth=min(depth, retriever.depth))
            for each in rewritings
        ]
        similarities = index.similarities(questions, [[each.id for each in ranking.passages] for ranking in merged])
        return [
            ranking.model_copy(update={"passages": _with_similarities(ranking, near), "rewriting": rewriting})
            for ranking, near, rewriting in zip(merged, similarities, rewritings, strict=True)
        ]


WITHOUT_MODELS = Ranker()
"""Ranks by the retrievers that ask no model."""


def _with_similarities(ranking: Ranking, similarities: Sequence[float]) -> tuple[RetrievedPassage, ...]:
    return tuple(
        passage.model_copy(update={"similarity": near})
        for passage, near in zip(ranking.passages, similarities, strict=True)
    )
