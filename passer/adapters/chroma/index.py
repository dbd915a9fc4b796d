"""An opened collection: exact search over its vectors, and its cached sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passer.adapters.chroma.client import Connection
from passer.adapters.chroma.records import PAGE, complete_documents, passage_of, side_collection, stored_collection
from passer.adapters.chroma.sentences import SentenceMemory, StoredSentences
from passer.adapters.lexical import LexicalFiles, LexicalIndex, best
from passer.domain.lru_cache import LruCache
from passer.domain.retrieval.passages import Collection, EmbeddingModel, Passage, Ranking
from passer.domain.retrieval.places import Places
from passer.domain.retrieval.retriever import Dense, Lexical
from passer.ports import Embedder, Vectors

if TYPE_CHECKING:
    from chromadb import Collection as Stored
    from chromadb.api import ClientAPI

Search = Literal["exact", "hnsw"]
"""Exact search over all vectors, or Chroma's approximate HNSW graph with ef_search >= 1000."""

Version = tuple[str, int]
"""Chroma's id of a collection and its number of whole documents, which never decreases."""


LexicalKey = tuple[Version, str]
"""Version of a collection and digest of the lexical retriever."""


class Embedded(NamedTuple):
    """The vector of a question."""

    vector: Vectors
    """float32, shape (dimension,)."""
    seconds: float
    """Seconds spent on embedding the question: its share of the batch."""


EmbeddedKey = tuple[EmbeddingModel, str]
"""Embedding model and text."""


@dataclass(frozen=True)
class Snapshot:
    """All passages of a collection at one version, by passage id."""

    version: Version
    passages: tuple[Passage, ...]
    vectors: Vectors
    """float32, shape (len(passages), dimension), as Chroma keeps them."""


