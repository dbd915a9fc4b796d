"""A sweep against a model server of 200 ms and 16 slots, in a process of its own: how much of its speed is used."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from benchmarks.report import Figure
from passer.bootstrap import Services, build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes, threshold_range
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.ports import StoredSweep
from passer.settings import NO_ENCODER, Settings

LATENCY_S = 0.2
SLOTS = 16
IDEAL_PER_S = SLOTS / LATENCY_S
EXAMPLE = "organic-farming"
MODELS = ("mistral:latest", "llama3.1:8b", "granite3.2:8b", "deepseek-r1:8b")
EMBEDDING = "nomic-embed-text:latest"


@contextmanager
def model_server(*, latency_s: float = LATENCY_S, slots: int = SLOTS) -> Iterator[str]:
    """Its address."""
    arguments = ["--port", "0", "--latency", str(latency_s), "--slots", str(slots)]
    known = [argument for name in (*MODELS, EMBEDDING) for argument in ("--model", name)]
    command = [sys.executable, "-m", "tests.ollama_server", *arguments, *known]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None, "the scripted server does not start"
        yield found[0]
    finally:
        process.kill()
        process.wait()


@contextmanager
def services(url: str, *, encoder: str | None = NO_ENCODER, scoring_processes: int = 0) -> Iterator[Services]:
    """A home of its own, text-only metrics unless an encoder is given, embeddings by the server."""
    with tempfile.TemporaryDirectory() as home:
        built = build_services(
            Settings(
                home=Path(home),
                encoder=encoder,
                embedding=f"ollama/{EMBEDDING}",
                concurrency=SLOTS,
                scoring_processes=scoring_processes,
                PASSER_OLLAMA_URL=url,
            )
        )
        try:
            built.library.examples.load(EXAMPLE)
            yield built
        finally:
            built.close()


def many_questions(built: Services, count: int) -> None:
    """The example's questions again and again, each with a number, so that no two prompts or scored pairs are equal."""
    own = built.adapters.datasets.load_dataset(EXAMPLE).questions
    questions = [
        Question(id=f"q{n}", text=f"{own[n % len(own)].text} ({n})", reference=f"{own[n % len(own)].reference} ({n})")
        for n in range(count)
    ]
    built.adapters.datasets.save_dataset(Dataset(name="many", questions=tuple(questions)))


def config(dataset: str, *, seed: int) -> RunConfig:
    made = RunConfig(dataset=dataset, collection=EXAMPLE, model=Model(provider="ollama", name=MODELS[0]))
    # The lowest thresholds keep passages of more tokens than the default window has room for.
    return made.model_copy(update={"options": made.options.model_copy(update={"seed": seed, "num_ctx": 32_768})})


def timed(built: Services, wanted: Sweep) -> tuple[float, StoredSweep]:
    """Seconds of a sweep without its retrieval, which a preview has done before, and the sweep."""
    built.sweeps.preview.preview(wanted)
    stored = built.sweeps.planner.create(wanted)
    began = perf_counter()
    done = built.sweeps.runner.run(stored.id)
    total_s = perf_counter() - began
    assert all(run.counts.scored == done.questions for run in done.runs)
    return total_s, done


def share_of_ideal(built: Services, questions: int) -> float:
    """Evaluations per second, scored along the way, against 80 per second; four models, as a study has.

    From the first question that is asked to the last record that is made, in a process that has scored before: loading
    the libraries of the metrics belongs to a process and not to a sweep.
    """
    timed(built, Sweep(name="Warm", config=config(EXAMPLE, seed=2)))
    many_questions(built, questions // len(MODELS))
    one = config("many", seed=1).model_copy(update={"retrieval": NormalPolicy(k=3)})
    axes = Axes(model=tuple(Model(provider="ollama", name=name) for name in MODELS))
    seconds, done = timed(built, Sweep(name="Slots", config=one, axes=axes))
    return done.questions * len(MODELS) / seconds / IDEAL_PER_S


def all24_vs_limit(url: str, questions: int) -> float:
    """Evaluations per second with all 24 columns, against the lower of the server's 80 and of scoring alone.

    The sweep is scored in a process of its own, as docs/scaling.md advises. The same pairs are scored alone, on the
    same cores, by a scorer that has not seen them.
    """
    with services(url, encoder=None, scoring_processes=1) as built:
        timed(built, Sweep(name="Warm", config=config(EXAMPLE, seed=2)))
        many_questions(built, questions)
        one = config("many", seed=1).model_copy(update={"retrieval": NormalPolicy(k=3)})
        seconds, done = timed(built, Sweep(name="All 24", config=one))
        pairs = _pairs(built, done)
    with services(url, encoder=None) as built:
        built.pipeline.scorer.score([("One text.", "Another text.")], profile="standard")
        began = perf_counter()
        built.pipeline.scorer.score(pairs, profile="standard")
        alone = len(pairs) / (perf_counter() - began)
    return done.questions / seconds / min(IDEAL_PER_S, alone)


def _pairs(built: Services, done: StoredSweep) -> list[tuple[str, str]]:
    references = {each.id: each.reference or "" for each in built.adapters.datasets.load_dataset("many").questions}
    asked = [each for run in done.runs for each in built.adapters.evaluations.evaluations(run.id)]
    answers = built.adapters.evaluations.answers([each.answer_key for each in asked if each.answer_key])
    return [(references[each.question_id], answers[each.answer_key].text) for each in asked if each.answer_key]


def ten_thresholds(built: Services, questions: int) -> float:
    """Seconds of one sweep of ten thresholds, against ten sweeps of one times the share of distinct prompts."""
    own = built.adapters.datasets.load_dataset(EXAMPLE).questions
    built.adapters.datasets.save_dataset(Dataset(name="few", questions=own[:questions]))
    thresholds = threshold_range(start=0.05, stop=0.50, step=0.05)
    naive_s = 0.0
    for place, threshold in enumerate(thresholds):
        alone = Sweep(name="Alone", config=config("few", seed=100 + place), axes=Axes(min_similarity=(threshold,)))
        naive_s += timed(built, alone)[0]
    together = Sweep(name="Together", config=config("few", seed=99), axes=Axes(min_similarity=thresholds))
    seconds, done = timed(built, together)
    savings = built.sweeps.planner.savings(done).generations
    return seconds / (naive_s * savings.made / savings.naive)


def figures(*, quick: bool) -> dict[str, Figure]:
    with model_server() as url, services(url) as built:
        # The first answer and the records at the end take as long in a short sweep as in a long one.
        share = share_of_ideal(built, 960 if quick else 2400)
        ratio = ten_thresholds(built, 32 if quick else 70)
        all24 = all24_vs_limit(url, 240 if quick else 1200)
    return {
        "slots16_vs_ideal": Figure(share, "higher", "ratio", 0.95),
        "all24_vs_limit": Figure(all24, "higher", "ratio", 0.95),
        "ten_thresholds_vs_naive": Figure(ratio, "lower", "ratio", 1.05),
    }
