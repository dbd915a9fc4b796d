"""Policies: our one-query result against the original's stepwise loop, and cases by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from passer.domain.retrieval.cuts import (
    NoRetrievalPolicy,
    NormalPolicy,
    PublishedScorePolicy,
    RetrievalPolicy,
    ScorePolicy,
)
from passer.domain.retrieval.passages import Chunking, Collection, Document, EmbeddingModel, passage_id


def stepwise(values: list[float], *, least: float, max_k: int, k_increment: int) -> list[int]:
    """The original's loop: fetch k_increment more while all fetched pass and fewer than max_k were fetched."""
    fetched = 0
    while True:
        fetched += k_increment
        passing = [place for place, value in enumerate(values[:fetched]) if value >= least]
        if len(passing) < fetched or fetched >= max_k:
            return passing[:max_k]


descending = st.lists(st.floats(-1, 1), max_size=40).map(lambda values: sorted(values, reverse=True))
threshold = st.floats(-1, 1)
steps = st.integers(1, 60)


@given(similarities=descending, least=threshold, max_k=steps, k_increment=steps)
def test_score_equals_the_stepwise_loop(similarities: list[float], least: float, max_k: int, k_increment: int) -> None:
    policy = ScorePolicy(min_similarity=least, max_k=max_k, k_increment=k_increment)
    expected = stepwise(similarities, least=least, max_k=max_k, k_increment=k_increment)
    assert list(policy.keep(similarities)) == expected


@given(similarities=descending, data=st.data(), max_k=steps, k_increment=steps)
def test_score_equals_the_stepwise_loop_at_the_cut(
    similarities: list[float], data: st.DataObject, max_k: int, k_increment: int
) -> None:
    """The threshold is one of the similarities: >= keeps it."""
    least = data.draw(st.sampled_from(similarities or [0.0]))
    policy = ScorePolicy(min_similarity=least, max_k=max_k, k_increment=k_increment)
    expected = stepwise(similarities, least=least, max_k=max_k, k_increment=k_increment)
    assert list(policy.keep(similarities)) == expected


@given(similarities=descending, least=st.floats(0, 2), max_k=steps, k_increment=steps)
def test_published_score_equals_the_stepwise_loop_over_distances(
    similarities: list[float], least: float, max_k: int, k_increment: int
) -> None:
    policy = PublishedScorePolicy(min_distance=least, max_k=max_k, k_increment=k_increment)
    expected = stepwise([1 - s for s in similarities], least=least, max_k=max_k, k_increment=k_increment)
    assert list(policy.keep(similarities)) == expected


@given(similarities=descending, least=st.floats(0, 2), max_k=steps, k_increment=steps)
def test_a_ranking_of_the_stated_depth_is_deep_enough(
    similarities: list[float], least: float, max_k: int, k_increment: int
) -> None:
    for policy in (
        NormalPolicy(k=max_k),
        ScorePolicy(min_similarity=least - 1, max_k=max_k, k_increment=k_increment),
        PublishedScorePolicy(min_distance=least, max_k=max_k, k_increment=k_increment),
        NoRetrievalPolicy(),
    ):
        assert policy.keep(similarities[: policy.depth]) == policy.keep(similarities)


@pytest.mark.parametrize(("k", "expected"), [(1, [0]), (3, [0, 1, 2]), (10, [0, 1, 2])])
def test_normal_keeps_the_k_nearest(k: int, expected: list[int]) -> None:
    assert list(NormalPolicy(k=k).keep([0.9, 0.5, -0.2])) == expected


def test_score_by_hand() -> None:
    similarities = [0.9, 0.7, 0.7, 0.6, 0.1]
    assert list(ScorePolicy(min_similarity=0.7).keep(similarities)) == [0, 1, 2]
    assert list(ScorePolicy(min_similarity=0.7, max_k=2).keep(similarities)) == [0, 1]
    assert list(ScorePolicy(min_similarity=0.95).keep(similarities)) == []
    assert list(ScorePolicy(min_similarity=-1).keep(similarities)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("distances", "expected"),
    [
        # Step 1 fetches two; the nearest is too near, so the loop ends there and the far one is kept.
        ([0.2, 0.6, 0.7, 0.8], [1]),
        # All pass at every step, up to max_k.
        ([0.5, 0.6, 0.7, 0.8, 0.9, 1.0], [0, 1, 2, 3]),
        # Both of the first step are too near: nothing at all, although far ones follow.
        ([0.1, 0.2, 0.7, 0.8], []),
        # Fewer passages than a step.
        ([0.9], [0]),
        ([], []),
    ],
)
def test_published_score_by_hand(distances: list[float], expected: list[int]) -> None:
    policy = PublishedScorePolicy(min_distance=0.5, max_k=4, k_increment=2)
    assert list(policy.keep([1 - distance for distance in distances])) == expected


def test_the_depth_of_the_published_score_is_rounded_up_to_whole_steps() -> None:
    policy = PublishedScorePolicy(min_distance=0.5, max_k=3, k_increment=10)
    assert policy.depth == 10
    # One step fetches ten; the first three are too near, and three of the others are kept.
    similarities = [1 - distance for distance in (0.1, 0.2, 0.3, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2)]
    assert list(policy.keep(similarities[: policy.depth])) == [3, 4, 5]
    assert list(policy.keep(similarities[: policy.max_k])) == [], "a ranking of max_k passages is not deep enough"


def test_the_closed_book_keeps_nothing() -> None:
    assert (list(NoRetrievalPolicy().keep([0.9])), NoRetrievalPolicy().depth) == ([], 0)


def test_the_originals_names_are_accepted() -> None:
    policy = TypeAdapter(RetrievalPolicy).validate_python(
        {"mode": "score", "minSimilarityScore": 0.6, "maxK": 20, "kIncrement": 5}
    )
    assert policy == ScorePolicy(min_similarity=0.6, max_k=20, k_increment=5)


@pytest.mark.parametrize(
    "bad",
    [
        {"mode": "score", "min_similarity": 1.5},
        {"mode": "score", "min_similarity": float("nan")},
        {"mode": "normal", "k": -1},
        {"mode": "normal", "k": 0},
        {"mode": "other"},
    ],
)
def test_a_policy_out_of_range_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(RetrievalPolicy).validate_python(bad)


def test_pages_by_hand() -> None:
    document = Document(name="d", digest="0", text="abcdef", page_starts=(0, 2, 4))
    assert [document.page_at(position) for position in range(6)] == [1, 1, 2, 2, 3, 3]
    assert Document(name="d", digest="0", text="abc").page_at(1) is None


def test_a_passage_id_depends_on_content_cut_and_number_alone() -> None:
    one = passage_id(document_digest="a", chunking=Chunking(), number=0)
    assert one == passage_id(document_digest="a", chunking=Chunking(), number=0)
    others = {
        passage_id(document_digest="b", chunking=Chunking(), number=0),
        passage_id(document_digest="a", chunking=Chunking(chunk_size=512), number=0),
        passage_id(document_digest="a", chunking=Chunking(), number=1),
    }
    assert len(others | {one}) == 4


@pytest.mark.parametrize("name", ["ab", "-abc", "abc-", "a b c", "x" * 64, "käse"])
def test_a_collection_name_out_of_its_letters_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        Collection(name=name, embedding=EmbeddingModel(name="m", digest="d", dimension=1))


def test_an_overlap_as_large_as_the_passage_is_refused() -> None:
    with pytest.raises(ValidationError, match="chunk_overlap must be smaller"):
        Chunking(chunk_size=100, chunk_overlap=100)
