"""Judged values question by question: those of a run, and those of one answer with the judgements behind them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.base import Frozen
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.length_slope import LengthSlope, length_slope
from passer.domain.judging.marks import Mark
from passer.domain.references import nearest, word_overlap
from passer.domain.score import Score
from passer.domain.sweeps.run import sweep_id_of
from passer.domain.texts.words import unicode_words
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.ports import JudgementStore, LabelStore
from passer.services.judging.items import ItemKey, ItemSource


class JudgedQuestion(Frozen):
    """Judged values of one question of a run."""

    number: int
    """Place of the question in the dataset, counted from 0."""
    question_id: str
    """Id of the question."""
    scores: dict[str, Score]
    """Value or reason of each judged column; the first repetition of the judge."""


class JudgedRun(Frozen):
    """Judged values of a run or dataset, question by question."""

    run_id: str
    """Id of the run, or name of the dataset."""
    questions: tuple[JudgedQuestion, ...]
    """Questions in the order of the dataset."""
    rated: dict[str, int]
    """Answers or questions that the assessment judged and people have rated, by column, over all of its rows."""


class JudgedAnswer(Frozen):
    """Values that one assessment gives to one answer."""

    assessment_id: str
    """Id of the assessment."""
    judge: str
    """Name of the judge's model."""
    rated: dict[str, int]
    """Answers that the assessment judged and people have rated, by column; a column without any is uncalibrated."""
    marks: tuple[Mark, ...]
    """Marks of the answer by column and repetition, with the keys of their judgements."""


@dataclass(frozen=True)
class JudgedAnswers:
    """Reads the marks of single answers."""

    judgements: JudgementStore
    labels: LabelStore
    items: ItemSource

    def of_run(self, assessment_id: str, run_id: str) -> JudgedRun:
        """Return the judged values of a run or dataset; NotFoundError for one that the assessment does not judge."""
        assessment = self.judgements.assessment(assessment_id)
        if run_id not in assessment.spec.rows:
            raise NotFoundError(sentence("judging.run-not-judged", assessment=assessment_id, run=run_id))
        first = first_marks(self.judgements.marks(assessment_id))
        return JudgedRun(
            run_id=run_id,
            questions=tuple(
                JudgedQuestion(
                    number=key.place.number,
                    question_id=key.place.question_id,
                    scores={column: score_of(key, column, first) for column in assessment.spec.columns},
                )
                for key in self._keys(assessment, run_id)
            ),
            rated=self.labels.rated(assessment_id),
        )

    def _keys(self, assessment: Assessment, row: str) -> list[ItemKey]:
        """Return the keys of one run, or of one dataset."""
        if assessment.spec.runs:
            return self.items.keys((row,))
        return [key for key in self.items.keys_of_spec(assessment.spec) if key.place.run_id == row]

    def of_answer(self, run_id: str, number: int) -> tuple[JudgedAnswer, ...]:
        """Return the values of one answer by assessment, the newest first; empty for a question without an answer."""
        (found,) = self.items.keys((run_id,), number=number)
        if found.key is None:
            return ()
        judged = (self._answer(each, found.key) for each in self.judgements.assessments(sweep_id_of(run_id)))
        return tuple(answer for answer in judged if answer.marks)

    def _answer(self, assessment: Assessment, item_key: str) -> JudgedAnswer:
        return JudgedAnswer(
            assessment_id=assessment.id,
            judge=assessment.spec.judge.model.name,
            rated=self.labels.rated(assessment.id),
            marks=tuple(self.judgements.marks(assessment.id, item_key=item_key)),
        )


def first_marks(marks: Sequence[Mark]) -> dict[tuple[str, str], Mark]:
    """Return the marks of the first repetition by item key and column."""
    return {(mark.item_key, mark.column): mark for mark in marks if mark.repeat == 1}


def first_values(judgements: JudgementStore, assessment_id: str, column: str) -> dict[str, float]:
    """Return the values of a column in the first repetition by item key; marks without a value are left out."""
    marks = judgements.marks(assessment_id, column=column)
    return {mark.item_key: mark.value for mark in marks if mark.repeat == 1 and mark.value is not None}


def first_labels(labels: LabelStore, item_keys: Sequence[str], column: str) -> dict[str, dict[str, float]]:
    """Return first labels by rater and item: later ones were given after the judge's value was shown."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for label in labels.labels(item_keys, column=column):
        if label.revision == 1:
            found[label.rater][label.item_key] = label.value
    return dict(sorted(found.items()))


def score_of(key: ItemKey, column: str, marks: dict[tuple[str, str], Mark]) -> Score:
    """Return the score of one question in one column; a question without an answer or mark has a reason."""
    if key.key is None:
        return Score(value=None, reason="generation_failed")
    mark = marks.get((key.key, column))
    if mark is None:
        return Score(value=None, reason="not_requested")
    return Score(value=mark.value, reason=mark.reason)


def answer_length_slope(keys: Sequence[ItemKey], judge: Mapping[str, float]) -> LengthSlope | None:
    """Return the slope over the distinct answers with a reference; `judge` are the judged values by item key."""
    found: dict[str, tuple[float, float, float, str]] = {}
    for key in keys:
        if key.key is None or key.key not in judge or key.key in found:
            continue
        words, wanted = unicode_words(key.answer), nearest(key.references, key.answer)
        if words and unicode_words(wanted):
            overlap = word_overlap(wanted, key.answer)
            found[key.key] = (judge[key.key], float(len(words)), overlap, key.place.question_id)
    rows = list(found.values())
    values, lengths, overlaps = (np.array([row[column] for row in rows]) for column in range(3))
    return length_slope(values, lengths, overlaps, [question for *_, question in rows])
