"""50,000 evaluations: what they take of memory while they run, and how soon the API shows them.

python -m benchmarks.running.large memory EVALUATIONS     (a process of its own: its peak is what is measured)
python -m benchmarks.running.large api EVALUATIONS
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import ClassVar

from benchmarks.report import Figure
from benchmarks.running.scripted import EMBEDDING, EXAMPLE, MODELS, model_server
from passer.bootstrap import Services, build_services
from passer.domain.base import digest_of
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer, Prompt
from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NoRetrievalPolicy
from passer.domain.score import VECTOR_ORDER, Score, Scores, VectorProfile
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import Evaluation, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.engines.local import LocalEngine
from passer.ports import AnswerFact, EvaluationFact, Fact, PairFact, PromptFact, Workers
from passer.settings import Settings

CONFIGURATIONS = 20
REQUESTS_EACH = 100
COMMITTED_TOGETHER = 1000
API = "http://127.0.0.1:8000"
# The name is all that is used of the model.
MANY = RunConfig(dataset="many", collection=EXAMPLE, model=Model(provider="ollama", name=MODELS[0]))


class AtOnce:
    """A model that answers at once with the end of its prompt."""

    def complete(self, request: ChatRequest) -> Completion:
        return Completion(text=request.messages[-1].content[-300:].strip(), finish_reason="stop")

    def describe(self, model: Model) -> ModelInfo:
        return ModelInfo(name=model.name, digest="at once")

    def models(self) -> list[ModelInfo]:
        return []


class Lengths:
    """A scorer that takes no time, with a number in each column."""

    identity: ClassVar[dict[str, str]] = {"scorer": "lengths"}

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = "en") -> list[Scores]:
        return [lengths(reference, answer) for reference, answer in pairs]


def lengths(reference: str, answer: str) -> Scores:
    share = len(reference) / (1 + len(reference) + len(answer))
    return {column: Score(value=share + place / 100) for place, column in enumerate(VECTOR_ORDER)}


def questions(built: Services, count: int) -> tuple[Question, ...]:
    own = built.adapters.datasets.load_dataset(EXAMPLE).questions
    return tuple(
        Question(id=f"q{n}", text=f"{own[n % len(own)].text} ({n})", reference=own[n % len(own)].reference)
        for n in range(count)
    )


def settings(home: str, url: str) -> Settings:
    return Settings(home=Path(home), encoder="none", embedding=f"ollama/{EMBEDDING}", PASSER_OLLAMA_URL=url)


def peak_mb(evaluations: int) -> float:
    """Most memory of a process that runs a sweep of so many evaluations, without an encoder; in MB."""
    with tempfile.TemporaryDirectory() as home, model_server(latency_s=0) as url:
        built = build_services(settings(home, url))
        built.library.examples.load(EXAMPLE)
        many = Dataset(name="many", questions=questions(built, evaluations // CONFIGURATIONS))
        built.adapters.datasets.save_dataset(many)
        wanted = Sweep(name="Many", config=MANY, axes=Axes(k=tuple(range(1, 21))))
        stored = replace(built.sweeps.planner, scored_by=lambda: Lengths.identity).create(wanted)
        model, scorer = AtOnce(), Lengths()
        engine = partial(LocalEngine, lambda: Workers(lambda _: model, lambda: scorer), per_endpoint=16)
        done = replace(built.sweeps.runner, scorer=scorer, engine=engine).run(stored.id)
        assert sum(run.counts.scored for run in done.runs) == evaluations
        built.close()
    return own_peak_mb()


def own_peak_mb() -> float:
    """Most memory that this process has had. `ru_maxrss` will not do: it begins with that of the process before."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 1024


