"""A sweep over several model servers, over real HTTP: what one of them does to the others' runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import Event, Thread

import pytest

from passer.adapters.generators.ollama import OllamaGenerator
from passer.bootstrap.outside import SystemClock
from passer.domain.dataset import Dataset, Question
from passer.domain.retrieval import NormalPolicy
from passer.domain.run import Model, RunConfig, RunState
from passer.domain.sweep import Axes, Sweep
from passer.engines.local import LocalEngine
from passer.engines.retrying import RetryPolicy
from passer.ports import Generator, StoredSweep, Workers
from tests.ollama_server import OllamaServer, Step
from tests.services.study import TEXTS, Study

WITHIN_S = 30.0


def wait_until(holds: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + WITHIN_S
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.01)


class Farm:
    """A study that asks real servers through real clients."""

    def __init__(self, questions: int = 30) -> None:
        self.study = Study()
        many = [
            Question(id=f"q{n}", text=f"{TEXTS[n % 4]} in the case {n}", reference=TEXTS[n % 4])
            for n in range(questions)
        ]
        self.study.store.save_dataset(Dataset(name="farm", questions=tuple(many)))
        self._clients: dict[str | None, OllamaGenerator] = {}
        self.study.sweeping = replace(self.study.sweeping, describe=lambda model: self.client(model).describe(model))
        self.running = replace(self.study.running, engine=self._engine, clock=SystemClock())

    def client(self, model: Model) -> Generator:
        return self._clients.setdefault(model.base_url, OllamaGenerator(str(model.base_url), read_timeout_s=5))

    def _engine(self) -> LocalEngine:
        workers = Workers(generator=self.client, scorer=lambda: self.study.scorer)
        return LocalEngine(lambda: workers, retries=RetryPolicy(attempts=3, base_s=0.01, cap_s=0.05))

    def create(self, *models: Model) -> StoredSweep:
        config = RunConfig(dataset="farm", collection="books")
        axes = Axes(model=models)
        return self.study.sweeping.create(Sweep(name="Farm", config=config, axes=axes, baseline=NormalPolicy(k=2)))

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
            assert run.reason == f"Start the model server at {gone.url}: it does not accept connections."
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
        assert farm.study.store.unfinished() == [sweep.id], "nobody has to resume it by hand"
        gone.start()
        farm.running.run(sweep.id, patience_s=0.05)
        assert farm.states(sweep) == [(RunState.FINISHED, 30)] * 2


def test_what_was_not_sent_yet_for_a_cancelled_run_never_is(farm: Farm):
    with OllamaServer(models=["mistral"], latency_s=0.3) as server:
        sweep = farm.create(Model(provider="ollama", name="mistral", base_url=server.url))
        with farm.under_way(sweep) as thread:
            wait_until(lambda: len(server.generations) >= 4, "it is asked")
            farm.study.steering.cancel(sweep.id)
            thread.join(WITHIN_S)
        # Thirty were prepared; the cancellation is heard within a second, in which four slots ask at most sixteen.
        assert len(server.generations) < 30
        assert farm.states(sweep)[0][0] is RunState.CANCELLED
        farm.study.steering.resume(sweep.id)
        farm.running.run(sweep.id)
        assert farm.states(sweep) == [(RunState.FINISHED, 30)]
        assert {server.times_asked(seen.prompt_digest or "") for seen in server.generations} == {1}
