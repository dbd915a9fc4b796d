"""Log probabilities of a given text: from the built-in model, and from servers that speak the published protocols."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from passer.adapters.generators.local.models import LocalModels, built_in_weights
from passer.adapters.generators.local.process import ModelProcesses, ServedModel
from passer.adapters.generators.ollama import OllamaChatModel
from passer.adapters.generators.openai import OpenAIChatModel
from passer.domain.models.chat import ChatRequest, LogProbabilities, Message
from passer.domain.models.model import Model
from passer.errors import GenerationError
from tests.local_model import MODEL, ask, with_model
from tests.ollama_server import OllamaServer

Reply = Callable[[dict[str, Any]], Any]


def measuring(reference: str, *, model: Model = MODEL, num_ctx: int = 512) -> ChatRequest:
    request = ask(
        "Passages:\n[1] Rice flowers in August.\n\nQuestion:\nWhen does rice flower?", model=model, num_ctx=num_ctx
    )
    reply = Message(role="assistant", content=reference)
    return request.model_copy(update={"messages": (*request.messages, reply), "measures": True})


def read(text: str) -> LogProbabilities:
    return LogProbabilities.model_validate_json(text)


@contextmanager
def serving(paths: dict[str, Reply]) -> Iterator[tuple[str, list[tuple[str, dict[str, Any]]]]]:
    """Yield the address of a server with these paths, and what was posted to it; a reply of int is a status."""
    posted: list[tuple[str, dict[str, Any]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply({})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            posted.append((self.path, body))
            self._reply(body)

        def _reply(self, body: dict[str, Any]) -> None:
            said = paths[self.path](body) if self.path in paths else 404
            data = json.dumps({"error": {"message": "no"}} if isinstance(said, int) else said).encode()
            self.send_response(said if isinstance(said, int) else 200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", posted
    finally:
        server.shutdown()
        server.server_close()


def listed(_: Any) -> Any:
    return {"object": "list", "data": [{"id": "m", "object": "model"}]}


@pytest.fixture(scope="module")
def processes() -> ModelProcesses:
    return ModelProcesses(threads=2, available=lambda: None)


@pytest.fixture(scope="module")
def models(processes: ModelProcesses) -> Iterator[LocalModels]:
    models = LocalModels(processes, slots=2)
    yield models
    models.close()


class TestBuiltIn:
    pytestmark = with_model

    # Cyrillic letters are several tokens each for this model, which its server does not report.
    @pytest.mark.parametrize("reference", ["In May", "Ма"])
    def test_each_token_has_its_place_in_the_whole_distribution(
        self, processes: ModelProcesses, models: LocalModels, reference: str
    ) -> None:
        request = measuring(reference)
        completion = models.complete(request)
        found = read(completion.text)
        # Independently: nothing is forced, and the log probability of all 49,152 tokens is asked for, without a cache.
        path = built_in_weights()
        assert path
        with processes.lent(ServedModel(path, 512, 2), models._weights(MODEL.name)) as process:
            client = httpx.Client(base_url=process.url, headers={"Authorization": f"Bearer {process.key}"}, timeout=60)

            def post(where: str, **body: Any) -> Any:
                return client.post(where, json=body).raise_for_status().json()

            turns = [message.model_dump() for message in request.messages[:-1]]
            rendered = post("/apply-template", messages=turns)["prompt"]
            before = post("/tokenize", content=rendered, add_special=True, parse_special=True)["tokens"]
            wanted = post("/tokenize", content=reference, add_special=False, parse_special=False)["tokens"]
            expected = []
            for place, token in enumerate(wanted):
                said = post(
                    "/completion", prompt=before + wanted[:place], n_predict=1, n_probs=60_000, temperature=0,
                    cache_prompt=False,
                )  # fmt: skip
                every = {each["id"]: each["logprob"] for each in said["completion_probabilities"][0]["top_logprobs"]}
                assert math.fsum(map(math.exp, every.values())) == pytest.approx(1, abs=1e-3)
                expected.append(every[token])
            client.close()
        assert found.prompt == "chat"
        assert found.values == pytest.approx(expected, abs=2e-2)
        perplexity = math.exp(-sum(expected) / len(expected))
        assert found.perplexity == pytest.approx(perplexity, rel=1e-2)
        assert (completion.usage.prompt_tokens, completion.usage.output_tokens) == (len(before) + len(wanted), 0)

    def test_what_the_passages_say_is_expected(self, models: LocalModels) -> None:
        right, wrong = (read(models.complete(measuring(each)).text) for each in ("In August.", "In Xylophone."))
        assert right.perplexity
        assert wrong.perplexity
        assert 1 < right.perplexity < wrong.perplexity

    def test_a_reply_beyond_the_window_is_refused_before_it_is_computed(self, models: LocalModels) -> None:
        with pytest.raises(GenerationError) as raised:
            models.complete(measuring("rice " * 600))
        assert raised.value.reason == "context_exceeded"


def test_vllm_reports_them_of_a_prompt_of_tokens() -> None:
    """Protocol: vllm/entrypoints/serve/tokenize/protocol.py, and `prompt_logprobs` of completions."""
    # Three tokens with the probabilities 1/2, 1/4 and 1/8: the perplexity is (2 * 4 * 8) ** (1/3) = 4.
    tokens = {"In": 21, " August": 22, ".": 23}

    def tokenize(body: dict[str, Any]) -> Any:
        if "messages" in body:
            assert body["add_generation_prompt"] is True
            assert [each["role"] for each in body["messages"]] == ["user"]
            return {"count": 2, "max_model_len": 100, "tokens": [1, 2]}
        assert (body["prompt"], body["add_special_tokens"]) == ("In August.", False)
        return {"count": 3, "max_model_len": 100, "tokens": list(tokens.values())}

    def completions(body: dict[str, Any]) -> Any:
        assert (body["prompt"], body["prompt_logprobs"], body["model"]) == ([1, 2, 21, 22, 23], 0, "m")
        of_prompt = [None, {"2": {"logprob": -9.0, "rank": 3, "decoded_token": "?"}}]
        for place, (text, token) in enumerate(tokens.items(), start=1):
            of_prompt.append({str(token): {"logprob": -place * math.log(2), "rank": 1, "decoded_token": text}})
        return {"choices": [{"index": 0, "text": "x", "prompt_logprobs": of_prompt}], "usage": {}}

    version: Reply = lambda _: {"version": "0.15.1"}  # noqa: E731
    paths: dict[str, Reply] = {
        "/v1/models": listed, "/version": version, "/tokenize": tokenize, "/v1/completions": completions,
    }  # fmt: skip
    with serving(paths) as (url, _):
        model = OpenAIChatModel(url)
        completion = model.complete(measuring("In August.", model=Model(provider="openai", name="m")))
        model.close()
    found = read(completion.text)
    assert found.perplexity == pytest.approx(4)
    assert (found.prompt, completion.usage.prompt_tokens) == ("chat", 5)


def test_another_server_may_repeat_the_prompt_with_them() -> None:
    """Protocol: `echo` and `logprobs` of https://platform.openai.com/docs/api-reference/completions."""

    def completions(body: dict[str, Any]) -> Any:
        assert (body["echo"], body["logprobs"]) == (True, 1)
        prompt, reference = body["prompt"].rsplit(" In", 1)[0], " In August."
        assert body["prompt"] == prompt + reference
        assert prompt.endswith("\n\nAnswer:")
        at = len(prompt)
        return {
            "choices": [
                {
                    "text": f"{body['prompt']} Yes",
                    "logprobs": {
                        "tokens": [prompt, " In", " August.", " Yes"],
                        "token_logprobs": [None, math.log(1 / 2), math.log(1 / 8), -0.1],
                        "text_offset": [0, at, at + 3, at + 11],
                    },
                }
            ]
        }

    with serving({"/v1/models": listed, "/v1/completions": completions}) as (url, _):
        model = OpenAIChatModel(url)
        found = read(model.complete(measuring("In August.", model=Model(provider="openai", name="m"))).text)
        model.close()
    assert found.prompt == "text"
    assert found.perplexity == pytest.approx(4)


