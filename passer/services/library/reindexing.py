"""Binds a collection to another embedding model; its passages stay as they were cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from passer.domain.retrieval.passages import Collection
from passer.domain.texts.search_words import TEXT_RULES
from passer.domain.wording.sentence import sentence
from passer.errors import CollectionMismatchError
from passer.ports import Collections, DocumentSummary, Embedder, Progress


class Reindexed(NamedTuple):
    """A collection after it was embedded again."""

    collection: Collection
    documents: list[DocumentSummary]
    is_new: bool
    """True if it has new vectors; False where it had this model already."""


def embedded_again(
    collections: Collections, name: str, *, embedder_for: Callable[[str | None], Embedder], progress: Progress
) -> Reindexed:
    """Embed the passages of a collection by the model that `embedder_for` returns for the name of its own.

    NotFoundError without the collection; CollectionMismatchError if its passages were cut by the tokens of another.
    """
    # One that was killed between two names is not listed; the store knows how to continue it.
    found = _listed(collections, name)
    bound = found[0] if found else None
    embedder = embedder_for(bound.embedding.name if bound else None)
    if bound is not None and bound.chunking.unit == "tokens" and bound.embedding.name != embedder.model.name:
        raise CollectionMismatchError(sentence("reindex.tokens", name=name, model=bound.embedding.name))
    wanted = (
        bound.model_copy(update={"embedding": embedder.model})
        if bound
        else Collection(name=name, embedding=embedder.model, text_rules=TEXT_RULES)
    )
    if found is not None and wanted == bound:
        return Reindexed(*found, is_new=False)
    collections.reindex(wanted, embedder.sentence_vectors, lambda done, total: progress("passages", done, total))
    collection, documents = _listed(collections, name) or (wanted, [])
    return Reindexed(collection, documents, is_new=True)


def _listed(collections: Collections, name: str) -> tuple[Collection, list[DocumentSummary]] | None:
    return next((each for each in collections.list() if each[0].name == name), None)
