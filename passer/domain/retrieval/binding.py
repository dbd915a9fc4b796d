"""The binding of a collection to its embedding model and chunking, and the message for a mismatch."""

from __future__ import annotations

from passer.domain.retrieval.passages import Collection, EmbeddingModel


def model_mismatch(found: Collection, wanted: EmbeddingModel) -> str | None:
    """Return why a collection cannot be used with this embedding model, and what to do; None if it can."""
    if found.embedding == wanted:
        return None
    return (
        f"Collection {found.name} was embedded with {_described(found.embedding)}, not "
        f"{_described(wanted)}. Use that model, run `passer reindex {found.name}`, or ingest the documents into a new "
        "collection."
    )


def binding_mismatch(found: Collection, wanted: Collection) -> str | None:
    """Return why documents split and embedded as `wanted` cannot be added to a collection; None if they can."""
    if found.chunking != wanted.chunking:
        return (
            f"Collection {found.name} was split into {_cut(found)}, not {_cut(wanted)}. Use the same "
            "chunking, or ingest the documents into a new collection."
        )
    return model_mismatch(found, wanted.embedding)


def _described(model: EmbeddingModel) -> str:
    return f"{model.name} (digest {model.digest[:12]}, dimension {model.dimension})"


def _cut(collection: Collection) -> str:
    chunking = collection.chunking
    return f"passages of {chunking.chunk_size} {chunking.unit} with overlap {chunking.chunk_overlap}"
