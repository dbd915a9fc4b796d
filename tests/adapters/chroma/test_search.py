"""Search is exact, the same in any company, and ties are cut by id."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from passer.adapters.chroma import index as chroma_index
from passer.adapters.chroma.collections import ChromaCollections
from passer.domain.retrieval.passages import Collection, EmbeddingModel
from passer.domain.retrieval.retriever import Lexical
from passer.ports import Vectors
from passer.services.pipeline.ranker import WITHOUT_MODELS
from tests.adapters.chroma.made import ENCODER, add, client, document, plain


def test_search_equals_double_precision_cosine_by_hand(store: ChromaCollections) -> None:
    add(store)
    index = store.open("farming")
    (ranking,) = index.search(["nitrogen in the soil"], 3)
    passages = list(index.passages())
    question = ENCODER.sentence_vectors(["nitrogen in the soil"])[0].astype(float)
    vectors = ENCODER.sentence_vectors([passage.text for passage in passages]).astype(float)
    similarities = vectors @ question / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(question))
    order = np.argsort(-similarities)[:3]
    assert [found.id for found in ranking.passages] == [passages[i].id for i in order]
    # Chroma normalises what it keeps, to single precision.
    assert [found.similarity for found in ranking.passages] == pytest.approx(similarities[order], abs=2e-7)
    assert [found.rank for found in ranking.passages] == [1, 2, 3]
    assert ranking.passages[0].text.startswith("Legumes fix nitrogen")
    assert ranking.embedding_s > 0
    assert ranking.retrieval_s > 0


def test_more_than_there_is_and_nothing_at_all(store: ChromaCollections) -> None:
    add(store)
    index = store.open("farming")
    assert len(index.search(["soil"], 1000)[0].passages) == 5
    assert index.search(["soil", "bees"], 0) == [index.search(["x"], 0)[0]] * 2
    assert index.search([], 5) == []


def many(store: ChromaCollections, vectors: Vectors) -> Collection:
    model = EmbeddingModel(name="fixed", digest="0", dimension=vectors.shape[1])
    collection = Collection(name="many", embedding=model)
    store.add(collection, document("d", "same"), [plain(n) for n in range(len(vectors))], vectors)
    return collection


class Fixed:
    """Embedder with fixed vectors, question by question."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors
        self.model = EmbeddingModel(name="fixed", digest="0", dimension=vectors.shape[1])

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        return np.array([self.vectors[int(text)] for text in texts], dtype=np.float32)


def random_vectors(count: int, *, seed: int, dimension: int = 48) -> Vectors:
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_ties_at_the_cut_are_cut_by_id(tmp_path: Path) -> None:
    """Forty passages are equally near; the ten of the smallest ids are kept, whatever the order of adding."""
    vectors = random_vectors(300, seed=1)
    near = np.random.default_rng(2).permutation(300)[:40]
    vectors[near] = vectors[near[0]]
    store = ChromaCollections(path=tmp_path, embedder_for=lambda name: Fixed(vectors))
    many(store, vectors)
    (ranking,) = store.open("many").search([str(near[0])], 10)
    assert [found.number for found in ranking.passages] == sorted(near)[:10]
    assert len({found.similarity for found in ranking.passages}) == 1
    store.close()


def test_a_question_finds_the_same_alone_and_among_others(tmp_path: Path) -> None:
    vectors, questions = random_vectors(1200, seed=3), random_vectors(30, seed=4)
    store = ChromaCollections(path=tmp_path, embedder_for=lambda name: Fixed(questions))
    many(store, vectors)
    index = store.open("many")
    together = index.search([str(n) for n in range(30)], 100)
    for number in range(30):
        (alone,) = index.search([str(number)], 100)
        assert alone.passages == together[number].passages
        (shallow,) = index.search([str(number)], 7)
        assert shallow.passages == alone.passages[:7]
    store.close()