def filled(built: Services, evaluations: int) -> str:
    """A finished run of so many evaluations, written fact by fact as a run writes them; its id."""
    asked = questions(built, evaluations)
    built.adapters.datasets.save_dataset(Dataset(name="many", questions=asked))
    config = MANY.model_copy(update={"retrieval": NoRetrievalPolicy()})
    stored = replace(built.sweeps.planner, scored_by=lambda: Lengths.identity).create(Sweep(name="Many", config=config))
    run = stored.runs[0]
    for start in range(0, evaluations, COMMITTED_TOGETHER):
        facts: list[Fact] = []
        for number, question in enumerate(asked[start : start + COMMITTED_TOGETHER], start=start):
            message = Message(role="user", content=f"Passages:\n{question.reference * 5}\n\nQuestion: {question.text}")
            prompt = Prompt(template="default", template_digest="0" * 64, messages=(message,))
            text = f"{question.reference} ({number})"
            answer = Answer(key=digest_of(text), text=text, raw=text)
            pair = digest_of([question.reference, text])
            evaluation = Evaluation(
                run_id=run.id, number=number, question_id=question.id, state="scored", prompt_digest=prompt.digest,
                answer_key=answer.key, pair_key=pair,
            )  # fmt: skip
            facts += [PromptFact(prompt), AnswerFact(answer), PairFact(pair, lengths(question.reference, text), 0.001)]
            facts.append(EvaluationFact(evaluation))
        built.adapters.evaluations.record(facts)
    built.adapters.runs.set_state([run.id], RunState.FINISHED)
    return run.id


def paths(run_id: str, evaluations: int) -> dict[str, list[str]]:
    """What a person asks for who lists, filters and opens: each kind with its addresses."""
    base, sweep = f"/api/v1/runs/{run_id}", run_id.rpartition("-")[0]
    places = [place * evaluations // REQUESTS_EACH for place in range(REQUESTS_EACH)]
    return {
        "list sweeps": ["/api/v1/sweeps?limit=50"] * REQUESTS_EACH,
        "list runs": ["/api/v1/runs?limit=50"] * REQUESTS_EACH,
        "filter runs": ["/api/v1/runs?datasets=many&states=finished&find=many&limit=50"] * REQUESTS_EACH,
        "open the sweep": [f"/api/v1/sweeps/{sweep}"] * REQUESTS_EACH,
        "open the run": [base] * REQUESTS_EACH,
        "page of questions": [f"{base}/evaluations?after={place - 1}&limit=50" for place in places],
        "open a question": [f"{base}/evaluations/{place}" for place in places],
    }


def api_ms(evaluations: int) -> dict[str, float]:
    """95th percentile of each kind of request, in milliseconds, over HTTP in the process."""
    from fastapi.testclient import TestClient

    from passer.api.app import create_app

    found = {}
    with tempfile.TemporaryDirectory() as home, model_server(latency_s=0) as url:
        built = build_services(settings(home, url))
        built.library.examples.load(EXAMPLE)
        run_id = filled(built, evaluations)
        with TestClient(create_app(built), base_url=API) as client:
            for kind, addresses in paths(run_id, evaluations).items():
                took = []
                for address in addresses:
                    began = perf_counter()
                    answer = client.get(address)
                    took.append(1000 * (perf_counter() - began))
                    assert answer.status_code == 200, (address, answer.text)
                found[kind] = quantiles(took, n=20)[-1]
    return found


def _elsewhere(part: str, evaluations: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.running.large", part, str(evaluations)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


def figures(*, quick: bool) -> dict[str, Figure]:
    evaluations = 2_000 if quick else 50_000
    peak = _elsewhere("memory", evaluations)["peak"]
    shown = _elsewhere("api", evaluations)
    for kind, ms in shown.items():
        print(f"  {kind}: {ms:.1f} ms")
    return {
        "memory_50k_mb": Figure(peak, "lower", "MB", 600),
        "api_p95_ms": Figure(max(shown.values()), "lower", "ms", 150),
    }


def main() -> None:
    logging.disable(logging.WARNING)
    part, evaluations = sys.argv[1], int(sys.argv[2])
    print(json.dumps({"peak": peak_mb(evaluations)} if part == "memory" else api_ms(evaluations)))


if __name__ == "__main__":
    main()
