"""The local engine with a real Ollama client against the scripted server, and with scorers made for the purpose."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, wait

import pytest

from passer.adapters.generators.ollama import OllamaChatModel
from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model, ModelInfo
from passer.domain.score import Score, Scores, VectorProfile
from passer.engines.attempts import RetryPolicy
from passer.engines.local import LocalEngine
from passer.errors import EncoderUnavailable, GenerationError, GeneratorUnavailable, ModelNotFoundError
from passer.ports import ChatModel, Workers
from tests.chat import prompt_digest
from tests.ollama_server import OllamaServer, Step

QUICK = RetryPolicy(base_s=0.002, cap_s=0.01)


class LengthScorer:
    """The length of the answer, as a metric."""

    identity = {"metric": "length"}  # noqa: RUF012

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = "en") -> list[Scores]:
        return [{"length": Score(value=float(len(answer)))} for _, answer in pairs]


def a_request(text: str, *, url: str | None = None, name: str = "mistral") -> ChatRequest:
    return ChatRequest(
        key=f"key of {text}",
        messages=(Message(role="user", content=text),),
        model=Model(provider="ollama", name=name, base_url=url),
        options=GenerationOptions(),
    )


Build = Callable[..., LocalEngine]


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    with OllamaServer() as server:
        yield server


@pytest.fixture
def build() -> Iterator[Build]:
    """Engines over real Ollama clients; both are closed in the end."""
    engines: list[LocalEngine] = []
    clients: list[OllamaChatModel] = []

    def chat_model(model: Model) -> ChatModel:
        clients.append(OllamaChatModel(str(model.base_url), read_timeout_s=2))
        return clients[-1]

    def build(workers: Workers | None = None, **settings: object) -> LocalEngine:
        made = workers or Workers(chat_model=chat_model, scorer=LengthScorer)
        engines.append(LocalEngine(lambda: made, retries=settings.pop("retries", QUICK), **settings))  # type: ignore[arg-type]
        return engines[-1]

    yield build
    for engine in engines:
        engine.close()
    for client in clients:
        client.close()


def test_every_request_is_asked_once(server: OllamaServer, build: Build) -> None:
    engine = build()
    requests = [a_request(f"Question: number {i}?", url=server.url) for i in range(40)]
    answers = [future.result(10) for future in [engine.complete(request) for request in requests]]
    assert [answer.text for answer in answers] == [f"About this: number {i}?" for i in range(40)]
    assert {server.times_asked(prompt_digest(request)) for request in requests} == {1}


@pytest.mark.parametrize(
    "steps",
    [
        [Step(status=500)] * 2,
        [Step(status=429, retry_after="0")],
        [Step(status=503)] * 3,
        [Step(fault="reset"), Step(fault="reset_at_once"), Step(fault="cut_json"), Step(fault="malformed")],
        [Step(fault="error_in_stream"), Step(fault="ends_early")],
        [Step(reply="")],
    ],
)
def test_faults_that_pass(server: OllamaServer, build: Build, steps: list[Step]) -> None:
    server.script(*steps)
    assert build().complete(a_request("Question: Why?", url=server.url)).result(10).text == "About this: Why?"
    assert len(server.generations) == len(steps) + 1


def test_an_answer_that_stays_empty(server: OllamaServer, build: Build) -> None:
    server.when("Why?", Step(reply=""), times=None)
    answer = build().complete(a_request("Question: Why?", url=server.url)).result(10)
    assert (answer.text, answer.finish_reason) == ("", "stop")
    assert len(server.generations) == 2


def test_one_question_fails_and_the_others_do_not(server: OllamaServer, build: Build) -> None:
    engine = build()
    server.when("number 3", Step(status=500), times=None)
    futures = [engine.complete(a_request(f"Question: number {i}?", url=server.url)) for i in range(6)]
    failed = [future.exception(10) for future in futures]
    assert [isinstance(error, GenerationError) for error in failed] == [False, False, False, True, False, False]


def test_a_missing_model_is_not_asked_for_twice(server: OllamaServer, build: Build) -> None:
    with pytest.raises(ModelNotFoundError, match="ollama pull qwen3"):
        build().complete(a_request("Q", url=server.url, name="qwen3")).result(10)
    assert len([seen for seen in server.seen if seen.path == "/api/tags"]) == 1


def test_an_endpoint_that_is_gone_and_one_that_stays_overloaded(server: OllamaServer, build: Build) -> None:
    engine = build(retries=RetryPolicy(attempts=3, base_s=0.002))
    server.when("busy", Step(status=503), times=None)
    with pytest.raises(GeneratorUnavailable, match="overloaded"):
        engine.complete(a_request("busy", url=server.url)).result(10)
    server.stop()
    with pytest.raises(GeneratorUnavailable, match="does not accept connections"):
        engine.complete(a_request("Q", url=server.url)).result(10)
    server.start()
    assert engine.complete(a_request("Question: Why?", url=server.url)).result(10).text == "About this: Why?"


def test_the_limit_falls_when_the_server_is_overloaded_and_rises_again(server: OllamaServer, build: Build) -> None:
    engine = build()
    key = ("ollama", server.url)
    server.script(Step(status=503), Step(status=429), Step(reply="at last"))
    engine.complete(a_request("first", url=server.url)).result(10)
    assert engine.limits() == {key: 2}  # 4 -> 2 -> 1, and one success: 2
    wait([engine.complete(a_request(f"more {i}", url=server.url)) for i in range(12)], 10)
    assert engine.limits() == {key: 4}


def test_no_more_than_four_at_a_time_and_each_endpoint_for_itself(build: Build) -> None:
    gate, lock = threading.Event(), threading.Lock()
    under_way: dict[str | None, int] = {"http://a": 0, "http://b": 0}
    full = threading.Semaphore(0)

    class Slow:
        def complete(self, request: ChatRequest) -> Completion:
            with lock:
                under_way[request.model.base_url] += 1
            full.release()
            gate.wait(10)
            return Completion(text="x")

        def describe(self, model: Model) -> ModelInfo: ...

        def models(self) -> list[ModelInfo]: ...

    engine = build(Workers(chat_model=lambda _: Slow(), scorer=LengthScorer))
    futures = [engine.complete(a_request(f"{i}", url=f"http://{'ab'[i % 2]}")) for i in range(20)]
    for _ in range(8):
        assert full.acquire(timeout=10)
    assert under_way == {"http://a": 4, "http://b": 4}
    scores = engine.score([("reference", "answer")], profile="standard").result(10)
    assert scores == [{"length": Score(value=6.0)}]
    gate.set()
    assert len(wait(futures, 10).done) == 20


def test_asking_does_not_wait_for_scoring(server: OllamaServer, build: Build) -> None:
    gate = threading.Event()

    class Stuck(LengthScorer):
        def __init__(self) -> None:
            gate.wait(10)

    clients = [OllamaChatModel(server.url)]
    engine = build(Workers(chat_model=lambda _: clients[0], scorer=Stuck))
    scores = engine.score([("r", "abc")], profile="standard")
    assert engine.complete(a_request("Question: Why?", url=server.url)).result(10).text == "About this: Why?"
    assert not scores.done()
    gate.set()
    assert scores.result(10) == [{"length": Score(value=3.0)}]
    clients[0].close()


def test_workers_are_made_when_they_are_needed_and_once(server: OllamaServer) -> None:
    made: list[str] = []
    client = OllamaChatModel(server.url)

    def workers() -> Workers:
        made.append("workers")
        return Workers(
            chat_model=lambda _: made.append("chat model") or client,
            scorer=lambda: made.append("scorer") or LengthScorer(),
        )  # type: ignore[func-returns-value]

    engine = LocalEngine(workers)
    assert made == []
    wait([engine.complete(a_request(f"{i}", url=server.url)) for i in range(5)], 10)
    assert made == ["workers", "chat model"]
    wait([engine.score([("r", "a")], profile="standard") for _ in range(5)], 10)
    assert made == ["workers", "chat model", "scorer"]
    engine.close()
    client.close()


def test_a_scorer_that_cannot_be_built_says_so_and_is_tried_again(build: Build) -> None:
    tries = iter([EncoderUnavailable("weights missing"), None])

    def scorer() -> LengthScorer:
        if error := next(tries):
            raise error
        return LengthScorer()

    engine = build(Workers(chat_model=lambda _: pytest.fail("nobody asked"), scorer=scorer))
    with pytest.raises(EncoderUnavailable):
        engine.score([("r", "a")], profile="standard").result(10)
    assert engine.score([("r", "a")], profile="standard").result(10) == [{"length": Score(value=1.0)}]


def test_closing_gives_up_what_waits_and_what_runs(server: OllamaServer, build: Build) -> None:
    engine = build(retries=RetryPolicy(base_s=60))
    server.when("failing", Step(status=500), times=None)
    server.when("slow", Step(latency_s=30), times=None)
    texts = ["failing", "slow 1", "slow 2", "slow 3", "waiting 1", "waiting 2"]
    futures = [engine.complete(a_request(text, url=server.url)) for text in texts]
    while len(server.generations) < 4:
        threading.Event().wait(0.005)
    server.stop()
    engine.close()
    assert len(wait(futures, 5).done) == 6
    for future in futures:
        with pytest.raises((CancelledError, GeneratorUnavailable, GenerationError)):
            future.result(0)
    assert engine.complete(a_request("late", url=server.url)).cancelled()
    assert engine.score([], profile="standard").cancelled()


def test_submitting_waits_while_the_queue_is_full(build: Build) -> None:
    gate = threading.Event()

    class Gated:
        def complete(self, request: ChatRequest) -> Completion:
            gate.wait(10)
            return Completion(text="x")

        def describe(self, model: Model) -> ModelInfo: ...

        def models(self) -> list[ModelInfo]: ...

    engine = build(Workers(chat_model=lambda _: Gated(), scorer=LengthScorer), per_endpoint=1, queue_size=2)
    submitted: list[object] = []

    def submit() -> None:
        submitted.extend(engine.complete(a_request(f"{i}")) for i in range(6))

    thread = threading.Thread(target=submit)
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    gate.set()
    thread.join(10)
    assert len(submitted) == 6
