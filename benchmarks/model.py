"""Sweeps with the built-in language model: what chains save, what sharing does to answers, and what PaSSER adds.

    python -m benchmarks.model [--quick]

12 questions under top-k 10 and six thresholds (3 and shorter passages with --quick). Each way of asking starts with a
fresh model process, and all compare within this one run. The slots of a server with 16 are measured with a scripted
model, because no machine here has them.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from threading import Lock

from benchmarks.report import Figure, report
from passer.adapters.generators.local.models import BUILT_IN, LocalModels
from passer.bootstrap import Services, build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.passages import Chunking
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import Answers, RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.settings import Settings

EXAMPLE = Path(__file__).parents[1] / "datasets" / "organic-farming"
MODEL = Model(provider="local", name=BUILT_IN)
SLOTS = 2
"""Of the built-in model: as many as the machine that the goals were set on has cores."""
MANY_SLOTS = 16
LATENCY_S = 0.1


@dataclass(frozen=True)
class Size:
    """How much is asked."""

    questions: int
    chunk_size: int
    num_ctx: int
    num_predict: int


FULL, QUICK = Size(12, 1024, 4096, 24), Size(3, 192, 2048, 8)


@dataclass
class Recorder:
    """Passes requests on to a model, and keeps them with their replies and times."""

    model: LocalModels | Scripted
    asked: list[tuple[ChatRequest, Completion]] = field(default_factory=list)
    spans: list[tuple[str, float, float]] = field(default_factory=list)
    """Chain, begin and end of each request."""
    lock: Lock = field(default_factory=Lock)

    def complete(self, request: ChatRequest) -> Completion:
        began = time.perf_counter()
        completion = self.model.complete(request)
        with self.lock:
            self.asked.append((request, completion))
            self.spans.append((request.chain.key if request.chain else "", began, time.perf_counter()))
        return completion

    def describe(self, model: Model) -> ModelInfo:
        return self.model.describe(model)

    def models(self) -> list[ModelInfo]:
        return self.model.models()

    @property
    def texts(self) -> dict[str, str]:
        return {request.key: completion.text for request, completion in self.asked}

    @property
    def prompt_tokens(self) -> int:
        return sum(completion.usage.prompt_tokens or 0 for _, completion in self.asked)

    @property
    def read_tokens(self) -> int:
        return self.prompt_tokens - sum(completion.usage.cached_tokens or 0 for _, completion in self.asked)

    @property
    def widest_tokens(self) -> int:
        widest: dict[str, int] = {}
        for request, completion in self.asked:
            assert request.chain is not None
            count = completion.usage.prompt_tokens or 0
            widest[request.chain.key] = max(widest.get(request.chain.key, 0), count)
        return sum(widest.values())


class Scripted:
    """A server with many slots that takes the same time for each answer."""

    def complete(self, request: ChatRequest) -> Completion:
        time.sleep(LATENCY_S)
        return Completion(text="x", finish_reason="stop")

    def describe(self, model: Model) -> ModelInfo:
        return ModelInfo(name=model.name, digest="scripted")

    def models(self) -> list[ModelInfo]:
        return []


class Bench:
    """A home with the example's passages, copied for each sweep."""

    def __init__(self, folder: Path, size: Size) -> None:
        self.size, self._folder, self._homes = size, folder, 0
        self._base = folder / "base"
        services = self._services(self._base, slots=SLOTS)
        chunking = Chunking(chunk_size=size.chunk_size, chunk_overlap=0)
        services.library.document_ingest.ingest_files("farm", [EXAMPLE / "corpus"], chunking=chunking)
        rows = [json.loads(line) for line in (EXAMPLE / "questions.jsonl").read_text().splitlines()]
        asked = [Question(id=str(n), text=row["question"], reference=row["reference"]) for n, row in enumerate(rows)]
        services.adapters.datasets.save_dataset(Dataset(name="farm", questions=tuple(asked)))
        services.close()

    def sweep(self, *, answers: Answers = "fast", scripted: bool = False) -> tuple[float, Recorder]:
        """Run the sweep in a home and a model process of its own; returns its seconds and what was asked."""
        self._homes += 1
        home = self._folder / f"home-{self._homes}"
        shutil.copytree(self._base, home)
        services = self._services(home, slots=MANY_SLOTS if scripted else SLOTS)
        try:
            model = Scripted() if scripted else services.adapters.local_models
            recorder = Recorder(model)
            services.adapters.__dict__["local_models"] = recorder
            wanted = self._wanted(answers, questions=96 if scripted else self.size.questions)
            services.sweeps.preview.preview(wanted)  # retrieval is not what is measured
            stored = services.sweeps.planner.create(wanted)
            if not scripted:
                _warm(recorder.model, self._options, shares=answers == "fast")
            began = time.perf_counter()
            services.sweeps.runner.run(stored.id)
            return time.perf_counter() - began, recorder
        finally:
            services.close()

    def bare(self, requests: Sequence[ChatRequest], ask: Callable[[LocalModels, Sequence[ChatRequest]], None]) -> float:
        """Send requests without PaSSER's pipeline, to a model process of its own; returns the seconds."""
        services = self._services(self._base, slots=SLOTS)
        try:
            _warm(services.adapters.local_models, self._options, shares=True)
            began = time.perf_counter()
            ask(services.adapters.local_models, requests)
            return time.perf_counter() - began
        finally:
            services.close()

    @property
    def _options(self) -> GenerationOptions:
        return GenerationOptions(temperature=0, num_ctx=self.size.num_ctx, num_predict=self.size.num_predict)

    def _wanted(self, answers: Answers, *, questions: int) -> Sweep:
        config = RunConfig(
            dataset="farm", collection="farm", model=MODEL, options=self._options, answers=answers, questions=questions
        )
        thresholds = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
        return Sweep(
            name="chains", config=config, axes=Axes(min_similarity=thresholds), baseline=NormalPolicy(k=10), max_k=10
        )

    def _services(self, home: Path, *, slots: int) -> Services:
        return build_services(Settings(home=home, encoder="none", concurrency=slots))


