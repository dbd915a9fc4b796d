"""An OpenAI-compatible server, streamed and whole, and its faults, over real HTTP."""

from __future__ import annotations

import json
import socket
import traceback
from collections.abc import Iterator
from contextlib import closing
from typing import Literal

import pytest

from passer.adapters.generators.openai import OpenAIChatModel
from passer.domain.models.chat import ChatRequest, Message
from passer.domain.models.decoding import EXPLICIT, GenerationOptions, explicit_options
from passer.domain.models.model import Model
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable, ModelNotFoundError
from tests.chat import answered, prompt_digest
from tests.ollama_server import OllamaServer, ScriptedModel, Step

KEY = "sk-test-0123456789abcdef"


def a_request(text: str = "Question: Why?", *, model: str = "qwen3-8b", **options: int) -> ChatRequest:
    return ChatRequest(
        key="k",
        messages=(Message(role="user", content=text),),
        model=Model(provider="openai", name=model),
        options=GenerationOptions(**options),
    )


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    models = [ScriptedModel("qwen3-8b", context_length=50)]
    with OllamaServer(models=models, api_key=KEY, kind="vllm", version="0.15.1") as server:
        yield server


@pytest.fixture(params=[True, False], ids=["streamed", "whole"])
def model(server: OllamaServer, request: pytest.FixtureRequest) -> Iterator[OpenAIChatModel]:
    model = OpenAIChatModel(server.url, api_key=KEY, stream=request.param, read_timeout_s=2)
    yield model
    model.close()


def test_an_answer_with_its_counts(server: OllamaServer, model: OpenAIChatModel) -> None:
    answer = answered(model, a_request())
    assert (answer.text, answer.done_reason, answer.truncated) == ("About this: Why?", "stop", None)
    assert (answer.timings.prompt_eval_count, answer.timings.eval_count) == (4, 5)
    assert answer.timings.total_duration_ns is None
    assert answer.model_digest == "unknown"


def test_options_by_their_names_here(server: OllamaServer, model: OpenAIChatModel) -> None:
    request = a_request()
    answered(model, request)
    (seen,) = server.generations
    sent = {name: seen.body[name] for name in ("temperature", "seed", "top_p", "max_tokens")}
    assert sent == {"temperature": 0.2, "seed": 20260101, "top_p": 0.9, "max_tokens": 512}
    later = {*EXPLICIT, "num_ctx", "top_k", "repetition_penalty", "chat_template_kwargs"}
    assert not later & set(seen.body), "answers of earlier versions were made without"
    assert seen.prompt_digest == prompt_digest(request)


def test_a_request_that_must_not_share_says_so_and_others_say_nothing(
    server: OllamaServer, model: OpenAIChatModel
) -> None:
    for shares in (True, False, False):
        model.complete(a_request().model_copy(update={"shares": shares}))
    fast, *alone = [seen.body for seen in server.generations]
    assert not {"cache_prompt", "cache_salt"} & set(fast)
    assert [body["cache_prompt"] for body in alone] == [False, False]
    assert alone[0]["cache_salt"] != alone[1]["cache_salt"]


def test_a_reply_schema_is_sent_as_response_format_and_the_reply_matches_it(
    server: OllamaServer, model: OpenAIChatModel
) -> None:
    schema = {"type": "object", "properties": {"verdict": {"type": "string"}}, "required": ["verdict"]}
    completion = model.complete(a_request().model_copy(update={"purpose": "relevance", "reply_schema": schema}))
    (seen,) = server.generations
    assert seen.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "relevance", "schema": schema, "strict": True},
    }
    assert json.loads(completion.text) == {"verdict": "About this: Why?"}
    model.complete(a_request())
    assert "response_format" not in server.generations[-1].body, "free text has no response format"


