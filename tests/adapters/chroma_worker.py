"""One of two processes that add to, and search, the same embedded directory; run by test_chroma.py."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from passer.adapters.chroma import ChromaCollections
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval import Chunking, Collection, Document
from tests.fakes import FakeEncoder


def main(path: Path, name: str) -> None:
    encoder = FakeEncoder()
    collection = Collection(name="shared", embedding=encoder.model, chunking=Chunking(chunk_size=20, chunk_overlap=0))
    collections = ChromaCollections(path=path, embedder_for=lambda _: encoder)
    seen = 0
    for number in range(6):
        # Enough passages that Chroma writes its graph to disk in between (every 1,000 records).
        text = " ".join(f"{name}{number}word{i % 40}" for i in range(400))
        document = Document(name=f"{name}-{number}", digest=hashlib.sha256(text.encode()).hexdigest(), text=text)
        passages = RecursiveSplitter().split(document, collection.chunking)
        vectors = encoder.sentence_vectors([passage.text for passage in passages])
        assert collections.add(collection, document, passages, vectors) == len(passages)
        index = collections.open("shared")
        (ranking,) = index.search([passages[7].text], 3)
        assert ranking.passages[0].document == document.name
        assert ranking.passages[0].similarity > 0.999999
        found = sum(1 for _ in index.passages())
        assert found >= seen + len(passages)
        seen = found


if __name__ == "__main__":
    main(Path(sys.argv[2]), sys.argv[3])
