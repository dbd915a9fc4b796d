"""A sweep as it is in the store, laid out for analysis and for export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Literal

from passer.domain.analysis import EvaluatedQuestion, RunRows, SweepAnalysis
from passer.domain.composite import MissingPolicy
from passer.domain.dataset import Question
from passer.domain.evidence import Evidence
from passer.domain.retrieval import Ranking
from passer.domain.retrieval_quality import QuestionRetrieval
from passer.domain.run import Answer, Evaluation, Run
from passer.ports import EvaluationStore, RunStore, StoredSweep
from passer.services.analysing import analyse
from passer.services.evidencing import evidence_of_runs
from passer.services.exporting import EvaluationExport, Exporting
from passer.services.inspecting import Inspecting

Table = Literal["evaluations", "composites"]


@dataclass(frozen=True)
class Comparing:
    """Reads a sweep and hands it to the analysis or to the exporters."""

    inspecting: Inspecting
    runs: RunStore
    evaluations: EvaluationStore
    exporting: Exporting

    def analyse(self, sweep_id: str, *, panel: str | None = None, missing: MissingPolicy = "worst") -> SweepAnalysis:
        """Composites, comparisons and retrieval quality of what is there so far."""
        return analyse(self._of_sweep(sweep_id), panel=panel, missing=missing)

    def evidence(self, sweep_id: str, *, panel: str | None = None, missing: MissingPolicy = "worst") -> Evidence:
        """Every test of every threshold's gain, and what the result hangs on; some seconds."""
        return evidence_of_runs(self._of_sweep(sweep_id), panel=panel, missing=missing)

    def export(self, sweep_id: str, *, table: Table, suffix: str, reproducible: bool = False) -> IO[bytes]:
        """A table as a file, open for reading from its beginning; the caller closes it."""
        if table == "composites":
            return self.exporting.composites(self.analyse(sweep_id), suffix=suffix, reproducible=reproducible)
        sweep = self.runs.load_sweep(sweep_id)
        return self.exporting.evaluations(self._exported(sweep), suffix=suffix, reproducible=reproducible)

    def _of_sweep(self, sweep_id: str) -> list[RunRows]:
        sweep = self.runs.load_sweep(sweep_id)
        rankings = self._rankings(sweep)
        return [self._rows(sweep, run, rankings) for run in sweep.runs]

    def _rankings(self, sweep: StoredSweep) -> dict[str, dict[str, Ranking]]:
        names = dict.fromkeys(run.config.collection for run in sweep.runs)
        return {name: self.evaluations.rankings(sweep.id, name) for name in names}

    def _rows(self, sweep: StoredSweep, run: Run, rankings: Mapping[str, Mapping[str, Ranking]]) -> RunRows:
        stored = self.evaluations.evaluations(run.id)
        answers = self.evaluations.answers(sorted({e.answer_key for e in stored if e.answer_key}))
        ranked = rankings[run.config.collection]
        return RunRows(
            run_id=run.id,
            sweep_id=sweep.id,
            name=run.name,
            config=run.config,
            is_baseline=run.is_baseline,
            dataset_digest=sweep.dataset_digest,
            identity=run.scored_by,
            questions=tuple(
                _evaluated(evaluation, ranked.get(evaluation.question_id), answers.get(evaluation.answer_key or ""))
                for evaluation in stored
            ),
        )

    def _exported(self, sweep: StoredSweep) -> Iterator[EvaluationExport]:
        questions: tuple[Question, ...] = self.inspecting.questions(sweep)
        rankings = self._rankings(sweep)
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


def _evaluated(evaluation: Evaluation, ranking: Ranking | None, answer: Answer | None) -> EvaluatedQuestion:
    first, last = evaluation.kept
    kept = [passage.id for passage in ranking.passages[first:last]] if ranking else []
    gold = ranking.gold_ids if ranking else None
    return EvaluatedQuestion(
        question_id=evaluation.question_id,
        state=evaluation.state,
        scores=evaluation.scores,
        retrieval=QuestionRetrieval.of(kept, gold, abstained=answer.abstained if answer else None),
        truncated=answer.truncated if answer else None,
        prompt_digest=evaluation.prompt_digest,
    )
