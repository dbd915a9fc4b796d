"""The browser application over a large database: how soon its pages answer, and what they take.

    python -m benchmarks.frontend [--quick]

A real server on a database with two sweeps of 50,000 evaluations each (25 runs of 2,000 questions, 2 runs of 25,000),
looked at by a real browser (frontend/scripts/measure.mjs). Nothing is generated: the store is filled directly.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks.report import Figure, report
from passer.bootstrap import Services, build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.passages import Passage, Ranking, RetrievedPassage
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import VECTOR_ORDER, Score
from passer.domain.sweeps.run import Evaluation, Run, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.ports import AnswerFact, EvaluationFact, Fact, PairFact, RankingFact, StoredSweep
from passer.settings import Settings

ROOT = Path(__file__).parents[1]
WIDE, LONG = "00000000wide", "00000000long"
"""Ids of the sweep of many runs, and of the one of many questions."""
PASSAGES, RANKED = 400, 30
STARTS_WITHIN_S = 60.0
TEXT = "Compost returns carbon to the soil, and clover binds nitrogen from the air. " * 4


def fill(services: Services, sweep: str, *, runs: int, questions: int) -> None:
    """One finished sweep, as a real one leaves it."""
    rng = np.random.default_rng(1)
    dataset = Dataset(
        name=sweep,
        language="en",
        questions=tuple(
            Question(id=f"q{n}", text=f"What does source {n} say of soil?", reference=TEXT) for n in range(questions)
        ),
    )
    services.adapters.datasets.save_dataset(dataset)
    services.adapters.runs.create_sweep(_sweep(sweep, dataset, runs))
    _record(services, _rankings(rng, sweep, questions))
    for number in range(runs):
        _record(services, _evaluated(rng, _run_id(sweep, number), 0.5 + number / 500, questions))
        services.adapters.runs.set_state([_run_id(sweep, number)], RunState.FINISHED)
        print(f"filled run {number + 1} of {runs} of {sweep}", file=sys.stderr)


def _run_id(sweep: str, number: int) -> str:
    return f"{sweep}-{number:03d}"


def _sweep(sweep: str, dataset: Dataset, runs: int) -> StoredSweep:
    config = RunConfig(dataset=dataset.name, collection="bench")
    now = datetime.now(UTC)
    policies: list[NormalPolicy | ScorePolicy] = [
        NormalPolicy(k=10),
        *(ScorePolicy(min_similarity=0.02 * (n + 1)) for n in range(runs - 1)),
    ]
    made = [
        Run(
            id=_run_id(sweep, number),
            sweep_id=sweep,
            position=number,
            name=policy.label if sweep == WIDE else f"Long {number + 1}",
            config=config.model_copy(update={"retrieval": policy}),
            is_baseline=number == 0,
            scored_by={"encoder": "bench"},
            created_at=now,
        )
        for number, policy in enumerate(policies)
    ]
    return StoredSweep(
        id=sweep,
        sweep=Sweep(name=f"Benchmark, {sweep}", config=config),
        dataset_digest=dataset.digest,
        questions=len(dataset.questions),
        runs=tuple(made),
        created_at=now,
    )


def _rankings(rng: np.random.Generator, sweep: str, questions: int) -> Iterator[Fact]:
    passages = [
        Passage(id=f"p{n:05d}", document=f"{n // 20}.md", number=n % 20, text=f"{n}. {TEXT}", start=0, end=len(TEXT))
        for n in range(PASSAGES)
    ]
    for number in range(questions):
        near = np.sort(rng.uniform(0, 0.9, RANKED))[::-1]
        chosen = rng.choice(PASSAGES, RANKED, replace=False)
        listed = tuple(
            RetrievedPassage(**passages[place].model_dump(), rank=rank, similarity=float(similarity))
            for rank, (place, similarity) in enumerate(zip(chosen, near, strict=True), start=1)
        )
        yield RankingFact(sweep, RankedBy("bench"), f"q{number}", Ranking(passages=listed))


def _evaluated(rng: np.random.Generator, run: str, mean: float, questions: int) -> Iterator[Fact]:
    values = np.clip(rng.normal(mean, 0.15, (questions, len(VECTOR_ORDER))), 0, 1)
    for number, row in enumerate(values):
        key = f"{run:0>32}{number:032d}"
        text = f"Answer {number} of run {run}. {TEXT}"
        yield AnswerFact(Answer(key=key, text=text, raw=text, generation_s=0.5))
        scores = {column: Score(value=float(value)) for column, value in zip(VECTOR_ORDER, row, strict=True)}
        yield PairFact(key, scores, scoring_s=0.0)
        yield EvaluationFact(
            Evaluation(
                run_id=run,
                number=number,
                question_id=f"q{number}",
                state="scored",
                kept=(0, 1 + number % RANKED),
                answer_key=key,
                pair_key=key,
            )
        )


def _record(services: Services, facts: Iterator[Fact], batch: int = 1500) -> None:
    waiting: list[Fact] = []
    for fact in facts:
        waiting.append(fact)
        if len(waiting) >= batch:
            services.adapters.evaluations.record(waiting)
            waiting = []
    if waiting:
        services.adapters.evaluations.record(waiting)


@contextmanager
def serving(home: Path, **environment: str) -> Iterator[tuple[str, int]]:
    """A server over that database; its address, and the id of its process."""
    from socket import socket

    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "passer", "serve", "--port", str(port)]
    server = subprocess.Popen(command, env={**os.environ, "PASSER_HOME": str(home), **environment}, cwd=ROOT)
    try:
        _await(address, server)
        yield address, server.pid
    finally:
        server.kill()
        server.wait(timeout=60)


def _await(address: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/health", timeout=5).close()
        except urllib.error.URLError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the server did not start: see its messages above")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="5,000 evaluations in each sweep instead of 50,000")
    (runs, questions), longer = ((5, 1000), 2500) if parser.parse_args().quick else ((25, 2000), 25_000)
    with tempfile.TemporaryDirectory() as folder:
        services = build_services(Settings(home=Path(folder)))
        try:
            fill(services, LONG, runs=2, questions=longer)
            fill(services, WIDE, runs=runs, questions=questions)
        finally:
            services.close()
        with serving(Path(folder)) as (address, _):
            command = ["node", "scripts/measure.mjs", address]
            done = subprocess.run(command, cwd=ROOT / "frontend", stdout=subprocess.PIPE, text=True, check=True)
    measured = json.loads(done.stdout.splitlines()[-1])
    figures = {name: Figure(value, "lower", "s", goal=1.0) for name, value in measured["seconds"].items()}
    # It takes every test of the analysis; its page shows the runs until it is there.
    figures["sweep_table"] = Figure(measured["seconds"]["sweep_table"], "lower", "s")
    figures["evaluations"] = Figure(runs * questions, "higher", "evaluations a sweep")
    memory = measured["memory_mb"]
    figures["browser_memory"] = Figure(memory["browser"], "lower", "MB", goal=500)
    figures["page_memory"] = Figure(memory["page"], "lower", "MB")
    figures["page_heap"] = Figure(memory["heap"], "lower", "MB")
    figures["first_load"] = Figure(measured["first_load_kb"], "lower", "kB gzip", goal=210)
    report("frontend", figures)


if __name__ == "__main__":
    main()
