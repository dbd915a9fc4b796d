"""Stored scores of several runs as aligned arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.analysis.score_rows import Configuration, ScoreRows
from passer.domain.sweeps.run import Run
from passer.ports import RunScores, StoredSweep


@dataclass(frozen=True)
class ScoredRun:
    """One run with its scores."""

    run: Run
    sweep: StoredSweep
    scores: RunScores

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Return the mask of existing values, shape (n, 24)."""
        return self.scores.table.present

    @property
    def outline(self) -> RunRows:
        """Return the run with its first question only, to check whether scores can be compared."""
        first = tuple(EvaluatedQuestion(question_id=question) for question in self.scores.table.ids[:1])
        return outline_of(self.run, self.sweep).model_copy(update={"questions": first})


def outline_of(run: Run, sweep: StoredSweep) -> RunRows:
    """Return a run without questions, for grouping repetitions and finding baselines."""
    return RunRows(
        run_id=run.id,
        sweep_id=sweep.id,
        name=run.name,
        config=run.config,
        model_label=sweep.model_label(run),
        is_baseline=run.is_baseline,
        dataset_digest=sweep.dataset_digest,
        identity=run.scored_by,
        questions=(),
        panel=sweep.sweep.panel,
        normalisation=sweep.sweep.normalisation,
    )


def stacked(sides: Sequence[ScoredRun], weights: Mapping[str, float]) -> ScoreRows:
    """Return the scores of several runs as one table, in which each run is a separate configuration."""
    return ScoreRows.stacked(
        [(place, side.scores.table) for place, side in enumerate(sides)],
        [
            Configuration(side.run.name, side.run.config.model.label, side.run.config.model.label, (side.run.id,))
            for side in sides
        ],
        weights=weights,
    )