def test_length_thoughts_and_silence(server: OllamaServer, model: OpenAIChatModel) -> None:
    server.script(Step(), Step(reply="Because.", thinking="hm"), Step(reply=""))
    assert answered(model, a_request(num_predict=2)).truncated == "answer"
    thought = answered(model, a_request())
    assert (thought.text, thought.raw) == ("Because.", "<think>hm</think>Because.")
    assert answered(model, a_request()).reason == "empty_answer"


@pytest.mark.parametrize("kind", ["vllm", "llama.cpp", "other"])
def test_a_set_option_is_sent_to_servers_that_are_known_to_take_it(kind: Literal["vllm", "llama.cpp", "other"]) -> None:
    options = explicit_options(repeat_penalty=1.2, think=True)
    with OllamaServer(models=["qwen3-8b"], kind=kind) as server, closing(OpenAIChatModel(server.url)) as model:
        answered(model, a_request().model_copy(update={"options": options}))
        body = server.generations[0].body
    assert (body["presence_penalty"], body["frequency_penalty"]) == (0, 0), "OpenAI's own"
    names = ("top_k", "min_p", "typical_p", "repeat_penalty", "repetition_penalty", "repeat_last_n")
    sent = {name: body[name] for name in names if name in body}
    known = {
        "top_k": 40, "min_p": 0, "typical_p": 1, "repeat_penalty": 1.2, "repetition_penalty": 1.2, "repeat_last_n": 64,
    }  # fmt: skip
    assert sent == ({} if kind == "other" else known)
    assert body.get("chat_template_kwargs") == (None if kind == "other" else {"enable_thinking": True})
    assert not {"num_ctx", "num_batch", "num_keep", "think"} & set(body)


def test_a_prompt_beyond_the_told_window_is_refused(server: OllamaServer, model: OpenAIChatModel) -> None:
    with pytest.raises(GenerationError, match="maximum context length is 50") as caught:
        answered(model, a_request("word " * 200))
    assert caught.value.reason == "context_exceeded"


def test_a_count_that_fills_the_told_window_is_of_a_cut_prompt(server: OllamaServer, model: OpenAIChatModel) -> None:
    server.script(Step(prompt_tokens=49), Step(prompt_tokens=48, reply="Because."))
    assert [answered(model, a_request()).truncated for _ in range(2)] == ["prompt", "prompt"]
    server.script(Step(prompt_tokens=40, reply="Because."))
    assert answered(model, a_request()).truncated is None


def test_models(model: OpenAIChatModel) -> None:
    (info,) = model.models()
    assert (info.name, info.digest, info.context_length) == ("qwen3-8b", "unknown", 50)
    shown = model.describe(Model(provider="openai", name="qwen3-8b"))
    assert shown == info.model_copy(update={"engine": "vllm 0.15.1"})
    with pytest.raises(ModelNotFoundError, match=r"has no model gpt-9\. Choose one of qwen3-8b"):
        model.describe(Model(provider="openai", name="gpt-9"))
    with pytest.raises(ModelNotFoundError, match=r"has no model gpt-9\. Choose one of qwen3-8b"):
        answered(model, a_request(model="gpt-9"))


def test_llama_cpp_tells_window_slots_and_build() -> None:
    models = [ScriptedModel("qwen3-8b", context_length=8192)]
    with (
        OllamaServer(models=models, kind="llama.cpp", slots=3) as server,
        closing(OpenAIChatModel(server.url, slots=8)) as model,
    ):
        info = model.describe(Model(provider="openai", name="qwen3-8b"))
        assert (info.context_length, info.slots, info.engine) == (8192, 3, "llama.cpp b8123-0123abcd")
        with pytest.raises(GenerationError, match=r"has 9.000 tokens, and .* reads at most 8.192") as caught:
            answered(model, a_request("word " * 9000))
        assert caught.value.reason == "context_exceeded"


def test_slots_are_what_is_sent_at_a_time_where_the_server_does_not_tell() -> None:
    with OllamaServer(models=["m"], kind="vllm") as server, closing(OpenAIChatModel(server.url, slots=8)) as model:
        assert model.describe(Model(provider="openai", name="m")).slots == 8


