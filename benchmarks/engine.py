"""The run engine: what ten thresholds cost beside one, and what the platform itself costs per evaluation.

    python -m benchmarks.engine [--quick]

Real Chroma, SQLite and encoder on an example corpus; the generator answers at once and scoring is left out, so that
only the platform is measured. `benchmarks/running` adds a model server of 200 ms and 16 slots, and 50,000 evaluations
in memory and over the API. Every figure compares within this one run.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import ClassVar

from sqlalchemy import delete

from benchmarks.report import Figure, report
from benchmarks.running import large, scripted
from passer.adapters.store.schema import rankings
from passer.bootstrap import Services, build_services
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.score import VECTOR_ORDER, Score, Scores, VectorProfile
from passer.domain.sweeps.axes import Axes, threshold_range
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.engines.local import LocalEngine
from passer.ports import StoredSweep, Workers
from passer.settings import Settings

EXAMPLE = "organic-farming"


class AtOnce:
    """A model that answers at once with the beginning of its prompt."""

    def complete(self, request: ChatRequest) -> Completion:
        return Completion(text=request.messages[-1].content[:200].strip(), finish_reason="stop")

    def describe(self, model: Model) -> ModelInfo:
        return ModelInfo(name=model.name, digest="at once")

    def models(self) -> list[ModelInfo]:
        return []


class NoScores:
    """A scorer that leaves every column out."""

    identity: ClassVar[dict[str, str]] = {"scorer": "none"}

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = "en") -> list[Scores]:
        none = Score(value=None, reason="not_requested")
        return [dict.fromkeys(VECTOR_ORDER, none) for _ in pairs]


def sweep(services: Services, thresholds: tuple[float, ...], *, seed: int) -> StoredSweep:
    """A sweep that shares no answer with the others: its seed is its own."""
    config = RunConfig(dataset=EXAMPLE, collection=EXAMPLE)
    config = config.model_copy(update={"options": config.options.model_copy(update={"seed": seed})})
    wanted = Sweep(name="benchmark", config=config, axes=Axes(min_similarity=thresholds), baseline=NormalPolicy(k=10))
    return replace(services.sweeps.planner, scored_by=lambda: NoScores.identity).create(wanted)


def forget_rankings(services: Services) -> None:
    """The next sweep retrieves by itself, as the first one did."""
    with services.adapters.database.begin() as connection:
        connection.execute(delete(rankings))


def measured(services: Services, stored: StoredSweep) -> tuple[float, int, int]:
    """Seconds in all, questions retrieved, and evaluations of a sweep."""
    began = perf_counter()
    model, scorer = AtOnce(), NoScores()
    engine = partial(LocalEngine, lambda: Workers(lambda _: model, lambda: scorer), per_endpoint=16)
    done = replace(services.sweeps.runner, scorer=scorer, engine=engine).run(stored.id)
    total_s = perf_counter() - began
    # Counted and not timed: retrieval runs beside generation, so its seconds are those of whatever else runs.
    retrieved = services.adapters.evaluations.effort(stored.id).rankings
    return total_s, retrieved, sum(run.counts.scored for run in done.runs)


def main() -> None:
    parser = argparse.ArgumentParser(description="The run engine.")
    parser.add_argument(
        "--quick", action="store_true", help="three repetitions instead of seven, and fewer evaluations"
    )
    quick = parser.parse_args().quick
    repetitions = 3 if quick else 7
    logging.disable(logging.WARNING)
    one, ten = (0.5,), threshold_range(start=0.25, stop=0.70, step=0.05)
    ratios, totals, rates = [], [], []
    with tempfile.TemporaryDirectory() as home:
        services = build_services(Settings(home=Path(home)))
        services.library.examples.load(EXAMPLE)
        measured(services, sweep(services, one, seed=1))
        for repetition in range(repetitions):
            forget_rankings(services)
            single = measured(services, sweep(services, one, seed=100 + repetition))
            forget_rankings(services)
            tenfold = measured(services, sweep(services, ten, seed=200 + repetition))
            ratios.append(tenfold[1] / single[1])
            totals.append(tenfold[0] / single[0])
            # This one finds all its rankings, so that only the platform is measured.
            reusing = measured(services, sweep(services, ten, seed=300 + repetition))
            rates.append(reusing[2] / reusing[0])
        services.close()
    middle = repetitions // 2
    rate = sorted(rates)[middle]
    report(
        "engine",
        {
            "retrieval_ten_thresholds_vs_one": Figure(sorted(ratios)[middle], "lower", "ratio", 1.10),
            "total_ten_thresholds_vs_one": Figure(sorted(totals)[middle], "lower", "ratio"),
            "platform_evaluations_per_s": Figure(rate, "higher", "evaluations/s", 300),
            "platform_overhead_per_evaluation": Figure(1000 / rate, "lower", "ms"),
            **scripted.figures(quick=quick),
            **large.figures(quick=quick),
        },
    )


if __name__ == "__main__":
    main()
