"""The binding of a collection to its embedding model and chunking, and the message for a mismatch."""

from __future__ import annotations

from passer.domain.retrieval.passages import Collection, EmbeddingModel
from passer.domain.wording.sentence import Sentence, sentence


def model_mismatch(found: Collection, wanted: EmbeddingModel) -> Sentence | None:
    """Return why a collection cannot be used with this embedding model, and what to do; None if it can."""
    if found.embedding == wanted:
        return None
    models = {"bound": _described(found.embedding), "wanted": _described(wanted)}
    return sentence("collection.other-embedding", name=found.name, **models)


def binding_mismatch(found: Collection, wanted: Collection) -> Sentence | None:
    """Return why documents split and embedded as `wanted` cannot be added to a collection; None if they can."""
    if found.chunking != wanted.chunking:
        return sentence("collection.other-chunking", name=found.name, bound=_cut(found), wanted=_cut(wanted))
    return model_mismatch(found, wanted.embedding)


def _described(model: EmbeddingModel) -> Sentence:
    return sentence("collection.embedded-with", model=model.name, digest=model.digest[:12], dimension=model.dimension)


def _cut(collection: Collection) -> Sentence:
    chunking = collection.chunking
    unit = sentence(f"unit.{chunking.unit}")
    return sentence("collection.split-into", size=chunking.chunk_size, unit=unit, overlap=chunking.chunk_overlap)
