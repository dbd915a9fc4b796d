"""Stored form of collections, documents and passages in Chroma."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from time import sleep
from typing import TYPE_CHECKING, Any, Literal, get_args

from passer.domain.retrieval.passages import Chunking, Collection, EmbeddingModel, Passage
from passer.domain.wording.sentence import STORED, sentence
from passer.errors import CollectionMismatchError, InputError, NotFoundError
from passer.ports import DocumentSummary

if TYPE_CHECKING:
    from chromadb import Collection as Stored
    from chromadb.api import ClientAPI

Role = Literal["documents", "sentences", "reindexed", "replaced"]
"""Kinds of side collections: the list of whole documents, the sentences of passages, the same passages with vectors of
another model, and the collection that these replaced."""
ROLES: tuple[Role, ...] = get_args(Role)
SIDE_PREFIX = "kept-with-collection-"
"""Beginning of the names of side collections."""

FORMAT = 1
PAGE = 2000
WRITTEN_AT_ONCE, BETWEEN_S = 64, 0.01
"""Records of one call, and seconds between two calls. Chroma in this process lets no other thread run during a call: a
document of 4 MB in one call stopped a server for 3 s. 64 records take 0.07 s. A request is answered between two:
it passes through several threads, each of which would wait for one more call."""
EF_SEARCH = 1000
_HNSW = {"hnsw": {"space": "cosine", "ef_search": EF_SEARCH}}


def stored_collection(client: ClientAPI, name: str) -> Stored:
    """Return Chroma's collection of passages.

    Raises NotFoundError if it does not exist, and CollectionMismatchError if it was embedded differently.
    """
    stored = any_collection(client, name)
    if problem := binding_problem(stored):
        raise CollectionMismatchError(problem)
    return stored


def any_collection(client: ClientAPI, name: str) -> Stored:
    """Return a collection in any state. Raises NotFoundError if it does not exist."""
    from chromadb.errors import InvalidArgumentError
    from chromadb.errors import NotFoundError as NotInChroma

    try:
        return client.get_collection(name, embedding_function=None)
    except (NotInChroma, InvalidArgumentError) as exc:
        raise NotFoundError(sentence("problem.no-collection", name=name)) from exc


def stored_or_new(client: ClientAPI, collection: Collection) -> tuple[Stored, bool]:
    """Return the collection of passages, and whether it was created."""
    from chromadb.errors import InvalidArgumentError

    try:
        return stored_collection(client, collection.name), False
    except NotFoundError:
        pass
    try:
        return create_stored(client, collection, name=collection.name), True
    except InvalidArgumentError as exc:
        raise InputError(sentence("collection.chroma-name", name=collection.name)) from exc


def create_stored(
    client: ClientAPI, collection: Collection, *, name: str, more: Mapping[str, str] | None = None
) -> Stored:
    """Create a collection of passages under a name, with further metadata."""
    metadata = {**_metadata_of(collection), **(more or {})}
    return client.create_collection(name, configuration=_HNSW, metadata=metadata, embedding_function=None)


def is_ours(stored: Stored) -> bool:
    """Return whether PaSSER made this collection."""
    return "passer_format" in (stored.metadata or {})


def binding_problem(stored: Stored) -> str | None:
    """Return why a collection cannot be searched and what to do, or None if it can."""
    if not is_ours(stored):
        return (
            f"Collection {stored.name} was not created by PaSSER, so its embedding model is unknown. "
            "Ingest the documents into a collection with another name."
        )
    space = (stored.configuration_json.get("hnsw") or {}).get("space")
    if space != "cosine":
        return f"Collection {stored.name} uses the space {space}, not cosine. Delete it and ingest its documents again."
    return None


def collection_of(stored: Stored) -> Collection:
    """Return the embedding model and chunking of a collection that fits."""
    kept = stored.metadata
    return Collection(
        name=stored.name,
        embedding=embedding_of(stored),
        chunking=Chunking(chunk_size=kept["chunk_size"], chunk_overlap=kept["chunk_overlap"], unit=kept["chunk_unit"]),
        text_rules=kept.get("text_rules", 1),
    )


def embedding_of(stored: Stored) -> EmbeddingModel:
    """Read the embedding model of a collection, side collections included."""
    kept = stored.metadata
    return EmbeddingModel(
        name=kept["embedding_name"], digest=kept["embedding_digest"], dimension=kept["embedding_dimension"]
    )


def _metadata_of(collection: Collection) -> dict[str, Any]:
    return {
        "passer_format": FORMAT,
        "embedding_name": collection.embedding.name,
        "embedding_digest": collection.embedding.digest,
        "embedding_dimension": collection.embedding.dimension,
        "chunk_size": collection.chunking.chunk_size,
        "chunk_overlap": collection.chunking.chunk_overlap,
        "chunk_unit": collection.chunking.unit,
        "text_rules": collection.text_rules,
    }


def side_collection_name(stored: Stored, role: Role) -> str:
    """Return the name of a side collection; it is longer than any name a user's collection may have."""
    return f"{SIDE_PREFIX}{stored.id}-{role}"


