"""Lays out the questions of a sweep's runs as a matrix, and reads pages of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.analysis.choices import AS_USUAL
from passer.domain.analysis.composites import composed
from passer.domain.analysis.question_matrix import (
    STATES,
    Area,
    MatrixColumn,
    MatrixFilter,
    MatrixOrder,
    MatrixPage,
    QuestionMatrix,
)
from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.composite import CPS
from passer.domain.dataset import Question, weights_of
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.score import VECTOR_ORDER
from passer.domain.statistics import Floats, mean_of
from passer.domain.sweeps.question_list import holds, words_of
from passer.domain.verdict.judged_rule import JudgedColumn
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.services.analysis.comparability import Group, arm_labels, baselines, grouped
from passer.services.analysis.pooling import rules_of
from passer.services.analysis.score_rows import rows_of_runs


def matrix_of(
    runs: Sequence[RunRows],
    questions: Sequence[Question],
    *,
    metric: str = CPS,
    judged: JudgedColumn | None = None,
) -> QuestionMatrix:
    """Return one metric of these runs; columns by model, each model's baseline first, then by size.

    InputError without that metric.

    `questions` are those of the dataset, in its order; `judged` is a judged column that can be the metric.
    """
    groups = grouped(runs)
    labels, against = arm_labels(groups), baselines(groups, None)
    order = sorted(
        range(len(groups)), key=lambda place: (labels.index(labels[place]), place in against, _size(groups[place]))
    )
    weights = weights_of(questions)
    numbers = {question.id: number for number, question in enumerate(questions)}
    if judged is not None and metric == judged.column:
        repeats = _judged_values(groups, judged, numbers)[:, order]
    elif metric in (CPS, *VECTOR_ORDER):
        rows = rows_of_runs(groups, labels, against, weights=weights)
        repeats = _scored_values(rows, runs, metric, numbers)[:, order]
    else:
        raise InputError(sentence("analysis.no-metric", metric=metric), field="metric")
    scores = _means(repeats)
    weight_of_each = np.array([weights[question.id] for question in questions]) if weights else None
    efforts = [each.effort for run in runs for each in run.questions if each.effort]
    facts = np.stack([_facts(groups[place], numbers) for place in order], axis=2)
    columns = [
        _column(groups[place], labels[place], against.get(place), order, _mean(values, weight_of_each))
        for place, values in zip(order, scores.T, strict=True)
    ]
    return QuestionMatrix(
        metric=metric,
        columns=tuple(columns),
        scores=scores,
        kept=facts[:, 0],
        states=facts[:, 1].astype(np.uint8),
        gold_kept=facts[:, 2].astype(np.int8),
        repeats=repeats if repeats.shape[2] > 1 else None,
        mean_prompt_tokens=mean_of(np.array([each.prompt_tokens for each in efforts if each.prompt_tokens])),
        mean_generation_s=mean_of(np.array([each.generation_s for each in efforts])),
    )


def _scored_values(rows: ScoreRows, runs: Sequence[RunRows], metric: str, numbers: Mapping[str, int]) -> Floats:
    """Return the values of CPS or of a column, shape (questions, configurations, repetitions); NaN without one."""
    if metric == CPS:
        found = composed(rows, rules_of(rows, runs, AS_USUAL))
        values, usable = found.cps, found.usable
    else:
        column = VECTOR_ORDER.index(metric)
        values, usable = rows.table.values[:, column], rows.present[:, column]
    number_of = np.array([numbers[question] for question in dict.fromkeys(rows.table.ids)], dtype=np.intp)
    cells = (number_of[rows.questions] * len(rows.configurations) + rows.places)[usable]
    most = max(len(each.sources) for each in rows.configurations)
    repeats = np.full((len(numbers) * len(rows.configurations), most), np.nan)
    # Rows are in order of the repetitions, and one that failed has no row: a value goes behind those of its cell.
    order = np.argsort(cells, kind="stable")
    in_order = cells[order]
    repeats[in_order, np.arange(len(order)) - np.searchsorted(in_order, in_order)] = values[usable][order]
    return repeats.reshape(len(numbers), len(rows.configurations), most)


def _judged_values(groups: Sequence[Group], judged: JudgedColumn, numbers: Mapping[str, int]) -> Floats:
    """Return the judge's values, shape (questions, configurations, repetitions); NaN without one."""
    repeats = np.full((len(numbers), len(groups), max(len(group.runs) for group in groups)), np.nan)
    for place, group in enumerate(groups):
        for repetition, run in enumerate(group.runs):
            for question, score in judged.scores.get(run.run_id, {}).items():
                if score.value is not None:
                    repeats[numbers[question], place, repetition] = score.value
    return repeats


