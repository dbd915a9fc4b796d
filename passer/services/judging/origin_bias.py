"""Reads the answers of several runs by who wrote their questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.judging.judgement import NamedJudge
from passer.domain.questions.origin_bias import PEOPLE, OriginMatrix, OriginValue, origin_matrix
from passer.domain.score import VECTOR_ORDER, ScoreTable
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import EvaluationStore, JudgementStore, StoredSweep
from passer.services.analysis.comparability import check_ended
from passer.services.judging.results import AssessmentResults
from passer.services.runs.run_browser import RunBrowser


@dataclass(frozen=True)
class OriginBias:
    """Compares models on questions that models and people wrote; read-only."""

    run_browser: RunBrowser
    evaluations: EvaluationStore
    judgements: JudgementStore
    results: AssessmentResults

    def of(self, run_ids: Sequence[str], metric: str) -> OriginMatrix:
        """Return the matrix of these runs in one of the 24 columns, or in a judged one by each run's newest assessment.

        NotFoundError for an unknown run; ConflictError before its sweep has ended; InputError for a column that a run
        lacks, or that several judges gave.
        """
        known: dict[str, StoredSweep] = {}
        values: list[OriginValue] = []
        judges: set[NamedJudge] = set()
        missing = 0
        for run_id in dict.fromkeys(run_ids):
            sweep, run = self.run_browser.run(run_id, known=known)
            check_ended(sweep)
            origins = {each.id: each.origin for each in self.run_browser.questions(sweep)}
            table = self._table(run_id, sweep.id, metric, judges)
            for question, score in zip(table.ids, table.column(metric), strict=True):
                if score.value is None:
                    missing += 1
                    continue
                origin = origins.get(question)
                values.append(
                    OriginValue(
                        dataset=sweep.sweep.config.dataset,
                        origin=PEOPLE if origin is None else origin.model,
                        model=run.config.model.name,
                        question=question,
                        value=score.value,
                    )
                )
        names = sorted({judge.name for judge in judges})
        if len(names) > 1:
            raise InputError(sentence("origins.judges", judges=", ".join(names)), field="metric")
        # One judge of several sweeps is calibrated where people have rated answers of each.
        judge = min(judges, key=lambda judge: judge.rated, default=None)
        return origin_matrix(values, metric=metric, judge=judge, missing=missing)

    def _table(self, run_id: str, sweep_id: str, metric: str, judges: set[NamedJudge]) -> ScoreTable:
        if metric in VECTOR_ORDER:
            return self.evaluations.run_scores(run_id).table
        for assessment in self.judgements.assessments(sweep_id):
            if metric in assessment.spec.columns and run_id in assessment.spec.runs:
                rated = self.results.labels.rated(assessment.id).get(metric, 0)
                judges.add(NamedJudge(assessment.spec.judge.model.name, rated))
                return self.results.scores(assessment.id, run_id)
        raise InputError(sentence("origins.no-column", run=run_id, column=metric), field="metric")
