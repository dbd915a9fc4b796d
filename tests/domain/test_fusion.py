"""Reciprocal rank fusion by hand."""

from __future__ import annotations

import itertools

import pytest

from passer.domain.fusion import fused
from passer.domain.retrieval import Ranking, RetrievedPassage


def ranking(*ids: str, scores: dict[str, float] | None = None) -> Ranking:
    return Ranking(
        passages=tuple(
            RetrievedPassage(
                id=key, document="d", number=0, text=key, start=0, end=1, rank=rank, similarity=0.5,
                score=None if scores is None else scores[key],
            )
            for rank, key in enumerate(ids, start=1)
        ),
        retrieval_s=0.25,
    )  # fmt: skip


def test_a_passage_collects_the_reciprocals_of_its_ranks() -> None:
    found = fused([ranking("a", "b", "c"), ranking("d", "e", "a")], k=60, depth=10)
    scores = {passage.id: passage.score for passage in found.passages}
    # First and third: 1/61 + 1/63. In one ranking only, second: 1/62.
    assert scores["a"] == pytest.approx(0.032266, abs=5e-7)
    assert scores["b"] == scores["e"] == pytest.approx(0.016129, abs=5e-7)
    assert [passage.id for passage in found.passages] == ["a", "d", "b", "e", "c"]
    assert [passage.rank for passage in found.passages] == [1, 2, 3, 4, 5]
    assert found.retrieval_s == 0.5


def test_equal_scores_are_ordered_by_the_best_rank_then_by_id() -> None:
    found = fused([ranking("z", "a"), ranking("b", "y")], k=60, depth=10)
    assert [passage.id for passage in found.passages] == ["b", "z", "a", "y"]
    # 1/(1 + 1) + 1/(1 + 5) = 1/(1 + 2) + 1/(1 + 2): the one with a first place comes first.
    far = ranking("p", "q", "r", "s", "one")
    tied = fused([ranking("one", "two"), far, ranking("t", "two")], k=1, depth=3)
    assert [passage.id for passage in tied.passages[:2]] == ["one", "two"]
    assert tied.passages[0].score == pytest.approx(2 / 3) == tied.passages[1].score


def test_the_order_of_the_rankings_does_not_matter() -> None:
    rankings = [ranking("a", "b", "c"), ranking("c", "a"), ranking("d", "b", "a"), ranking("e", "c", "d")]
    expected = fused(rankings, k=60, depth=4).passages
    assert all(fused(order, k=60, depth=4).passages == expected for order in itertools.permutations(rankings))


def test_passages_that_share_no_word_with_the_question_add_nothing() -> None:
    lexical = ranking("a", "b", "c", scores={"a": 1.5, "b": 0.0, "c": 0.0})
    found = fused([lexical, ranking("c", "a")], k=60, depth=10)
    assert {passage.id: passage.score for passage in found.passages} == {"a": 1 / 61 + 1 / 62, "c": 1 / 61}


def test_a_passage_with_score_0_before_others_counts() -> None:
    # Reranking and outside scores may put 0 above a negative score: only zeros that end a ranking say nothing.
    merged = fused([ranking("a", "m", "b", "z", scores={"a": 2.0, "m": 0.0, "b": -1.0, "z": 0.0})], k=60, depth=9)
    assert [(each.id, each.score) for each in merged.passages] == [
        ("a", pytest.approx(1 / 61)),
        ("m", pytest.approx(1 / 62)),
        ("b", pytest.approx(1 / 63)),
    ]


def test_a_shallower_ranking_is_the_beginning_of_a_deeper_one() -> None:
    rankings = [ranking("a", "b", "c", "d"), ranking("d", "e", "a", "f")]
    deep = fused(rankings, k=60, depth=6).passages
    assert all(fused(rankings, k=60, depth=depth).passages == deep[:depth] for depth in range(7))
