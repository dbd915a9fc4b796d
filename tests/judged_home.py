"""Sweeps as finished runs leave them, written straight into a home: one for each verdict, one by another scorer.

    python -m tests.judged_home HOME

Scores are drawn with fixed seeds around a chosen gain, so that each sweep has the verdict
that it is named after; nothing is retrieved, generated or scored.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from passer.bootstrap import Services, build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.judging.assessment import Assessment, AssessmentSpec
from passer.domain.judging.judgement import JUDGE_OPTIONS, Judge
from passer.domain.models.answer import Answer
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.passages import Ranking, RetrievedPassage
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import Evaluation, Run, RunConfig, RunState
from passer.domain.sweeps.run_names import run_name
from passer.domain.sweeps.sweep import Sweep, usual_fields
from passer.ports import AnswerFact, EvaluationFact, Fact, PairFact, RankingFact, StoredSweep
from passer.settings import Settings
from tests.analysis_rows import scores

DATASET, QUESTIONS = "facts", 80
THRESHOLDS = (0.4, 0.5, 0.6)
KEPT = {None: 10, 0.4: 8, 0.5: 4, 0.6: 2}
"""Passages of each configuration; None is the baseline, top-k 10."""
BASE, SPREAD = 0.5, 0.1
"""Mean score of the baseline, and its standard deviation between questions."""
GOLD_RANK = 6
"""Rank of the gold passage where the case loses it: kept by eight passages, not by four."""
COLUMN = "Answer correctness"
"""Judged column of the assessments that are added."""
NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """A sweep: what its configurations gain over the baseline, and how much chance is in it."""

    id: str
    gains: tuple[float, ...]
    noise: float = 0.02
    """Standard deviation of the differences."""
    questions: int = 60
    lost: int = 0
    """Questions whose gold passage is kept by the first threshold and by no other."""
    failed: bool = False
    """Whether every question of the baseline failed."""
    done: int | None = None
    """Evaluations that were done when the sweep was cancelled; None for all."""
    primary: str = "CPS"
    alpha: float = 0.05
    scorer: str = "made"
    """Encoder that the scores are said to depend on."""
    models: tuple[str, ...] = ()
    """Models to compare; empty for the usual one. The gains of the second model begin with that of its baseline."""

    @property
    def name(self) -> str:
        return self.id.replace("-", " ").capitalize()


CASES = (
    Case("better", (0.0, 0.06, -0.05), lost=3),
    Case("as-good-and-cheaper", (0.0, 0.0, -0.1), noise=0.01),
    Case("cannot-tell", (0.005, 0.01, -0.005), noise=0.12),
    Case("keep-the-baseline", (-0.06, -0.08, -0.1)),
    Case("baseline-failed", (0.0, 0.0, 0.0), questions=24, failed=True),
    Case("cancelled", (0.0, 0.0, 0.0), questions=12, done=17),
    Case("better-meteor", (0.0, 0.06, -0.05), primary="METEOR", alpha=0.1),
    Case("other-scorer", (0.0, 0.0, 0.0), questions=12, scorer="another"),
)
BESIDE = (
    Case("tied", (0.06, 0.06, -0.05)),
    Case("two-models", (0.0, 0.06, -0.05, 0.05, -0.03, -0.02, -0.1), models=("small", "large")),
)
"""Cases that the pages do not need."""


def fill(services: Services, dataset: Dataset, case: Case, *, column: str = "", judge: Model | None = None) -> None:
    """Store one sweep with its evaluations; with a judge its column is the recorded primary metric."""
    stored = _stored(dataset, case)
    if judge is not None:
        sweep = Sweep.model_validate({**stored.sweep.model_dump(), "primary": column, "judge": judge})
        stored = stored.model_copy(update={"sweep": sweep})
    services.adapters.runs.create_sweep(stored)
    facts = list(_facts(dataset, case, stored))
    services.adapters.evaluations.record(facts)
    state = RunState.FINISHED if case.done is None else RunState.CANCELLED
    services.adapters.runs.set_state([run.id for run in stored.runs], state)


def _stored(dataset: Dataset, case: Case) -> StoredSweep:
    config = RunConfig(dataset=dataset.name, collection=dataset.name, questions=case.questions)
    sweep = Sweep(
        name=case.name,
        config=config,
        axes=Axes(
            min_similarity=THRESHOLDS,
            model=tuple(Model(provider="openai", name=name, base_url="http://127.0.0.1:1") for name in case.models),
        ),
        baseline=NormalPolicy(k=10),
        primary=case.primary,
        margin=0.02,
        alpha=case.alpha,
        **usual_fields(config.profile),
    )
    runs = tuple(
        Run(
            id=f"{case.id}-{position:03d}",
            sweep_id=case.id,
            position=position,
            name=run_name(sweep, config, ModelInfo(name=config.model.name)),
            config=config,
            is_baseline=is_baseline,
            scored_by={"encoder": case.scorer},
            created_at=NOW,
        )
        for position, (config, is_baseline) in enumerate(sweep.configurations())
    )
    return StoredSweep(
        id=case.id,
        sweep=sweep,
        dataset_digest=dataset.digest,
        questions=case.questions,
        runs=runs,
        created_at=NOW + timedelta(minutes=_place(case)),
    )


def _place(case: Case) -> int:
    return (*CASES, *BESIDE).index(case)


def _facts(dataset: Dataset, case: Case, stored: StoredSweep) -> Iterator[Fact]:
    draw = np.random.default_rng(_place(case)).normal
    asked = dataset.questions[: case.questions]
    for place, question in enumerate(asked):
        yield RankingFact(case.id, RankedBy(dataset.name), question.id, _ranking(place, case))
    heights = np.clip(draw(BASE, SPREAD, len(asked)), 0.1, 0.8)
    left = case.done if case.done is not None else len(asked) * len(stored.runs)
    for run, gain in zip(stored.runs, (0.0, *case.gains), strict=True):
        changed = heights + (draw(gain, case.noise, len(asked)) if gain or not run.is_baseline else 0.0)
        for number, (question, height) in enumerate(zip(asked[:left], changed, strict=False)):
            yield from _evaluated(run, number, question.id, float(np.clip(height, 0, 1)), case)
        left = max(0, left - len(asked))


def _ranking(place: int, case: Case) -> Ranking:
    gold = GOLD_RANK if place < case.lost else 1
    listed = tuple(
        RetrievedPassage(
            id=f"p{rank}", document="made.md", number=rank, text=f"Passage {rank}.", start=0, end=10, rank=rank,
            similarity=round(0.8 - rank * 0.02, 2),
        )
        for rank in range(1, 11)
    )  # fmt: skip
    return Ranking(passages=listed, gold_ids=(f"p{gold}",))


def _evaluated(run: Run, number: int, question: str, height: float, case: Case) -> Iterator[Fact]:
    policy = run.config.retrieval
    kept = KEPT[policy.min_similarity if isinstance(policy, ScorePolicy) else None]
    key = f"{run.id:0>40}{number:024d}"
    if case.failed and run.is_baseline:
        failed = Evaluation(
            run_id=run.id, number=number, question_id=question, state="failed", reason="The model server returned 500."
        )
        yield EvaluationFact(failed)
        return
    yield AnswerFact(Answer(key=key, text=f"Answer {number}.", raw=f"Answer {number}."))
    yield PairFact(key, scores(height), scoring_s=0.0)
    yield EvaluationFact(
        Evaluation(
            run_id=run.id, number=number, question_id=question, state="scored", kept=(0, kept), answer_key=key,
            pair_key=key,
        )
    )  # fmt: skip


def add_assessment(built: Services, assessment_id: str, sweep: str, *, seed: int = 42) -> None:
    """Store an assessment of all runs by judge J, without marks."""
    options = JUDGE_OPTIONS.model_copy(update={"seed": seed})
    spec = AssessmentSpec(
        runs=runs_of(sweep),
        columns=(COLUMN,),
        judge=Judge(model=Model(provider="openai", name="J", base_url="http://127.0.0.1:1"), options=options),
        judge_info=ModelInfo(name="J"),
    )
    at = built.adapters.clock.now()
    built.adapters.judgements.add_assessment(
        Assessment(id=assessment_id, sweep_id=sweep, spec=spec, tasks=(), created_at=at)
    )


def runs_of(sweep: str) -> tuple[str, ...]:
    return tuple(f"{sweep}-{n:03d}" for n in range(4))


def fill_home(home: Path, cases: Sequence[Case] = CASES) -> None:
    """Store the dataset and these sweeps in a home."""
    services = build_services(Settings(home=home))
    questions = [Question(id=f"q{n}", text=f"What is fact {n}?", reference=f"Fact {n}.") for n in range(QUESTIONS)]
    dataset = Dataset(name=DATASET, language="en", questions=tuple(questions))
    try:
        services.adapters.datasets.save_dataset(dataset)
        for case in cases:
            fill(services, dataset, case)
    finally:
        services.close()


if __name__ == "__main__":
    fill_home(Path(sys.argv[1]))
