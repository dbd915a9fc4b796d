"""Collections in Chroma, embedded or as a server. See docs/decisions/002-collections-in-chroma.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from passer.adapters.chroma.client import ChromaServer, Connection, EmbeddedDirectory, load_chroma
from passer.adapters.chroma.index import ChromaIndex, Embedded, EmbeddedKey, LexicalKey, Search, Snapshot
from passer.adapters.chroma.records import (
    SIDE_PREFIX,
    all_stored,
    any_collection,
    binding_problem,
    collection_of,
    complete_documents,
    delete_stored,
    document_metadata,
    is_ours,
    passage_metadata,
    side_collection_name,
    side_collection_or_new,
    stored_collection,
    stored_or_new,
    summary_of,
    written_slices,
)
from passer.adapters.chroma.reindex import reindex
from passer.adapters.chroma.sentences import SentenceMemory, Sentences
from passer.adapters.lexical import LexicalFiles, LexicalIndex
from passer.domain.lru_cache import LruCache
from passer.domain.retrieval.binding import binding_mismatch, model_mismatch
from passer.domain.retrieval.passages import Collection, Document, Passage
from passer.domain.wording.sentence import sentence
from passer.errors import CollectionMismatchError, ConflictError, DocumentError
from passer.ports import DocumentSummary, Embedder, Vectors

if TYPE_CHECKING:
    from chromadb import Collection as Stored
    from chromadb.api import ClientAPI


SNAPSHOTS = 4
"""Collections whose passages and vectors stay in memory."""
QUESTIONS = 2_000
"""Questions whose vectors stay in memory: 3 MB at 384 dimensions."""


class ChromaCollections:
    """Vector store in Chroma: an embedded directory (`path`) or a server (`url`), there in a `database` if given.

    BM25 indexes are kept in `lexical_path`; None builds them in each process.
    """

    def __init__(
        self,
        *,
        embedder_for: Callable[[str], Embedder],
        path: Path | None = None,
        url: str | None = None,
        database: str | None = None,
        search: Search = "exact",
        wait_s: float = 60.0,
        lexical_path: Path | None = None,
    ) -> None:
        if (path is None) == (url is None):
            raise ValueError("give either the path of a directory or the address of a Chroma server")
        self._connection: Connection = (
            EmbeddedDirectory.at(path, wait_s=wait_s)
            if path is not None
            else ChromaServer(str(url), database=database, wait_s=wait_s)
        )
        self._embedder_for = embedder_for
        self._search: Search = search
        self._snapshots: LruCache[str, Snapshot] = LruCache(SNAPSHOTS)
        self._lexical: LruCache[LexicalKey, LexicalIndex] = LruCache(SNAPSHOTS)
        self._lexical_files = LexicalFiles(lexical_path) if lexical_path is not None else None
        self._embedded: LruCache[EmbeddedKey, Embedded] = LruCache(QUESTIONS)
        self._sentences = SentenceMemory()

    def warm(self) -> None:
        """Import Chroma, which takes seconds on a busy machine, so that the first search does not wait for it."""
        load_chroma()

    def open(self, name: str) -> ChromaIndex:
        with self._connection.session() as client:
            stored = stored_collection(client, name)
            collection = collection_of(stored)
        embedder = self._embedder_for(collection.embedding.name)
        if problem := model_mismatch(collection, embedder.model):
            raise CollectionMismatchError(problem)
        return ChromaIndex(
            collection=collection,
            stored=str(stored.id),
            embedder=embedder,
            connection=self._connection,
            snapshots=self._snapshots,
            lexical=self._lexical,
            lexical_files=self._lexical_files,
            embedded=self._embedded,
            sentences=self._sentences,
            search=self._search,
        )

    def sentences(self, name: str, passages: Sequence[Passage]) -> tuple[Collection, list[Sentences]]:
        """Return a collection, and the sentences of some passages as `PassageIndex.sentences`."""
        # Opened for each call, because the collection may have another embedding model by now.
        index = self.open(name)
        return index.collection, index.sentences(passages)

    def add(self, collection: Collection, document: Document, passages: Sequence[Passage], vectors: Vectors) -> int:
        _check(document, passages, vectors, collection.embedding.dimension)
        with self._connection.session(writing=True) as client:
            stored, created = _bound(client, collection)
            try:
                return _add_complete(client, stored, document, passages, vectors)
            except BaseException:
                if created:
                    with suppress(Exception):
                        delete_stored(client, stored)
                raise

    def note(self, name: str, document: DocumentSummary) -> None:
        with self._connection.session(writing=True) as client:
            whole = side_collection_or_new(client, stored_collection(client, name), "documents")
            whole.update(ids=[document.digest], metadatas=[document_metadata(document)])

    def list(self) -> list[tuple[Collection, list[DocumentSummary]]]:
        """List all collections with their documents, by name. Collections that PaSSER cannot search are left out."""
        with self._connection.session() as client:
            stored = {each.name: each for each in all_stored(client)}
            listed = []
            for each in stored.values():
                # A collection that is being embedded again has an unfinished copy, which is not listed.
                if not binding_problem(each) and not each.name.startswith(SIDE_PREFIX):
                    whole = stored.get(side_collection_name(each, "documents"))
                    kept = whole.get(include=["metadatas"])["metadatas"] if whole else None
                    documents = sorted((summary_of(one) for one in kept or []), key=lambda document: document.name)
                    # A collection without a complete document is left from a first ingest that was killed.
                    if documents:
                        listed.append((collection_of(each), documents))
        return sorted(listed, key=lambda pair: pair[0].name)

    def reindex(
        self,
        collection: Collection,
        vectors_of: Callable[[Sequence[str]], Vectors],
        progress: Callable[[int, int], None],
    ) -> None:
        reindex(self._connection, collection, _usable(vectors_of), progress)
        self._snapshots.discard(collection.name)

    def delete(self, name: str) -> None:
        """Delete a collection with its document list and sentences; collections of other programs are not touched."""
        with self._connection.session(writing=True) as client:
            stored = any_collection(client, name)
            if not is_ours(stored):
                raise CollectionMismatchError(sentence("store.other-owner", name=name))
            delete_stored(client, stored)
        self._snapshots.discard(name)
        if self._lexical_files is not None:
            self._lexical_files.discard(str(stored.id))

    def close(self) -> None:
        """Close Chroma; the next call opens it again."""
        self._connection.close()


def _bound(client: ClientAPI, collection: Collection) -> tuple[Stored, bool]:
    """Return the collection to add to, and whether it was created; CollectionMismatchError if its binding differs."""
    stored, created = stored_or_new(client, collection)
    problem = binding_mismatch(collection_of(stored), collection)
    if problem is None:
        return stored, created
    if complete_documents(client, stored)[0]:
        raise CollectionMismatchError(problem)
    # The remainder of a killed first ingest does not bind later ingests to its embedding model or chunking.
    delete_stored(client, stored)
    return stored_or_new(client, collection)


def _check(document: Document, passages: Sequence[Passage], vectors: Vectors, dimension: int) -> None:
    if not passages:
        raise DocumentError(sentence("document.nothing-to-index", name=document.name))
    if vectors.shape != (len(passages), dimension):
        raise ValueError(f"vectors of shape {vectors.shape} for {len(passages)} passages of dimension {dimension}")
    if (place := _unusable(vectors)) is not None:
        raise DocumentError(sentence("document.no-vector", place=place, name=document.name))


def _unusable(vectors: Vectors) -> int | None:
    """Return the position of the first vector that is zero or not finite; None if all can be searched."""
    usable = np.isfinite(vectors).all(axis=1) & vectors.any(axis=1)
    return None if usable.all() else int(np.argmin(usable))


def _usable(vectors_of: Callable[[Sequence[str]], Vectors]) -> Callable[[Sequence[str]], Vectors]:
    def checked(texts: Sequence[str]) -> Vectors:
        vectors = vectors_of(texts)
        if (place := _unusable(vectors)) is not None:
            raise DocumentError(sentence("vectors.unusable", text=texts[place][:40]))
        return vectors

    return checked


def _upsert(stored: Stored, document: Document, passages: Sequence[Passage], vectors: Vectors) -> None:
    """Write passages; some may be there already, because a killed process wrote them."""
    stored.upsert(
        ids=[passage.id for passage in passages],
        embeddings=vectors,
        documents=[passage.text for passage in passages],
        metadatas=[passage_metadata(passage, document.digest) for passage in passages],
    )


def _delete_otherwise_split(stored: Stored, document: Document, passages: Sequence[Passage]) -> None:
    """Delete what an earlier version wrote of a document before it was killed: it had split it at other places."""
    found = stored.get(where={"digest": document.digest}, include=[])["ids"]
    if others := sorted(set(found) - {passage.id for passage in passages}):
        stored.delete(ids=others)


def _add_complete(
    client: ClientAPI, stored: Stored, document: Document, passages: Sequence[Passage], vectors: Vectors
) -> int:
    """Write all passages, then the record that marks the document as complete."""
    whole = side_collection_or_new(client, stored, "documents")
    if whole.get(ids=[document.digest], include=[])["ids"]:
        return 0
    if whole.get(where={"name": document.name}, include=[])["ids"]:
        raise ConflictError(sentence("document.same-name", collection=stored.name, name=document.name))
    if document.splitter is not None or document.reader is not None:
        _delete_otherwise_split(stored, document, passages)
    done: list[slice] = []
    try:
        for part in written_slices(client, len(passages)):
            done.append(part)
            _upsert(stored, document, passages[part], vectors[part])
        metadata = document_metadata(DocumentSummary.of(document, len(passages)))
        # A document is visible only after this record exists, so a kill before it leaves nothing to see.
        whole.add(ids=[document.digest], embeddings=[[1.0]], metadatas=[metadata])
    except BaseException:
        with suppress(Exception):
            for part in done:
                stored.delete(ids=[passage.id for passage in passages[part]])
        raise
    return len(passages)
