"""What Ollama is asked with, and what it tells of itself: options, loading, keys, names, windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from passer.adapters.generators.faults import checked_url
from passer.adapters.generators.ollama import OllamaChatModel
from passer.domain.models.chat import ChatRequest, Message
from passer.domain.models.decoding import GenerationOptions, explicit_options
from passer.domain.models.generation import served
from passer.domain.models.model import Model, ModelInfo
from passer.errors import GenerationError, ModelNotFoundError
from tests.chat import answered
from tests.ollama_server import OllamaServer, ScriptedModel, Step

EVERY_OPTION = {
    "temperature": 0.2, "seed": 20260101, "num_ctx": 4096, "num_predict": 512, "top_p": 0.9, "top_k": 40,
    "repeat_penalty": 1, "repeat_last_n": 64, "min_p": 0, "typical_p": 1, "presence_penalty": 0,
    "frequency_penalty": 0, "num_keep": 4, "num_batch": 512,
}  # fmt: skip


def a_request(text: str = "Why?", *, options: GenerationOptions | None = None, **changes: object) -> ChatRequest:
    request = ChatRequest(
        key="k",
        messages=(Message(role="user", content=text),),
        model=Model(provider="ollama", name="mistral"),
        options=options or explicit_options(),
    )
    return request.model_copy(update=changes)


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    with OllamaServer(models=["mistral:latest", "nomic-embed-text:latest"]) as server:
        yield server


@pytest.fixture
def model(server: OllamaServer) -> Iterator[OllamaChatModel]:
    with closing(OllamaChatModel(server.url, read_timeout_s=2, first_byte_timeout_s=5, slots=3)) as model:
        yield model


def test_a_new_experiment_leaves_no_option_to_the_servers_version(server: OllamaServer, model: OllamaChatModel) -> None:
    answered(model, a_request())
    [seen] = server.generations
    assert seen.body["options"] == EVERY_OPTION
    assert (seen.body["think"], seen.body["keep_alive"]) == (False, "30m")


def test_what_an_earlier_experiment_did_not_set_is_not_sent(server: OllamaServer, model: OllamaChatModel) -> None:
    answered(model, a_request(options=GenerationOptions()))
    [seen] = server.generations
    assert set(seen.body["options"]) == {"temperature", "seed", "num_ctx", "num_predict", "top_p", "top_k"}
    assert "think" not in seen.body


def test_the_model_is_loaded_before_the_first_answer_with_the_same_options(
    server: OllamaServer, model: OllamaChatModel
) -> None:
    for text in ("Why?", "How?"):
        answered(model, a_request(text))
    chats = [seen.body for seen in server.seen if seen.path == "/api/chat"]
    assert [bool(body["messages"]) for body in chats] == [False, True, True]
    assert chats[0]["options"] == EVERY_OPTION
    assert chats[0]["shift"] is chats[0]["truncate"] is False, "another value would load the model again"


def test_the_window_is_the_one_that_the_server_has_loaded(server: OllamaServer, model: OllamaChatModel) -> None:
    """llama-server pads a slot to a multiple of 256: a prompt of 1,010 tokens fits num_ctx 1000."""
    options = explicit_options(num_ctx=1000)
    completion = model.complete(a_request("word " * 1010, options=options, messages=a_request("word " * 900).messages))
    assert completion.window == 1024
    server.reply = lambda _: "Because."
    assert answered(model, a_request("word " * 1010, options=options)).truncated is None


@pytest.mark.parametrize(("fault", "times"), [("repeats", 31), ("repeats_error", 101)])
def test_an_answer_that_repeats_itself_is_kept_as_far_as_it_came_and_not_asked_for_again(
    server: OllamaServer, model: OllamaChatModel, fault: str, times: int
) -> None:
    """Before September 2026 the stream just ends; since then an error line follows (PR 18374)."""
    server.script(Step(reply="no, no, ", fault=fault))  # type: ignore[arg-type]
    answer = answered(model, a_request())
    assert answer.raw == "no, " * times
    assert (answer.done_reason, answer.truncated) == ("repeated", "answer")
    assert len(server.generations) == 1


def test_a_stream_that_ends_early_without_a_repetition_is_asked_for_again(
    server: OllamaServer, model: OllamaChatModel
) -> None:
    server.script(Step(fault="ends_early"))
    with pytest.raises(GenerationError) as caught:
        answered(model, a_request())
    assert (caught.value.reason, caught.value.retryable) == ("connection_lost", True)


def test_silence_after_the_first_token_is_a_time_out_long_before_silence_ahead_of_it(server: OllamaServer) -> None:
    server.script(Step(latency_s=0.4), Step(fault="stalls"))
    with closing(OllamaChatModel(server.url, read_timeout_s=0.2, first_byte_timeout_s=30)) as model:
        assert answered(model, a_request()).text == "About this: Why?"
        with pytest.raises(GenerationError) as caught:
            answered(model, a_request())
    assert (caught.value.reason, caught.value.retryable) == ("timeout", True)


# -- models -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["mistral", "Mistral:Latest", "library/mistral", "registry.ollama.ai/library/mistral:latest"]
)
def test_a_model_by_any_name_that_ollama_knows_it_by(model: OllamaChatModel, name: str) -> None:
    assert model.describe(Model(provider="ollama", name=name)).digest != "unknown"


def test_another_registrys_model_of_that_name_is_another(model: OllamaChatModel) -> None:
    for name in ("hf.co/mistral", "someone/mistral", "mistral:7b"):
        with pytest.raises(ModelNotFoundError):
            model.describe(Model(provider="ollama", name=name))


def test_a_model_of_the_cloud_has_no_digest_and_is_asked_for_no_schema() -> None:
    stub = ScriptedModel("gpt-oss:120b-cloud", remote_model="gpt-oss:120b")
    with OllamaServer(models=[stub]) as server, closing(OllamaChatModel(server.url)) as model:
        named = Model(provider="ollama", name="gpt-oss:120b-cloud")
        info = model.describe(named)
        assert (info.digest, info.remote_model) == ("unknown", "gpt-oss:120b")
        assert answered(model, a_request(model=named)).text
        with pytest.raises(GenerationError, match="cannot enforce a reply format"):
            model.complete(a_request(model=named, reply_schema={"type": "object"}))
        assert len(server.generations) == 1


def test_capabilities_and_slots_are_told(server: OllamaServer, model: OllamaChatModel) -> None:
    server.known["mistral:latest"] = ScriptedModel("mistral:latest", capabilities=("completion", "thinking"))
    info = model.describe(Model(provider="ollama", name="mistral"))
    assert (info.capabilities, info.slots, info.engine) == (("completion", "thinking"), 3, "ollama 0.33.0")


def test_a_server_that_was_updated_during_a_run_is_not_asked(server: OllamaServer, model: OllamaChatModel) -> None:
    assert answered(model, a_request(engine="ollama 0.33.0")).text
    with pytest.raises(GenerationError, match=r"now runs ollama 0\.33\.0, not ollama 0\.32\.9") as caught:
        answered(model, a_request(engine="ollama 0.32.9"))
    assert caught.value.reason == "model_changed"


def test_a_wrong_address_is_no_missing_model(server: OllamaServer) -> None:
    with closing(OllamaChatModel(f"{server.url}/elsewhere")) as model:
        for ask in (lambda: answered(model, a_request()), lambda: model.models()):
            with pytest.raises(GenerationError, match="404 page not found"):
                ask()


def test_an_address_without_a_port_is_ollamas() -> None:
    assert checked_url("gpu-1", field="ollama_url") == "http://gpu-1:11434"
    assert checked_url("gpu-1:80", field="ollama_url") == "http://gpu-1:80"
    assert checked_url("http://gpu-1", field="ollama_url") == "http://gpu-1", "a scheme has its own port"
    assert checked_url("gpu-1", field="openai_url") == "http://gpu-1"


# -- content addresses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        (lambda info: info, True),
        (lambda info: info.model_copy(update={"size_bytes": 1}), True),
        (lambda info: info.model_copy(update={"engine": "ollama 0.34.0"}), False),
        (lambda info: info.model_copy(update={"slots": 1}), False),
        (lambda info: info.model_copy(update={"context_length": 2048}), False),
        (lambda info: info.model_copy(update={"context_length": 8192}), True),
    ],
)
def test_an_answer_belongs_to_engine_window_and_slots(change: Callable[[ModelInfo], ModelInfo], is_same: bool) -> None:
    info = ModelInfo(name="m", digest="d", context_length=32768, engine="ollama 0.33.0", slots=4)
    options = explicit_options()
    assert (served(change(info), options) == served(info, options)) == is_same


def test_what_says_no_more_than_an_earlier_version_keeps_its_addresses() -> None:
    """Nothing was known of the server then, and no further option was sent."""
    info = ModelInfo(name="m", digest="d", context_length=32768)
    known = info.model_copy(update={"engine": "ollama 0.33.0", "slots": 4})
    assert served(info, explicit_options()) is None
    assert served(known, GenerationOptions()) is None
    assert served(known, GenerationOptions(num_batch=512)) is not None