def _means(repeats: Floats) -> Floats:
    """Return the means over repetitions, shape (questions, configurations); NaN where no repetition has a value."""
    known = ~np.isnan(repeats)
    sums = np.where(known, repeats, 0.0).sum(axis=2)
    return np.asarray(np.where(known.any(axis=2), sums / np.maximum(1, known.sum(axis=2)), np.nan))


def _size(group: Group) -> tuple[int, float]:
    """Return the sort key of a cut: thresholds by size, then top-k by k, then others as planned."""
    policy = group.first.config.retrieval
    if isinstance(policy, ScorePolicy):
        return 0, policy.min_similarity
    return (1, policy.k) if isinstance(policy, NormalPolicy) else (2, 0.0)


def _mean(values: Floats, weights: Floats | None) -> float | None:
    known = ~np.isnan(values)
    return mean_of(values[known], None if weights is None else weights[known])


def _column(group: Group, label: str, baseline: int | None, order: Sequence[int], mean: float | None) -> MatrixColumn:
    return MatrixColumn(
        run_id=group.first.run_id,
        name=group.first.name,
        model=label,
        baseline=None if baseline is None else order.index(baseline),
        mean=mean,
    )


def _facts(group: Group, numbers: Mapping[str, int]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """Passages kept, state and gold kept by question, shape (questions, 3); of repetitions, the first counts."""
    found = np.zeros((len(numbers), 3), dtype=np.int32)
    found[:, 1] = STATES.index("open")
    found[:, 2] = -1
    for item in group.first.questions:
        retrieval = item.retrieval
        gold = int(bool(retrieval.gold_ranks)) if retrieval.gold else -1
        found[numbers[item.question_id]] = (retrieval.kept, _state(item), gold)
    return found


def _state(item: EvaluatedQuestion) -> int:
    if item.state == "failed":
        return STATES.index("failed")
    if item.state != "scored":
        return STATES.index("open")
    return STATES.index("abstained" if item.retrieval.abstained else "scored")


@dataclass(frozen=True)
class MatrixQuery:
    """Selection and order of the rows of a matrix."""

    order: MatrixOrder = "spread"
    filters: Collection[MatrixFilter] = ()
    find: str = ""
    """Words that the question's text or reference contains."""
    of: str | None = None
    """Run that `rise`, `fall` and the filters of single cells refer to."""
    baseline: str | None = None
    """Run that all gains are relative to; None is each model's own."""
    area: Area | None = None
    """Only questions in this rectangle of the figure of pairs."""
    after: int = 0
    limit: int = 50


def area_of(text: str) -> Area:
    """Parse RUN,FROM,TO,FROM,TO: the baseline's scores, then the run's; InputError for anything else."""
    run_id, *ends = text.split(",")
    try:
        numbers = [float(end) for end in ends]
    except ValueError:
        numbers = []
    if len(numbers) != 4 or any(math.isnan(number) for number in numbers):
        raise InputError(
            sentence("analysis.not-area", text=text),
            field="area",
        )
    return Area(run_id, before=(numbers[0], numbers[1]), here=(numbers[2], numbers[3]))


def matrix_page(matrix: QuestionMatrix, texts: Sequence[Sequence[str]], query: MatrixQuery) -> MatrixPage:
    """Return one page; `texts` are those of all questions, each with its references. InputError for a run it does not
    have.
    """
    shown = matrix.against(_place(matrix, query.baseline, "baseline"))
    of = _place(matrix, query.of, "of")
    if query.order in ("rise", "fall") and of is None:
        raise InputError(sentence("analysis.no-sort-configuration"), field="of")
    numbers = shown.chosen(order=query.order, filters=query.filters, of=of).tolist()
    if query.area is not None:
        # The paired figure always shows each configuration against its own baseline, unlike the matrix.
        place = _place(matrix, query.area.run_id, "area")
        inside = matrix.within(place or 0, query.area)
        numbers = [number for number in numbers if inside[number]]
    if words := words_of(query.find):
        numbers = [number for number in numbers if holds(texts[number], words)]
    return MatrixPage(
        metric=shown.metric,
        columns=shown.columns,
        items=shown.rows(numbers[query.after : query.after + query.limit], [text for text, *_ in texts]),
        total=len(numbers),
        gain_bound=shown.gain_bound,
        low_below=shown.low_below,
    )


def _place(matrix: QuestionMatrix, run_id: str | None, field: str) -> int | None:
    if run_id is None:
        return None
    ids = [column.run_id for column in matrix.columns]
    if run_id not in ids:
        raise InputError(sentence("analysis.no-run", run=run_id), field=field)
    return ids.index(run_id)