def _warm(model: LocalModels | Scripted, options: GenerationOptions, *, shares: bool) -> None:
    """Load the model before anything is timed."""
    from passer.domain.models.chat import Message

    messages = (Message(role="user", content="Hello."),)
    short = options.model_copy(update={"num_predict": 1})
    model.complete(ChatRequest(key="warm", messages=messages, model=MODEL, options=short, shares=shares))


def in_any_order(model: LocalModels, requests: Sequence[ChatRequest]) -> None:
    """What a client does that knows nothing of prefixes: any order, any slot."""
    shuffled = random.Random(1).sample([each.model_copy(update={"slot": None}) for each in requests], len(requests))
    with ThreadPoolExecutor(SLOTS) as pool:
        list(pool.map(model.complete, shuffled))


def in_chains(model: LocalModels, requests: Sequence[ChatRequest], *, widest_first: bool = False) -> None:
    """The order of the sweep, by threads that do nothing else."""
    by_chain = sorted(requests, key=lambda each: (each.chain.key, each.chain.place) if each.chain else ("", 0))
    chains = [list(group) for _, group in groupby(by_chain, key=lambda each: each.chain.key if each.chain else "")]
    free = list(range(SLOTS))

    def run(chain: Sequence[ChatRequest]) -> None:
        slot = free.pop()
        for request in reversed(chain) if widest_first else chain:
            model.complete(request.model_copy(update={"slot": slot}))
        free.append(slot)

    with ThreadPoolExecutor(SLOTS) as pool:
        list(pool.map(run, chains))


def busy_share(recorder: Recorder) -> float:
    """Share of the slots' time that is used while a chain waits to be begun."""
    begun = {chain: min(begin for key, begin, _ in recorder.spans if key == chain) for chain, _, _ in recorder.spans}
    first, last = min(begun.values()), max(begun.values())
    used = sum(max(0.0, min(end, last) - max(begin, first)) for _, begin, end in recorder.spans)
    return used / (MANY_SLOTS * (last - first))


def equal_share(one: Recorder, other: Recorder) -> float:
    texts = other.texts
    return sum(texts[key] == text for key, text in one.texts.items()) / len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    size = QUICK if parser.parse_args().quick else FULL
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), size)
        fast_s, fast = bench.sweep()
        again_s, again = bench.sweep()
        whole_s, whole = bench.sweep(answers="repeatable")
        _, repeated = bench.sweep(answers="repeatable")
        requests = [request for request, _ in fast.asked]
        random_s = bench.bare(requests, in_any_order)
        bare_s = min(bench.bare(requests, in_chains) for _ in range(2))
        widest_s = bench.bare(requests, lambda model, given: in_chains(model, given, widest_first=True))
        _, many = bench.sweep(scripted=True)
    sweep_s = min(fast_s, again_s)
    # The quick form may miss the speeds: its prompts have less than twice the tokens that are read.
    print(f"{len(requests)} distinct prompts of {size.questions} questions, {fast.prompt_tokens} tokens")
    report(
        "model",
        {
            "tokens_read_vs_widest": Figure(fast.read_tokens / fast.widest_tokens, "lower", "ratio", 1.05),
            "tokens_in_prompts_vs_read": Figure(fast.prompt_tokens / fast.read_tokens, "higher", "ratio"),
            "speed_vs_repeatable": Figure(whole_s / sweep_s, "higher", "ratio", 2.0),
            "speed_vs_any_order": Figure(random_s / sweep_s, "higher", "ratio", 1.3),
            "narrowest_vs_widest_first": Figure(widest_s / bare_s, "higher", "ratio"),
            "rate_vs_bare_client": Figure(bare_s / sweep_s, "higher", "ratio", 0.95),
            "repeatable_equal_texts": Figure(equal_share(whole, repeated), "higher", "share", 1.0),
            "fast_equal_texts": Figure(equal_share(fast, again), "higher", "share"),
            "slots_busy_16": Figure(busy_share(many), "higher", "share", 0.95),
            "sweep_seconds": Figure(sweep_s, "lower", "s"),
        },
    )


if __name__ == "__main__":
    main()
