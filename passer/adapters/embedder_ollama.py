"""Embedding with a model of an Ollama server, through /api/embed.

The server decides how it batches: vectors of the same text may differ in their last bits between two calls. So a
sweep keeps the rankings that it was given, and does not embed again what it has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
from ollama import Client

from passer.adapters.generators.faults import Refused, checked_url, client_options, failure, translated
from passer.adapters.generators.ollama import OllamaGenerator
from passer.domain.base import shown_address
from passer.domain.retrieval import EmbeddingModel
from passer.domain.run import Model
from passer.domain.wording.sentence import sentence
from passer.errors import GenerationError, InputError, ModelNotFoundError
from passer.ports import Vectors

ATTEMPTS = 4
"""How often a batch is asked for when the server is overloaded or stumbles."""


class OllamaEmbedder:
    """Vectors from an Ollama model, L2-normalised here; text that the model cannot take whole is refused, not cut."""

    def __init__(
        self,
        base_url: str,
        name: str,
        *,
        batch_size: int = 32,
        connect_timeout_s: float = 5.0,
        read_timeout_s: float = 300.0,
        backoff_s: float = 1.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        whole = checked_url(base_url, field="ollama_url")
        self.base_url = shown_address(whole)
        self.name = name
        self._batch_size = batch_size
        self._backoff_s, self._sleep = backoff_s, sleep
        self._connect_timeout_s, self._read_timeout_s = connect_timeout_s, read_timeout_s
        options = client_options(whole, connect_timeout_s=connect_timeout_s, read_timeout_s=read_timeout_s, parallel=4)
        self._client = Client(host=whole, **options)
        self._model: EmbeddingModel | None = None
        self._lock = Lock()

    @property
    def model(self) -> EmbeddingModel:
        """Tag, the server's digest, and the dimension of a vector it was asked for."""
        with self._lock:
            if self._model is None:
                digest = self._digest()
                dimension = self._embed(["dimension"]).shape[1]
                self._model = EmbeddingModel(name=f"ollama/{self.name}", digest=digest, dimension=dimension)
            return self._model

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """float32, shape (len(texts), dimension), in order; batches are cut by place alone."""
        if not texts:
            return np.zeros((0, self.model.dimension), dtype=np.float32)
        starts = range(0, len(texts), self._batch_size)
        return np.concatenate([self._embed(list(texts[start : start + self._batch_size])) for start in starts])

    def close(self) -> None:
        """Let the connections go."""
        self._client.close()  # type: ignore[no-untyped-call]

    def _digest(self) -> str:
        server = OllamaGenerator(
            self.base_url, connect_timeout_s=self._connect_timeout_s, read_timeout_s=self._read_timeout_s
        )
        try:
            return server.describe(Model(provider="ollama", name=self.name)).digest
        finally:
            server.close()

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
        with translated(self.base_url):
            try:
                reply = self._client.embed(model=self.name, input=texts, truncate=False)
            except Refused as exc:
                if exc.status == 404:
                    raise ModelNotFoundError(
                        sentence("server.no-model", model=self.name, server=self.base_url)
                    ) from exc
                if exc.status == 400 and "context" in exc.said:
                    raise InputError(
                        f"Choose a smaller chunk_size: a text is longer than {self.name} takes.", field="chunk_size"
                    ) from exc
                raise
            vectors = np.array(reply.embeddings, dtype=np.float32)
        return self._normalised(vectors, expected=len(texts))

    def _normalised(self, vectors: Vectors, *, expected: int) -> Vectors:
        """Rows of length 1; a reply of another shape, or with rows that have no direction, is refused."""
        if vectors.ndim != 2 or len(vectors) != expected or not vectors.shape[1]:
            raise failure(
                f"Check that {self.name} is an embedding model: {self.base_url} did not give one vector for each text.",
                "malformed_reply",
            )
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        if not np.isfinite(vectors).all() or not (lengths > 0).all():
            raise failure(
                f"Choose another embedding model than {self.name}: it gave a vector without a direction.",
                "malformed_reply",
            )
        return np.asarray(vectors / lengths, dtype=np.float32)
