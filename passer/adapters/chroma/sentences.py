"""Sentences of passages: how a text is split, and their vectors, computed once and stored with the collection."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import regex

from passer.adapters.chroma.client import Connection
from passer.adapters.chroma.records import (
    PAGE,
    side_collection,
    side_collection_or_new,
    slices,
    stored_collection,
    written_slices,
)
from passer.domain.lru_cache import LruCache
from passer.domain.retrieval.passages import Passage
from passer.domain.texts.search_words import TEXT_RULES, TextRules
from passer.domain.texts.sentence_ends import split_at_other_stops
from passer.metrics import nltk_parts
from passer.ports import Embedder, Vectors

if TYPE_CHECKING:
    from chromadb import Collection as Stored
    from nltk.tokenize.punkt import PunktSentenceTokenizer

Sentences = tuple[list[str], Vectors]
"""Sentences of one passage in order, and float32 vectors of shape (len(sentences), dimension)."""

_IN_MEMORY = 2000
"""Passages whose sentences stay in memory: 10 kB each at seven sentences of 384 dimensions."""
_EMBEDDED_AT_ONCE = 256
_PARAGRAPH = re.compile(r"\n\s*\n")
_IDEOGRAPH = r"[\p{Han}\p{Hiragana}\p{Katakana}\u30fc\u3001\u3002\uff0c]"
_BROKEN_LINE = regex.compile(rf"(?<={_IDEOGRAPH})[^\S\n]*\n\s*(?={_IDEOGRAPH})")
"""A line break in a text that has no blanks between words."""


class SentenceMemory:
    """Sentences of the passages read last, shared by everything that opens a collection: each question opens one."""

    def __init__(self) -> None:
        self._kept: LruCache[tuple[str, str], Sentences] = LruCache(_IN_MEMORY)
        self.computing = Lock()
        """Held while sentences are read or embedded, so that questions asked at once do not embed the same ones."""

    def get(self, stored: str, passages: Sequence[Passage]) -> dict[str, Sentences]:
        """Return the sentences that are in memory, by passage id; `stored` is Chroma's id of the collection."""
        found = {each.id: self._kept.get((stored, each.id)) for each in passages}
        return {key: sentences for key, sentences in found.items() if sentences is not None}

    def put(self, stored: str, sentences: dict[str, Sentences]) -> None:
        """Keep sentences by passage id."""
        for key, each in sentences.items():
            self._kept.put((stored, key), each)


class StoredSentences:
    """The sentences of one collection's passages.

    Vectors always come from the store, also right after they were computed: Chroma normalises what it keeps, and a
    first run must see the same bytes as a second one.
    """

    def __init__(
        self,
        name: str,
        stored: str,
        *,
        rules: TextRules,
        embedder: Embedder,
        connection: Connection,
        memory: SentenceMemory,
    ) -> None:
        self._name = name
        # A collection embedded with another model has another id in Chroma, so its sentences are never the old ones.
        self._id = stored
        self._rules = rules
        self._embedder = embedder
        self._connection = connection
        self._memory = memory

    def of(self, passages: Sequence[Passage]) -> list[Sentences]:
        """Return the sentences of each passage in the given order."""
        found = self._memory.get(self._id, passages)
        if any(each.id not in found for each in passages):
            with self._memory.computing:
                found |= self._memory.get(self._id, passages)
                fresh = self._read_or_computed([each for each in passages if each.id not in found])
            self._memory.put(self._id, fresh)
            found |= fresh
        return [found[each.id] for each in passages]

    def _read_or_computed(self, passages: Sequence[Passage]) -> dict[str, Sentences]:
        """Return the sentences by passage id, from the store or computed and stored."""
        wanted = {each.id: split_sentences(each.text, self._rules) for each in passages}
        found = self._stored(wanted)
        missing = {key: texts for key, texts in wanted.items() if key not in found}
        if missing:
            self._compute(missing)
            found |= self._stored(missing)
        return found

    def _stored(self, wanted: dict[str, list[str]]) -> dict[str, Sentences]:
        """Return the passages whose sentences are all stored with their current texts."""
        ids = [sentence_id for key, texts in wanted.items() for sentence_id in _ids(key, texts)]
        if not ids:
            return {}
        with self._connection.session() as client:
            kept = side_collection(client, stored_collection(client, self._name), "sentences")
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
            kept = side_collection_or_new(client, stored_collection(client, self._name), "sentences")
            for part in written_slices(client, len(ids)):
                kept.upsert(ids=ids[part], embeddings=vectors[part], documents=texts[part])


def split_sentences(text: str, rules: TextRules = TEXT_RULES) -> list[str]:
    """Return the sentences in order, white space collapsed: paragraphs first, then Punkt without training.

    Punkt does not know the full stops of other scripts: by the second rules, sentences end there, too.
    """
    return [
        " ".join(sentence.split())
        for paragraph in _PARAGRAPH.split(text)
        if paragraph.strip()
        for found in _punkt().tokenize(paragraph)
        for sentence in ([found] if rules == 1 else split_at_other_stops(_BROKEN_LINE.sub("", found)))
    ]


@cache
def _punkt() -> PunktSentenceTokenizer:
    tokenizer: PunktSentenceTokenizer = nltk_parts.punkt().PunktSentenceTokenizer()
    return tokenizer


def _ids(passage_id: str, texts: Sequence[str]) -> list[str]:
    return [f"{passage_id}-{number:04d}" for number in range(len(texts))]


def _read(kept: Stored, ids: Sequence[str]) -> dict[str, tuple[str, Vectors | None]]:
    """Return text and vector of the stored sentences."""
    known: dict[str, tuple[str, Vectors | None]] = {}
    for part in slices(len(ids), PAGE):
        page = kept.get(ids=list(ids[part]), include=["embeddings", "documents"])
        known.update(zip(page["ids"], zip(page["documents"], page["embeddings"], strict=True), strict=True))
    return known
