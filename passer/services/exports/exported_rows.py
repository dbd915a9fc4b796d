"""Rows of a stored sweep, as its exports read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passer.domain.dataset import Question
from passer.ports import EvaluationStore, StoredSweep
from passer.services.exports.sheet_export import EvaluationExport


def exported_rows(
    sweep: StoredSweep, questions: Sequence[Question], evaluations: EvaluationStore
) -> Iterator[EvaluationExport]:
    """Yield every evaluation of a sweep with its question, ranking and answer, run by run."""
    ranked_by = {run.config.ranked_by for run in sweep.runs}
    rankings = {each: evaluations.rankings(sweep.id, each) for each in ranked_by}
    for run in sweep.runs:
        stored = evaluations.evaluations(run.id)
        answers = evaluations.answers(sorted({each.answer_key for each in stored if each.answer_key}))
        for evaluation in stored:
            yield EvaluationExport(
                sweep_name=sweep.name,
                run=run,
                model=sweep.model_label(run),
                question=questions[evaluation.number],
                evaluation=evaluation,
                ranking=rankings[run.config.ranked_by].get(evaluation.question_id),
                answer=answers.get(evaluation.answer_key or ""),
            )
