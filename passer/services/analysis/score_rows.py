"""Runs as the table that every analysis begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from passer.domain.analysis.levels import MIN_SIMILARITY, RETRIEVAL, K, Level
from passer.domain.analysis.run_rows import EvaluatedQuestion
from passer.domain.analysis.score_rows import Configuration, ScoreRows
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.score import VECTOR_ORDER, Score, ScoreRow, ScoreTable
from passer.domain.sweeps.run import RunConfig
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.services.analysis.comparability import Group, baselines

_FAILED = ScoreRow.of(dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="generation_failed")))


def rows_of_runs(
    groups: Sequence[Group],
    labels: Sequence[str],
    against: Mapping[int, int] | None = None,
    *,
    weights: Mapping[str, float] | None = None,
) -> ScoreRows:
    """Return scored and failed questions of all groups; configurations without scores have no rows.

    Raises ConflictError if there are no scored rows. `labels` are those of the configurations; `against` is the place
    of each one's baseline, by default its own. `weights` are those of the questions by id, by default equal.
    """
    finished = [(place, _finished(group)) for place, group in enumerate(groups)]
    # A configuration without any answer (its model is missing) would otherwise exclude every question.
    parts = [(place, items) for place, items in finished if any(item.state == "scored" for item in items)]
    if not parts:
        raise ConflictError(sentence("problem.nothing-scored"))
    return ScoreRows.stacked(
        [(place, _table(items)) for place, items in parts],
        configurations_of(groups, labels, baselines(groups, None) if against is None else against),
        truncated=np.array([item.truncated is not None for _, items in parts for item in items], dtype=bool),
        weights=weights,
    )


def configurations_of(
    groups: Sequence[Group], labels: Sequence[str], against: Mapping[int, int]
) -> list[Configuration]:
    """Return each group as a configuration of a table."""
    return [
        Configuration(
            name=group.first.name,
            model=group.first.config.model.label,
            label=label,
            sources=tuple(run.run_id for run in group.runs),
            levels=_levels(group.first.config),
            baseline=against.get(place),
        )
        for place, (group, label) in enumerate(zip(groups, labels, strict=True))
    ]


def _levels(config: RunConfig) -> dict[str, Level]:
    policy = config.retrieval
    if isinstance(policy, ScorePolicy):
        return {MIN_SIMILARITY: policy.min_similarity}
    return {K: float(policy.k)} if isinstance(policy, NormalPolicy) else {RETRIEVAL: config.cut_label}


def _finished(group: Group) -> list[EvaluatedQuestion]:
    return [
        item
        for run in group.runs
        for item in run.questions
        if item.state == "failed" or (item.state == "scored" and item.scores is not None)
    ]


def _table(items: Sequence[EvaluatedQuestion]) -> ScoreTable:
    return ScoreTable.of_score_rows([item.question_id for item in items], [item.scores or _FAILED for item in items])
