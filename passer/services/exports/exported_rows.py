"""Rows of a stored sweep as its exports read them, and as the three CSV files of RAGElo, joined by `qid`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from passer.domain.dataset import Question
from passer.domain.sweeps.run import Run
from passer.ports import EvaluationStore, StoredSweep
from passer.services.exports.sheet_export import EvaluationExport

AT_ONCE = 1_000
"""Questions in memory at a time: rankings and scores of all take gigabytes where there are many."""


def exported_rows(
    sweep: StoredSweep, questions: Sequence[Question], evaluations: EvaluationStore, *, with_passages: bool = False
) -> Iterator[EvaluationExport]:
    """Yield every evaluation of a sweep with its question, ranking and answer, run by run.

    `with_passages` adds the passages with their texts, which takes longer than all else.
    """
    for run in sweep.runs:
        for start in range(0, len(questions), AT_ONCE):
            yield from _part(sweep, run, questions, start, evaluations, with_passages=with_passages)


def _part(
    sweep: StoredSweep,
    run: Run,
    questions: Sequence[Question],
    start: int,
    evaluations: EvaluationStore,
    *,
    with_passages: bool,
) -> Iterator[EvaluationExport]:
    asked = [question.id for question in questions[start : start + AT_ONCE]]
    numbers = range(start, start + len(asked))
    # After a pause numbers may be missing, so that as many evaluations can reach into the next part.
    stored = [
        each for each in evaluations.evaluations(run.id, after=start - 1, limit=len(asked)) if each.number in numbers
    ]
    answers = evaluations.answers(sorted({each.answer_key for each in stored if each.answer_key}))
    rankings = evaluations.bare_rankings(sweep.id, run.config.ranked_by, asked)
    whole = evaluations.rankings(sweep.id, run.config.ranked_by, asked) if with_passages else {}
    for evaluation in stored:
        passages = whole[evaluation.question_id].passages if evaluation.question_id in whole else ()
        yield EvaluationExport(
            sweep_name=sweep.name,
            run=run,
            model=sweep.model_label(run),
            question=questions[evaluation.number],
            evaluation=evaluation,
            ranking=rankings.get(evaluation.question_id),
            passages=passages,
            answer=answers.get(evaluation.answer_key or ""),
        )


RageloTable = Literal["ragelo-queries", "ragelo-documents", "ragelo-answers"]
RAGELO_COLUMNS: dict[RageloTable, tuple[str, ...]] = {
    "ragelo-queries": ("qid", "query"),
    "ragelo-documents": ("qid", "did", "document"),
    "ragelo-answers": ("qid", "agent", "answer"),
}
"""Columns of each file. A document is a passage, and an agent is a configuration."""


def ragelo_rows(table: RageloTable, items: Iterable[EvaluationExport]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file: each question, each passage that some configuration kept for it, or each answer."""
    seen: set[tuple[str, ...]] = set()
    for item in items:
        for row in _rows(table, item):
            # Configurations share questions and passages.
            key = tuple(row[column] for column in RAGELO_COLUMNS[table][:2])
            if table == "ragelo-answers" or key not in seen:
                seen.add(key)
                yield row


def _rows(table: RageloTable, item: EvaluationExport) -> Iterator[dict[str, Any]]:
    qid = item.question.id
    if table == "ragelo-queries":
        yield {"qid": qid, "query": item.question.text}
    elif table == "ragelo-answers" and item.answer is not None:
        yield {"qid": qid, "agent": item.run.name, "answer": item.answer.text}
    elif table == "ragelo-documents":
        for passage in item.passages[slice(*item.evaluation.kept)]:
            yield {"qid": qid, "did": passage.id, "document": passage.text}
