"""Reads why answers were low from the marks of an assessment, and where they failed by code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from passer.domain.analysis.study_table import StudyTable, with_rows
from passer.domain.failures.judged_labels import (
    COLUMNS,
    CORRECTNESS,
    HIGHEST,
    INCOMPLETE,
    INCOMPLETE_COLUMN,
    AskedLabel,
)
from passer.domain.failures.judged_report import JudgedAnswerLabels, RunWhy, WhyReport, why_table
from passer.domain.failures.locator import FailureLabel
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.kinship import judge_warnings
from passer.domain.judging.marks import Mark
from passer.domain.sweeps.run import Run
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConflictError, InputError
from passer.ports import JudgementStore, LabelStore
from passer.services.analysis.failure_locator import FailureChoices, FailureLocator
from passer.services.judging.answers import first_marks, score_of
from passer.services.judging.items import ItemKey, ItemSource

LOST: frozenset[FailureLabel] = frozenset({"gold_absent", "not_retrieved", "cut"})
"""Labels by code under which no gold passage was kept, where the best one decides."""
COLUMNS_NEEDED = (CORRECTNESS, *COLUMNS.values())
"""Columns of an assessment that says why answers were low."""


@dataclass(frozen=True)
class JudgedFailures:
    """Reads failure labels; changes nothing."""

    judgements: JudgementStore
    labels: LabelStore
    items: ItemSource
    locator: FailureLocator

    def of(self, assessment_id: str, *, below: float = HIGHEST) -> WhyReport:
        """Return why the answers of each judged run were low.

        Raises NotFoundError if the assessment does not exist. Raises InputError for an assessment without correctness
        and failure labels, and ConflictError before its sweep has ended.
        """
        assessment = self.judgements.assessment(assessment_id)
        if not set(COLUMNS_NEEDED) <= set(assessment.spec.columns):
            raise InputError(sentence("failures.not-judged", assessment=assessment_id), field="assessment")
        sweep = self.items.sweep_of(assessment.spec.runs)
        marks = first_marks(self.judgements.marks(assessment_id))
        keys: dict[str, list[ItemKey]] = {run.id: [] for run in sweep.runs if run.id in assessment.spec.runs}
        for key in self.items.keys(assessment.spec.runs):
            keys[key.place.run_id].append(key)
        is_foreign = INCOMPLETE_COLUMN in assessment.spec.columns
        groups = [question.group or "" for question in self.locator.run_browser.questions(sweep)]
        found = [
            RunWhy.of(run.id, run.name, list(self._answers(run, keys[run.id], groups, marks, is_foreign)), below=below)
            for run in sweep.runs
            if run.id in keys
        ]
        by_column = self.labels.rated(assessment_id)
        rated = max(by_column.get(column, 0) for column in COLUMNS.values())
        return WhyReport(
            assessment=assessment_id,
            judge=assessment.spec.judge.model.name,
            rated=rated,
            below=below,
            runs=tuple(found),
            warnings=self._warnings(assessment, rated),
        )

    def tables(self, sweep_id: str) -> dict[str, StudyTable]:
        """Return the labels of all assessments of a sweep that have them as a table; empty before it has ended."""
        assessments = [
            each for each in self.judgements.assessments(sweep_id) if set(COLUMNS_NEEDED) <= set(each.spec.columns)
        ]
        try:
            return with_rows({"why_low": why_table(self.of(each.id) for each in assessments)})
        except ConflictError:
            return {}

    def _answers(
        self,
        run: Run,
        keys: Sequence[ItemKey],
        groups: Sequence[str],
        marks: dict[tuple[str, str], Mark],
        is_foreign: bool,
    ) -> Iterator[JudgedAnswerLabels]:
        columns: dict[AskedLabel, str] = {**COLUMNS, **({INCOMPLETE: INCOMPLETE_COLUMN} if is_foreign else {})}
        located = {each.number: each.label for each in self.locator.of_run(run.id, FailureChoices()).runs[0].questions}
        best = self.locator.of_run(run.id, FailureChoices(best=True)).runs[0]
        missed = {each.number: each.label for each in best.questions if each.label in LOST}
        for key in keys:
            number = key.place.number
            correctness = score_of(key, CORRECTNESS, marks)
            found = {label: score_of(key, column, marks) for label, column in columns.items()}
            reasons = [each.reason for each in (correctness, *found.values()) if each.reason is not None]
            yield JudgedAnswerLabels(
                correctness=correctness.value,
                labels=None if reasons else frozenset(label for label, score in found.items() if score.value),
                reason=reasons[0] if reasons else None,
                absent=is_foreign and missed.get(number) == "gold_absent",
                missed=number in missed,
                located=located.get(number, "failed"),
                group=groups[number],
            )

    def _warnings(self, assessment: Assessment, rated: int) -> tuple[Sentence, ...]:
        spec = assessment.spec
        return (
            *(() if rated else (sentence("judging.uncalibrated"),)),
            *judge_warnings(spec.judge.model.name, spec.judge_info, self.items.answerers(spec.runs)),
            sentence("failures.over-specific"),
            *(() if INCOMPLETE_COLUMN in spec.columns else (sentence("failures.left-out"),)),
        )
