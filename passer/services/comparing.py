"""A sweep as it is in the store, laid out for analysis and for export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Literal

import numpy as np

from passer.domain.analysis.analysis import EvaluatedQuestion, RunRows, SweepAnalysis
from passer.domain.analysis.choices import SEVERAL_POOLS, SweepChoices, check_scope
from passer.domain.analysis.effort import AnswerEffort
from passer.domain.dataset import Question
from passer.domain.evidence.found import Evidence
from passer.domain.remembering import Remembered
from passer.domain.retrieval_quality import QuestionRetrieval
from passer.domain.run import Run, RunState
from passer.domain.score import ScoreRow
from passer.domain.statistics import Floats
from passer.errors import InputError
from passer.ports import BareRanking, EvaluationStore, Outcome, RunStore, StoredSweep
from passer.services.analysing import analyse
from passer.services.evidencing import evidence_of_runs
from passer.services.exporting import Exporting
from passer.services.inspecting import Inspecting
from passer.services.sheet_exporting import EvaluationExport

Table = Literal["evaluations", "composites"]
ROW_TABLES: dict[str, Table] = {"evaluations": "evaluations", "composites": "composites"}
"""Tables with a row a question, or a configuration, and everything that is known of it."""


MOST_REMEMBERED = 32
"""Analyses of finished sweeps that are kept in memory; one takes some hundred kilobytes."""
AS_USUAL = SweepChoices()
"""The panel that fits, missing scores of the system as the worst, cut answers kept, constants of the own pool."""


@dataclass(frozen=True)
class Comparing:
    """Reads a sweep and hands it to the analysis or to the exporters."""

    inspecting: Inspecting
    runs: RunStore
    evaluations: EvaluationStore
    exporting: Exporting
    remembered: Remembered[SweepAnalysis] = field(default_factory=lambda: Remembered(MOST_REMEMBERED), compare=False)
    """Analyses of sweeps whose runs are all finished: nothing is added to them until a run is opened again."""

    def analyse(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> SweepAnalysis:
        """Composites, comparisons and retrieval quality of what is there so far."""
        sweep = self.runs.load_sweep(sweep_id)
        if not all(run.state is RunState.FINISHED for run in sweep.runs):
            return analysed(self._all_rows(sweep), choices)
        # A run that is opened again finishes at another time.
        key = (sweep_id, choices.model_dump_json(), tuple(run.finished_at for run in sweep.runs))
        known = self.remembered.get(key)
        return known or self.remembered.keep(key, analysed(self._all_rows(sweep), choices))

    def evidence(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> Evidence:
        """Every test of every threshold's gain, and what the result hangs on; some seconds.

        InputError where the choices give no one scale to test on.
        """
        found = weighed(self.rows(sweep_id), choices)
        if found is None:
            raise InputError(
                f"The tests need one scale for all runs, and the scope {choices.scope} gives each {choices.scope} its "
                "own: choose the scope all, or give constants.",
                field="scope",
            )
        return found

    def export(
        self,
        sweep_id: str,
        *,
        table: Table,
        suffix: str,
        choices: SweepChoices = AS_USUAL,
        reproducible: bool = False,
    ) -> IO[bytes]:
        """A table as a file, open for reading from its beginning; the caller closes it."""
        if table == "composites":
            analysis = self.analyse(sweep_id, choices)
            return self.exporting.composites(analysis, suffix=suffix, reproducible=reproducible)
        sweep = self.runs.load_sweep(sweep_id)
        return self.exporting.evaluations(self._exported(sweep), suffix=suffix, reproducible=reproducible)

    def sheets(self, sweep_id: str, *, shifted: bool = False, reproducible: bool = False) -> IO[bytes]:
        """A zip of the runs in the layout of the published study; the caller closes it."""
        sweep = self.runs.load_sweep(sweep_id)
        return self.exporting.sheets(self._exported(sweep), shifted=shifted, reproducible=reproducible)

    def rows(self, sweep_id: str) -> list[RunRows]:
        """The runs of a sweep with their questions, as an analysis needs them."""
        return self._all_rows(self.runs.load_sweep(sweep_id))

    def similarities(self, sweep_id: str) -> dict[str, Floats]:
        """Similarities of all passages that were retrieved for the sweep's questions, by collection, shape (n,)."""
        rankings = self._bare_rankings(self.runs.load_sweep(sweep_id))
        return {
            name: np.array([similarity for ranking in found.values() for _, similarity in ranking.passages])
            for name, found in rankings.items()
        }

    def _all_rows(self, sweep: StoredSweep) -> list[RunRows]:
        rankings = self._bare_rankings(sweep)
        return [self._rows(sweep, run, rankings[run.config.collection]) for run in sweep.runs]

    def _bare_rankings(self, sweep: StoredSweep) -> dict[str, dict[str, BareRanking]]:
        return {name: self.evaluations.bare_rankings(sweep.id, name) for name in _collections(sweep)}

    def _rows(self, sweep: StoredSweep, run: Run, ranked: Mapping[str, BareRanking]) -> RunRows:
        # Scores are asked for last: what is scored meanwhile waits for the next look.
        outcomes, scores = self.evaluations.outcomes(run.id), self.evaluations.run_scores(run.id)
        rows = dict(zip(scores.numbers, scores.table.score_rows(), strict=True))
        return RunRows(
            run_id=run.id,
            sweep_id=sweep.id,
            sweep_name=sweep.sweep.name,
            name=run.name,
            config=run.config,
            is_baseline=run.is_baseline,
            dataset_digest=sweep.dataset_digest,
            identity=run.scored_by,
            conditions=_conditions(run),
            questions=tuple(_evaluated(each, ranked.get(each.question_id), rows.get(each.number)) for each in outcomes),
        )

    def _exported(self, sweep: StoredSweep) -> Iterator[EvaluationExport]:
        questions: tuple[Question, ...] = self.inspecting.questions(sweep)
        rankings = {name: self.evaluations.rankings(sweep.id, name) for name in _collections(sweep)}
        for run in sweep.runs:
            stored = self.evaluations.evaluations(run.id)
            answers = self.evaluations.answers(sorted({e.answer_key for e in stored if e.answer_key}))
            for evaluation in stored:
                yield EvaluationExport(
                    sweep_name=sweep.sweep.name,
                    run=run,
                    question=questions[evaluation.number],
                    evaluation=evaluation,
                    ranking=rankings[run.config.collection].get(evaluation.question_id),
                    answer=answers.get(evaluation.answer_key or ""),
                )


