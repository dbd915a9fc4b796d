"""The record of one question, and its measured seconds, as evidence keeps them."""

from __future__ import annotations

from passer.domain.bundle.question_record import (
    QuestionRecord,
    RecordedContext,
    RecordedPassage,
    TimingRecord,
    recorded_scores,
    recorded_timings,
)
from passer.domain.models.answer import Answer, ModelTimings
from passer.domain.sweeps.run import Evaluation
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports import BareRanking


def record_of(
    evaluation: Evaluation, *, question: str, reference: str, answer: Answer | None, ranking: BareRanking | None
) -> QuestionRecord:
    """Return the record of an evaluation; ConflictError before its answer."""
    if evaluation.state == "pending" or (evaluation.state != "failed" and answer is None):
        raise ConflictError(sentence("provenance.no-answer", question=evaluation.question_id, run=evaluation.run_id))
    first, last = evaluation.kept
    failed = evaluation.state == "failed"
    scored = evaluation.state == "scored" and evaluation.scores is not None
    scores, missing, notes = recorded_scores(evaluation.scores or {}) if scored else (None, {}, {})
    return QuestionRecord(
        number=evaluation.number,
        id=evaluation.question_id,
        question=question,
        reference=reference,
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


def timing_of(
    evaluation: Evaluation, *, answer: Answer | None, ranking: BareRanking | None, scoring_s: float | None
) -> TimingRecord:
    """Return the measured seconds of an evaluation; None where a step was not measured."""
    return TimingRecord(
        number=evaluation.number,
        id=evaluation.question_id,
        embedding_s=ranking.embedding_s if ranking else None,
        retrieval_s=ranking.retrieval_s if ranking else None,
        generation_s=answer.generation_s if answer else None,
        scoring_s=scoring_s,
        reused=evaluation.reused,
    )
