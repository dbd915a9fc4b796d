"""Vectors from /api/embed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from passer.adapters.encoders.ollama import OllamaEmbedder
from passer.errors import GenerationError, GeneratorUnavailable, InputError, ModelNotFoundError
from tests import ollama_replies
from tests.ollama_server import OllamaServer, ScriptedModel, Step

NOMIC = ScriptedModel("nomic-embed-text:latest", digest="ab" * 32, context_length=8)


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    with OllamaServer(models=(NOMIC,)) as server:
        yield server


@pytest.fixture
def embedder(server: OllamaServer) -> Iterator[OllamaEmbedder]:
    embedder = OllamaEmbedder(server.url, "nomic-embed-text", batch_size=2, sleep=lambda _: None, read_timeout_s=2)
    yield embedder
    embedder.close()


def test_the_model_is_named_and_measured(embedder: OllamaEmbedder) -> None:
    assert embedder.model.model_dump() == {"name": "ollama/nomic-embed-text", "digest": "ab" * 32, "dimension": 64}


def test_vectors_in_order_in_batches_of_length_one(server: OllamaServer, embedder: OllamaEmbedder) -> None:
    texts = ["soil", "bees", "soil and bees", "vines", "soil"]
    vectors = embedder.sentence_vectors(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, [ollama_replies.vector(text) for text in texts], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert [seen.body["input"] for seen in server.seen if seen.path == "/api/embed"] == [
        texts[0:2], texts[2:4], texts[4:],
    ]  # fmt: skip


def test_no_text_no_vectors(embedder: OllamaEmbedder) -> None:
    assert embedder.sentence_vectors([]).shape == (0, 64)


def test_a_text_too_long_is_refused_and_not_cut(embedder: OllamaEmbedder) -> None:
    with pytest.raises(InputError, match="smaller chunk_size") as caught:
        embedder.sentence_vectors(["one two three four five six seven eight nine"])
    assert caught.value.field == "chunk_size"


def test_window_and_batch_are_the_models_own(server: OllamaServer, embedder: OllamaEmbedder) -> None:
    """Ollama's own batch (at most 2,048) refuses longer texts that the model could read."""
    for length, asked in ((8, 8), (8192, 8192), (131_072, 8192)):
        server.known["nomic-embed-text:latest"] = ScriptedModel("nomic-embed-text:latest", context_length=length)
        with closing(OllamaEmbedder(server.url, "nomic-embed-text")) as fresh:
            fresh.sentence_vectors(["soil"])
        assert server.seen[-1].body["options"] == {"num_ctx": asked, "num_batch": asked}


@pytest.mark.parametrize(
    "said",
    [
        "context canceled",
        'do embedding request: Post "http://127.0.0.1:39201/embedding": EOF',
        "do embedding request: dial tcp 127.0.0.1:39201: connect: connection refused",
        "llm server error: server not responding",
    ],
)
def test_a_runner_that_went_away_is_asked_again_although_ollama_says_400(
    server: OllamaServer, embedder: OllamaEmbedder, said: str
) -> None:
    server.script(Step(status=400, error=said))
    assert embedder.sentence_vectors(["soil"]).shape == (1, 64)


def test_another_400_is_final(server: OllamaServer, embedder: OllamaEmbedder) -> None:
    server.script(Step(status=400, error="this model does not support embeddings"))
    with pytest.raises(GenerationError, match="does not support embeddings") as caught:
        embedder.sentence_vectors(["soil"])
    assert not caught.value.retryable


def test_a_busy_server_is_asked_again(server: OllamaServer) -> None:
    waits: list[float] = []
    embedder = OllamaEmbedder(server.url, "nomic-embed-text", backoff_s=0.25, sleep=waits.append)
    server.script(Step(status=503), Step(status=429, retry_after="9"), Step(status=500))
    assert embedder.sentence_vectors(["soil"]).shape == (1, 64)
    assert waits == [0.25, 9.0, 1.0]
    server.script(*[Step(status=503)] * 4)
    with pytest.raises(GenerationError):
        embedder.sentence_vectors(["soil"])
    embedder.close()


def test_a_missing_model_and_a_missing_server(server: OllamaServer) -> None:
    embedder = OllamaEmbedder(server.url, "mxbai-embed-large")
    with pytest.raises(ModelNotFoundError, match="ollama pull mxbai-embed-large"):
        embedder.sentence_vectors(["soil"])
    with pytest.raises(ModelNotFoundError, match="ollama pull mxbai-embed-large"):
        _ = embedder.model
    server.stop()
    with pytest.raises((GeneratorUnavailable, GenerationError)):
        embedder.sentence_vectors(["soil"])
    embedder.close()


@pytest.mark.parametrize("vector", [[], [0.0, 0.0], "x", [1.0, None], [float("nan"), 1.0], 3.0])
def test_a_vector_that_is_none_is_refused(
    embedder: OllamaEmbedder, monkeypatch: pytest.MonkeyPatch, vector: object
) -> None:
    monkeypatch.setattr(ollama_replies, "vector", lambda _: vector)
    with pytest.raises(GenerationError) as caught:
        embedder.sentence_vectors(["soil"])
    assert caught.value.reason == "malformed_reply"