def analysed(runs: Sequence[RunRows], choices: SweepChoices) -> SweepAnalysis:
    """The analysis of runs as it was chosen."""
    return analyse(
        runs,
        panel=choices.panel,
        scope=choices.scope,
        constants=choices.constants,
        missing=choices.missing,
        truncated=choices.truncated,
    )


def weighed(runs: Sequence[RunRows], choices: SweepChoices) -> Evidence | None:
    """The evidence of runs as it was chosen; None where several pools give no one scale to test on."""
    check_scope(choices.scope, pinned=choices.constants is not None)
    if choices.scope in SEVERAL_POOLS:
        return None
    return evidence_of_runs(
        runs,
        panel=choices.panel,
        missing=choices.missing,
        truncated=choices.truncated,
        constants=choices.constants,
    )


def _collections(sweep: StoredSweep) -> list[str]:
    return list(dict.fromkeys(run.config.collection for run in sweep.runs))


def _conditions(run: Run) -> dict[str, str]:
    """Of the model's server; its name stands in the configuration."""
    if run.model_info is None:
        return {}
    told = run.model_info.model_dump(mode="json", exclude={"name"}, exclude_none=True)
    return {f"model_{name}": str(value) for name, value in told.items()}


def _evaluated(outcome: Outcome, ranking: BareRanking | None, scores: ScoreRow | None) -> EvaluatedQuestion:
    first, last = outcome.kept
    kept = ranking.ids[first:last] if ranking else ()
    gold = ranking.gold_ids if ranking else None
    return EvaluatedQuestion(
        question_id=outcome.question_id,
        state=outcome.state,
        scores=scores if outcome.state == "scored" else None,
        retrieval=QuestionRetrieval.of(kept, gold, abstained=outcome.abstained),
        truncated=outcome.truncated,
        prompt_digest=outcome.prompt_digest,
        effort=_effort(outcome) if outcome.generation_s else None,
    )


def _effort(outcome: Outcome) -> AnswerEffort:
    return AnswerEffort(
        generation_s=outcome.generation_s or 0.0,
        prompt_tokens=outcome.prompt_tokens,
        output_tokens=outcome.output_tokens,
    )