def side_collection(client: ClientAPI, stored: Stored, role: Role) -> Stored | None:
    """Return a side collection, or None if it does not exist yet."""
    from chromadb.errors import NotFoundError as NotInChroma

    try:
        return client.get_collection(side_collection_name(stored, role), embedding_function=None)
    except NotInChroma:
        return None


def side_collection_or_new(client: ClientAPI, stored: Stored, role: Role) -> Stored:
    """Return a side collection, created if necessary."""
    return client.get_or_create_collection(
        side_collection_name(stored, role), configuration=_HNSW, embedding_function=None
    )


def delete_stored(client: ClientAPI, stored: Stored) -> None:
    """Delete a collection and its side collections, the list of documents first, which marks parts as complete."""
    for role in ROLES:
        kept = side_collection(client, stored, role)
        if kept is not None:
            client.delete_collection(kept.name)
    client.delete_collection(stored.name)


def all_stored(client: ClientAPI) -> Iterator[Stored]:
    """Yield every collection in Chroma, page by page."""
    offset = 0
    while page := client.list_collections(limit=PAGE, offset=offset):
        yield from page
        offset += len(page)


def document_metadata(document: DocumentSummary) -> dict[str, Any]:
    """Return the stored form of a document; Chroma stores no None, and no objects."""
    found = document.model_dump(mode="json", exclude_none=True, context=STORED)
    return found | ({"warnings": json.dumps(found["warnings"])} if document.warnings else {})


def summary_of(metadata: Mapping[str, Any]) -> DocumentSummary:
    """Read a document from its stored form."""
    listed = {"warnings": json.loads(metadata["warnings"])} if "warnings" in metadata else {}
    return DocumentSummary(**{**metadata, **listed})


def complete_documents(client: ClientAPI, stored: Stored) -> tuple[list[str], int]:
    """Return the digests of the complete documents and their number of passages."""
    whole = side_collection(client, stored, "documents")
    found = whole.get(include=["metadatas"]) if whole is not None else {"ids": [], "metadatas": []}
    return list(found["ids"]), sum(int(one["passages"]) for one in found["metadatas"] or [])


def passage_metadata(passage: Passage, digest: str) -> dict[str, Any]:
    """Return the stored form of a passage, without its id and text."""
    page = {} if passage.page is None else {"page": passage.page}
    place = {"number": passage.number, "start": passage.start, "end": passage.end}
    return {"document": passage.document, "digest": digest, **place, **page}


def passage_of(passage_id: str, text: str, metadata: Mapping[str, Any]) -> Passage:
    """Read a passage from its stored form."""
    fields = {key: value for key, value in metadata.items() if key != "digest"}
    return Passage(id=passage_id, text=text, **fields)


def written_slices(client: ClientAPI, count: int) -> Iterator[slice]:
    """Yield the slices in which `count` records are written, with time for other threads between them."""
    for part in slices(count, min(WRITTEN_AT_ONCE, client.get_max_batch_size())):
        if part.start:
            sleep(BETWEEN_S)
        yield part


def slices(count: int, size: int) -> Iterator[slice]:
    """Yield consecutive slices of at most `size` that cover `count` items."""
    return (slice(start, min(start + size, count)) for start in range(0, count, size))