class ChromaIndex:
    """A searchable collection."""

    def __init__(
        self,
        *,
        collection: Collection,
        stored: str,
        embedder: Embedder,
        connection: Connection,
        snapshots: LruCache[str, Snapshot],
        lexical: LruCache[LexicalKey, LexicalIndex],
        lexical_files: LexicalFiles | None,
        embedded: LruCache[EmbeddedKey, Embedded],
        sentences: SentenceMemory,
        search: Search = "exact",
    ) -> None:
        self._collection = collection
        self._embedder = embedder
        self._connection = connection
        self._snapshots = snapshots
        self._lexical = lexical
        self._lexical_files = lexical_files
        self._embedded = embedded
        self._search = search
        self._sentences = StoredSentences(
            collection.name,
            stored,
            rules=collection.text_rules,
            embedder=embedder,
            connection=connection,
            memory=sentences,
        )

    @property
    def collection(self) -> Collection:
        return self._collection

    def search(self, questions: Sequence[str], top_k: int) -> list[Ranking]:
        """Return the top_k nearest passages of each question, nearest first; ties are ordered by passage id."""
        return [each.ranking() for each in self.places(questions, top_k, Dense())]

    def places(self, questions: Sequence[str], top_k: int, retriever: Dense | Lexical) -> list[Places]:
        """Return the rows of the top_k passages of each question; ties, and scores of 0, are ordered by passage id."""
        if not questions:
            return []
        if top_k < 1:
            return [Places(corpus=(), rows=np.zeros(0, dtype=np.intp), similarities=np.zeros(0)) for _ in questions]
        embedded = self._embed(questions)
        if isinstance(retriever, Lexical):
            return self._by_terms(questions, embedded, top_k, retriever)
        began = perf_counter()
        near = self._near if self._search == "exact" else self._near_by_graph
        found = list(near(np.stack([each.vector for each in embedded]), top_k))
        retrieval_s = (perf_counter() - began) / len(questions)
        return [
            replace(places, embedding_s=each.seconds, retrieval_s=retrieval_s)
            for places, each in zip(found, embedded, strict=True)
        ]

    def _by_terms(
        self, questions: Sequence[str], embedded: Sequence[Embedded], top_k: int, retriever: Lexical
    ) -> list[Places]:
        """Rank by BM25."""
        snapshot = self._snapshot()
        # The snapshot's passages are ordered by id, so the place of a row settles ties.
        index = self._lexical.get_or_compute(
            (snapshot.version, retriever.digest),
            lambda: self._built(snapshot, retriever),
        )
        found = []
        for question, (vector, embedding_s) in zip(questions, embedded, strict=True):
            began = perf_counter()
            scores = index.scores(question)
            rows = best(scores, top_k)
            found.append(
                Places(
                    corpus=snapshot.passages,
                    rows=rows,
                    similarities=cosine(snapshot.vectors[rows], vector),
                    scores=scores[rows].tolist(),
                    embedding_s=embedding_s,
                    retrieval_s=perf_counter() - began,
                )
            )
        return found

    def similarities(self, questions: Sequence[str], ids: Sequence[Sequence[str]]) -> list[list[float]]:
        if not questions:
            return []
        snapshot = self._snapshot()
        rows = {passage.id: row for row, passage in enumerate(snapshot.passages)}
        return [
            [float(near) for near in cosine(snapshot.vectors[[rows[each] for each in listed]], vector)]
            for (vector, _), listed in zip(self._embed(questions), ids, strict=True)
        ]

    def passages(self) -> Iterator[Passage]:
        yield from sorted(self._snapshot().passages, key=lambda passage: (passage.document, passage.number))

    def sentences(self, passages: Sequence[Passage]) -> list[tuple[list[str], Vectors]]:
        return self._sentences.of(passages)

    def _built(self, snapshot: Snapshot, retriever: Lexical) -> LexicalIndex:
        texts, rules = [passage.text for passage in snapshot.passages], self._collection.text_rules
        if self._lexical_files is None:
            return LexicalIndex(texts, retriever, rules)
        return self._lexical_files.index(snapshot.version, texts, retriever, rules)

    def _embed(self, questions: Sequence[str]) -> list[Embedded]:
        """Return the vector of each question; several retrievers of one comparison embed it once.

        A question that was embedded before has the seconds that it took then, so that no retriever looks faster
        because another one came first.
        """
        model = self._embedder.model
        known = {text: self._embedded.get((model, text)) for text in questions}
        new = [text for text, found in known.items() if found is None]
        for text, embedded in self._embed_new(new) if new else ():
            known[text] = embedded
            # Without a digest, a server may answer with another model of that name the next time.
            if model.digest != "unknown":
                self._embedded.put((model, text), embedded)
        return [found for text in questions if (found := known[text]) is not None]

    def _embed_new(self, texts: Sequence[str]) -> list[tuple[str, Embedded]]:
        """Embed texts in one request; each has an equal share of the seconds that it took."""
        began = perf_counter()
        vectors = np.asarray(self._embedder.sentence_vectors(texts), dtype=np.float32)
        seconds = (perf_counter() - began) / len(texts)
        return [(text, Embedded(vector, seconds)) for text, vector in zip(texts, vectors, strict=True)]

    def _near(self, questions: Vectors, top_k: int) -> Iterator[Places]:
        """Return the nearest passages of each question."""
        snapshot = self._snapshot()
        for question in questions:
            rows = candidate_rows(snapshot.vectors, question, top_k)
            yield _nearest(snapshot.passages, rows, cosine(snapshot.vectors[rows], question), top_k)

    def _near_by_graph(self, questions: Vectors, top_k: int) -> Iterator[Places]:
        """Find candidates by Chroma's HNSW graph: the set of passages is approximate, their similarities are exact."""
        with self._connection.session() as client:
            stored = stored_collection(client, self._collection.name)
            digests, passages = complete_documents(client, stored)
            count = stored.count()
            # Passages of incomplete documents are left out.
            where = None if count == passages else {"digest": {"$in": digests}}
            for question in questions:
                if not passages:
                    yield _nearest((), np.zeros(0, dtype=np.intp), np.zeros(0), top_k)
                    continue
                found = stored.query(
                    query_embeddings=[question],
                    n_results=min(passages, top_k),
                    where=where,
                    include=["embeddings", "metadatas", "documents"],
                )
                vectors = np.asarray(found["embeddings"][0], dtype=np.float32)
                records = zip(found["ids"][0], found["documents"][0], found["metadatas"][0], strict=True)
                near = [passage_of(*each) for each in records]
                order = sorted(range(len(near)), key=lambda place: near[place].id)
                yield _nearest(
                    [near[place] for place in order], np.arange(len(near)), cosine(vectors[order], question), top_k
                )

    def _snapshot(self) -> Snapshot:
        """Return the collection's current snapshot; Chroma is read only after a change."""
        name = self._collection.name
        with self._connection.session() as client:
            stored = stored_collection(client, name)
            while True:
                version = _version(client, stored)
                cached = self._snapshots.get(name)
                if cached is not None and cached.version == version:
                    return cached
                snapshot = _read(client, stored, version)
                # Another process may have added to a server's collection during the read.
                if _version(client, stored) == version:
                    return self._snapshots.put(name, snapshot)


