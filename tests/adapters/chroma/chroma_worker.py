"""Another process at an embedded directory: one that shares it, or is killed; run by test_whole_or_not.py."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.passages import Chunking, Collection, Document
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder()


def add(collections: ChromaCollections, collection: Collection, *, name: str, text: str) -> list[str]:
    """Texts of the passages added, all of them new."""
    document = Document(name=name, digest=hashlib.sha256(text.encode()).hexdigest(), text=text)
    passages = RecursiveSplitter().split(document, collection.chunking)
    texts = [passage.text for passage in passages]
    assert collections.add(collection, document, passages, ENCODER.sentence_vectors(texts)) == len(passages)
    return texts


def shared(path: Path, name: str) -> None:
    """Add six documents and look each up, while another process does the same."""
    collection = Collection(name="shared", embedding=ENCODER.model, chunking=Chunking(chunk_size=20, chunk_overlap=0))
    collections = ChromaCollections(path=path, embedder_for=lambda _: ENCODER)
    seen = 0
    for number in range(6):
        # Enough passages that Chroma writes its graph to disk in between (every 1,000 records).
        text = " ".join(f"{name}{number}word{i % 40}" for i in range(400))
        texts = add(collections, collection, name=f"{name}-{number}", text=text)
        index = collections.open("shared")
        (ranking,) = index.search([texts[7]], 3)
        assert ranking.passages[0].document == f"{name}-{number}"
        assert ranking.passages[0].similarity > 0.999999
        found = sum(1 for _ in index.passages())
        assert found >= seen + len(texts)
        seen = found


def killed(path: Path, name: str, text: str, chunk_size: str) -> None:
    """Add a document in slices of two passages and die before the second slice."""
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection

    real = ChromaCollection.upsert
    calls = []

    def upsert(self: ChromaCollection, **records: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        real(self, **records)

    ChromaCollection.upsert = upsert
    Client.get_max_batch_size = lambda self: 2
    chunking = Chunking(chunk_size=int(chunk_size), chunk_overlap=0)
    collections = ChromaCollections(path=path, embedder_for=lambda _: ENCODER)
    add(collections, Collection(name="farming", embedding=ENCODER.model, chunking=chunking), name=name, text=text)


def main() -> None:
    _, act, path, *others = sys.argv
    {"shared": shared, "killed": killed}[act](Path(path), *others)
