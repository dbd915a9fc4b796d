"""Every retriever is a ranking function: how deep it is asked never changes what comes first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from passer.domain.models.model import Model
from passer.domain.retrieval.passage_relevance import Graded
from passer.domain.retrieval.passages import Ranking, Rewriting
from passer.domain.retrieval.refinements import PassageJudge, Variations
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Reranked, Retriever, Rewritten
from passer.ports import Counted
from passer.services.pipeline.ranker import Ranker
from tests.fakes import FakeIndex, passages_of

WORDS = ("hens", "bees", "soil", "clover", "copper", "vines", "seed", "weeds")
TEXTS = [" ".join((WORDS[n % 8], WORDS[(n // 3) % 8], WORDS[n % 5])) for n in range(60)]
QUESTION = "hens clover seed"
MODEL = Model(provider="ollama", name="m")


class Writer:
    """Adds a word for each variation."""

    def pinned(self, by: Variations) -> Variations:
        return by

    def rewrite(self, by: Variations, questions: Sequence[str], counted: Counted) -> list[Rewriting]:
        return [Rewriting(asked=(text, *(f"{text} {word}" for word in WORDS[: by.n]))) for text in questions]


class Judge:
    """Grades by the length of the text; some texts it cannot grade."""

    def pinned(self, by: PassageJudge) -> PassageJudge:
        return by

    def grades(self, by: PassageJudge, question: str, texts: Sequence[str]) -> list[Graded]:
        return [Graded(grade=None if len(text) % 5 == 0 else len(text) % 3) for text in texts]


BM25, KNN = Lexical(), Dense()
HYBRID = Fused(of=(KNN, BM25), depth=30)
VARIED = Rewritten(of=HYBRID, by=Variations(judge=MODEL, n=3), depth=25)
GRADED = Reranked(of=HYBRID, depth=10, by=PassageJudge(judge=MODEL))
FORMS = (KNN, BM25, HYBRID, Fused(of=(HYBRID, GRADED), depth=20), VARIED, GRADED, Reranked(
    of=VARIED, depth=7, by=PassageJudge(judge=MODEL)
))  # fmt: skip


def placed(ranking: Ranking) -> list[tuple[str, int, float | None]]:
    return [(each.id, each.rank, each.score) for each in ranking.passages]


@pytest.mark.parametrize("retriever", FORMS, ids=lambda each: str(each.label))
def test_a_shallower_ranking_is_the_beginning_of_a_deeper_one(retriever: Retriever) -> None:
    index = FakeIndex("farm", passages_of(*TEXTS))
    ranker = Ranker(rewriters=Writer(), judges=Judge())
    [deepest] = ranker.rank(index, retriever, [QUESTION], 1000)
    assert len(deepest.passages) >= 20
    assert [each.rank for each in deepest.passages] == [*range(1, len(deepest.passages) + 1)]
    for depth in (1, 5, 10, 20, 40):
        [found] = ranker.rank(index, retriever, [QUESTION], depth)
        assert placed(found) == placed(deepest)[:depth]
    # What ordered them is kept beside the similarity with the question as it was asked.
    [near] = index.similarities([QUESTION], [[each.id for each in deepest.passages]])
    if isinstance(retriever, Rewritten):
        assert [each.similarity for each in deepest.passages] == pytest.approx(near)
