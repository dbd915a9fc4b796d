"""A prompt or an answer that does not fit: what each era of Ollama does, and that none of it passes for an answer."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from passer.adapters.generators.faults import Refused, error_text, of_status
from passer.adapters.generators.ollama import OllamaChatModel
from passer.adapters.generators.ollama_client import ShownModel
from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Completion, Message, TokenUsage
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.generation import what_was_cut
from passer.domain.models.model import Model, ModelMemory
from passer.errors import GenerationError
from tests.chat import answered
from tests.ollama_server import OllamaServer, Step

BOTH = frozenset({"truncate", "shift"})


def brief(_: str) -> str:
    return "Because."


def a_request(words: int, **options: int) -> ChatRequest:
    """A prompt of so many tokens, as the scripted server counts them."""
    message = Message(role="user", content="word " * words)
    model = Model(provider="ollama", name="mistral:latest")
    return ChatRequest(key="k", messages=(message,), model=model, options=GenerationOptions(**options))


@contextmanager
def a_model(server: OllamaServer) -> Iterator[OllamaChatModel]:
    with server, closing(OllamaChatModel(server.url, read_timeout_s=5)) as model:
        yield model


def answer_of(server: OllamaServer, request: ChatRequest) -> Answer:
    with a_model(server) as model:
        return answered(model, request)


def test_the_memory_of_a_loaded_model_is_what_the_server_says() -> None:
    request = a_request(5)
    with a_model(OllamaServer()) as model:
        assert model.memory(request.model) is None, "nothing is loaded yet"
        answered(model, request)
        listed = next(info for info in model.models() if info.name == request.model.name)
        taken = model.memory(request.model)
    assert taken == ModelMemory(total_bytes=listed.size_bytes or 0, gpu_bytes=0)


def test_a_server_that_hangs_is_not_waited_for_as_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a run a sweep asks in the thread that keeps its lease; an answer may take 300 s."""
    monkeypatch.setattr("passer.adapters.generators.ollama.MEMORY_WITHIN_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with closing(OllamaChatModel(url)) as model, pytest.raises(GenerationError) as raised:
            model.memory(Model(provider="ollama", name="mistral:latest"))
    assert raised.value.reason == "timeout"


@pytest.mark.parametrize(
    ("text", "facts", "licence"),
    [
        ("\n   Apache License\n  Version 2.0, January 2004\n http", {}, "Apache License, Version 2.0, January 2004"),
        (["MIT License\n\nCopyright"], {}, "MIT License"),
        ("MIT License", {"general.license": "apache-2.0"}, "apache-2.0"),
        ("x" * 500, {}, "x" * 120),
        (None, {}, None),
        (" \n", {"general.license": 7}, None),
    ],
)
def test_a_licence_is_the_identifier_or_the_title_of_its_text(text: Any, facts: dict[str, Any], licence: Any) -> None:
    assert ShownModel.model_validate({"license": text, "model_info": facts}).licence == licence


@pytest.mark.parametrize("is_native", [False, True], ids=["rendered", "native"])
@pytest.mark.parametrize("version", ["0.12.6", "0.29.1", "0.30.0", "0.30.10", "0.30.11", "0.33.0-rc2", "0.34.0"])
def test_a_prompt_that_does_not_fit_is_refused_and_never_cut(version: str, is_native: bool) -> None:
    server = OllamaServer(version=version, is_native=is_native, reply=brief)
    with a_model(server) as model:
        with pytest.raises(GenerationError, match="Keep fewer passages or raise num_ctx") as caught:
            answered(model, a_request(5000))
        assert (caught.value.reason, caught.value.retryable) == ("context_exceeded", False)
        assert answered(model, a_request(4000)).truncated is None


@pytest.mark.parametrize(
    ("version", "told"), [("0.12.5", 4096), ("0.29.1", 4096), ("0.30.0", 4095), ("0.30.10", 4095), ("0.33.0", 2051)]
)
def test_where_the_request_is_not_heeded_the_count_tells_that_a_prompt_was_cut(version: str, told: int) -> None:
    """The counts are those of llm/llama_server_test.go and of issues 3839, 17427 and 17889, for 5,000 tokens."""
    answer = answer_of(OllamaServer(version=version, ignores=BOTH, reply=brief), a_request(5000))
    assert (answer.timings.prompt_eval_count, answer.done_reason) == (told, "stop")
    assert answer.truncated == "prompt"


def test_another_share_that_is_kept_is_noticed_by_what_the_model_counts_elsewhere() -> None:
    server = OllamaServer(ignores=BOTH, reply=brief)
    with a_model(server) as model:
        assert answered(model, a_request(2000)).truncated is None
        server.script(Step(prompt_tokens=2500))
        assert answered(model, a_request(5000)).truncated == "prompt"


def test_an_answer_that_meets_the_end_of_the_window_ends_there() -> None:
    server = OllamaServer(reply=lambda _: "so " * 300)
    answer = answer_of(server, a_request(3900))
    assert (answer.done_reason, answer.timings.eval_count, answer.truncated) == ("length", 196, "answer")


def test_an_answer_for_which_the_prompt_was_pushed_out_is_marked() -> None:
    server = OllamaServer(reply=lambda _: "so " * 300, ignores=BOTH)
    answer = answer_of(server, a_request(3900))
    assert (answer.done_reason, answer.timings.eval_count, answer.truncated) == ("stop", 300, "prompt")


def test_a_whole_exchange_is_not_marked() -> None:
    answer = answer_of(OllamaServer(reply=lambda _: "so " * 100), a_request(3900))
    assert (answer.done_reason, answer.truncated) == ("stop", None)


def test_recorded_refusals_are_refusals_of_a_long_prompt(recorded: dict[int, Any]) -> None:
    for number in (5, 6):
        refused = Refused(recorded[number]["status"], error_text(json.dumps(recorded[number]["body"])), None)
        assert of_status(refused, server="s").reason == "context_exceeded"


def test_a_recorded_count_of_a_cut_prompt_is_noticed(recorded: dict[int, Any]) -> None:
    fact = recorded[7]
    completion = Completion(
        text="x",
        finish_reason=fact["last"]["done_reason"],
        usage=TokenUsage(prompt_tokens=fact["last"]["prompt_eval_count"]),
        window=fact["request"]["options"]["num_ctx"],
    )
    assert f"truncated={what_was_cut(completion, a_request(fact['prompt_tokens_true']))}" == fact["expect"]
