"""A small collection in embedded Chroma, and what the tests of it share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings

from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.passages import Chunking, Collection, Document, Passage
from passer.domain.texts.search_words import TEXT_RULES
from passer.ports import Vectors
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder()
SMALL = Collection(
    name="farming",
    embedding=ENCODER.model,
    chunking=Chunking(chunk_size=40, chunk_overlap=0),
    text_rules=TEXT_RULES,
)
TEXTS = {
    "soil.md": "Legumes fix nitrogen in the soil. Compost feeds the soil life. Clover covers the soil.",
    "bees.md": "Bees need nectar and pollen. Hives keep honey for the winter.",
}


class CountingEncoder(FakeEncoder):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return super().sentence_vectors(texts)


def document(name: str, text: str) -> Document:
    return Document(name=name, digest=hashlib.sha256(text.encode()).hexdigest(), text=text)


def add(collections: ChromaCollections, collection: Collection = SMALL, **texts: str) -> int:
    added = 0
    for name, text in (texts or TEXTS).items():
        source = document(name, text)
        passages = RecursiveSplitter().split(source, collection.chunking)
        vectors = ENCODER.sentence_vectors([passage.text for passage in passages])
        added += collections.add(collection, source, passages, vectors)
    return added


def client(path: Path) -> Any:
    return chromadb.PersistentClient(path=str(path), settings=Settings(anonymized_telemetry=False))


def plain(number: int, text: str = "same") -> Passage:
    return Passage(id=f"p{number:05d}", document="d", number=number, text=text, start=0, end=len(text))
