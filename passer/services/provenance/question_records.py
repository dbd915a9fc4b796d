"""The record of one question, and its measured seconds, as evidence keeps them."""

from __future__ import annotations

from typing import NamedTuple

from passer.domain.bundle.question_record import (
    QuestionRecord,
    RecordedContext,
    RecordedPassage,
    TimingRecord,
    recorded_scores,
    recorded_timings,
)
from passer.domain.dataset import Question
from passer.domain.models.answer import Answer, ModelTimings
from passer.domain.sweeps.run import Evaluation
from passer.ports import BareRanking


class StoredQuestion(NamedTuple):
    """A question of a run, and what is stored of it."""

    question: Question
    evaluation: Evaluation
    answer: Answer | None
    ranking: BareRanking | None
    scoring_s: float | None
    """Seconds to score the answer; None if it was not scored."""

    @property
    def is_done(self) -> bool:
        """Return whether it has an answer, or failed."""
        state = self.evaluation.state
        return state != "pending" and (state == "failed" or self.answer is not None)


def record_of(stored: StoredQuestion) -> QuestionRecord:
    """Return the record of a question that is done."""
    evaluation, answer, ranking = stored.evaluation, stored.answer, stored.ranking
    first, last = evaluation.kept
    failed = evaluation.state == "failed"
    scored = evaluation.state == "scored" and evaluation.scores is not None
    scores, missing, notes = recorded_scores(evaluation.scores or {}) if scored else (None, {}, {})
    return QuestionRecord(
        number=evaluation.number,
        id=evaluation.question_id,
        question=stored.question.text,
        reference=stored.question.reference,
        other_references=stored.question.other_references or (),
        state="failed" if failed else "scored" if scored else "answered",
        reason=(evaluation.reason or "unknown") if failed else None,
        passages=tuple(
            RecordedPassage(id=key, rank=rank, similarity=similarity + 0.0)
            for rank, (key, similarity) in enumerate(ranking.passages[first:last] if ranking else (), start=first + 1)
        ),
        prompt_digest=evaluation.prompt_digest,
        answer=None if failed or answer is None else answer.text,
        timings=ModelTimings() if failed or answer is None else recorded_timings(answer.timings),
        scores=scores,
        missing=missing,
        notes=notes,
        searched=ranking.rewriting.asked if ranking and ranking.rewriting else (),
        contexts=tuple(
            RecordedContext(text=each.text, document=each.document, score=each.score)
            for each in (() if failed or answer is None else answer.passages)
        ),
    )


def timing_of(stored: StoredQuestion) -> TimingRecord:
    """Return the measured seconds of a question; None where a step was not measured."""
    evaluation, answer, ranking = stored.evaluation, stored.answer, stored.ranking
    return TimingRecord(
        number=evaluation.number,
        id=evaluation.question_id,
        embedding_s=ranking.embedding_s if ranking else None,
        retrieval_s=ranking.retrieval_s if ranking else None,
        generation_s=answer.generation_s if answer else None,
        scoring_s=stored.scoring_s,
        reused=evaluation.reused,
    )
