"""An OpenAI-compatible server, streamed and whole, and its faults, over real HTTP."""

from __future__ import annotations

import socket
import traceback
from collections.abc import Iterator

import pytest

from passer.adapters.generators.openai import NOT_SENT, OpenAIGenerator
from passer.domain.answer import GenerationRequest, Message, Prompt
from passer.domain.run import GenerationOptions, Model
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable, ModelNotFoundError
from tests.ollama_server import OllamaServer, ScriptedModel, Step

KEY = "sk-test-0123456789abcdef"


def a_request(text: str = "Question: Why?", *, model: str = "qwen3-8b", **options: int) -> GenerationRequest:
    return GenerationRequest(
        key="k",
        question=text,
        passages=(),
        prompt=Prompt(template="t", template_digest="d", messages=(Message(role="user", content=text),)),
        model=Model(provider="openai", name=model),
        options=GenerationOptions(**options),
    )


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    with OllamaServer(models=[ScriptedModel("qwen3-8b", context_length=50)], api_key=KEY) as server:
        yield server


@pytest.fixture(params=[True, False], ids=["streamed", "whole"])
def generator(server: OllamaServer, request: pytest.FixtureRequest) -> Iterator[OpenAIGenerator]:
    generator = OpenAIGenerator(server.url, api_key=KEY, stream=request.param, read_timeout_s=2)
    yield generator
    generator.close()


def test_an_answer_with_its_counts(server: OllamaServer, generator: OpenAIGenerator) -> None:
    answer = generator.generate(a_request())
    assert (answer.text, answer.done_reason, answer.truncated) == ("About this: Why?", "stop", None)
    assert (answer.timings.prompt_eval_count, answer.timings.eval_count) == (4, 5)
    assert answer.timings.total_duration_ns is None
    assert answer.model_digest == "unknown"


def test_options_by_their_names_here(server: OllamaServer, generator: OpenAIGenerator) -> None:
    request = a_request()
    generator.generate(request)
    (seen,) = server.generations
    sent = {name: seen.body[name] for name in ("temperature", "seed", "top_p", "max_tokens")}
    assert sent == {"temperature": 0.2, "seed": 20260101, "top_p": 0.9, "max_tokens": 512}
    assert not set(NOT_SENT) & set(seen.body)
    assert seen.prompt_digest == request.prompt.digest


def test_length_thoughts_and_silence(server: OllamaServer, generator: OpenAIGenerator) -> None:
    server.script(Step(), Step(reply="Because.", thinking="hm"), Step(reply=""))
    assert generator.generate(a_request(num_predict=2)).truncated == "answer"
    thought = generator.generate(a_request())
    assert (thought.text, thought.raw) == ("Because.", "<think>hm</think>Because.")
    assert generator.generate(a_request()).reason == "empty_answer"


def test_a_prompt_that_fills_the_told_window_was_cut(server: OllamaServer, generator: OpenAIGenerator) -> None:
    generator.describe(Model(provider="openai", name="qwen3-8b"))
    assert generator.generate(a_request("word " * 200)).truncated == "prompt"


def test_models(generator: OpenAIGenerator) -> None:
    (info,) = generator.models()
    assert (info.name, info.digest, info.context_length) == ("qwen3-8b", "unknown", 50)
    assert generator.describe(Model(provider="openai", name="qwen3-8b")) == info
    with pytest.raises(ModelNotFoundError, match=r"Choose a model .*\(qwen3-8b\)"):
        generator.describe(Model(provider="openai", name="gpt-9"))
    with pytest.raises(ModelNotFoundError, match="Load gpt-9"):
        generator.generate(a_request(model="gpt-9"))


@pytest.mark.parametrize(
    ("step", "reason", "retryable"),
    [
        (Step(status=429, retry_after="3"), "overloaded", True),
        (Step(status=503), "overloaded", True),
        (Step(status=500), "server_error", True),
        (Step(status=400, error="This model's maximum context length is 4096 tokens."), "context_exceeded", False),
        (Step(status=422, error="bad seed"), "rejected", False),
    ],
)
def test_refusals(server: OllamaServer, generator: OpenAIGenerator, step: Step, reason: str, retryable: bool) -> None:
    server.script(step)
    with pytest.raises(GenerationError) as caught:
        generator.generate(a_request())
    assert (caught.value.reason, caught.value.retryable) == (reason, retryable)
    assert caught.value.retry_after_s == (3.0 if step.retry_after else None)


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Step(fault="reset"), "connection_lost"),
        (Step(fault="reset_at_once"), "connection_lost"),
        (Step(fault="ends_early"), "connection_lost"),
        (Step(fault="cut_json"), "malformed_reply"),
        (Step(fault="malformed"), "malformed_reply"),
        (Step(fault="error_in_stream"), "server_error"),
        (Step(fault="hang"), "timeout"),
    ],
)
def test_broken_streams(server: OllamaServer, step: Step, reason: str) -> None:
    generator = OpenAIGenerator(server.url, api_key=KEY, read_timeout_s=0.3)
    server.script(step)
    with pytest.raises(GenerationError) as caught:
        generator.generate(a_request())
    assert (caught.value.reason, caught.value.retryable) == (reason, True)
    generator.close()


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    generator = OpenAIGenerator(f"http://127.0.0.1:{port}/v1")
    assert generator.base_url == f"http://127.0.0.1:{port}"
    with pytest.raises(GeneratorUnavailable, match="Start the model server"):
        generator.generate(a_request())
    generator.close()


def test_the_key_is_never_shown(server: OllamaServer) -> None:
    wrong = "sk-wrong-fedcba9876543210"
    generator = OpenAIGenerator(server.url, api_key=wrong)
    with pytest.raises(GenerationError, match="Set a valid API key") as caught:
        generator.generate(a_request())
    assert caught.value.reason == "rejected"
    server.script(Step(status=400, error=f"what is {wrong}?"))
    server.api_key = None
    with pytest.raises(GenerationError, match=r"what is \*\*\*\?") as echoed:
        generator.generate(a_request())
    shown = [repr(generator), *traceback.format_exception(caught.value), *traceback.format_exception(echoed.value)]
    assert not [line for line in shown if wrong in line]
    generator.close()


def test_a_key_that_cannot_be_sent_is_refused_unseen() -> None:
    with pytest.raises(ConfigError) as caught:
        OpenAIGenerator("http://127.0.0.1:1", api_key="sk-secret\n")
    assert "secret" not in caught.value.message
