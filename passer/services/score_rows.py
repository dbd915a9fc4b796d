"""Stored scores of runs laid side by side as arrays, for many questions at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.analysis import EvaluatedQuestion, RunRows
from passer.domain.run import Run
from passer.domain.score import VECTOR_ORDER, ScoreTable
from passer.domain.statistics import ByQuestion
from passer.ports import RunScores, StoredSweep
from passer.services.pooling import Rows


@dataclass(frozen=True)
class Side:
    """One run with its scores."""

    run: Run
    sweep: StoredSweep
    scores: RunScores

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a value, shape (n, 24)."""
        return self.scores.table.present

    @property
    def outline(self) -> RunRows:
        """The run with its first question alone: what says whether scores mean the same."""
        first = tuple(EvaluatedQuestion(question_id=question) for question in self.scores.table.ids[:1])
        return outline_of(self.run, self.sweep).model_copy(update={"questions": first})

    def of(self, column: str) -> ByQuestion:
        """A column's values, question by question."""
        place = VECTOR_ORDER.index(column)
        there, ids = np.flatnonzero(self.present[:, place]), self.scores.table.ids
        shown = ids if there.size == len(ids) else tuple(ids[row] for row in there)
        return ByQuestion(shown, self.scores.table.values[there, place], np.ones(there.size, dtype=np.intp))


def outline_of(run: Run, sweep: StoredSweep) -> RunRows:
    """A run without its questions: what says whose repetition it is, and which is its baseline."""
    return RunRows(
        run_id=run.id,
        sweep_id=sweep.id,
        name=run.name,
        config=run.config,
        is_baseline=run.is_baseline,
        dataset_digest=sweep.dataset_digest,
        identity=run.scored_by,
        questions=(),
    )


def rows_of(sides: Sequence[Side], places: Sequence[int], *, names: Sequence[str], models: Sequence[str]) -> Rows:
    """All rows side by side; `places` says to which of the named configurations each run belongs."""
    tables = [side.scores.table for side in sides]
    ids = tuple(question for table in tables for question in table.ids)
    codes = {question: code for code, question in enumerate(dict.fromkeys(ids))}
    values = np.concatenate([table.values for table in tables])
    return Rows(
        table=ScoreTable(ids, VECTOR_ORDER, values, tuple(row for table in tables for row in table.reasons)),
        groups=np.repeat(np.array(places, dtype=np.intp), [len(table) for table in tables]),
        names=tuple(names),
        models=tuple(models),
        questions=np.array([codes[question] for question in ids], dtype=np.intp),
        truncated=np.zeros(len(ids), dtype=bool),
    )