def candidate_rows(vectors: Vectors, question: Vectors, top_k: int) -> NDArray[np.intp]:
    """Return the rows that can be among the top_k nearest to one question, ties at the cut included.

    One matrix-vector product per question: its shape does not depend on other questions, so neither does its rounding;
    and the margin, twice the bound of that rounding, keeps every row that exact arithmetic might prefer.
    """
    if len(vectors) <= top_k:
        return np.arange(len(vectors))
    rough = vectors @ question
    margin = 4 * vectors.shape[1] * float(np.finfo(np.float32).eps) * float(np.linalg.norm(question))
    cut = np.partition(rough, -top_k)[-top_k]
    return np.flatnonzero(rough >= cut - margin)


def cosine(vectors: Vectors, question: Vectors) -> NDArray[np.float64]:
    """Return the cosine of each row with the question, in [-1, 1], double precision; 0 for a zero vector."""
    rows = vectors.astype(np.float64)
    one = question.astype(np.float64)
    # Take the root of the product, not the product of roots: the cosine of a vector with itself is then exactly 1.
    norms = np.sqrt((rows * rows).sum(axis=1) * (one * one).sum())
    products = (rows * one).sum(axis=1)
    found: NDArray[np.float64] = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    return np.clip(found, -1.0, 1.0)


def _nearest(
    corpus: Sequence[Passage], rows: NDArray[np.intp], similarities: NDArray[np.float64], top_k: int
) -> Places:
    """Return the most similar of some passages, which are given by id; equal ones stay in that order."""
    order = np.argsort(-similarities, kind="stable")[:top_k]
    return Places(corpus=corpus, rows=rows[order], similarities=similarities[order])


def _version(client: ClientAPI, stored: Stored) -> Version:
    whole = side_collection(client, stored, "documents")
    return str(stored.id), whole.count() if whole is not None else 0


def _read(client: ClientAPI, stored: Stored, version: Version) -> Snapshot:
    """Read all passages of complete documents, by id."""
    digests = set(complete_documents(client, stored)[0])
    passages: list[Passage] = []
    rows: list[Vectors] = []
    offset = 0
    while True:
        page = stored.get(limit=PAGE, offset=offset, include=["embeddings", "metadatas", "documents"])
        if not page["ids"]:
            break
        offset += len(page["ids"])
        kept = [i for i, metadata in enumerate(page["metadatas"]) if metadata["digest"] in digests]
        passages += [passage_of(page["ids"][i], page["documents"][i], page["metadatas"][i]) for i in kept]
        rows.append(np.asarray(page["embeddings"], dtype=np.float32)[kept])
    order = sorted(range(len(passages)), key=lambda i: passages[i].id)
    vectors = np.concatenate(rows)[order] if passages else np.zeros((0, 1), dtype=np.float32)
    return Snapshot(version=version, passages=tuple(passages[i] for i in order), vectors=vectors)