def test_ollama_is_not_asked_over_this_api() -> None:
    with OllamaServer() as server, closing(OpenAIChatModel(f"{server.url}/v1")) as model:
        for ask in (model.models, lambda: answered(model, a_request(model="mistral:latest"))):
            with pytest.raises(ConfigError, match=r"is Ollama\. .* as ollama/NAME"):
                ask()
        assert not server.generations


def test_another_engine_than_at_the_start_of_the_run_is_not_asked(server: OllamaServer, model: OpenAIChatModel) -> None:
    with pytest.raises(GenerationError, match=r"now runs vllm 0\.15\.1, not vllm 0\.11\.0") as caught:
        answered(model, a_request().model_copy(update={"engine": "vllm 0.11.0"}))
    assert (caught.value.reason, caught.value.retryable) == ("model_changed", False)
    several = a_request().model_copy(update={"engine": "vllm 0.11.0, vllm 0.15.1"})
    assert answered(model, several).text == "About this: Why?"


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
def test_refusals(server: OllamaServer, model: OpenAIChatModel, step: Step, reason: str, retryable: bool) -> None:
    server.script(step)
    with pytest.raises(GenerationError) as caught:
        answered(model, a_request())
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
    model = OpenAIChatModel(server.url, api_key=KEY, first_byte_timeout_s=0.3)
    server.script(step)
    with pytest.raises(GenerationError) as caught:
        answered(model, a_request())
    assert (caught.value.reason, caught.value.retryable) == (reason, True)
    model.close()


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    model = OpenAIChatModel(f"http://127.0.0.1:{port}/v1")
    assert model.base_url == f"http://127.0.0.1:{port}"
    with pytest.raises(GeneratorUnavailable, match="does not accept connections"):
        answered(model, a_request())
    model.close()


def test_the_key_is_never_shown(server: OllamaServer) -> None:
    wrong = "sk-wrong-fedcba9876543210"
    model = OpenAIChatModel(server.url, api_key=wrong)
    with pytest.raises(GenerationError, match="rejected the API key") as caught:
        answered(model, a_request())
    assert caught.value.reason == "rejected"
    server.script(Step(status=400, error=f"what is {wrong}?"))
    server.api_key = None
    with pytest.raises(GenerationError, match=r"what is \*\*\*\?") as echoed:
        answered(model, a_request())
    shown = [repr(model), *traceback.format_exception(caught.value), *traceback.format_exception(echoed.value)]
    assert not [line for line in shown if wrong in line]
    model.close()


def test_a_key_in_an_answer_is_masked_before_it_is_stored(server: OllamaServer, model: OpenAIChatModel) -> None:
    server.script(Step(reply=f"You sent Bearer {KEY}."))
    assert answered(model, a_request()).raw == "You sent Bearer ***."


def test_a_key_that_cannot_be_sent_is_refused_unseen() -> None:
    with pytest.raises(ConfigError) as caught:
        OpenAIChatModel("http://127.0.0.1:1", api_key="sk-secret\n")
    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, "Unable to generate parser for this template. JSON schema error at #: unrecognized type wrong"),
        (400, "Failed to initialize samplers: failed to parse grammar"),
    ],
)
def test_a_schema_that_the_server_cannot_enforce_is_named(
    server: OllamaServer, model: OpenAIChatModel, status: int, error: str
) -> None:
    asked = a_request().model_copy(update={"reply_schema": {"type": "object"}})
    server.script(Step(status=status, error=error), Step(status=status, error=error))
    with pytest.raises(GenerationError, match="cannot make qwen3-8b reply in the form") as refused:
        model.complete(asked)
    assert (refused.value.reason, refused.value.retryable) == ("rejected", False)
    with pytest.raises(GenerationError, match="rejected the request"):
        model.complete(a_request())
