"""Texts as vectors: encoders, embedding models, synonyms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from passer.domain.retrieval import EmbeddingModel

Vectors = NDArray[np.float32]
"""float32 of shape (n, dimension)."""


Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done, and how many there are."""


@dataclass(frozen=True)
class TokenStates:
    """Last-layer (or configured layer) vectors of one text, special tokens included."""

    states: Vectors
    """float32, shape (n_tokens, dimension); row 0 is [CLS], the last row [SEP]."""
    truncated: bool
    """Whether the text was longer than the encoder takes."""
    layer_states: Vectors | None = None
    """The same tokens at the layer that BERTScore compares; None where that is the last layer."""


class Encoder(Protocol):
    """A text encoder. A text's vectors never depend on its batch mates."""

    @property
    def model(self) -> EmbeddingModel:
        """Name, digest and dimension."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens beyond which a text is cut, special tokens counted."""
        ...

    @property
    def layer(self) -> int:
        """The layer that BERTScore compares, from 1."""
        ...

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """L2-normalised mean-pooled vectors, shape (len(texts), dimension)."""
        ...

    def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
        """Token vectors, text by text, in order; `first_only` leaves out all rows but the first, [CLS]."""
        ...


class WordNet(Protocol):
    """English synonyms."""

    @property
    def identity(self) -> str:
        """Version and digest, for the manifest."""
        ...

    def synonyms(self, word: str) -> frozenset[str]:
        """One-word lemmas of all synsets that hold some base form of a word, as they are written there."""
        ...


class Embedder(Protocol):
    """What a collection is embedded with: any encoder, or a server's embedding model."""

    @property
    def model(self) -> EmbeddingModel:
        """Name, digest and dimension."""
        ...

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """L2-normalised vectors, shape (len(texts), dimension)."""
        ...
