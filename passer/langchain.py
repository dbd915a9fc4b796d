"""PaSSER and LangChain: our index as a LangChain retriever, and any LangChain retriever as our index.

retriever = ScoreThresholdRetriever(index=collections.open("farming"), min_similarity=0.6)
documents = retriever.invoke("How long does conversion take?")
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from passer.adapters.chroma.sentences import split_sentences
from passer.domain.extras import missing_extra
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.retrieval.passages import Collection, Passage, Ranking, RetrievedPassage
from passer.domain.retrieval.places import Places
from passer.domain.retrieval.retriever import Dense, Lexical
from passer.errors import CollectionMismatchError, ConfigError, ConflictError, IndexUnavailable, PasserError
from passer.ports import Embedder, PassageIndex, Vectors

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.vectorstores import VectorStoreRetriever
except ImportError as exc:
    raise ImportError(missing_extra("langchain", "passer.langchain")) from exc


class ScoreThresholdRetriever(BaseRetriever):
    """Returns the passages with at least this similarity among the max_k nearest, by exact search."""

    index: Any
    """A `PassageIndex`: an opened collection."""
    min_similarity: float
    """Smallest similarity kept, in [-1, 1]."""
    max_k: int = 100
    """Most passages kept."""
    k_increment: int = 2
    """Step by which the original fetches more; the result does not depend on it."""

    def model_post_init(self, context: Any, /) -> None:
        """Refuse a threshold or depth out of range."""
        super().model_post_init(context)
        self._policy()

    def _policy(self) -> ScorePolicy:
        return ScorePolicy(min_similarity=self.min_similarity, max_k=self.max_k, k_increment=self.k_increment)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        """Return the kept passages, nearest first; `ainvoke` runs it on a thread."""
        index: PassageIndex = self.index
        policy = self._policy()
        (ranking,) = index.search([query], policy.depth)
        return [_document(ranking.passages[place]) for place in ranking.cut(policy)]


def _document(passage: RetrievedPassage) -> Document:
    metadata = passage.model_dump(exclude={"text"}, exclude_none=True)
    return Document(id=passage.id, page_content=passage.text, metadata=metadata)


class LangChainIndex:
    """Any LangChain retriever as a `PassageIndex`.

    A policy cuts by similarity, so each document needs one: its metadata's `similarity_key` (a cosine in [-1, 1]), or
    else the cosine of question and text by the embedder of `collection`. Without either the search is refused: a rank
    is not a similarity. How deep it finds is the retriever's own affair, except for one that stands on a vector store,
    which is asked for `top_k`.
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        *,
        collection: Collection,
        embedder: Embedder | None = None,
        similarity_key: str = "similarity",
    ) -> None:
        if embedder is not None and embedder.model != collection.embedding:
            raise CollectionMismatchError(
                f"{collection.name} was embedded with {collection.embedding.name}, but the embedder is "
                f"{embedder.model.name}. Use the embedder of the collection."
            )
        self._retriever = retriever
        self._collection = collection
        self._embedder = embedder
        self._key = similarity_key

    @property
    def collection(self) -> Collection:
        """The collection that the retriever represents."""
        return self._collection

    def search(self, questions: Sequence[str], top_k: int) -> list[Ranking]:
        """Return the top_k most similar of the retriever's documents, ties by id; ConfigError without similarities."""
        return [each.ranking() for each in self.places(questions, top_k, Dense())]

    def places(self, questions: Sequence[str], top_k: int, retriever: Dense | Lexical) -> list[Places]:
        """Search by similarity; ConflictError for BM25: it needs all passages, which a retriever cannot list."""
        if isinstance(retriever, Lexical):
            raise self._lists_nothing()
        return [self._found(question, top_k) for question in questions]

    def similarities(self, questions: Sequence[str], ids: Sequence[Sequence[str]]) -> list[list[float]]:
        """Raise an error: a retriever cannot look up documents by id."""
        raise self._lists_nothing()

    def passages(self) -> Iterator[Passage]:
        """Refuse: a LangChain retriever cannot list its documents."""
        raise self._lists_nothing()

    def sentences(self, passages: Sequence[Passage]) -> list[tuple[list[str], Vectors]]:
        """Return the sentences of each passage with their vectors; ConfigError without an embedder."""
        if self._embedder is None:
            raise ConfigError("Sentences need vectors. Pass an embedder to LangChainIndex.", field="embedder")
        texts = [split_sentences(passage.text) for passage in passages]
        return [(each, self._embedder.sentence_vectors(each)) for each in texts]

    @staticmethod
    def _lists_nothing() -> ConflictError:
        return ConflictError(
            "A LangChain retriever cannot list its passages. Ingest the documents into a collection instead."
        )

    def _found(self, question: str, top_k: int) -> Places:
        if top_k < 1:
            return Places(corpus=(), rows=np.zeros(0, dtype=np.intp), similarities=np.zeros(0))
        began = perf_counter()
        try:
            deep: dict[str, Any] = {"k": top_k} if isinstance(self._retriever, VectorStoreRetriever) else {}
            documents = self._retriever.invoke(question, **deep)
        except PasserError:
            raise
        except Exception as exc:  # A retriever may raise errors of any kind
            raise IndexUnavailable(f"The LangChain retriever failed ({exc}). Check its vector store.") from exc
        retrieved = perf_counter()
        similarities = self._similarities(question, documents)
        passages = {passage.id: (s, passage) for s, passage in zip(similarities, map(_passage, documents), strict=True)}
        corpus = [passages[key] for key in sorted(passages)]
        near = np.array([similarity for similarity, _ in corpus], dtype=np.float64)
        # A stable sort keeps equal ones by id.
        rows = np.argsort(-near, kind="stable")[:top_k]
        return Places(
            corpus=[passage for _, passage in corpus],
            rows=rows,
            similarities=near[rows],
            embedding_s=perf_counter() - retrieved,
            retrieval_s=retrieved - began,
        )

    def _similarities(self, question: str, documents: Sequence[Document]) -> list[float]:
        given = [document.metadata.get(self._key) for document in documents]
        if all(isinstance(value, (int, float)) and -1 <= value <= 1 for value in given):
            return [float(value) for value in given if value is not None]
        if self._embedder is None:
            raise ConfigError(
                f"The LangChain retriever returned no similarity in [-1, 1] under “{self._key}”. Pass the "
                "right metadata key, or an embedder.",
                field="similarity_key",
            )
        vectors = self._embedder.sentence_vectors([question, *(document.page_content for document in documents)])
        products = vectors[1:].astype(np.float64) @ vectors[0].astype(np.float64)
        return [float(value) for value in np.clip(products, -1, 1)]


def _passage(document: Document) -> Passage:
    """Return a LangChain document as a passage; missing fields are derived from its text."""
    metadata, text = document.metadata, document.page_content
    start = int(metadata.get("start", metadata.get("start_index", 0)))
    return Passage(
        id=str(metadata.get("id") or document.id or hashlib.sha256(text.encode()).hexdigest()[:24]),
        document=str(metadata.get("document") or metadata.get("source") or "unnamed"),
        number=int(metadata.get("number", 0)),
        text=text,
        start=start,
        end=start + len(text),
        # LangChain's loaders count pages from 0; PaSSER's own documents, which have a rank, count from 1.
        page=metadata.get("page") if "rank" in metadata else None,
    )
