"""Ports of text vectors and synonyms: encoders, embedding models, WordNet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from passer.domain.retrieval.passages import EmbeddingModel
from passer.domain.retrieval.refinements import CrossEncoder

Vectors = NDArray[np.float32]
"""float32 of shape (n, dimension)."""


Progress = Callable[[str, int, int], None]
"""Callback with a message, the number of items done, and their total."""

Counted = Callable[[int], None]
"""Callback with the number of items done."""


def uncounted(_: int) -> None:
    """Ignore how many items are done."""


@dataclass(frozen=True)
class TokenStates:
    """Vectors of one text at the last (or configured) layer, special tokens included."""

    states: Vectors
    """float32, shape (n_tokens, dimension); row 0 is [CLS], the last row [SEP]."""
    truncated: bool
    """True if the text exceeded the encoder's token limit."""
    layer_states: Vectors | None = None
    """The same tokens at the layer that BERTScore uses; None if that is the last layer."""
    unknown: float = 0.0
    """Share of the text's tokens that the encoder's vocabulary lacks, special tokens apart; in [0, 1]."""


class Encoder(Protocol):
    """A text encoder. The vectors of a text never depend on its batch."""

    @property
    def model(self) -> EmbeddingModel:
        """Return name, digest and dimension of the model."""

    @property
    def max_tokens(self) -> int:
        """Return the token limit of a text, including special tokens."""

    @property
    def layer(self) -> int:
        """Return the layer that BERTScore uses, from 1."""

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """Return L2-normalised mean-pooled vectors, shape (len(texts), dimension)."""

    def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
        """Yield the token vectors of each text in order; with `first_only` only the row of [CLS]."""


class WordNet(Protocol):
    """English synonyms."""

    @property
    def identity(self) -> str:
        """Return version and digest for the manifest."""

    def synonyms(self, word: str) -> frozenset[str]:
        """Return the one-word lemmas of all synsets that contain a base form of the word, as written there."""


class Embedder(Protocol):
    """Embedding model of a collection: an encoder, or a model server's."""

    @property
    def model(self) -> EmbeddingModel:
        """Return name, digest and dimension of the model."""

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """Return L2-normalised vectors, shape (len(texts), dimension)."""


class Rerankers(Protocol):
    """Scores passages together with the question."""

    def pinned(self, by: CrossEncoder) -> CrossEncoder:
        """Return the reranker with the digest of its weights; ConfigError if it is not there."""

    def scores(self, by: CrossEncoder, question: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, higher for a more relevant one.

        Raises ConfigError if its model cannot be used, and ConflictError if it has changed.
        """
