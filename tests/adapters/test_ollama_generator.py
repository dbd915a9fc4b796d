"""Ollama's API as PaSSER uses it, and every way in which it fails, over real HTTP."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from passer.adapters.generators.faults import checked_url, retry_after_s
from passer.adapters.generators.ollama import OllamaGenerator
from passer.domain.answer import GenerationRequest, Message, Prompt
from passer.domain.run import GenerationOptions, Model
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable, ModelNotFoundError
from tests.ollama_server import OllamaServer, ScriptedModel, Step

MISTRAL = ScriptedModel("mistral:latest", digest="f974a74358d62a017b37c6f424fcdf2744ca02926c4f952513ddf474b2fa5091")


def a_request(
    text: str = "Question: Why?", *, digest: str = "unknown", model: str = "mistral", **options: int
) -> GenerationRequest:
    messages = (Message(role="system", content="Be brief."), Message(role="user", content=text))
    return GenerationRequest(
        key="k",
        question=text,
        passages=(),
        prompt=Prompt(template="t", template_digest="d", messages=messages),
        model=Model(provider="ollama", name=model),
        model_digest=digest,
        options=GenerationOptions(**options),
    )


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    with OllamaServer(models=(MISTRAL, "llama3.1:8b")) as server:
        yield server


@pytest.fixture
def generator(server: OllamaServer) -> Iterator[OllamaGenerator]:
    generator = OllamaGenerator(server.url, connect_timeout_s=1, read_timeout_s=2)
    yield generator
    generator.close()


def test_an_answer_with_its_counts_and_nanoseconds(server: OllamaServer, generator: OllamaGenerator) -> None:
    answer = generator.generate(a_request())
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


def test_answers_that_follow_each_other_share_a_connection(server: OllamaServer, generator: OllamaGenerator) -> None:
    for number in range(5):
        generator.generate(a_request(f"Question: {number}?"))
    assert len(server.generations) == 5
    assert server.connections == 1


def test_all_options_are_sent_and_think_is_left_alone(server: OllamaServer, generator: OllamaGenerator) -> None:
    request = a_request()
    generator.generate(request)
    (seen,) = server.generations
    assert seen.body["options"] == {
        "temperature": 0.2, "seed": 20260101, "num_ctx": 4096, "num_predict": 512, "top_p": 0.9, "top_k": 40,
    }  # fmt: skip
    assert seen.body["stream"] is True
    assert "think" not in seen.body
    assert seen.prompt_digest == request.prompt.digest
    assert server.times_asked(request.prompt.digest) == 1


def test_think_blocks_leave_the_text_and_stay_in_the_raw_reply(
    server: OllamaServer, generator: OllamaGenerator
) -> None:
    server.script(Step(reply="<think>hm</think>Because."), Step(reply="Because.", thinking="hm"))
    inline, apart = generator.generate(a_request()), generator.generate(a_request())
    assert inline.text == apart.text == "Because."
    assert inline.raw == apart.raw == "<think>hm</think>Because."


def test_an_empty_reply_is_an_answer_with_a_reason(server: OllamaServer, generator: OllamaGenerator) -> None:
    server.script(Step(reply=""), Step(reply="<think>hm</think>"))
    for raw in ("", "<think>hm</think>"):
        answer = generator.generate(a_request())
        assert (answer.text, answer.raw, answer.reason) == ("", raw, "empty_answer")


def test_an_abstention_is_marked(server: OllamaServer, generator: OllamaGenerator) -> None:
    server.script(Step(reply="The passages do not contain the answer to this question."))
    assert generator.generate(a_request()).abstained


def test_num_predict_cuts_the_answer(server: OllamaServer, generator: OllamaGenerator) -> None:
    answer = generator.generate(a_request(num_predict=2))
    assert (answer.text, answer.done_reason, answer.truncated) == ("About this", "length", "answer")


def test_a_prompt_that_fills_num_ctx_was_cut(server: OllamaServer, generator: OllamaGenerator) -> None:
    answer = generator.generate(a_request("word " * 200, num_ctx=128))
    assert (answer.timings.prompt_eval_count, answer.truncated) == (128, "prompt")


def test_a_prompt_that_fills_the_models_own_window_was_cut() -> None:
    with OllamaServer(models=[ScriptedModel("small:latest", context_length=100)]) as server:
        generator = OllamaGenerator(server.url)
        assert generator.generate(a_request("word " * 200, model="small")).truncated == "prompt"
        generator.close()


def test_description(server: OllamaServer, generator: OllamaGenerator) -> None:
    info = generator.describe(Model(provider="ollama", name="mistral"))
    assert info.model_dump() == {
        "name": "mistral",
        "digest": MISTRAL.digest,
        "family": "llama",
        "parameter_size": "7.2B",
        "quantization": "Q4_0",
        "context_length": 32768,
        "size_bytes": 4_109_865_159,
    }
    assert [info.name for info in generator.models()] == ["llama3.1:8b", "mistral:latest"]


def test_a_model_that_was_pulled_anew_is_not_asked(server: OllamaServer, generator: OllamaGenerator) -> None:
    assert generator.generate(a_request(digest=MISTRAL.digest)).model_digest == MISTRAL.digest
    with pytest.raises(GenerationError, match="is now another model") as caught:
        generator.generate(a_request(digest="0" * 64))
    assert (caught.value.reason, caught.value.retryable) == ("model_changed", False)
    assert len(server.generations) == 1


def test_a_new_digest_is_noticed_after_a_minute(server: OllamaServer) -> None:
    now = [0.0]
    generator = OllamaGenerator(server.url, monotonic=lambda: now[0])
    generator.generate(a_request(digest=MISTRAL.digest))
    server.known["mistral:latest"] = ScriptedModel("mistral:latest", digest="1" * 64)
    now[0] = 61.0
    with pytest.raises(GenerationError) as caught:
        generator.generate(a_request(digest=MISTRAL.digest))
    assert caught.value.reason == "model_changed"
    generator.close()


def test_a_missing_model_says_which_pull_adds_it(server: OllamaServer, generator: OllamaGenerator) -> None:
    for ask in (
        lambda: generator.generate(a_request(model="qwen3:8b")),
        lambda: generator.describe(Model(provider="ollama", name="qwen3:8b")),
    ):
        with pytest.raises(ModelNotFoundError, match="Run `ollama pull qwen3:8b`"):
            ask()


def test_a_model_removed_while_it_is_used(server: OllamaServer, generator: OllamaGenerator) -> None:
    generator.generate(a_request())
    del server.known["mistral:latest"]
    with pytest.raises(ModelNotFoundError, match="Run `ollama pull mistral`"):
        generator.generate(a_request())


@pytest.mark.parametrize(
    ("step", "reason", "retryable"),
    [
        (Step(status=429), "overloaded", True),
        (Step(status=503), "overloaded", True),
        (Step(status=500), "server_error", True),
        (Step(status=502, error="bad gateway"), "server_error", True),
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
    server: OllamaServer, generator: OllamaGenerator, step: Step, reason: str, retryable: bool
) -> None:
    server.script(step)
    with pytest.raises(GenerationError) as caught:
        generator.generate(a_request())
    assert (caught.value.reason, caught.value.retryable) == (reason, retryable)
    assert caught.value.__cause__ is not None or step.fault == "ends_early"
    assert generator.generate(a_request()).text == "About this: Why?"


@pytest.mark.parametrize("fault", [Step(fault="hang"), Step(latency_s=30)])
def test_silence_is_a_time_out(server: OllamaServer, fault: Step) -> None:
    generator = OllamaGenerator(server.url, read_timeout_s=0.1)
    server.script(fault)
    with pytest.raises(GenerationError) as caught:
        generator.generate(a_request())
    assert (caught.value.reason, caught.value.retryable) == ("timeout", True)
    generator.close()


def test_a_slow_first_token_is_waited_for(server: OllamaServer, generator: OllamaGenerator) -> None:
    server.script(Step(latency_s=0.3))
    assert generator.generate(a_request()).text == "About this: Why?"


def test_an_answer_that_never_ends_is_given_up(server: OllamaServer) -> None:
    ticks = iter(range(0, 10**6, 100))
    generator = OllamaGenerator(server.url, answer_timeout_s=50, monotonic=lambda: next(ticks))
    with pytest.raises(GenerationError, match="had not finished after 50 s") as caught:
        generator.generate(a_request())
    assert caught.value.reason == "timeout"
    generator.close()


@pytest.mark.parametrize("ask", [lambda g: g.generate(a_request()), lambda g: g.models()])
def test_nobody_listens(ask: Callable[[OllamaGenerator], object]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    generator = OllamaGenerator(url)
    with pytest.raises(GeneratorUnavailable, match=f"Start the model server at {url}"):
        ask(generator)
    generator.close()


def test_a_server_that_goes_and_comes_back(server: OllamaServer, generator: OllamaGenerator) -> None:
    generator.generate(a_request())
    server.stop()
    with pytest.raises((GeneratorUnavailable, GenerationError)):
        generator.generate(a_request())
    with pytest.raises(GeneratorUnavailable):
        generator.generate(a_request())
    server.start()
    assert generator.generate(a_request()).text == "About this: Why?"


def test_retry_after_is_handed_on(server: OllamaServer, generator: OllamaGenerator) -> None:
    server.script(Step(status=429, retry_after="7"))
    with pytest.raises(GenerationError) as caught:
        generator.generate(a_request())
    assert caught.value.retry_after_s == 7.0


def test_retry_after_in_both_forms() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert retry_after_s(None) is None
    assert retry_after_s("0") == 0.0
    assert retry_after_s("120") == 120.0
    assert retry_after_s(format_datetime(now + timedelta(seconds=90), usegmt=True), now=now) == 90.0
    assert retry_after_s(format_datetime(now - timedelta(seconds=90), usegmt=True), now=now) == 0.0
    assert retry_after_s("soon") is None


def test_a_pull_tells_how_far_it_is(server: OllamaServer, generator: OllamaGenerator) -> None:
    steps = list(generator.pull("granite3.2:8b"))
    assert [step.completed for step in steps if step.completed is not None] == [250, 500, 1000]
    assert steps[-1].status == "success"
    assert generator.describe(Model(provider="ollama", name="granite3.2:8b")).digest != "unknown"


def test_a_pull_of_what_does_not_exist(generator: OllamaGenerator) -> None:
    with pytest.raises(ModelNotFoundError, match="Check the name no-such-model"):
        list(generator.pull("no-such-model"))


@pytest.mark.parametrize("url", ["", "http://", "ftp://host", "http://host:port", "http://[::1"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        OllamaGenerator(url)
    assert caught.value.field == "ollama_url"


def test_addresses_as_people_write_them() -> None:
    assert checked_url("127.0.0.1:11434", field="f") == "http://127.0.0.1:11434"
    assert checked_url("https://host/ollama/", field="f") == "https://host/ollama"
