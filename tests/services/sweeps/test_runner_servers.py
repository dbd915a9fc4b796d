"""A sweep over several model servers, over real HTTP: what one of them does to the others' runs."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import Event, Thread

import pytest

from passer.adapters.clock import SystemClock
from passer.adapters.generators.ollama import OllamaChatModel
from passer.adapters.generators.openai import OpenAIChatModel
from passer.domain.dataset import Dataset, Question
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.engines.attempts import RetryPolicy
from passer.engines.local import LocalEngine
from passer.ports import ChatModel, StoredSweep, Workers
from tests.ollama_server import OllamaServer, Step
from tests.services.study import TEXTS, Study
from tests.waiting import wait_until

WITHIN_S = 30.0


class Farm:
    """A study that asks real servers through real clients."""

    def __init__(self, questions: int = 30) -> None:
        self.study = Study()
        many = [
            Question(id=f"q{n}", text=f"{TEXTS[n % 4]} in the case {n}", reference=TEXTS[n % 4])
            for n in range(questions)
        ]
        self.study.store.save_dataset(Dataset(name="farm", questions=tuple(many)))
        self._clients: dict[str | None, OllamaChatModel] = {}
        self.study.planner = replace(self.study.planner, describe=lambda model: self.client(model).describe(model))
        self.running = replace(self.study.running, engine=self._engine, clock=SystemClock())

    def client(self, model: Model) -> ChatModel:
        return self._clients.setdefault(model.base_url, OllamaChatModel(str(model.base_url), read_timeout_s=5))

    def _engine(self) -> LocalEngine:
        workers = Workers(chat_model=self.client, scorer=lambda: self.study.scorer)
        return LocalEngine(lambda: workers, retries=RetryPolicy(attempts=3, base_s=0.01, cap_s=0.05))

    def create(self, *models: Model) -> StoredSweep:
        config = RunConfig(dataset="farm", collection="books")
        axes = Axes(model=models)
        return self.study.planner.create(Sweep(name="Farm", config=config, axes=axes, baseline=NormalPolicy(k=2)))

    def states(self, sweep: StoredSweep) -> list[tuple[RunState, int]]:
        return [(run.state, run.counts.scored) for run in self.study.store.load_sweep(sweep.id).runs]

    @contextmanager
    def under_way(self, sweep: StoredSweep) -> Iterator[Thread]:
        """The sweep in a thread of its own, which is over at the end whatever happens."""
        stop = Event()
        thread = Thread(target=lambda: self.running.run(sweep.id, stop=stop))
        thread.start()
        try:
            yield thread
        finally:
            stop.set()
            thread.join(WITHIN_S)
            assert not thread.is_alive()

    def close(self) -> None:
        for client in self._clients.values():
            client.close()


@pytest.fixture
def farm() -> Iterator[Farm]:
    farm = Farm()
    yield farm
    farm.close()


def test_a_server_that_is_gone_holds_up_its_own_runs_alone_and_they_go_on_by_themselves(farm: Farm):
    with ExitStack() as servers:
        gone = servers.enter_context(OllamaServer(models=["mistral"], latency_s=0.02))
        there = servers.enter_context(OllamaServer(models=["llama"], latency_s=0.02))
        sweep = farm.create(
            Model(provider="ollama", name="mistral", base_url=gone.url),
            Model(provider="ollama", name="llama", base_url=there.url),
        )
        with farm.under_way(sweep) as thread:
            wait_until(lambda: len(gone.generations) > 5, "the first server is asked")
            gone.stop()
            wait_until(
                lambda: farm.states(sweep)[1] == (RunState.FINISHED, 30), "the other server's run goes to its end"
            )
            wait_until(lambda: farm.states(sweep)[0][0] is RunState.PAUSED, "the first server's run is paused")
            run = farm.study.store.load_sweep(sweep.id).runs[0]
            assert run.reason == f"The model server at {gone.url} does not accept connections. Start it, then retry."
            assert run.counts.failed == 0
            answered = {seen.prompt_digest for seen in gone.generations if seen.status == 200}
            gone.start()
            thread.join(WITHIN_S)
            assert not thread.is_alive(), "the run goes on by itself"
    assert farm.states(sweep) == [(RunState.FINISHED, 30)] * 2
    done = farm.study.store.load_sweep(sweep.id)
    assert [(run.reason, run.counts.failed) for run in done.runs] == [(None, 0)] * 2
    assert len(answered) > 5
    assert {there.times_asked(seen.prompt_digest or "") for seen in there.generations} == {1}


def test_servers_work_side_by_side(farm: Farm):
    """Both are in the middle of an answer at one moment, though their runs stand one after the other."""
    with OllamaServer(models=["mistral"]) as one, OllamaServer(models=["llama"]) as other:
        for server in (one, other):
            server.when("case 3", Step(latency_s=WITHIN_S))
        sweep = farm.create(
            Model(provider="ollama", name="mistral", base_url=one.url),
            Model(provider="ollama", name="llama", base_url=other.url),
        )
        with farm.under_way(sweep):
            # Every other question is answered at both, while each still thinks about one.
            wait_until(lambda: [scored for _, scored in farm.states(sweep)] == [29, 29], "both answer")
            one.stop()
            other.stop()


def test_with_patience_only_servers_that_are_all_gone_end_a_run(farm: Farm):
    with OllamaServer(models=["mistral"]) as gone, OllamaServer(models=["llama"], latency_s=0.02) as there:
        sweep = farm.create(
            Model(provider="ollama", name="mistral", base_url=gone.url),
            Model(provider="ollama", name="llama", base_url=there.url),
        )
        gone.stop()
        farm.running.run(sweep.id, patience_s=0.05)
        (first, _), (second, scored) = farm.states(sweep)
        assert (first, second, scored) == (RunState.PAUSED, RunState.FINISHED, 30)
        assert farm.study.unfinished() == [sweep.id], "nobody has to resume it by hand"
        gone.start()
        farm.running.run(sweep.id, patience_s=0.05)
        assert farm.states(sweep) == [(RunState.FINISHED, 30)] * 2


def test_what_was_not_sent_yet_for_a_cancelled_run_never_is(farm: Farm):
    with OllamaServer(models=["mistral"], latency_s=0.3) as server:
        sweep = farm.create(Model(provider="ollama", name="mistral", base_url=server.url))
        with farm.under_way(sweep) as thread:
            wait_until(lambda: len(server.generations) >= 4, "it is asked")
            farm.study.control.cancel(sweep.id)
            thread.join(WITHIN_S)
        # Thirty were prepared; the cancellation is heard within a second, in which four slots ask at most sixteen.
        assert len(server.generations) < 30
        assert farm.states(sweep)[0][0] is RunState.CANCELLED
        farm.study.control.resume(sweep.id)
        farm.running.run(sweep.id)
        assert farm.states(sweep) == [(RunState.FINISHED, 30)]
        # What was under way is ended with the cancellation, and asked again; nothing that was answered is.
        again = [server.times_asked(digest) for digest in {seen.prompt_digest or "" for seen in server.generations}]
        assert set(again) <= {1, 2}
        assert again.count(2) <= 4


class SilentServer:
    """Accepts connections, reads a request, and says nothing; notes when the client is gone."""

    def __init__(self) -> None:
        self.asked, self.gone = Event(), Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with self._socket, self._socket.accept()[0] as connection:
            while b"\r\n\r\n" not in connection.recv(65536):
                pass
            self.asked.set()
            while connection.recv(65536):
                pass
        self.gone.set()


def test_cancelling_ends_the_request_under_way_before_its_first_byte():
    silent, farm = SilentServer(), Farm(questions=1)
    client = OpenAIChatModel(silent.url)
    farm.client = lambda model: client
    farm.study.planner = replace(farm.study.planner, describe=lambda model: ModelInfo(name=model.name))
    sweep = farm.create(Model(provider="openai", name="m", base_url=silent.url))
    with farm.under_way(sweep) as thread:
        assert silent.asked.wait(WITHIN_S)
        farm.study.control.cancel(sweep.id)
        thread.join(WITHIN_S)
        # The server never answers, so only the cancellation can have ended the request.
        assert silent.gone.wait(WITHIN_S)
    assert farm.states(sweep) == [(RunState.CANCELLED, 0)]
    client.close()


def test_pausing_lets_the_request_under_way_be_answered(farm: Farm):
    with OllamaServer(models=["mistral"], latency_s=1.5) as server:
        sweep = farm.create(Model(provider="ollama", name="mistral", base_url=server.url))
        with farm.under_way(sweep) as thread:
            wait_until(lambda: len(server.generations) >= 4, "it is asked")
            farm.study.control.pause(sweep.id)
            thread.join(WITHIN_S)
        farm.study.control.resume(sweep.id)
        server.latency_s = 0.0
        farm.running.run(sweep.id)
        assert {server.times_asked(seen.prompt_digest or "") for seen in server.generations} == {1}


def test_a_model_that_keeps_failing_alike_is_paused_and_the_other_models_go_on(farm: Farm):
    with OllamaServer(models=["mistral"]) as broken, OllamaServer(models=["llama"]) as sound:
        broken.when("in the case", Step(status=400, error="the model is corrupt"), times=None)
        sweep = farm.create(
            Model(provider="ollama", name="mistral", base_url=broken.url),
            Model(provider="ollama", name="llama", base_url=sound.url),
        )
        done = farm.running.run(sweep.id)
        paused, whole = done.runs
        assert (paused.state, paused.held) == (RunState.PAUSED, True)
        assert "Paused after 5 equal failures in a row" in str(paused.reason)
        assert "the model is corrupt" in str(paused.reason)
        assert (whole.state, whole.counts.scored) == (RunState.FINISHED, 30)
        # Four requests were under way beside the fifth failure.
        assert 5 <= paused.counts.failed <= 12
        broken.forget()
        farm.study.control.resume(sweep.id)
        farm.running.run(sweep.id)
        farm.study.control.retry(sweep.id)
        farm.running.run(sweep.id)
        assert farm.states(sweep)[0] == (RunState.FINISHED, 30)
