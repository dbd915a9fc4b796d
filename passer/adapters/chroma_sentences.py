"""Sentences of passages with their vectors, computed once and stored in Chroma with the collection."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from cachetools import LRUCache

from passer.adapters.chroma_client import Connection
from passer.adapters.chroma_records import PAGE, kept_with, kept_with_or_new, slices, stored_collection, written_slices
from passer.adapters.sentences import split_sentences
from passer.domain.retrieval import Passage
from passer.ports import Embedder, Vectors

if TYPE_CHECKING:
    from chromadb import Collection as Stored

Sentences = tuple[list[str], Vectors]
"""Sentences of one passage in order, and float32 vectors of shape (len(sentences), dimension)."""

_IN_MEMORY = 5000
_EMBEDDED_AT_ONCE = 256


class StoredSentences:
    """The sentences of one collection's passages.

    Vectors always come from the store, also right after they were computed: Chroma normalises what it keeps, and a
    first run must see the same bytes as a second one.
    """

    def __init__(self, name: str, *, embedder: Embedder, connection: Connection) -> None:
        self._name = name
        self._embedder = embedder
        self._connection = connection
        self._memory: LRUCache[str, Sentences] = LRUCache(_IN_MEMORY)
        self._lock = threading.RLock()

    def of(self, passages: Sequence[Passage]) -> list[Sentences]:
        """Return the sentences of each passage in the given order."""
        with self._lock:
            unknown = {each.id: split_sentences(each.text) for each in passages if each.id not in self._memory}
            fresh = self._stored(unknown)
            missing = {key: unknown[key] for key in unknown if key not in fresh}
            if missing:
                self._compute(missing)
                fresh |= self._stored(missing)
            found = [fresh.get(each.id) or self._memory[each.id] for each in passages]
            for each, sentences in zip(passages, found, strict=True):
                self._memory[each.id] = sentences
            return found

    def _stored(self, wanted: dict[str, list[str]]) -> dict[str, Sentences]:
        """Return the passages whose sentences are all stored with their current texts."""
        ids = [sentence_id for key, texts in wanted.items() for sentence_id in _ids(key, texts)]
        if not ids:
            return {}
        with self._connection.session() as client:
            kept = kept_with(client, stored_collection(client, self._name), "sentences")
            if kept is None:
                return {}
            known = _read(kept, ids)
        found = {}
        for key, texts in wanted.items():
            rows = [known.get(sentence_id, ("", None)) for sentence_id in _ids(key, texts)]
            vectors = [vector for (text, vector), now in zip(rows, texts, strict=True) if text == now]
            if len(vectors) == len(texts):
                found[key] = (texts, np.array(vectors, dtype=np.float32))
        return found

    def _compute(self, missing: dict[str, list[str]]) -> None:
        """Embed and store the sentences of some passages."""
        ids = [sentence_id for key, texts in missing.items() for sentence_id in _ids(key, texts)]
        texts = [text for each in missing.values() for text in each]
        parts = [self._embedder.sentence_vectors(texts[part]) for part in slices(len(texts), _EMBEDDED_AT_ONCE)]
        vectors = np.concatenate(parts)
        with self._connection.session(writing=True) as client:
            kept = kept_with_or_new(client, stored_collection(client, self._name), "sentences")
            for part in written_slices(client, len(ids)):
                kept.upsert(ids=ids[part], embeddings=vectors[part], documents=texts[part])


def _ids(passage_id: str, texts: Sequence[str]) -> list[str]:
    return [f"{passage_id}-{number:04d}" for number in range(len(texts))]


def _read(kept: Stored, ids: Sequence[str]) -> dict[str, tuple[str, Vectors | None]]:
    """Return text and vector of the stored sentences."""
    known: dict[str, tuple[str, Vectors | None]] = {}
    for part in slices(len(ids), PAGE):
        page = kept.get(ids=list(ids[part]), include=["embeddings", "documents"])
        known.update(zip(page["ids"], zip(page["documents"], page["embeddings"], strict=True), strict=True))
    return known
