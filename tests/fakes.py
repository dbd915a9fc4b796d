"""Fakes of the ports, for the tests of services; adapters and end-to-end tests use the real thing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from passer.domain.retrieval import EmbeddingModel
from passer.ports import TokenStates, Vectors


class FakeEncoder:
    """Bag-of-words vectors: texts that share words are near each other; exact and instant."""

    model = EmbeddingModel(name="fake/bag-of-words", digest="0" * 64, dimension=64)
    max_tokens = 512

    def _word(self, word: str) -> np.ndarray:
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
        return np.random.default_rng(seed).standard_normal(self.model.dimension)

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        rows = []
        for text in texts:
            total = sum((self._word(w) for w in text.lower().split()), np.zeros(self.model.dimension))
            rows.append(total / (np.linalg.norm(total) or 1.0))
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.model.dimension)

    def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
        for text in texts:
            words = ["[CLS]", *text.lower().split()[: self.max_tokens - 2], "[SEP]"]
            states = np.array([self._word(word) for word in words[: 1 if first_only else None]], dtype=np.float32)
            yield TokenStates(states=states, truncated=len(text.split()) > self.max_tokens - 2)
