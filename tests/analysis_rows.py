"""Rows of runs made by hand, for the tests of the analysis."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy, RetrievalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.score import VECTOR_ORDER, MissingReason, Score, ScoreRow
from passer.domain.sweeps.run import RunConfig
from passer.domain.verdict.conclusion import Conclusion
from passer.services.analysis.sweep_analysis import analyse


def scores(quality: float, **missing: MissingReason) -> dict[str, Score]:
    """Every metric at the same height between 0 and 1, so that CPS in a pool from 0 to 1 is that height."""
    row = {}
    for column in VECTOR_ORDER:
        value = 1 - quality if "Perplexity" in column else quality
        row[column] = Score(value=value)
    for name, reason in missing.items():
        row[name] = Score(value=None, reason=reason)
    return row


def question(
    number: int, quality: float | None, *, scored: dict[str, Score] | None = None, **more: Any
) -> EvaluatedQuestion:
    """With every metric at one height, or with the scores given."""
    row = scores(quality) if quality is not None else scored
    return EvaluatedQuestion(question_id=f"q{number}", scores=row and ScoreRow.of(row), **more)


def run(
    run_id: str,
    items: list[EvaluatedQuestion],
    *,
    retrieval: RetrievalPolicy | None = None,
    baseline: bool = False,
    model: str = "m",
    **more: Any,
) -> RunRows:
    config = {"dataset": "d", "collection": "c", "model": Model(name=model), "retrieval": retrieval or NormalPolicy()}
    fields = {name: more.pop(name) for name in list(more) if name in RunConfig.model_fields}
    return RunRows(
        run_id=run_id,
        name=more.pop("name", run_id),
        config=RunConfig(**(config | fields)),
        is_baseline=baseline,
        questions=tuple(items),
        **more,
    )


def sweep(**qualities: list[float | None]) -> list[RunRows]:
    """`base` is the baseline, the others are thresholds .1, .2, ..."""
    return [
        run(
            name,
            [question(number, quality) for number, quality in enumerate(heights)],
            retrieval=NormalPolicy() if name == "base" else ScorePolicy(min_similarity=place / 10),
            baseline=name == "base",
        )
        for place, (name, heights) in enumerate(qualities.items())
    ]


def by_name(analysis: SweepAnalysis) -> dict[str, Any]:
    return {item.name: item for item in analysis.configurations}


def noisy(mean: float, n: int = 60, seed: int = 1) -> list[float | None]:
    """Heights around a mean, standard deviation .05."""
    return list(np.clip(np.random.default_rng(seed).normal(mean, 0.05, n), 0, 1))


def conclusion(runs: list[RunRows]) -> Conclusion:
    """The conclusion about the only model of these runs."""
    (found,) = analyse(runs).verdict.conclusions
    return found


def keeping(rows: RunRows, *kept: QuestionRetrieval) -> RunRows:
    """The run with these passages for its first questions, and one gold passage kept first for all others."""
    rest = QuestionRetrieval(kept=2, gold=1, gold_ranks=(1,), first_gold=1)
    items = [
        replace(item, retrieval=kept[place] if place < len(kept) else rest) for place, item in enumerate(rows.questions)
    ]
    return rows.model_copy(update={"questions": tuple(items)})
