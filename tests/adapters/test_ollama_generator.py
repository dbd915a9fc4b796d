"""Ollama's API as PaSSER uses it, and every way in which it fails, over real HTTP."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator

import pytest

from passer.adapters.generators.ollama import OllamaChatModel
from passer.domain.models.chat import Message
from passer.domain.models.model import Model
from passer.errors import GenerationError, GeneratorUnavailable, ModelNotFoundError
from tests.chat import a_request, answered, prompt_digest
from tests.ollama_server import OllamaServer, ScriptedModel, Step

MISTRAL = ScriptedModel("mistral:latest", digest="f974a74358d62a017b37c6f424fcdf2744ca02926c4f952513ddf474b2fa5091")


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    with OllamaServer(models=(MISTRAL, "llama3.1:8b")) as server:
        yield server


@pytest.fixture
def model(server: OllamaServer) -> Iterator[OllamaChatModel]:
    model = OllamaChatModel(server.url, connect_timeout_s=1, read_timeout_s=2, first_byte_timeout_s=5)
    yield model
    model.close()


def test_an_answer_with_its_counts_and_nanoseconds(server: OllamaServer, model: OllamaChatModel) -> None:
    answer = answered(model, a_request())
    assert (answer.key, answer.text, answer.raw) == ("k", "About this: Why?", "About this: Why?")
    assert (answer.done_reason, answer.truncated, answer.reason, answer.abstained) == ("stop", None, None, False)
    assert answer.model_digest == MISTRAL.digest
    # tokens by hand: "Be brief ." and "Question : Why ?" are 7, "About this : Why ?" are 5
    assert answer.timings.model_dump() == {
        "total_duration_ns": 51_700_000,
        "load_duration_ns": 1_000_000,
        "prompt_eval_count": 7,
        "prompt_eval_duration_ns": 700_000,
        "eval_count": 5,
        "eval_duration_ns": 50_000_000,
    }
    assert answer.timings.tokens_per_s == 100.0
    assert answer.generation_s > 0


def test_answers_that_follow_each_other_share_a_connection(server: OllamaServer, model: OllamaChatModel) -> None:
    for number in range(5):
        answered(model, a_request(f"Question: {number}?"))
    assert len(server.generations) == 5
    assert server.connections == 1


def test_all_options_are_sent_and_think_is_left_alone(server: OllamaServer, model: OllamaChatModel) -> None:
    request = a_request()
    answered(model, request)
    (seen,) = server.generations
    assert seen.body["options"] == {
        "temperature": 0.2, "seed": 20260101, "num_ctx": 4096, "num_predict": 512, "top_p": 0.9, "top_k": 40,
    }  # fmt: skip
    assert (seen.body["stream"], seen.body["truncate"], seen.body["shift"]) == (True, False, False)
    assert "think" not in seen.body
    assert seen.prompt_digest == prompt_digest(request)
    assert server.times_asked(prompt_digest(request)) == 1


def test_think_blocks_leave_the_text_and_stay_in_the_raw_reply(server: OllamaServer, model: OllamaChatModel) -> None:
    server.script(Step(reply="<think>hm</think>Because."), Step(reply="Because.", thinking="hm"))
    inline, apart = answered(model, a_request()), answered(model, a_request())
    assert inline.text == apart.text == "Because."
    assert inline.raw == apart.raw == "<think>hm</think>Because."


def test_an_empty_reply_is_an_answer_with_a_reason(server: OllamaServer, model: OllamaChatModel) -> None:
    server.script(Step(reply=""), Step(reply="<think>hm</think>"))
    for raw in ("", "<think>hm</think>"):
        answer = answered(model, a_request())
        assert (answer.text, answer.raw, answer.reason) == ("", raw, "empty_answer")


SCHEMA = {
    "type": "object",
    "properties": {"a_reason": {"type": "string"}, "b_verdict": {"type": "integer", "minimum": 3}},
    "required": ["a_reason", "b_verdict"],
}


def test_a_reply_schema_is_sent_as_the_format_and_the_reply_matches_it(
    server: OllamaServer, model: OllamaChatModel
) -> None:
    completion = model.complete(a_request().model_copy(update={"purpose": "relevance", "reply_schema": SCHEMA}))
    (seen,) = server.generations
    assert seen.body["format"] == SCHEMA
    assert json.loads(completion.text) == {"a_reason": "About this: Why?", "b_verdict": 3}
    model.complete(a_request())
    assert not server.generations[-1].body.get("format"), "free text has no format"


def test_an_earlier_reply_may_be_part_of_the_conversation(server: OllamaServer, model: OllamaChatModel) -> None:
    messages = (*a_request().messages, Message(role="assistant", content="Because."), Message(role="user", content="?"))
    model.complete(a_request().model_copy(update={"messages": messages}))
    assert [message["role"] for message in server.generations[0].body["messages"]] == [
        "system", "user", "assistant", "user",
    ]  # fmt: skip


def test_an_abstention_is_marked(server: OllamaServer, model: OllamaChatModel) -> None:
    server.script(Step(reply="The passages do not contain the answer to this question."))
    assert answered(model, a_request()).abstained


def test_num_predict_cuts_the_answer(server: OllamaServer, model: OllamaChatModel) -> None:
    answer = answered(model, a_request(num_predict=2))
    assert (answer.text, answer.done_reason, answer.truncated) == ("About this", "length", "answer")


def test_description(server: OllamaServer, model: OllamaChatModel) -> None:
    info = model.describe(Model(provider="ollama", name="mistral"))
    assert info.model_dump() == {
        "name": "mistral",
        "digest": MISTRAL.digest,
        "family": "llama",
        "parameter_size": "7.2B",
        "quantization": "Q4_0",
        "context_length": 32768,
        "size_bytes": 4_109_865_159,
        "engine": "ollama 0.33.0",
        "capabilities": ("completion",),
    }
    assert [info.name for info in model.models()] == ["llama3.1:8b", "mistral:latest"]


def test_a_model_that_was_pulled_anew_is_not_asked(server: OllamaServer, model: OllamaChatModel) -> None:
    assert answered(model, a_request(digest=MISTRAL.digest)).model_digest == MISTRAL.digest
    with pytest.raises(GenerationError, match="is now another model") as caught:
        answered(model, a_request(digest="0" * 64))
    assert (caught.value.reason, caught.value.retryable) == ("model_changed", False)
    assert len(server.generations) == 1


def test_a_new_digest_is_noticed_after_a_minute(server: OllamaServer) -> None:
    now = [0.0]
    model = OllamaChatModel(server.url, monotonic=lambda: now[0])
    answered(model, a_request(digest=MISTRAL.digest))
    server.known["mistral:latest"] = ScriptedModel("mistral:latest", digest="1" * 64)
    now[0] = 61.0
    with pytest.raises(GenerationError) as caught:
        answered(model, a_request(digest=MISTRAL.digest))
    assert caught.value.reason == "model_changed"
    model.close()


def test_a_missing_model_says_which_pull_adds_it(server: OllamaServer, model: OllamaChatModel) -> None:
    for ask in (
        lambda: answered(model, a_request(model="qwen3:8b")),
        lambda: model.describe(Model(provider="ollama", name="qwen3:8b")),
    ):
        with pytest.raises(ModelNotFoundError, match="Run `ollama pull qwen3:8b`"):
            ask()


def test_a_model_removed_while_it_is_used(server: OllamaServer, model: OllamaChatModel) -> None:
    answered(model, a_request())
    del server.known["mistral:latest"]
    with pytest.raises(ModelNotFoundError, match="Run `ollama pull mistral`"):
        answered(model, a_request())


@pytest.mark.parametrize(
    ("step", "reason", "retryable"),
    [
        (Step(status=429), "overloaded", True),
        (Step(status=503), "overloaded", True),
        (Step(status=500), "server_error", True),
        (Step(status=502, error="bad gateway"), "connection_lost", True),
        (Step(status=499, error="request canceled"), "connection_lost", True),
        (Step(status=500, error="prediction aborted, token repeat limit reached"), "repeated", False),
        (Step(status=404, error="404 page not found"), "rejected", False),
        (Step(status=504, error="gateway time-out"), "timeout", True),
        (Step(status=400, error="invalid option"), "rejected", False),
        (Step(status=400, error="the input length exceeds the context length"), "context_exceeded", False),
        (Step(fault="reset"), "connection_lost", True),
        (Step(fault="reset_at_once"), "connection_lost", True),
        (Step(fault="ends_early"), "connection_lost", True),
        (Step(fault="cut_json"), "malformed_reply", True),
        (Step(fault="malformed"), "malformed_reply", True),
        (Step(fault="error_in_stream"), "server_error", True),
    ],
)  # fmt: skip
def test_every_fault_has_a_reason(
    server: OllamaServer, model: OllamaChatModel, step: Step, reason: str, retryable: bool
) -> None:
    server.script(step)
    with pytest.raises(GenerationError) as caught:
        answered(model, a_request())
    assert (caught.value.reason, caught.value.retryable) == (reason, retryable)
    assert caught.value.__cause__ is not None or step.fault == "ends_early"
    assert answered(model, a_request()).text == "About this: Why?"


@pytest.mark.parametrize(
    "error",
    [
        'invalid format: []; expected "json" or a valid JSON Schema object',
        'template: :3:10: executing "" at <.Q>: can\'t evaluate field Q in type struct',
        "error starting llama-server: exit status 1",
        "this model may be incompatible with your version of Ollama. If you previously pulled this model, try updating",
        "model requires more system memory (5.6 GiB) than is available (2.1 GiB)",
    ],
)
def test_what_the_same_request_would_get_again_is_not_repeated(
    server: OllamaServer, model: OllamaChatModel, error: str
) -> None:
    server.script(Step(status=500, error=error))
    with pytest.raises(GenerationError) as caught:
        answered(model, a_request())
    assert (caught.value.reason, caught.value.retryable) == ("server_error", False)


@pytest.mark.parametrize("fault", [Step(fault="hang"), Step(latency_s=30)])
def test_silence_is_a_time_out(server: OllamaServer, fault: Step) -> None:
    model = OllamaChatModel(server.url, first_byte_timeout_s=0.1)
    server.script(fault)
    with pytest.raises(GenerationError) as caught:
        answered(model, a_request())
    assert (caught.value.reason, caught.value.retryable) == ("timeout", True)
    model.close()


def test_a_slow_first_token_is_waited_for(server: OllamaServer, model: OllamaChatModel) -> None:
    server.script(Step(latency_s=0.3))
    assert answered(model, a_request()).text == "About this: Why?"


def test_an_answer_that_never_ends_is_given_up(server: OllamaServer) -> None:
    ticks = iter(range(0, 10**6, 100))
    model = OllamaChatModel(server.url, answer_timeout_s=50, monotonic=lambda: next(ticks))
    with pytest.raises(GenerationError, match="did not finish within 50 s") as caught:
        answered(model, a_request())
    assert caught.value.reason == "timeout"
    model.close()


@pytest.mark.parametrize("ask", [lambda g: g.complete(a_request()), lambda g: g.models()])
def test_nobody_listens(ask: Callable[[OllamaChatModel], object]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    model = OllamaChatModel(url)
    with pytest.raises(GeneratorUnavailable, match=f"The model server at {url} does not accept"):
        ask(model)
    model.close()


def test_a_server_that_goes_and_comes_back(server: OllamaServer, model: OllamaChatModel) -> None:
    answered(model, a_request())
    server.stop()
    with pytest.raises((GeneratorUnavailable, GenerationError)):
        answered(model, a_request())
    with pytest.raises(GeneratorUnavailable):
        answered(model, a_request())
    server.start()
    assert answered(model, a_request()).text == "About this: Why?"


def test_retry_after_is_handed_on(server: OllamaServer, model: OllamaChatModel) -> None:
    server.script(Step(status=429, retry_after="7"))
    with pytest.raises(GenerationError) as caught:
        answered(model, a_request())
    assert caught.value.retry_after_s == 7.0


def test_a_pull_tells_how_far_it_is(server: OllamaServer, model: OllamaChatModel) -> None:
    steps = list(model.pull("granite3.2:8b"))
    assert [step.completed for step in steps if step.completed is not None] == [250, 500, 1000]
    assert steps[-1].status == "success"
    assert model.describe(Model(provider="ollama", name="granite3.2:8b")).digest != "unknown"


def test_a_pull_of_what_does_not_exist(model: OllamaChatModel) -> None:
    with pytest.raises(ModelNotFoundError, match="has no model no-such-model"):
        list(model.pull("no-such-model"))


def test_a_schema_that_ollama_cannot_build_is_named_although_its_status_is_500(
    server: OllamaServer, model: OllamaChatModel
) -> None:
    asked = a_request().model_copy(update={"reply_schema": SCHEMA})
    server.script(Step(status=500, error="failed to parse grammar"), Step(status=500, error="it crashed"))
    with pytest.raises(GenerationError, match="in the form that PaSSER asks for") as refused:
        model.complete(asked)
    assert (refused.value.reason, refused.value.retryable) == ("rejected", False)
    with pytest.raises(GenerationError, match="it crashed"):
        model.complete(asked)
