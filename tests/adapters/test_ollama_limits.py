"""What a model server is not trusted with: keys go to one address and are never shown, and replies have limits."""

from __future__ import annotations

import gzip
import traceback
from collections.abc import Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest

from passer.adapters.generators.ollama import OllamaChatModel
from passer.adapters.generators.ollama_client import OllamaClient
from passer.adapters.generators.openai import OpenAIChatModel
from passer.adapters.generators.written_reply import lines_of
from passer.bootstrap import build_services
from passer.domain.models.model import Model
from passer.errors import GenerationError
from passer.settings import Settings
from tests.adapters.test_ollama_requests import a_request
from tests.chat import answered
from tests.ollama_server import OllamaServer, Step


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    with OllamaServer(models=["mistral:latest", "nomic-embed-text:latest"]) as server:
        yield server


# -- keys -------------------------------------------------------------------------------------------------------------


def test_a_key_goes_to_the_address_of_the_settings_alone(
    server: OllamaServer, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-mine")
    with OllamaServer(models=["mistral:latest"]) as elsewhere:
        services = build_services(Settings(home=tmp_path, PASSER_OLLAMA_URL=server.url))
        for url in (None, elsewhere.url):
            asked = a_request(model=Model(provider="ollama", name="mistral", base_url=url))
            services.adapters.models.chat_model(asked.model).complete(asked)
        assert services.adapters.embedder_for("ollama/nomic-embed-text").model.dimension
        services.close()
        assert "/api/embed" in {seen.path for seen in server.seen}
        assert {seen.authorization for seen in server.seen} == {"Bearer sk-mine"}
        assert {seen.authorization for seen in elsewhere.seen} == {None}


def test_a_redirect_is_not_followed(server: OllamaServer) -> None:
    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(307)
            self.send_header("Location", f"{server.url}{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Redirecting) as front:
        thread = Thread(target=front.serve_forever, args=(0.02,))
        thread.start()
        with (
            closing(OllamaChatModel(f"http://127.0.0.1:{front.server_address[1]}", api_key="sk-mine")) as model,
            pytest.raises(GenerationError, match="not readable"),
        ):
            model.models()
        front.shutdown()
        thread.join()
    assert server.seen == []


KEY = "sk-mine-0123456789abcdef"


@pytest.mark.parametrize(
    ("echo", "shown"),
    [
        (Step(status=400, error=f"what is {KEY}?"), "what is ***?"),
        (Step(fault="error_in_stream", error=f"what is {KEY}?"), "what is ***?"),
        (Step(fault="malformed", error=f'{{"message": "{KEY}"}}'), "***"),
    ],
    ids=["refused", "in the stream", "unreadable"],
)
def test_a_key_that_is_echoed_is_not_shown(server: OllamaServer, echo: Step, shown: str) -> None:
    server.script(echo)
    with closing(OllamaChatModel(server.url, api_key=KEY)) as model, pytest.raises(GenerationError) as caught:
        answered(model, a_request())
    assert shown in caught.value.message
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_key_in_an_answer_is_masked_before_it_is_stored(server: OllamaServer) -> None:
    server.script(Step(reply=f"You sent Bearer {KEY}."))
    with closing(OllamaChatModel(server.url, api_key=KEY)) as model:
        assert answered(model, a_request()).raw == "You sent Bearer ***."


# -- sizes ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def endless() -> Iterator[str]:
    """A server that answers everything with 40 MB, in 200 KB on the wire."""
    body = gzip.compress(b" " * 40_000_000, compresslevel=1)

    class Endless(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(400 if "refused" in self.path else 200)
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Endless) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_reply_that_is_not_streamed_is_read_up_to_a_limit(endless: str) -> None:
    with closing(OllamaClient(endless)) as client, closing(OpenAIChatModel(endless, stream=False)) as other:
        for ask in (client.listed, client.loaded, client.version, lambda: client.embed({}), other.models):
            with pytest.raises(GenerationError, match="longer than the size limit") as caught:
                ask()
            assert not caught.value.retryable


def test_a_refusal_is_read_up_to_a_limit(endless: str) -> None:
    with (
        closing(OllamaClient(f"{endless}/refused")) as client,
        pytest.raises(GenerationError, match="400") as caught,
    ):
        client.listed()
    assert len(caught.value.message) < 1000


@pytest.mark.parametrize(("kind", "where"), [("ollama", "ollama"), ("vllm", "openai")])
def test_a_streamed_answer_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch, kind: str, where: str) -> None:
    monkeypatch.setattr(f"passer.adapters.generators.{where}.MAX_REPLY_CHARACTERS", 500)
    with OllamaServer(models=["mistral:latest", "mistral"], kind=kind) as server:
        server.script(Step(reply="word " * 1000), Step(reply="word"))
        chat = OllamaChatModel if kind == "ollama" else OpenAIChatModel
        with closing(chat(server.url)) as model:
            with pytest.raises(GenerationError, match="longer than the size limit") as caught:
                answered(model, a_request())
            assert not caught.value.retryable
            assert answered(model, a_request()).text == "word"


def test_a_line_of_a_stream_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passer.adapters.generators.written_reply.LONGEST_LINE", 10)
    pieces = [b"one\ntwo", b" and three\n", b"xxxxxx", b"xxxxxx", b"never read"]
    left = iter(pieces)
    lines = lines_of(httpx.Response(200, content=left))
    assert [next(lines), next(lines)] == [b"one", b"two and three"]
    with pytest.raises(ValueError, match="more than 10 bytes"):
        next(lines)
    assert [*left] == [b"never read"]
