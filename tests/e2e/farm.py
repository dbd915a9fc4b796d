"""A small sweep over the scripted server, in which one question of eight can be befallen by a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from threading import Event, Thread

from passer.adapters.generators.ollama import OllamaChatModel
from passer.bootstrap import Services
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import Evaluation, Run, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.engines.attempts import RetryPolicy
from passer.engines.local import LocalEngine
from passer.ports import StoredSweep, Workers
from tests.ollama_server import OllamaServer, Step

MISTRAL, LLAMA = (Model(provider="ollama", name=name) for name in ("mistral:latest", "llama3.1:8b"))
CROPS = ("clover", "copper", "bees", "hens", "compost", "rotation", "vines", "seed")
HIT = 3
"""Place of the question that `script_question` gives a fault."""
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
        self.services.adapters.datasets.save_dataset(Dataset(name=name, questions=tuple(asked)))
        config = RunConfig(dataset=name, collection="farm", model=MISTRAL, options=GenerationOptions(**options))
        axes = Axes(min_similarity=(0.1, 0.2), model=models)
        return self.services.sweeps.planner.create(
            Sweep(name=name, config=config, axes=axes, baseline=NormalPolicy(k=4))
        )

    def script_question(self, name: str, step: Step, *, times: int | None = None) -> None:
        """Script the reply to the one question of that sweep, with any passages in the prompt."""
        self.server.when(f"Question: {text(name, HIT)}", step, times=times)

    def run(self, sweep: StoredSweep, *, stop: Event | None = None, silence_s: float = WITHIN_S) -> StoredSweep:
        """To its end, with the waits of RETRIES; a server that is silent for longer than `silence_s` timed out."""
        with closing(OllamaChatModel(self.server.url, first_byte_timeout_s=silence_s)) as client:
            workers = Workers(chat_model=lambda model: client, scorer=lambda: self.services.pipeline.scorer)
            engine = partial(LocalEngine, lambda: workers, retries=RETRIES)
            return replace(self.services.sweeps.runner, engine=engine).run(sweep.id, stop=stop)

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
        return self.services.adapters.runs.load_sweep(sweep.id)

    def evaluations(self, run: Run) -> list[Evaluation]:
        return self.services.adapters.evaluations.evaluations(run.id)

    def answer(self, evaluation: Evaluation) -> Answer:
        return self.services.adapters.evaluations.answers([evaluation.answer_key or ""])[evaluation.answer_key or ""]

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


def check_counts(sweep: StoredSweep, **expected: int) -> None:
    """Every run is finished without a reason, and has these counts."""
    assert [(run.state, run.reason) for run in sweep.runs] == [(RunState.FINISHED, None)] * len(sweep.runs)
    named = [{name: getattr(run.counts, name) for name in expected} for run in sweep.runs]
    assert named == [expected] * len(sweep.runs)
