"""What goes wrong with single replies: the run ends finished, with counts and reasons, and all else is scored."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from threading import Event, Thread

import pytest

from passer.adapters.generators.ollama import OllamaGenerator
from passer.bootstrap import Services, build_services
from passer.domain.analysis.choices import SweepChoices
from passer.domain.answer import Answer
from passer.domain.dataset import Dataset, Question
from passer.domain.retrieval import NormalPolicy
from passer.domain.run import Evaluation, GenerationOptions, Model, Run, RunConfig, RunState
from passer.domain.sweep import Axes, Sweep
from passer.engines.local import LocalEngine
from passer.engines.retrying import RetryPolicy
from passer.errors import ModelNotFoundError
from passer.ports import StoredSweep, Workers
from passer.settings import Settings
from tests.ollama_server import OllamaServer, Step

MISTRAL, LLAMA = (Model(provider="ollama", name=name) for name in ("mistral:latest", "llama3.1:8b"))
CROPS = ("clover", "copper", "bees", "hens", "compost", "rotation", "vines", "seed")
HIT = 3
"""Place of the question that the fault befalls."""
SILENCE_S = 0.3
"""Read time-out where silence is the fault."""
RETRIES = RetryPolicy(base_s=0.01, cap_s=0.05)
"""The number of attempts is that of every run; only the waits are shorter."""
WITHIN_S = 60.0


@dataclass(frozen=True)
class Farm:
    """One collection over the scripted server; each sweep has questions of its own."""

    services: Services
    server: OllamaServer

    def sweep(self, name: str, *, models: tuple[Model, ...] = (), **options: int) -> StoredSweep:
        """Two thresholds and the baseline over eight questions."""
        asked = [
            Question(id=f"q{n}", text=text(name, n), reference=f"The rule for {crop} is {n}.")
            for n, crop in enumerate(CROPS)
        ]
        self.services.datasets.save_dataset(Dataset(name=name, questions=tuple(asked)))
        config = RunConfig(dataset=name, collection="farm", model=MISTRAL, options=GenerationOptions(**options))
        axes = Axes(min_similarity=(0.1, 0.2), model=models)
        return self.services.sweeping.create(Sweep(name=name, config=config, axes=axes, baseline=NormalPolicy(k=4)))

    def befalls(self, name: str, step: Step, *, times: int | None = None) -> None:
        """What happens to the one question of that sweep, whatever passages stand before it."""
        self.server.when(f"Question: {text(name, HIT)}", step, times=times)

    def run(self, sweep: StoredSweep, *, stop: Event | None = None, silence_s: float = WITHIN_S) -> StoredSweep:
        """To its end, with the waits of RETRIES; a server that is silent for longer than `silence_s` timed out."""
        with closing(OllamaGenerator(self.server.url, read_timeout_s=silence_s)) as generator:
            workers = Workers(generator=lambda model: generator, scorer=lambda: self.services.scoring)
            engine = partial(LocalEngine, lambda: workers, retries=RETRIES)
            return replace(self.services.running, engine=engine).run(sweep.id, stop=stop)

    @contextmanager
    def under_way(self, sweep: StoredSweep) -> Iterator[Thread]:
        """The sweep in a thread of its own, which is over at the end whatever happens."""
        stop = Event()
        thread = Thread(target=partial(self.run, sweep, stop=stop))
        thread.start()
        try:
            yield thread
        finally:
            stop.set()
            thread.join(WITHIN_S)
            assert not thread.is_alive()

    def now(self, sweep: StoredSweep) -> StoredSweep:
        return self.services.runs.load_sweep(sweep.id)

    def evaluations(self, run: Run) -> list[Evaluation]:
        return self.services.evaluations.evaluations(run.id)

    def answer(self, evaluation: Evaluation) -> Answer:
        return self.services.evaluations.answers([evaluation.answer_key or ""])[evaluation.answer_key or ""]

    def times_asked(self, name: str, *, hit: bool) -> Counter[int]:
        """How many prompts came in how often: those of the one question, or all others."""
        prompts = Counter(
            seen.prompt_digest
            for seen in self.server.generations
            if f"in the case of {name}" in str(seen.body) and (text(name, HIT) in str(seen.body)) is hit
        )
        return Counter(prompts.values())


def text(name: str, number: int) -> str:
    return f"What is the rule for {CROPS[number]} in the case of {name}?"


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    home = tmp_path_factory.mktemp("home")
    with OllamaServer() as server:
        services = build_services(Settings(home=home, PASSER_OLLAMA_URL=server.url))
        documents = [
            (f"{crop}.txt", f"{crop.title()} on an organic farm. The rule for {crop} is {n}.".encode())
            for n, crop in enumerate(CROPS)
        ]
        services.ingesting.ingest_sources("farm", documents)
        yield Farm(services, server)
        services.close()


@pytest.fixture(autouse=True)
def no_faults_left(farm: Farm) -> Iterator[None]:
    yield
    farm.server.forget()
    farm.server.latency_s = 0.0


def wait_until(holds: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + WITHIN_S
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.01)


def check_counts(sweep: StoredSweep, **expected: int) -> None:
    """Every run is finished without a reason, and has these counts."""
    assert [(run.state, run.reason) for run in sweep.runs] == [(RunState.FINISHED, None)] * len(sweep.runs)
    named = [{name: getattr(run.counts, name) for name in expected} for run in sweep.runs]
    assert named == [expected] * len(sweep.runs)


FOR_GOOD = {
    "cut_json": (Step(fault="cut_json"), 7, "its reply cannot be read"),
    "no_json": (Step(fault="malformed"), 7, "its reply cannot be read"),
    "early_end": (Step(fault="ends_early"), 7, "the reply ended before it was complete"),
    "reset_midway": (Step(fault="reset"), 7, "the connection was lost before the reply was complete"),
    "crash_midway": (Step(fault="error_in_stream"), 7, "the model failed while it answered"),
    "silence": (Step(fault="hang"), 7, "was silent for too long"),
    "status_500": (Step(status=500), 7, r"it failed \(500: llama runner process has terminated"),
    "status_404": (Step(status=404, error="model not found"), 1, "Run `ollama pull mistral:latest` on http://127"),
    "too_long": (Step(status=400, error="input exceeds the context length"), 1, "Keep fewer passages or raise num_ctx"),
}
"""Faults that do not go away: how often each prompt is asked, and what its question says then."""


@pytest.mark.parametrize("name", FOR_GOOD)
def test_a_fault_that_stays_costs_its_own_question_alone_until_it_is_retried(farm: Farm, name: str):
    step, attempts, reason = FOR_GOOD[name]
    sweep = farm.sweep(name)
    farm.befalls(name, step)
    done = farm.run(sweep, silence_s=SILENCE_S if step.fault == "hang" else WITHIN_S)
    check_counts(done, questions=8, answered=7, scored=7, failed=1)
    for run in done.runs:
        failed = farm.evaluations(run)[HIT]
        assert (failed.state, failed.answer_key, failed.scores) == ("failed", None, None)
        assert re.search(reason, failed.reason or "")
    prompts = farm.times_asked(name, hit=True).total()
    assert farm.times_asked(name, hit=True) == {attempts: prompts}
    assert set(farm.times_asked(name, hit=False)) == {1}
    analysis = farm.services.comparing.analyse(sweep.id)
    assert [(item.n_failed, item.excluded) for item in analysis.configurations] == [(1, {"generation_failed": 1})] * 3

    farm.server.forget()
    farm.services.steering.retry(sweep.id)
    check_counts(farm.run(sweep), questions=8, answered=8, scored=8, failed=0)
    assert farm.times_asked(name, hit=True) == {attempts + 1: prompts}
    assert set(farm.times_asked(name, hit=False)) == {1}


PASSING = {
    "five_times_500": (Step(status=500), 5),
    "429_with_seconds": (Step(status=429, retry_after="1"), 2),
    "429_with_a_date": (Step(status=429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), 4),
    "twice_503": (Step(status=503), 2),
    "one_reset": (Step(fault="reset_at_once"), 1),
    "one_cut": (Step(fault="cut_json"), 1),
}
"""Faults that go away, and after how many."""


@pytest.mark.parametrize("name", PASSING)
def test_a_fault_that_goes_away_costs_nothing_but_the_attempts(farm: Farm, name: str):
    step, times = PASSING[name]
    sweep = farm.sweep(name)
    farm.befalls(name, step, times=times)
    check_counts(farm.run(sweep), questions=8, answered=8, scored=8, failed=0)
    asked = farm.times_asked(name, hit=True)
    assert sum(each * prompts for each, prompts in asked.items()) == asked.total() + times
    assert set(farm.times_asked(name, hit=False)) == {1}


def test_an_empty_reply_is_asked_for_again_and_then_an_answer_that_says_so(farm: Farm):
    sweep = farm.sweep("nothing")
    farm.befalls("nothing", Step(reply=""))
    done = farm.run(sweep)
    check_counts(done, questions=8, answered=8, scored=8, failed=0)
    for run in done.runs:
        empty = farm.evaluations(run)[HIT]
        answer = farm.answer(empty)
        assert (empty.state, answer.text, answer.reason) == ("scored", "", "empty_answer")
        assert (empty.scores or {})["METEOR"].reason == "empty_answer"
    assert set(farm.times_asked("nothing", hit=True)) == {RETRIES.empty_attempts}
    assert set(farm.times_asked("nothing", hit=False)) == {1}


def test_a_first_token_that_takes_long_holds_up_its_own_question_alone(farm: Farm):
    before: list[int] = []

    def reply(prompt: str) -> str:
        if text("slow", HIT) in prompt:
            before.append(farm.times_asked("slow", hit=False).total())
        return "Hens live for long."

    sweep = farm.sweep("slow")
    # At most three of the four slots wait for it.
    farm.befalls("slow", Step(latency_s=2.0))
    farm.server.reply, usual = reply, farm.server.reply
    try:
        check_counts(farm.run(sweep), questions=8, answered=8, scored=8, failed=0)
    finally:
        farm.server.reply = usual
    others = farm.times_asked("slow", hit=False)
    assert before == [others.total()] * farm.times_asked("slow", hit=True).total(), "all others were asked meanwhile"
    assert set(others) | set(farm.times_asked("slow", hit=True)) == {1}


CUT = {
    "long_answer": (Step(reply="and so on " * 100), "answer", {"num_predict": 60}),
    "long_prompt": (Step(prompt_tokens=4096), "prompt", {"num_ctx": 4096}),
}
"""What is cut, by what the server says of it."""


@pytest.mark.parametrize("name", CUT)
def test_what_was_cut_is_flagged_counted_and_kept_or_left_out_by_choice(farm: Farm, name: str):
    step, part, options = CUT[name]
    sweep = farm.sweep(name, **options)
    farm.befalls(name, step)
    done = farm.run(sweep)
    check_counts(done, questions=8, answered=8, scored=8, failed=0, truncated=1)
    for run in done.runs:
        cut = [farm.answer(evaluation).truncated for evaluation in farm.evaluations(run)]
        assert cut == [part if number == HIT else None for number in range(8)]
    assert set(farm.times_asked(name, hit=True)) | set(farm.times_asked(name, hit=False)) == {1}

    def found(choices: SweepChoices) -> list[tuple[int, int, dict[str, int]]]:
        analysis = farm.services.comparing.analyse(sweep.id, choices)
        return [(item.n, item.n_truncated, item.excluded) for item in analysis.configurations]

    assert found(SweepChoices(truncated="keep")) == [(8, 1, {})] * 3
    assert found(SweepChoices(truncated="exclude")) == [(7, 1, {"truncated": 1})] * 3


def test_a_model_that_is_gone_says_which_pull_brings_it_back_and_the_other_model_goes_on(farm: Farm):
    sweep = farm.sweep("gone", models=(MISTRAL, LLAMA))
    pulled = farm.server.known.pop(LLAMA.name)
    done = farm.run(sweep)
    of_llama = [run for run in done.runs if run.config.model.name == LLAMA.name]
    assert [run.counts.failed for run in done.runs] == [8 if run in of_llama else 0 for run in done.runs]
    assert [run.counts.scored for run in done.runs] == [0 if run in of_llama else 8 for run in done.runs]
    assert {run.state for run in done.runs} == {RunState.FINISHED}
    reasons = {evaluation.reason for run in of_llama for evaluation in farm.evaluations(run)}
    assert reasons == {f"Run `ollama pull {LLAMA.name}` on {farm.server.url}: it does not have the model."}

    farm.server.known[LLAMA.name] = pulled
    farm.services.steering.retry(sweep.id)
    check_counts(farm.run(sweep), questions=8, answered=8, scored=8, failed=0)
    assert {*farm.times_asked("gone", hit=True), *farm.times_asked("gone", hit=False)} == {2}, "once by each model"


def test_a_model_that_never_was_there_is_refused_before_anything_is_asked(farm: Farm):
    with pytest.raises(ModelNotFoundError, match="Run `ollama pull qwen3:8b` on http://127"):
        farm.sweep("never", models=(MISTRAL, Model(provider="ollama", name="qwen3:8b")))
    assert not farm.times_asked("never", hit=False)


def test_a_server_that_refuses_connections_is_waited_for(farm: Farm):
    sweep = farm.sweep("refused")
    farm.server.latency_s = 30.0
    with farm.under_way(sweep) as thread:
        wait_until(lambda: len(farm.times_asked("refused", hit=False)) > 0, "it is asked")
        farm.server.stop()
        try:
            wait_until(lambda: {run.state for run in farm.now(sweep).runs} == {RunState.PAUSED}, "it is paused")
            said = {run.reason for run in farm.now(sweep).runs}
            assert said == {f"Start the model server at {farm.server.url}: it does not accept connections."}
        finally:
            farm.server.latency_s = 0.0
            farm.server.start()
        thread.join(WITHIN_S)
    check_counts(farm.now(sweep), questions=8, answered=8, scored=8, failed=0)
    # What was under way when it stopped was cut, and is asked once more.
    assert {*farm.times_asked("refused", hit=True), *farm.times_asked("refused", hit=False)} <= {1, 2}
