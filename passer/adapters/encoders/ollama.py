"""Embedding with a model of an Ollama server, through /api/embed.

The server decides how it batches: vectors of the same text may differ in their last bits between two calls. So a
sweep keeps the rankings that it was given, and does not embed again what it has.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock

import numpy as np

from passer.adapters.generators.faults import Refused, failure
from passer.adapters.generators.ollama import described
from passer.adapters.generators.ollama_client import OllamaClient
from passer.domain.retrieval.passages import EmbeddingModel
from passer.domain.wording.sentence import sentence
from passer.errors import GenerationError, InputError
from passer.ports import Vectors

ATTEMPTS = 4
"""Attempts per batch while the server is overloaded or fails."""
LONGEST_TEXT = 8192
"""Most tokens of a text; a large language model that embeds would need much memory for its complete window."""
_TOO_LONG = re.compile(r"exceeds the (?:maximum )?context length|maximum context length", re.IGNORECASE)
_PASSING = re.compile(r"cancell?ed|\bEOF\b|connection|server not responding", re.IGNORECASE)
"""Ollama answers 400 to every error of /api/embed; these come from its runner, and go away."""


class OllamaEmbedder:
    """Embeds with an Ollama model; vectors are L2-normalised. Refuses text that the model would cut."""

    def __init__(
        self,
        base_url: str,
        name: str,
        *,
        api_key: str | None = None,
        batch_size: int = 32,
        read_timeout_s: float = 300.0,
        backoff_s: float = 1.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = OllamaClient(base_url, api_key=api_key, read_timeout_s=read_timeout_s, parallel=4)
        self.base_url = self._client.base_url
        self.name = name
        self._batch_size = batch_size
        self._backoff_s, self._sleep = backoff_s, sleep
        self._model: EmbeddingModel | None = None
        self._lock = Lock()

    @property
    def model(self) -> EmbeddingModel:
        with self._lock:
            if self._model is None:
                digest = described(self._client, self.name).digest
                dimension = self._embed(["dimension"]).shape[1]
                self._model = EmbeddingModel(name=f"ollama/{self.name}", digest=digest, dimension=dimension)
            return self._model

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """Return float32 vectors in order, shape (len(texts), dimension). Batches depend on a text's place alone."""
        if not texts:
            return np.zeros((0, self.model.dimension), dtype=np.float32)
        starts = range(0, len(texts), self._batch_size)
        return np.concatenate([self._embed(list(texts[start : start + self._batch_size])) for start in starts])

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @cached_property
    def _options(self) -> dict[str, int]:
        """Window and batch of the model's whole context: Ollama's own batch refuses texts that the model can read."""
        length = described(self._client, self.name).context_length
        return dict.fromkeys(("num_ctx", "num_batch"), min(length, LONGEST_TEXT)) if length else {}

    def _embed(self, texts: list[str]) -> Vectors:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._embed_once(texts)
            except GenerationError as exc:
                if not exc.retryable or attempt == ATTEMPTS:
                    raise
                self._sleep(min(30.0, exc.retry_after_s or self._backoff_s * 2 ** (attempt - 1)))
        raise AssertionError("the last attempt returns or raises")

    def _embed_once(self, texts: list[str]) -> Vectors:
        with self._client.border(self.name):
            try:
                reply = self._client.embed(
                    {"model": self.name, "input": texts, "truncate": False, "options": self._options}
                )
            except Refused as exc:
                if exc.status == 400 and _TOO_LONG.search(exc.said):
                    raise InputError(sentence("vectors.too-long", model=self.name), field="chunk_size") from exc
                if exc.status == 400 and _PASSING.search(exc.said):
                    said = sentence("server.failed", server=self.base_url, status=exc.status, said=exc.said)
                    raise failure(said, "server_error", retryable=True) from exc
                raise
            vectors = np.array(reply, dtype=np.float32)
        return self._normalised(vectors, expected=len(texts))

    def _normalised(self, vectors: Vectors, *, expected: int) -> Vectors:
        """Normalise rows to length 1; refuse a reply of another shape or with zero vectors."""
        if vectors.ndim != 2 or len(vectors) != expected or not vectors.shape[1]:
            raise failure(
                sentence("vectors.too-few", server=self.base_url, model=self.name),
                "malformed_reply",
            )
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        if not np.isfinite(vectors).all() or not (lengths > 0).all():
            raise failure(sentence("vectors.zero", model=self.name), "malformed_reply")
        return np.asarray(vectors / lengths, dtype=np.float32)
