"""Exports runs as result sheets in the published layout, readable by its tools and by our import."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from typing import Any

from passer.domain.dataset import Question
from passer.domain.models.answer import Answer
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.retrieval.passages import RetrievedPassage
from passer.domain.sheets.labels import SHIFTED_LABELS
from passer.domain.sheets.sheet import BASELINE_THRESHOLD
from passer.domain.sweeps.run import Evaluation, Run
from passer.ports import BareRanking

_METRICS = (
    "METEOR", "Rouge-1.r", "Rouge-1.p", "Rouge-1.f", "Rouge-2.r", "Rouge-2.p", "Rouge-2.f", "Rouge-l.r", "Rouge-l.p",
    "Rouge-l.f", "BLEU", "Laplace Perplexity", "Lidstone Perplexity", "Cosine similarity", "Pearson correlation",
    "F1 score", "Bert-Score.precision", "Bert-Score.recall", "Bert-Score.f1", "B-RT.coherence", "B-RT.consistency",
    "B-RT.fluency", "B-RT.relevance", "B-RT.average",
)  # fmt: skip
_COLUMN_OF_LABEL = {"F1 score": "F1 Score"}
SHEET_COLUMNS: tuple[str, ...] = ("id", "date", "userID", "testID", "Description", *_METRICS, "Elapsed time")
"""The 30 columns of Phase III."""
USER = "passer"
"""User id written in each row."""
_NO_FILE_NAME = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True)
class EvaluationExport:
    """The input of one exported row."""

    sweep_name: str
    run: Run
    model: str
    question: Question
    evaluation: Evaluation
    ranking: BareRanking | None = None
    passages: Sequence[RetrievedPassage] = ()
    """The same passages with their texts; empty unless a file needs these."""
    answer: Answer | None = None


def sheets_of(
    items: Iterable[EvaluationExport], *, shifted: bool, reproducible: bool
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield path and rows of each run's sheet.

    `shifted` writes ten scores under the wrong labels of the published exports. The rows of one run are consecutive.
    `reproducible` leaves out clock times.
    """
    taken: set[str] = set()
    for _, group in groupby(items, key=lambda item: item.run.id):
        of_run = list(group)
        path = _path(of_run[0], taken)
        taken.add(path)
        ended = [item for item in of_run if item.evaluation.state in ("scored", "failed")]
        yield path, [_row(item, shifted=shifted, reproducible=reproducible) for item in ended]


def _row(item: EvaluationExport, *, shifted: bool, reproducible: bool) -> dict[str, Any]:
    scores = item.evaluation.scores or {}
    by_column = {column: score.value for column, score in scores.items()}
    labels = {column: SHIFTED_LABELS.get(column, column) if shifted else column for column in by_column}
    values = {labels[column]: value for column, value in by_column.items()}
    finished = item.run.finished_at if not reproducible else None
    return {
        "id": item.evaluation.number + 1,
        "date": finished.replace(tzinfo=None).isoformat(timespec="seconds") if finished else None,
        "userID": USER,
        "testID": item.run.id,
        "Description": f"question: {item.question.text}, answer: {item.answer.text if item.answer else ''}",
        **{label: values.get(_COLUMN_OF_LABEL.get(label, label)) for label in _METRICS},
        "Elapsed time": item.answer.generation_s if item.answer and not reproducible else None,
    }


def _path(item: EvaluationExport, taken: set[str]) -> str:
    """Return MODEL/threshold_T.xlsx.

    Runs that are neither thresholds nor baselines keep their names, which no import reads. Of several runs at one path
    (repeats, prompts) the later ones get models of their own: MODEL+2, ...
    """
    run = item.run
    policy = run.config.retrieval
    model = _NO_FILE_NAME.sub("_", item.model).strip("._") or "model"
    name = _NO_FILE_NAME.sub("_", run.name)
    if run.is_baseline:
        name = f"threshold_{BASELINE_THRESHOLD:.2f}"
    elif isinstance(policy, ScorePolicy):
        threshold = policy.min_similarity
        name = f"threshold_{threshold:.2f}" if round(threshold, 2) == threshold else f"threshold_{threshold:g}"
    paths = (f"{model}{f'+{number}' if number > 1 else ''}/{name}.xlsx" for number in count(1))
    return next(path for path in paths if path not in taken)
