"""Reciprocal rank fusion by hand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.domain.retrieval.fusion import fused
from passer.domain.retrieval.passages import Passage, Ranking
from passer.domain.retrieval.places import Places

SHELF = [Passage(id=key, document="d", number=0, text=key, start=0, end=1) for key in "abcdefmopqrstwyz"]


def ranking(*ids: str, scores: dict[str, float] | None = None, corpus: Sequence[Passage] = SHELF) -> Places:
    row_of = {passage.id: row for row, passage in enumerate(corpus)}
    return Places(
        corpus=corpus,
        rows=np.array([row_of[key] for key in ids], dtype=np.intp),
        similarities=np.full(len(ids), 0.5),
        scores=None if scores is None else [scores[key] for key in ids],
        retrieval_s=0.25,
    )


def merged(found: Sequence[Places], *, k: int, depth: int) -> Ranking:
    return fused(found, k=k, depth=depth).ranking()


def test_a_passage_collects_the_reciprocals_of_its_ranks() -> None:
    found = merged([ranking("a", "b", "c"), ranking("d", "e", "a")], k=60, depth=10)
    scores = {passage.id: passage.score for passage in found.passages}
    # First and third: 1/61 + 1/63. In one ranking only, second: 1/62.
    assert scores["a"] == pytest.approx(0.032266, abs=5e-7)
    assert scores["b"] == scores["e"] == pytest.approx(0.016129, abs=5e-7)
    assert [passage.id for passage in found.passages] == ["a", "d", "b", "e", "c"]
    assert [passage.rank for passage in found.passages] == [1, 2, 3, 4, 5]
    assert found.retrieval_s == 0.5


def test_equal_scores_are_ordered_by_the_best_rank_then_by_id() -> None:
    found = merged([ranking("z", "a"), ranking("b", "y")], k=60, depth=10)
    assert [passage.id for passage in found.passages] == ["b", "z", "a", "y"]
    # 1/(1 + 1) + 1/(1 + 5) = 1/(1 + 2) + 1/(1 + 2): the one with a first place comes first.
    far = ranking("p", "q", "r", "s", "o")
    tied = merged([ranking("o", "w"), far, ranking("t", "w")], k=1, depth=3)
    assert [passage.id for passage in tied.passages[:2]] == ["o", "w"]
    assert tied.passages[0].score == pytest.approx(2 / 3) == tied.passages[1].score


def test_the_order_of_the_rankings_does_not_matter() -> None:
    rankings = [ranking("a", "b", "c"), ranking("c", "a"), ranking("d", "b", "a"), ranking("e", "c", "d")]
    expected = merged(rankings, k=60, depth=4).passages
    assert all(merged(order, k=60, depth=4).passages == expected for order in itertools.permutations(rankings))


def test_passages_that_share_no_word_with_the_question_add_nothing() -> None:
    lexical = ranking("a", "b", "c", scores={"a": 1.5, "b": 0.0, "c": 0.0})
    found = merged([lexical, ranking("c", "a")], k=60, depth=10)
    assert {passage.id: passage.score for passage in found.passages} == {"a": 1 / 61 + 1 / 62, "c": 1 / 61}


def test_a_passage_with_score_0_before_others_counts() -> None:
    # Reranking and outside scores may put 0 above a negative score: only zeros that end a ranking say nothing.
    found = merged([ranking("a", "m", "b", "z", scores={"a": 2.0, "m": 0.0, "b": -1.0, "z": 0.0})], k=60, depth=9)
    assert [(each.id, each.score) for each in found.passages] == [
        ("a", pytest.approx(1 / 61)),
        ("m", pytest.approx(1 / 62)),
        ("b", pytest.approx(1 / 63)),
    ]


def test_a_shallower_ranking_is_the_beginning_of_a_deeper_one() -> None:
    rankings = [ranking("a", "b", "c", "d"), ranking("d", "e", "a", "f")]
    deep = merged(rankings, k=60, depth=6).passages
    assert all(merged(rankings, k=60, depth=depth).passages == deep[:depth] for depth in range(7))


@given(
    st.lists(st.permutations(SHELF[:9]).flatmap(lambda all_: st.integers(0, 9).map(lambda n: all_[:n])), min_size=1),
    st.integers(1, 3),
    st.integers(0, 10),
)
def test_any_rankings_give_what_exact_arithmetic_gives(lists: list[list[Passage]], k: int, depth: int) -> None:
    # Small k and few passages, so that many scores are equal.
    found = [ranking(*(passage.id for passage in each)) for each in lists]
    ranks: dict[str, list[int]] = {}
    for each in lists:
        for rank, passage in enumerate(each, start=1):
            ranks.setdefault(passage.id, []).append(rank)
    score = {key: sum(Fraction(1, k + rank) for rank in of) for key, of in ranks.items()}
    got = merged(found, k=k, depth=depth)
    assert {each.id: each.score for each in got.passages} == pytest.approx(
        {each.id: float(score[each.id]) for each in got.passages}, abs=1e-12
    )
    order = sorted(
        ranks, key=lambda key: (-reduce(add, (1 / (k + rank) for rank in sorted(ranks[key]))), min(ranks[key]), key)
    )
    assert [each.id for each in got.passages] == order[:depth]


def test_rankings_of_different_passages_are_merged_by_id() -> None:
    # An approximate graph, or a collection that changed between two searches: rows count other passages.
    lists = ("abc", "ca", "eba", "")
    expected = merged([ranking(*each) for each in lists], k=60, depth=9)
    own = [ranking(*each, corpus=[passage for passage in SHELF if passage.id in {*each, "z"}]) for each in lists]
    assert merged(own, k=60, depth=9) == expected
    assert [each.id for each in expected.passages] == ["a", "c", "b", "e"]


def test_a_passage_keeps_its_similarity_in_the_ranking_where_it_is_best() -> None:
    first, second = ranking("a", "b"), ranking("b", "c", "a")
    first.similarities[:] = (0.1, 0.2)
    second.similarities[:] = (0.3, 0.4, 0.5)
    found = merged([first, second], k=60, depth=3)
    assert {each.id: each.similarity for each in found.passages} == {"a": 0.1, "b": 0.3, "c": 0.4}
