"""What a collection is bound to, and the sentence that says why something else does not fit."""

from __future__ import annotations

from passer.domain.retrieval import Collection, EmbeddingModel


def model_mismatch(found: Collection, wanted: EmbeddingModel) -> str | None:
    """Why a collection cannot be used with this embedding model, and what to do; None where it can."""
    if found.embedding == wanted:
        return None
    return (
        f"Collection {found.name} is bound to the embedding model {_described(found.embedding)}, not to "
        f"{_described(wanted)}: use that model, or ingest the documents into a new collection."
    )


def binding_mismatch(found: Collection, wanted: Collection) -> str | None:
    """Why documents cut and embedded as `wanted` cannot be added to a collection; None where they can."""
    if found.chunking != wanted.chunking:
        return (
            f"Collection {found.name} was cut into {_cut(found)}, not {_cut(wanted)}: use the same chunking, or ingest "
            "the documents into a new collection."
        )
    return model_mismatch(found, wanted.embedding)


def _described(model: EmbeddingModel) -> str:
    return f"{model.name} (digest {model.digest[:12]}, dimension {model.dimension})"


def _cut(collection: Collection) -> str:
    chunking = collection.chunking
    return f"passages of {chunking.chunk_size} {chunking.unit} with {chunking.chunk_overlap} shared"
