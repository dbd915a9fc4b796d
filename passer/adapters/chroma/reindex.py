"""Embeds a collection again with another model: its vectors are replaced, its passages stay the same.

Vectors of another model, often of another dimension, need a new Chroma collection. It is written next to the old one,
which answers questions until the new one is complete; then the two exchange names. If the process is killed, the next
call continues from what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from passer.adapters.chroma.client import Connection
from passer.adapters.chroma.records import (
    PAGE,
    all_stored,
    complete_documents,
    create_stored,
    delete_stored,
    embedding_of,
    side_collection,
    side_collection_name,
    side_collection_or_new,
    slices,
    stored_collection,
    written_slices,
)
from passer.domain.retrieval.passages import Collection
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, NotFoundError
from passer.ports import Vectors

if TYPE_CHECKING:
    from chromadb import Collection as Stored
    from chromadb.api import ClientAPI

AT_ONCE = 32
"""Passages embedded between two progress reports, where a cancelled call ends; a kill loses at most these."""
TARGET = "passer_reindex_of"
"""Key of the name that a collection will have when it is complete."""


def reindex(
    connection: Connection,
    collection: Collection,
    vectors_of: Callable[[Sequence[str]], Vectors],
    progress: Callable[[int, int], None],
) -> None:
    """Bind a collection to another embedding model; ConflictError if documents were added meanwhile."""
    with connection.session(writing=True) as client:
        if _continued(client, collection.name):
            return
        old = stored_collection(client, collection.name)
        began = complete_documents(client, old)
        new = _beside(client, old, collection)
        left = _left(old, new, set(began[0]))
    total = began[1]
    for part in slices(len(left), AT_ONCE):
        progress(total - len(left) + part.start, total)
        _embed_again(connection, collection.name, new, left[part], vectors_of)
    # Checked immediately before the change: raises if another process has taken this work over.
    progress(total, total)
    with connection.session(writing=True) as client:
        old = stored_collection(client, collection.name)
        if complete_documents(client, old) != began:
            raise ConflictError(sentence("vectors.grew", name=collection.name))
        _swap(client, old, _again(client, new), collection.name)


def _beside(client: ClientAPI, old: Stored, collection: Collection) -> Stored:
    """Return the unfinished new collection of this embedding model, or a new one without passages."""
    found = side_collection(client, old, "reindexed")
    if found is not None:
        if embedding_of(found) == collection.embedding:
            return found
        client.delete_collection(found.name)
    return create_stored(
        client, collection, name=side_collection_name(old, "reindexed"), more={TARGET: collection.name}
    )


def _left(old: Stored, new: Stored, digests: set[str]) -> list[str]:
    """Return the ids of the passages of complete documents that have no new vector yet."""
    ids = list(_ids(old, digests))
    done = set(_ids(new, digests))
    return [each for each in ids if each not in done]


def _ids(stored: Stored, digests: set[str]) -> list[str]:
    found: list[str] = []
    offset = 0
    while True:
        page = stored.get(limit=PAGE, offset=offset, include=["metadatas"])
        if not page["ids"]:
            return found
        offset += len(page["ids"])
        pairs = zip(page["ids"], page["metadatas"] or [], strict=True)
        found += [each for each, metadata in pairs if metadata["digest"] in digests]


def _embed_again(
    connection: Connection, name: str, new: Stored, ids: list[str], vectors_of: Callable[[Sequence[str]], Vectors]
) -> None:
    """Write a few passages of a collection with their new vectors."""
    with connection.session() as client:
        texts = stored_collection(client, name).get(ids=ids, include=["documents", "metadatas"])
    # Embedding takes long and needs no lock.
    vectors = vectors_of(texts["documents"] or [])
    with connection.session(writing=True) as client:
        _again(client, new).upsert(
            ids=texts["ids"], embeddings=vectors, documents=texts["documents"], metadatas=texts["metadatas"]
        )


def _again(client: ClientAPI, new: Stored) -> Stored:
    """Return the new collection in another session; NotFoundError if it was deleted."""
    return client.get_collection(new.name, embedding_function=None)


def _swap(client: ClientAPI, old: Stored, new: Stored, name: str) -> None:
    """Give the new collection the list of documents and the name of the old one, then delete the old one."""
    documents = side_collection(client, old, "documents")
    whole = side_collection_or_new(client, new, "documents")
    if documents is not None:
        listed = documents.get(include=["metadatas"])
        for part in written_slices(client, len(listed["ids"])):
            ids, metadatas = listed["ids"][part], (listed["metadatas"] or [])[part]
            whole.upsert(ids=ids, embeddings=[[1.0]] * len(ids), metadatas=metadatas)
    old.modify(name=side_collection_name(new, "replaced"))
    # A process that is killed here leaves a complete collection without its name; the next call gives it the name.
    new.modify(name=name)
    delete_stored(client, old)


def _continued(client: ClientAPI, name: str) -> bool:
    """Finish a change of names that was interrupted; return whether there was one."""
    try:
        stored_collection(client, name)
    except NotFoundError:
        for new in list(all_stored(client)):
            if (new.metadata or {}).get(TARGET) == name and (
                old := side_collection(client, new, "replaced")
            ) is not None:
                new.modify(name=name)
                delete_stored(client, old)
                return True
        raise
    return False
