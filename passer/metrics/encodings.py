"""Text vectors from the encoder: each distinct text is encoded once, several at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from passer.domain.lru_cache import LruCache
from passer.errors import EncoderUnavailable
from passer.metrics.brt import combined_text
from passer.metrics.pair import PairVectors, TextVectors
from passer.ports import Encoder, TokenStates

_CACHED_BYTES = 192 * 1024 * 1024
"""Bytes of token vectors cached for later pairs."""

_NOTHING: NDArray[np.float64] = np.zeros(0)


class Encodings:
    """Caches an encoder's vectors in the form that metrics read."""

    def __init__(self, encoder: Encoder, *, last_layer: bool, combined: bool) -> None:
        self.encoder = encoder
        self.last_layer = last_layer
        self.combined = combined
        self.cached: LruCache[str, TextVectors] = LruCache(_CACHED_BYTES, weigh=lambda vectors: vectors.unit.nbytes)

    def window(self, pairs: Sequence[tuple[str, str]]) -> Window | None:
        """Start encoding (reference, answer) pairs; None if the encoder is not available."""
        try:
            return Window(self, pairs)
        except EncoderUnavailable:
            return None

    @cached_property
    def room(self) -> int:
        """Tokens that B-RT's combined text leaves for reference and answer together."""
        (frame,) = self.encoder.token_states([combined_text(reference="", answer="")])
        return self.encoder.max_tokens - len(frame.states)


class Window:
    """Pairs whose texts are being encoded. Call `take` once per pair, in order."""

    def __init__(self, encodings: Encodings, pairs: Sequence[tuple[str, str]]) -> None:
        self._from = encodings
        self._vectors: dict[str, TextVectors] = {}
        missing: list[str] = []
        for text in dict.fromkeys(text for pair in pairs for text in pair):
            cached = encodings.cached.get(text)
            if cached is None:
                missing.append(text)
            else:
                self._vectors[text] = cached
        texts = [combined_text(reference=ref, answer=ans) for ref, ans in pairs] if encodings.combined else []
        self._missing = iter(missing)
        self._singles: Iterator[TokenStates] = encodings.encoder.token_states(missing)
        self._combined: Iterator[TokenStates] = encodings.encoder.token_states(texts, first_only=True)

    def pop(self, *, reference: str, answer: str) -> PairVectors | None:
        """Wait for the vectors of the next pair; None if the encoder is not available."""
        try:
            theirs, ours = self._text(reference), self._text(answer)
            if not self._from.combined:
                return PairVectors(theirs, ours, _NOTHING)
            combined = next(self._combined)
            return PairVectors(
                reference=theirs,
                answer=ours,
                combined_first=combined.states[0].astype(np.float64),
                answer_cut_off=combined.truncated and len(theirs.unit) - 2 >= self._from.room,
            )
        except EncoderUnavailable:
            return None

    def _text(self, text: str) -> TextVectors:
        while text not in self._vectors:
            arrived, states = next(self._missing), next(self._singles)
            vectors = TextVectors.of(states, last_layer=self._from.last_layer)
            self._vectors[arrived] = self._from.cached.put(arrived, vectors)
        return self._vectors[text]