def echoes_nothing(body: dict[str, Any]) -> Any:
    content = [{"id": 1, "token": "a", "logprob": -0.9, "top_logprobs": []}]
    return {"choices": [{"text": "a", "logprobs": {"content": content}}]}


def generates_only(body: dict[str, Any]) -> Any:
    logs = {"tokens": ["a"], "token_logprobs": [-0.5], "text_offset": [0]}
    return {"choices": [{"text": "a", "logprobs": logs}]}


@pytest.mark.parametrize("completions", [lambda _: 404, lambda _: 400, echoes_nothing, generates_only])
def test_a_server_without_them_says_so(completions: Reply) -> None:
    with serving({"/v1/models": listed, "/v1/completions": completions}) as (url, _):
        model = OpenAIChatModel(url)
        with pytest.raises(GenerationError, match="reports no log probabilities of a given text") as raised:
            model.complete(measuring("In August.", model=Model(provider="openai", name="m")))
        model.close()
    assert not raised.value.retryable


def test_probabilities_after_the_bias_are_not_believed() -> None:
    settings: Reply = lambda _: {"default_generation_settings": {"n_ctx": 512}, "total_slots": 1}  # noqa: E731
    paths: dict[str, Reply] = {
        "/v1/models": listed,
        "/props": settings,
        "/apply-template": lambda _: {"prompt": "p"},
        "/tokenize": lambda _: {"tokens": [7]},
        "/completion": lambda body: {"completion_probabilities": [{"id": body["logit_bias"][0][0], "logprob": 0.0}]},
    }
    with serving(paths) as (url, _):
        model = OpenAIChatModel(url)
        with pytest.raises(GenerationError, match="reports no log probabilities of a given text"):
            model.complete(measuring("August", model=Model(provider="openai", name="m")))
        model.close()


def test_ollama_is_not_asked() -> None:
    with OllamaServer(models=["mistral:latest"]) as server:
        model = OllamaChatModel(server.url)
        with pytest.raises(GenerationError, match="reports no log probabilities of a given text"):
            model.complete(measuring("In August.", model=Model(provider="ollama", name="mistral:latest")))
        assert not server.generations
        model.close()


@pytest.mark.parametrize(
    ("values", "expected"),
    [((0.0,), 1.0), ((math.log(1 / 2), math.log(1 / 8)), 4.0), ((-9999.0,), None)],
)
def test_a_perplexity_by_hand(values: tuple[float, ...], expected: float | None) -> None:
    found = LogProbabilities(values=values, prompt="chat").perplexity
    assert found == (None if expected is None else pytest.approx(expected))
