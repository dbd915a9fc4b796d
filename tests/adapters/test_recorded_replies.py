"""Replies of real servers, as their public sources show them, read by the clients."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from passer.adapters.encoders.ollama import OllamaEmbedder
from passer.adapters.generators.ollama import OllamaChatModel
from passer.adapters.generators.openai import OpenAIChatModel
from passer.domain.models.chat import ChatRequest, Message
from passer.domain.models.decoding import explicit_options
from passer.domain.models.model import Model, ModelInfo
from passer.errors import GenerationError, InputError, ModelNotFoundError

Canned = dict[str, tuple[int, str]]
"""Status and body by path; a path that is not named is not there."""


@contextmanager
def serving(replies: Canned) -> Iterator[str]:
    class Replay(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = replies.get(self.path, (404, "404 page not found"))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if asked.get("messages") == []:
                self.path = "load"
            self.do_GET()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Replay) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def ollama(recorded: dict[int, Any], *lines: Any, status: int = 200) -> Canned:
    """A server with the recorded model, whose chat replies with these lines."""
    return {
        "/api/version": (200, json.dumps({"version": "0.33.0"})),
        "/api/tags": (200, json.dumps(recorded[11]["body"])),
        "/api/show": (200, json.dumps(recorded[12]["body"])),
        "/api/ps": (200, json.dumps({"models": []})),
        "load": (200, json.dumps({"done": True, "done_reason": "load"})),
        "/api/chat": (status, "".join(json.dumps(line) + "\n" for line in lines)),
    }


def a_request(name: str = "deepseek-r1", provider: str = "ollama", **changes: Any) -> ChatRequest:
    model = Model.model_validate({"provider": provider, "name": name})
    message = Message(role="user", content="Why?")
    return ChatRequest(key="k", messages=(message,), model=model, options=explicit_options(), **changes)


def test_a_model_as_it_is_listed_and_shown(recorded: dict[int, Any]) -> None:
    with serving(ollama(recorded)) as url, closing(OllamaChatModel(url)) as model:
        info = model.describe(Model(provider="ollama", name="deepseek-r1"))
    assert info.digest == "0a8c266910232fd3291e71e5ba1e058cc5af9d411192cf88b6d30e92b6e73163"
    assert (info.family, info.parameter_size, info.quantization) == ("qwen2", "7.6B", "Q4_K_M")
    assert (info.context_length, info.capabilities) == (8192, ("completion", "vision"))


def test_the_last_line_with_its_counts(recorded: dict[int, Any]) -> None:
    said = recorded[1]["lines"][0]
    last = {**said, "message": {"role": "assistant", "content": said["response"]}}
    with serving(ollama(recorded, last)) as url, closing(OllamaChatModel(url)) as model:
        completion = model.complete(a_request())
    assert completion.text == "Hello! How can I help you today?"
    assert (completion.usage.prompt_tokens, completion.usage.output_tokens) == (11, 18)
    assert completion.timings.load_duration_ns == 101_397_084


def test_an_error_after_the_first_token(recorded: dict[int, Any]) -> None:
    first, error = recorded[2]["lines"]
    with (
        serving(ollama(recorded, {**first, "message": {"content": first["response"]}}, error)) as url,
        closing(OllamaChatModel(url)) as model,
        pytest.raises(GenerationError, match="an error was encountered while running the model") as caught,
    ):
        model.complete(a_request())
    assert (caught.value.reason, caught.value.retryable) == ("server_error", True)


def test_refusals(recorded: dict[int, Any]) -> None:
    missing = [(404, body, "model_not_found") for body in recorded[3]["bodies"]]
    repeated = (500, recorded[9]["after"]["body"], "repeated")
    others = [(recorded[n]["status"], recorded[n]["body"], "context_exceeded") for n in (5, 6)]
    for status, body, reason in [*missing, repeated, *others, (503, recorded[4]["body"], "overloaded")]:
        with serving(ollama(recorded, body, status=status)) as url, closing(OllamaChatModel(url)) as model:
            expected = ModelNotFoundError if reason == "model_not_found" else GenerationError
            with pytest.raises(expected) as caught:
                model.complete(a_request())
            assert reason in ("model_not_found", getattr(caught.value, "reason", None))


def test_pulls(recorded: dict[int, Any]) -> None:
    bodies = ["".join(json.dumps(line) + "\n" for line in recorded[10][name]) for name in ("ok", "missing")]
    with serving({"/api/pull": (200, bodies[0])}) as url, closing(OllamaChatModel(url)) as model:
        steps = list(model.pull("m"))
    assert [step.completed for step in steps] == [None, None, 241_970, None, None, None, None]
    assert steps[-1].status == "success"
    with (
        serving({"/api/pull": (200, bodies[1])}) as url,
        closing(OllamaChatModel(url)) as model,
        pytest.raises(ModelNotFoundError),
    ):
        list(model.pull("m"))


def test_vectors_and_texts_that_are_too_long(recorded: dict[int, Any]) -> None:
    facts = recorded[13]
    for name, expected in (("ok", None), ("too_long", InputError), ("not_too_long", GenerationError)):
        said = facts[name]
        status, body = (200, said) if name == "ok" else (said["status"], said["body"])
        replies = {**ollama(recorded), "/api/embed": (status, json.dumps(body))}
        with serving(replies) as url, closing(OllamaEmbedder(url, "deepseek-r1", sleep=lambda _: None)) as embedder:
            if expected is None:
                [vector] = embedder.sentence_vectors(["soil"])
                assert np.linalg.norm(vector) == pytest.approx(1)
                continue
            with pytest.raises(expected):
                embedder.sentence_vectors(["soil"])


def test_llama_cpp_tells_what_it_had_read_before(recorded: dict[int, Any]) -> None:
    fact = recorded[14]
    choice = {"index": 0, "message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}
    usage = {key: value for key, value in fact["usage"].items() if key != "prompt_tokens_details"}
    for told, cached in ((fact["usage"], 0), (usage, 236)):
        body = {"choices": [choice], "usage": told, "timings": fact["chat"]["timings"]}
        replies = {
            "/v1/models": (200, json.dumps({"data": [{"id": "m"}]})),
            "/v1/chat/completions": (200, json.dumps(body)),
        }
        with serving(replies) as url, closing(OpenAIChatModel(url, stream=False)) as model:
            completion = model.complete(a_request("m", "openai"))
        assert (completion.usage.prompt_tokens, completion.usage.cached_tokens) == (44, cached)
        assert completion.timings.eval_duration_ns == 661_064_000


def test_refusals_over_openais_protocol(recorded: dict[int, Any]) -> None:
    loading = recorded[14]["loading"]
    bodies = [(recorded[15]["status"], body, "context_exceeded") for body in recorded[15]["bodies"]]
    for status, body, reason in [*bodies, (loading["status"], loading["body"], "overloaded")]:
        replies = {
            "/v1/models": (200, json.dumps({"data": [{"id": "m"}]})),
            "/v1/chat/completions": (status, json.dumps(body)),
        }
        with serving(replies) as url, closing(OpenAIChatModel(url)) as model:
            with pytest.raises(GenerationError) as caught:
                model.complete(a_request("m", "openai"))
            assert caught.value.reason == reason


def test_the_schema_stands_where_llama_cpp_reads_it(recorded: dict[int, Any]) -> None:
    fact = recorded[16]
    schema = fact["request"]["response_format"]["json_schema"]["schema"]
    with closing(OpenAIChatModel("http://127.0.0.1:9")) as model:
        request = a_request("m", "openai", reply_schema=schema)
        body = model._body(request, ModelInfo(name="m"))
    assert body["response_format"]["type"] == fact["request"]["response_format"]["type"]
    assert body["response_format"]["json_schema"]["schema"] == {"const": "foooooo"}
