"""Retrievers: seconds to index and to rank 20,000 passages of 120 words, and rank fusion alone.

    python -m benchmarks.retrievers [--quick]

The words are drawn by Zipf's law, the vectors at random: only their sizes matter here. Seconds are those of a
processor, so that other work on the machine does not count. `--quick` takes 5,000 passages.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.report import Figure, report
from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.lexical import LexicalIndex
from passer.domain.retrieval.fusion import fused
from passer.domain.retrieval.passages import Collection, Document, EmbeddingModel, Passage
from passer.domain.retrieval.places import Places
from passer.domain.retrieval.retriever import Dense, Fused, Lexical
from passer.domain.texts.search_words import TEXT_RULES
from passer.ports import Vectors
from passer.services.pipeline.ranker import WITHOUT_MODELS

PASSAGES, QUICK_PASSAGES = 20_000, 5_000
WORDS = 120
VOCABULARY = 30_000
DIMENSION = 384
QUESTIONS = 64
ROUNDS = 7
PER_DOCUMENT = 1_000
MODEL = EmbeddingModel(name="random", digest="0", dimension=DIMENSION)


class RandomEmbedder:
    """A vector for each text, drawn from its hash; free compared with a model."""

    model = MODEL

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        return np.stack(
            [np.random.default_rng(abs(hash(text))).standard_normal(DIMENSION).astype(np.float32) for text in texts]
        )


def texts(count: int, words: int, rng: np.random.Generator) -> list[str]:
    """Texts of words by Zipf's law."""
    drawn = np.minimum(rng.zipf(1.2, (count, words)), VOCABULARY)
    return [" ".join(f"w{word}" for word in row) for row in drawn]


def collection(folder: Path, passages: Sequence[str]) -> ChromaCollections:
    """A collection of these passages in documents of 1,000."""
    collections = ChromaCollections(path=folder, embedder_for=lambda _: RandomEmbedder())
    for first in range(0, len(passages), PER_DOCUMENT):
        name, part = f"d{first:06d}", passages[first : first + PER_DOCUMENT]
        made = [
            Passage(id=f"{name}-{number:04d}", document=name, number=number, text=text, start=0, end=len(text))
            for number, text in enumerate(part)
        ]
        vectors = RandomEmbedder().sentence_vectors(part)
        collections.add(
            Collection(name="words", embedding=MODEL), Document(name=name, digest=name, text="t"), made, vectors
        )
    return collections


def seconds(act: Callable[[], object], times: int = 1) -> float:
    """Processor seconds of one call, the fewest of some."""
    found = []
    for _ in range(times):
        began = process_time()
        act()
        found.append(process_time() - began)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="ends within two minutes")
    count = QUICK_PASSAGES if parser.parse_args().quick else PASSAGES
    rng = np.random.default_rng(18)
    passages, questions = texts(count, WORDS, rng), texts(QUESTIONS, 10, rng)
    # The first index of a process also imports bm25s, which `--quick` would count four times.
    LexicalIndex(passages[:1], Lexical(), TEXT_RULES)
    index_s = seconds(lambda: LexicalIndex(passages, Lexical(), TEXT_RULES))
    lexical = LexicalIndex(passages, Lexical(), TEXT_RULES)
    query_s = seconds(lambda: [lexical.scores(question) for question in questions], 5) / QUESTIONS
    found = _found(rng)
    # Short rounds: a neighbour on the machine interrupts long ones, and slows them by half through its caches.
    fusion_s = seconds(lambda: [fused(found, k=60, depth=100).ranking() for _ in range(5)], 300) / 5
    with tempfile.TemporaryDirectory() as folder:
        collections = collection(Path(folder), passages)
        opened = collections.open("words")
        hybrid = Fused(of=(Dense(), Lexical()))
        WITHOUT_MODELS.rank(opened, hybrid, questions[:1], 100)
        # In turn, so that a machine that becomes busy slows all three: their ratio is what counts.
        rounds = [
            [
                seconds(partial(WITHOUT_MODELS.rank, opened, each, questions, 100))
                for each in (Dense(), Lexical(), hybrid)
            ]
            for _ in range(ROUNDS)
        ]
        collections.close()
    dense_s, lexical_s, hybrid_s = map(min, zip(*rounds, strict=True))
    scale = PASSAGES / count
    report(
        "retrievers",
        {
            "bm25_index_20000": Figure(index_s * scale, "lower", "s of a processor", goal=4.0),
            "bm25_query_20000": Figure(1000 * query_s * scale, "lower", "ms of a processor", goal=2.0),
            "fusion_5x100": Figure(1000 * fusion_s, "lower", "ms of a processor", goal=0.2),
            "hybrid_vs_parts": Figure(hybrid_s / (dense_s + lexical_s), "lower", "of dense and BM25 alone", goal=1.3),
        },
    )


def _found(rng: np.random.Generator) -> list[Places]:
    """Return what five searches of one index found."""
    corpus = [Passage(id=f"p{place:03d}", document="d", number=0, text="t", start=0, end=1) for place in range(300)]
    return [Places(corpus=corpus, rows=rng.permutation(300)[:100], similarities=np.full(100, 0.5)) for _ in range(5)]


if __name__ == "__main__":
    main()
