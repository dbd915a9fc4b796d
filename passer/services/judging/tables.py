"""Judged columns of a sweep as tables, for exports and reports: means by run, and the value of each answer."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.analysis.study_table import Cell, StudyTable
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.judgement import calibration
from passer.ports import JudgementStore
from passer.services.judging.answers import first_marks, score_of
from passer.services.judging.items import ItemSource
from passer.services.judging.results import AssessmentResults

JUDGED = "judged"
"""Name of the table of means."""
JUDGED_ANSWERS = "judged_answers"
"""Name of the table with a row for each answer and column."""
_MEANS = ("judge", "name", "metric", "mean", "ci_low", "ci_high", "judged", "answers", "rated", "rho", "calibration")
_ANSWERS = ("judge", "assessment", "run", "name", "question", "question_id", "metric", "value", "reason", "calibration")


@dataclass(frozen=True)
class JudgedTables:
    """Tabulates the assessments of a sweep; read-only."""

    judgements: JudgementStore
    results: AssessmentResults
    items: ItemSource

    def means(self, sweep_id: str) -> dict[str, StudyTable]:
        """Return the table of means of all assessments by name; empty without an assessment."""
        assessments = self.judgements.assessments(sweep_id)
        rows = [row for assessment in assessments for row in self._means(assessment)]
        return {JUDGED: StudyTable(columns=_MEANS, rows=tuple(rows))} if rows else {}

    def answers(self, sweep_id: str) -> StudyTable:
        """Return the value of each answer in each judged column, or its reason, by assessment, run and question."""
        rows: list[tuple[Cell, ...]] = []
        for assessment in self.judgements.assessments(sweep_id):
            names, rated = self._names(assessment), self._rated(assessment)
            marks = first_marks(self.judgements.marks(assessment.id))
            judge = assessment.spec.judge.model.name
            for key in self.items.keys(assessment.spec.runs):
                place = key.place
                before = (judge, assessment.id, place.run_id, names[place.run_id], place.number + 1, place.question_id)
                for column in assessment.spec.columns:
                    score = score_of(key, column, marks)
                    rows.append((*before, column, score.value, score.reason, rated[column][-1]))
        return StudyTable(columns=_ANSWERS, rows=tuple(rows))

    def _means(self, assessment: Assessment) -> list[tuple[Cell, ...]]:
        names, rated = self._names(assessment), self._rated(assessment)
        judge = assessment.spec.judge.model.name
        return [
            (
                judge, names[cell.run_id], cell.column, cell.mean, cell.low, cell.high, cell.judged, cell.questions,
                *rated[cell.column],
            )
            for cell in self.results.table(assessment.id).cells
        ]  # fmt: skip

    def _names(self, assessment: Assessment) -> dict[str, str]:
        return {run.id: run.name for run in self.items.sweep_of(assessment.spec.runs).runs}

    def _rated(self, assessment: Assessment) -> dict[str, tuple[int, float | None, str]]:
        """Number of labelled answers of each column, rank correlation with them, and whether there are any."""
        columns = self.results.table(assessment.id).columns
        return {each.column: (each.labels, each.rho, calibration(each.labels)) for each in columns}
