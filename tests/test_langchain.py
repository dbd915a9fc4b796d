"""The LangChain retriever and the index over LangChain retrievers, with langchain-core itself."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.documents import Document as LangChainDocument
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from pydantic import ValidationError

from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.passages import Chunking, Collection, Document, EmbeddingModel
from passer.errors import CollectionMismatchError, ConfigError, ConflictError, IndexUnavailable
from passer.langchain import LangChainIndex, ScoreThresholdRetriever
from passer.ports import PassageIndex
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder()
COLLECTION = Collection(name="farming", embedding=ENCODER.model, chunking=Chunking(chunk_size=40, chunk_overlap=0))
TEXT = "Legumes fix nitrogen in the soil. Compost feeds the soil life. Bees need nectar and pollen."
QUESTION = "nitrogen in the soil"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[PassageIndex]:
    collections = ChromaCollections(path=tmp_path, embedder_for=lambda name: ENCODER)
    document = Document(name="soil.md", digest="a" * 64, text=TEXT, page_starts=(0, 60))
    passages = RecursiveSplitter().split(document, COLLECTION.chunking)
    collections.add(COLLECTION, document, passages, ENCODER.sentence_vectors([p.text for p in passages]))
    yield collections.open("farming")
    collections.close()


@pytest.mark.parametrize("least", [-1.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("max_k", [1, 2, 100])
def test_the_retriever_gives_what_the_policy_keeps(index: PassageIndex, least: float, max_k: int) -> None:
    retriever = ScoreThresholdRetriever(index=index, min_similarity=least, max_k=max_k, k_increment=1)
    (ranking,) = index.search([QUESTION], 100)
    kept = [p for p in ranking.passages if p.similarity >= least][:max_k]
    documents = retriever.invoke(QUESTION)
    assert [document.page_content for document in documents] == [passage.text for passage in kept]
    assert [document.metadata["similarity"] for document in documents] == [passage.similarity for passage in kept]
    assert documents == asyncio.run(retriever.ainvoke(QUESTION))


def test_documents_say_where_they_come_from(index: PassageIndex) -> None:
    retriever = ScoreThresholdRetriever(index=index, min_similarity=0.5)
    (nearest,) = retriever.invoke(QUESTION)
    assert nearest.id == nearest.metadata["id"]
    assert {key: nearest.metadata[key] for key in ("rank", "document", "page", "number")} == {
        "rank": 1,
        "document": "soil.md",
        "page": 1,
        "number": 0,
    }
    assert TEXT[nearest.metadata["start"] : nearest.metadata["end"]] == nearest.page_content


def test_the_retriever_works_in_a_chain(index: PassageIndex) -> None:
    chain = ScoreThresholdRetriever(index=index, min_similarity=-1) | RunnableLambda(len)
    assert chain.invoke(QUESTION) == 3


@pytest.mark.parametrize("bad", [{"min_similarity": 1.5}, {"min_similarity": 0.5, "max_k": -1}])
def test_a_retriever_out_of_range_is_refused(index: PassageIndex, bad: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        ScoreThresholdRetriever(index=index, **bad)


def test_there_and_back_gives_the_same_ranking(index: PassageIndex) -> None:
    back = LangChainIndex(ScoreThresholdRetriever(index=index, min_similarity=-1), collection=COLLECTION)
    (ours,), (theirs,) = index.search([QUESTION], 2), back.search([QUESTION], 2)
    assert theirs.passages == ours.passages
    assert back.collection == COLLECTION


class FakeEmbeddings(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return ENCODER.sentence_vectors(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def test_a_vector_store_of_langchain_is_asked_as_deep_as_needed() -> None:
    """Against LangChain's own in-memory store and its cosine."""
    texts = [f"{word} field number {n}" for n, word in enumerate(["soil", "bees", "oats", "rice", "hay", "rye"])]
    store = InMemoryVectorStore(FakeEmbeddings())
    store.add_texts(texts, metadatas=[{"source": "fields.txt", "page": 0}] * 6)
    index = LangChainIndex(store.as_retriever(search_kwargs={"k": 2}), collection=COLLECTION, embedder=ENCODER)
    (ranking,) = index.search(["soil field"], 5)
    expected = store.similarity_search_with_score("soil field", k=5)
    assert [passage.text for passage in ranking.passages] == [document.page_content for document, _ in expected]
    assert [p.similarity for p in ranking.passages] == pytest.approx([score for _, score in expected], abs=1e-6)
    assert {(passage.document, passage.page) for passage in ranking.passages} == {("fields.txt", None)}
    similarities = [passage.similarity for passage in ranking.passages]
    assert list(ScorePolicy(min_similarity=similarities[1]).keep(similarities)) == [0, 1]
    ((texts_of, vectors),) = index.sentences(ranking.passages[:1])
    assert (texts_of, vectors.shape) == (["soil field number 0"], (1, 64))


class Listed(BaseRetriever):
    documents: list[LangChainDocument]

    def _get_relevant_documents(self, query: str, *, run_manager: object) -> list[LangChainDocument]:
        if query == "broken":
            raise RuntimeError("no connection")
        return self.documents


def test_scores_of_the_metadata_order_the_passages() -> None:
    given = [("b", 0.2), ("a", 0.9), ("c", 0.9), ("a", 0.9)]
    documents = [LangChainDocument(id=name, page_content=name, metadata={"score": score}) for name, score in given]
    index = LangChainIndex(Listed(documents=documents), collection=COLLECTION, similarity_key="score")
    (ranking,) = index.search(["x"], 10)
    assert [(p.id, p.similarity, p.rank) for p in ranking.passages] == [("a", 0.9, 1), ("c", 0.9, 2), ("b", 0.2, 3)]
    assert list(NormalPolicy(k=2).keep([p.similarity for p in ranking.passages])) == [0, 1]
    assert index.search(["x"], 0)[0].passages == ()


@pytest.mark.parametrize("metadata", [{}, {"similarity": 7.0}, {"similarity": "high"}])
def test_a_rank_is_not_taken_for_a_similarity(metadata: dict[str, object]) -> None:
    index = LangChainIndex(
        Listed(documents=[LangChainDocument(page_content="x", metadata=metadata)]), collection=COLLECTION
    )
    with pytest.raises(ConfigError, match=r"returned no similarity .* or an embedder"):
        index.search(["x"], 3)


def test_what_a_retriever_cannot_do_is_said_so() -> None:
    index = LangChainIndex(Listed(documents=[]), collection=COLLECTION)
    assert index.search(["x"], 3)[0].passages == ()
    with pytest.raises(IndexUnavailable, match=r"failed \(no connection\)"):
        index.search(["broken"], 3)
    with pytest.raises(ConflictError, match="cannot list its passages"):
        index.passages()
    with pytest.raises(ConfigError, match="Pass an embedder to LangChainIndex"):
        index.sentences([])
    other = COLLECTION.model_copy(update={"embedding": EmbeddingModel(name="other", digest="0", dimension=64)})
    with pytest.raises(CollectionMismatchError, match="Use the embedder of the collection"):
        LangChainIndex(Listed(documents=[]), collection=other, embedder=ENCODER)


def test_without_langchain_the_import_says_what_to_install() -> None:
    code = "import sys; sys.modules['langchain_core'] = None; import passer.langchain"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert 'pip install "passer-rag[langchain]"' in done.stderr.splitlines()[-1]