def test_exact_search_agrees_with_exhaustive_double_precision() -> None:
    """Ten copies of each vector, disturbed in the last bits: single precision alone would confuse them."""
    base = random_vectors(50, seed=5)
    noise = np.random.default_rng(6).integers(-2, 3, (10, 50, 48))
    vectors = (base + noise * np.spacing(base)).reshape(500, 48).astype(np.float32)
    for question in random_vectors(20, seed=7):
        rows = chroma_index.candidate_rows(vectors, question, 25)
        everything = chroma_index.cosine(vectors, question)
        wanted = set(np.argsort(-everything, kind="stable")[:25])
        tied = {i for i in range(500) if everything[i] == np.sort(everything)[-25]}
        assert wanted | tied <= set(rows)
        assert np.array_equal(chroma_index.cosine(vectors[rows], question), everything[rows])


def test_similarity_stays_within_its_range() -> None:
    vector = np.full((1, 3), 1 / np.sqrt(3), dtype=np.float32)
    zero = np.zeros((1, 3), dtype=np.float32)
    assert chroma_index.cosine(np.concatenate([vector * 7, -vector, zero]), vector[0]).tolist() == [1, -1, 0]
    assert chroma_index.cosine(vector, zero[0]).tolist() == [0]


def test_the_graph_is_a_named_option_with_exact_similarities(tmp_path: Path) -> None:
    vectors, questions = random_vectors(600, seed=8), random_vectors(5, seed=9)
    exact = ChromaCollections(path=tmp_path, embedder_for=lambda name: Fixed(questions))
    many(exact, vectors)
    graph = ChromaCollections(path=tmp_path, embedder_for=lambda name: Fixed(questions), search="hnsw")
    texts = [str(n) for n in range(5)]
    for one, other in zip(exact.open("many").search(texts, 20), graph.open("many").search(texts, 20), strict=True):
        # At 600 passages ef_search = 1000 visits them all.
        assert one.passages == other.passages
    configuration = client(tmp_path).get_collection("many", embedding_function=None).configuration_json
    assert (configuration["hnsw"]["space"], configuration["hnsw"]["ef_search"]) == ("cosine", 1000)
    exact.close()


def test_bm25_ranks_by_words_with_exact_similarities_beside(store: ChromaCollections) -> None:
    add(store)
    index = store.open("farming")
    (ranking,) = WITHOUT_MODELS.rank(index, Lexical(), ["honey for the winter?"], 5)
    assert ranking.passages[0].text.endswith("honey for the winter.")
    assert [passage.rank for passage in ranking.passages] == [1, 2, 3, 4, 5]
    scores = [passage.score or 0.0 for passage in ranking.passages]
    assert scores == sorted(scores, reverse=True)
    without = [passage.id for passage in ranking.passages if passage.score == 0]
    assert without == sorted(without)
    near = {passage.id: passage.similarity for passage in index.search(["honey for the winter?"], 5)[0].passages}
    assert {passage.id: passage.similarity for passage in ranking.passages} == near
    assert WITHOUT_MODELS.rank(index, Lexical(), ["honey for the winter?"], 2)[0].passages == ranking.passages[:2]
    assert WITHOUT_MODELS.rank(index, Lexical(), [], 5) == []


def test_bm25_sees_what_was_added(store: ChromaCollections) -> None:
    add(store)
    index = store.open("farming")
    assert WITHOUT_MODELS.rank(index, Lexical(), ["slurry"], 1)[0].passages[0].score == 0
    add(store, **{"new.md": "Slurry is spread in spring."})
    assert WITHOUT_MODELS.rank(index, Lexical(), ["slurry"], 1)[0].passages[0].text.startswith("Slurry")


def test_a_collection_keeps_the_words_it_was_made_with(store: ChromaCollections, tmp_path: Path) -> None:
    add(store, **{"fig.md": "İncir ağacı.", "other.md": "Buğday."})
    new = WITHOUT_MODELS.rank(store.open("farming"), Lexical(), ["incir"], 1)[0]
    assert new.passages[0].document == "fig.md"
    assert (new.passages[0].score or 0) > 0
    store.close()
    # Collections made before say nothing of their rules.
    stored = client(tmp_path / "chroma").get_collection("farming", embedding_function=None)
    stored.modify(metadata={key: value for key, value in stored.metadata.items() if key != "text_rules"})
    before = ChromaCollections(path=tmp_path / "chroma", embedder_for=lambda name: ENCODER)
    assert WITHOUT_MODELS.rank(before.open("farming"), Lexical(), ["incir"], 1)[0].passages[0].score == 0
