"""Several endpoints that serve one model: the local engine with real clients against scripted servers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack

import pytest

from passer.adapters.generators.ollama import OllamaChatModel
from passer.adapters.generators.several import SeveralServers
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Model, ModelInfo
from passer.engines.attempts import RetryPolicy
from passer.engines.limits import EndpointLimits
from passer.engines.local import LocalEngine
from passer.errors import ConflictError, GenerationError, GeneratorUnavailable, ModelNotFoundError
from passer.ports import ChatModel, Workers
from tests.chat import prompt_digest
from tests.engines.test_local import LengthScorer, a_request
from tests.ollama_server import OllamaServer, ScriptedModel, Step

MISTRAL = ScriptedModel("mistral:latest", digest="a" * 64)
OTHER_WEIGHTS = ScriptedModel("mistral:latest", digest="b" * 64)
Engines = Callable[..., LocalEngine]


@pytest.fixture
def servers() -> Iterator[tuple[OllamaServer, OllamaServer]]:
    with OllamaServer(models=[MISTRAL], latency_s=0.01) as one, OllamaServer(models=[MISTRAL], latency_s=0.01) as other:
        yield one, other


@pytest.fixture
def engines() -> Iterator[Engines]:
    with ExitStack() as taken:
        clients: dict[str | None, OllamaChatModel] = {}

        def chat_model(model: Model) -> ChatModel:
            if model.base_url not in clients:
                clients[model.base_url] = OllamaChatModel(str(model.base_url), read_timeout_s=5)
                taken.callback(clients[model.base_url].close)
            return clients[model.base_url]

        def engine(**settings: object) -> LocalEngine:
            workers = Workers(chat_model=chat_model, scorer=LengthScorer)
            retries = RetryPolicy(attempts=3, base_s=0.002, cap_s=0.01)
            made = LocalEngine(lambda: workers, **{"retries": retries, **settings})  # type: ignore[arg-type]
            taken.callback(made.close)
            return made

        yield engine


def requests_to(*servers: OllamaServer, count: int, digest: str = "a" * 64) -> list[ChatRequest]:
    url = ", ".join(server.url for server in servers)
    found = [a_request(f"Question: number {n}?", url=url) for n in range(count)]
    return [request.model_copy(update={"model_digest": digest}) for request in found]


def texts(engine: LocalEngine, requests: list[ChatRequest]) -> list[str]:
    return [future.result(20).text for future in [engine.complete(request) for request in requests]]


def expected(count: int) -> list[str]:
    return [f"About this: number {n}?" for n in range(count)]


def test_addresses_are_separated_by_commas() -> None:
    model = Model(provider="ollama", name="m", base_url="http://a:1, http://b:2 ,http://a:1")
    assert model.base_url == "http://a:1,http://b:2"
    assert model.endpoints == (("ollama", "http://a:1"), ("ollama", "http://b:2"))
    assert Model().endpoints == (("extractive", None),)


def test_both_share_the_work_and_nothing_is_asked_twice(servers, engines: Engines) -> None:
    requests = requests_to(*servers, count=60)
    assert texts(engines(), requests) == expected(60)
    asked = [len(server.generations) for server in servers]
    assert sum(asked) == 60
    assert min(asked) >= 15, "whoever has free slots is asked"
    assert {sum(server.times_asked(prompt_digest(r)) for server in servers) for r in requests} == {1}


def test_a_slow_one_is_asked_less(servers, engines: Engines) -> None:
    slow, quick = servers
    slow.latency_s = 0.3
    assert texts(engines(), requests_to(*servers, count=40)) == expected(40)
    assert len(slow.generations) < len(quick.generations)


def test_one_that_dies_passes_its_requests_on_and_takes_part_again_when_it_is_back(servers, engines: Engines) -> None:
    dying, other = servers
    engine = engines()
    futures = [engine.complete(request) for request in requests_to(*servers, count=60)]
    while len(dying.generations) < 5:
        time.sleep(0.002)
    dying.stop()
    assert [future.result(20).text for future in futures] == expected(60)
    assert engine.limits()["ollama", dying.url] == 1, "one request finds out when it is back"
    dying.start()
    before = len(dying.generations)
    until = time.monotonic() + 20
    while len(dying.generations) == before:
        assert time.monotonic() < until, "it is asked again"
        texts(engine, requests_to(*servers, count=8))
    texts(engine, requests_to(*servers, count=40))
    assert engine.limits()["ollama", dying.url] == 4
    assert len(other.generations) > 30


def test_what_one_is_too_busy_for_the_other_does_at_once(servers, engines: Engines) -> None:
    busy, other = servers
    busy.when("Question", Step(status=503, retry_after="3600"), times=None)
    assert texts(engines(), requests_to(*servers, count=20)) == expected(20)
    assert 1 <= len(busy.generations) <= 4, "Retry-After is heeded"
    assert len(other.generations) == 20


def test_all_are_gone_and_one_comes_back(servers, engines: Engines) -> None:
    one, other = servers
    engine = engines()
    one.stop()
    other.stop()
    [request] = requests_to(*servers, count=1)
    with pytest.raises(GeneratorUnavailable, match="does not accept connections"):
        engine.complete(request).result(20)
    other.start()
    assert texts(engine, [request]) == expected(1)


def test_one_with_other_weights_is_left_out_from_then_on(engines: Engines, caplog: pytest.LogCaptureFixture) -> None:
    with OllamaServer(models=[OTHER_WEIGHTS]) as other, OllamaServer(models=[MISTRAL], latency_s=0.01) as right:
        assert texts(engines(), requests_to(other, right, count=20)) == expected(20)
        assert (len(other.generations), len(right.generations)) == (0, 20)
    assert f"{other.url} is not asked for mistral any more: mistral on {other.url} is now another model" in caplog.text


def test_where_all_have_other_weights_the_question_fails_and_says_so(engines: Engines) -> None:
    with OllamaServer(models=[OTHER_WEIGHTS]) as one, OllamaServer(models=[OTHER_WEIGHTS]) as two:
        engine = engines()
        for request in requests_to(one, two, count=2):
            with pytest.raises(GenerationError, match=r"mistral on .* is now another model"):
                engine.complete(request).result(20)
        assert one.generations == two.generations == []


def several(*servers: OllamaServer) -> tuple[SeveralServers, list[OllamaChatModel]]:
    clients = [OllamaChatModel(server.url) for server in servers]
    return SeveralServers([(client.base_url, client) for client in clients]), clients


def test_before_a_run_servers_that_do_not_agree_are_refused() -> None:
    with OllamaServer(models=[MISTRAL, "llama"]) as one, OllamaServer(models=[OTHER_WEIGHTS]) as other:
        both, clients = several(one, other)
        with pytest.raises(
            ConflictError, match=rf"^{one.url} and {other.url} have .*mixed. Run `ollama pull mistral` on both"
        ):
            both.describe(Model(provider="ollama", name="mistral"))
        with pytest.raises(ModelNotFoundError, match=f"{other.url} does not have the model llama"):
            both.describe(Model(provider="ollama", name="llama"))
        assert [info.name for info in both.models()] == ["mistral:latest"]
        other.stop()
        assert both.describe(Model(provider="ollama", name="llama")).name == "llama", "who is gone is not asked"
        [request] = requests_to(other, one, count=1)
        assert both.complete(request).text == "About this: number 0?"
        one.stop()
        with pytest.raises(GeneratorUnavailable):
            both.models()
        for client in clients:
            client.close()


def test_two_engines_of_a_process_share_the_limits() -> None:
    lock, gate = threading.Lock(), threading.Event()
    under_way, most = [0], [0]
    taken = threading.Semaphore(0)

    class Slow:
        def complete(self, request: ChatRequest) -> Completion:
            with lock:
                under_way[0] += 1
                most[0] = max(most[0], under_way[0])
            taken.release()
            gate.wait(10)
            with lock:
                under_way[0] -= 1
            return Completion(text="x")

        def describe(self, model: Model) -> ModelInfo: ...

        def models(self) -> list[ModelInfo]: ...

    limits = EndpointLimits(3)
    workers = Workers(chat_model=lambda _: Slow(), scorer=LengthScorer)
    both = [LocalEngine(lambda: workers, limits=limits) for _ in range(2)]
    futures = [engine.complete(a_request(f"{n}", url="http://a")) for n in range(10) for engine in both]
    for _ in range(3):
        assert taken.acquire(timeout=10)
    assert not taken.acquire(timeout=0.05)
    gate.set()
    assert len(wait(futures, 10).done) == 20
    assert most == [3]
    both[0].close()
    assert both[1].complete(a_request("after", url="http://a")).result(10).text == "x", "closing one leaves the other"
    both[1].close()


def test_servers_of_two_versions_are_recorded_as_both_and_both_are_asked() -> None:
    with OllamaServer(models=[MISTRAL], version="0.33.0") as one, OllamaServer(models=[MISTRAL]) as other:
        other.version = "0.32.10"
        both, clients = several(one, other)
        info = both.describe(Model(provider="ollama", name="mistral"))
        assert info.engine == "ollama 0.32.10, ollama 0.33.0"
        [request] = requests_to(one, other, count=1)
        for client in clients:
            assert client.complete(request.model_copy(update={"engine": info.engine})).text
            client.close()
