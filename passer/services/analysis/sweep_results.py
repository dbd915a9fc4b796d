"""Reads a stored sweep for analyses, and caches results that cannot change any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.choices import AS_USUAL, SweepChoices
from passer.domain.analysis.question_across import AnswerAcross, QuestionAcross, SweepMeans
from passer.domain.analysis.question_matrix import QuestionMatrix
from passer.domain.analysis.run_rows import RunRows
from passer.domain.composite import CPS
from passer.domain.dataset import Dataset, Question, weights_of
from passer.domain.evidence.results import Evidence
from passer.domain.figures.figure import Figure
from passer.domain.figures.of_pairs import differences_figure, pairs_figure
from passer.domain.lru_cache import LruCache
from passer.domain.score import Score
from passer.domain.statistics import Floats, Interval
from passer.domain.study.registration import verdict_status
from passer.domain.verdict.judged_rule import JudgedColumn
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError
from passer.ports import EvaluationStore, RunStore, StoredSweep
from passer.services.analysis.comparability import check_ended
from passer.services.analysis.kept_results import CacheKey, cache_key, is_finished
from passer.services.analysis.question_matrix import matrix_of
from passer.services.analysis.run_evidence import evidence_of_runs
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.sweep_rows import kept_ranks, rows_of, similarities_of, similarity_figures
from passer.services.analysis.verdict.judged_column_reader import JudgedColumnReader
from passer.services.analysis.verdict.primary_metric import recorded_rule
from passer.services.analysis.verdict.question_clusters import clusters_of
from passer.services.runs.run_browser import RunBrowser

MOST_CACHED = 64
"""Analyses of finished sweeps that are kept in memory; one takes some hundred kilobytes."""
MOST_CELLS = 5_000_000
"""Cells of matrices that are kept in memory, 22 bytes each."""


@dataclass(frozen=True)
class SweepResults:
    """Reads a sweep and hands it to the analysis."""

    run_browser: RunBrowser
    runs: RunStore
    evaluations: EvaluationStore
    judged_columns: JudgedColumnReader
    """Reads judged columns that are recorded or chosen as the primary metric."""
    cached: LruCache[CacheKey, SweepAnalysis] = field(default_factory=lambda: LruCache(MOST_CACHED), compare=False)
    """Analyses of sweeps whose runs are all finished: nothing is added to them until a run is opened again."""
    matrices: LruCache[CacheKey, QuestionMatrix] = field(
        default_factory=lambda: LruCache(MOST_CELLS, weigh=lambda matrix: matrix.size), compare=False
    )
    """Matrices of the same sweeps, by metric."""
    pair_figures: LruCache[CacheKey, tuple[Figure, Figure]] = field(
        default_factory=lambda: LruCache(MOST_CACHED), compare=False
    )
    """Figures of `pairs` of the same sweeps, some megabytes each at most."""

    def analyse(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> SweepAnalysis:
        """Return composites, comparisons and retrieval quality; ConflictError before the sweep has ended."""
        sweep = self.at_rest(sweep_id)
        if not _is_kept(sweep, choices):
            return self._analysed(sweep, rows_of(sweep, self.evaluations), choices)
        return self.cached.get_or_compute(
            cache_key(sweep, choices.model_dump_json()), lambda: self._analyse_finished(sweep, choices)
        )

    def at_rest(self, sweep_id: str) -> StoredSweep:
        """Return a sweep whose gains may be shown; ConflictError as of check_ended."""
        sweep = self.runs.load_sweep(sweep_id)
        check_ended(sweep)
        return sweep

    def key_of(self, sweep_id: str, choices: SweepChoices) -> CacheKey | None:
        """Return the cache key of the results of a finished sweep; None while they can change."""
        sweep = self.runs.load_sweep(sweep_id)
        return cache_key(sweep, choices.model_dump_json()) if _is_kept(sweep, choices) else None

    def matrix_and_dataset(self, sweep_id: str, metric: str = CPS) -> tuple[QuestionMatrix, Dataset]:
        """Return the matrix of questions and configurations with their dataset; ConflictError before all have ended.

        Of a finished sweep of 600,000 evaluations it takes about 10 seconds, unless the analysis was read before.
        """
        sweep = self.at_rest(sweep_id)
        return self._matrix_of(sweep, metric), self.run_browser.dataset(sweep)

    def question(self, sweep_id: str, number: int) -> QuestionAcross:
        """Return one question under every configuration in the sweep's primary metric; means and gains at its end."""
        sweep = self.runs.load_sweep(sweep_id)
        recorded = self.recorded_column(sweep)
        # Until a recorded judge has judged every answer, its column has no values.
        is_waiting = recorded is not None and not recorded.scores
        metric = CPS if is_waiting else (sweep.sweep.primary or CPS)
        asked = self.run_browser.questions(sweep)
        if not 0 <= number < len(asked):
            raise NotFoundError(sentence("problem.no-question", run=sweep_id, n=len(asked)))
        matrix = self._matrix_of(sweep, metric) if recorded is None else self._judged_matrix(sweep, metric, recorded)
        (row,) = matrix.rows([number], [question.text for question in asked])
        stored = self.evaluations.evaluations_of_question([column.run_id for column in matrix.columns], number)
        reached = {item.run_id: item for item in stored}
        answers = self.evaluations.answers(sorted({item.answer_key for item in reached.values() if item.answer_key}))
        keys = {run: item.answer_key for run, item in reached.items()}
        found = [answers.get(keys.get(column.run_id) or "") for column in matrix.columns]
        ranks = kept_ranks(sweep, asked[number].id, reached, self.evaluations)
        is_shown = sweep.state.is_final
        judged = self.judged_columns.of_question(sweep_id, [column.run_id for column in matrix.columns], number)
        items = tuple(
            AnswerAcross(
                column=column if is_shown else column.model_copy(update={"mean": None}),
                cell=cell if is_shown else cell.model_copy(update={"gain": None}),
                ranks=ranks.get(column.run_id),
                repeats=matrix.repeats_of(number, place),
                judged=judged.get(column.run_id, ()),
                answer=answer.text if answer else None,
                prompt_tokens=answer.timings.prompt_eval_count if answer else None,
                generation_s=answer.generation_s if answer else None,
            )
            for place, (column, cell, answer) in enumerate(zip(matrix.columns, row.cells, found, strict=True))
        )
        across = QuestionAcross(
            metric=metric,
            number=number,
            question=row.question,
            items=items,
            means=SweepMeans.of(matrix, self.judged_columns.means(sweep_id)) if is_shown else None,
            withheld=None if is_shown else sentence("verdict.withheld"),
        )
        return self._explained(sweep, across) if is_shown and metric == CPS else across

    def _explained(self, sweep: StoredSweep, found: QuestionAcross) -> QuestionAcross:
        """Return a question with why an abstention has a higher CPS than an answer, where one has."""
        pair = found.leading_abstention
        # A mean over repetitions cannot be split into the parts of one answer.
        if pair is None or any(each.repeats for each in pair):
            return found
        pools = self.analyse(sweep.id).pools
        scores = [self._scores(each.column.run_id, found.number) for each in pair]
        return found.explained(pools[0], *scores) if len(pools) == 1 else found

    def _scores(self, run_id: str, number: int) -> Mapping[str, Score]:
        (found,) = self.evaluations.evaluations(run_id, after=number - 1, limit=1)
        return found.scores or {}

    def pairs(self, sweep_id: str, run_id: str, metric: str = CPS) -> tuple[Figure, Figure]:
        """Return a metric of a run over its baseline's by question, and the differences.

        InputError without a baseline, ConflictError before the sweep has ended.
        """
        stored = self.at_rest(sweep_id)
        key = cache_key(stored, f"{metric} of {run_id}") if _is_kept(stored, AS_USUAL) else None
        return self.pair_figures.get_or_compute(key, lambda: self._pairs(stored, run_id, metric))

    def _pairs(self, stored: StoredSweep, run_id: str, metric: str) -> tuple[Figure, Figure]:
        matrix = self._matrix_of(stored, metric)
        places = {column.run_id: place for place, column in enumerate(matrix.columns) if column.baseline is not None}
        if run_id not in places:
            raise InputError(sentence("analysis.no-compared-run", run=run_id), field="of")
        place = places[run_id]
        ids = [question.id for question in self.run_browser.questions(stored)]
        return pairs_figure(matrix, place, ids), differences_figure(
            matrix, place, self._interval(stored, run_id, metric)
        )

    def _interval(self, stored: StoredSweep, run_id: str, metric: str) -> Interval | None:
        """Return the simultaneous interval of a run's gain; None before the end, and unless the metric is primary."""
        if not is_finished(stored):
            return None
        analysis = self.analyse(stored.id)
        if analysis.rule.primary != metric:
            return None
        found = (each.comparison for each in analysis.configurations if run_id in each.run_ids)
        return next((comparison.judged.interval for comparison in found if comparison), None)

    def matrix(self, sweep_id: str, metric: str = CPS) -> QuestionMatrix:
        """Return one metric of all questions and configurations of a sweep that has ended; ConflictError before."""
        return self._matrix_of(self.at_rest(sweep_id), metric)

    def asked(self, sweep_id: str) -> Sequence[Question]:
        """Return the questions of a sweep in the order of its dataset."""
        return self.run_browser.questions(self.runs.load_sweep(sweep_id))

    def _matrix_of(self, sweep: StoredSweep, metric: str) -> QuestionMatrix:
        recorded = self.recorded_column(sweep) if metric == sweep.sweep.primary else None
        if recorded is not None:
            return self._judged_matrix(sweep, metric, recorded)
        matrix = self.matrices.get(cache_key(sweep, metric))
        return self._matrix(sweep, rows_of(sweep, self.evaluations), metric) if matrix is None else matrix

    def _judged_matrix(self, sweep: StoredSweep, metric: str, recorded: JudgedColumn) -> QuestionMatrix:
        """Return a matrix of a recorded judge; it is cached with its assessment once all answers are judged."""
        if metric != recorded.column:
            return self._matrix_of(sweep, metric)
        key = cache_key(sweep, f"{metric} {recorded.by.assessment}")
        kept = self.matrices.get(key)
        if kept is not None:
            return kept
        questions = self.run_browser.questions(sweep)
        matrix = matrix_of(rows_of(sweep, self.evaluations), questions, metric=metric, judged=recorded)
        return self.matrices.put(key, matrix) if is_finished(sweep) and recorded.scores else matrix

    def _analyse_finished(self, sweep: StoredSweep, choices: SweepChoices) -> SweepAnalysis:
        rows = rows_of(sweep, self.evaluations)
        found = self._analysed(sweep, rows, choices)
        if choices == AS_USUAL:
            # Reading the rows takes longest, and who looks at an analysis looks at its questions next.
            self._matrix(sweep, rows, CPS)
        return found

    def _analysed(self, sweep: StoredSweep, rows: Sequence[RunRows], choices: SweepChoices) -> SweepAnalysis:
        dataset = self.run_browser.dataset(sweep)
        found = analyse(
            rows,
            choices,
            recorded=recorded_rule(sweep.sweep),
            questions=dataset.questions[: sweep.questions],
            available=len(dataset.questions),
            judged=self._judged(sweep, choices),
        )
        return found.model_copy(update={"standing": verdict_status(sweep.registered, found.verdict.exploratory)})

    def _judged(self, sweep: StoredSweep, choices: SweepChoices) -> JudgedColumn | None:
        recorded = self.recorded_column(sweep)
        if recorded is not None:
            assessments, columns = (None, recorded.by.assessment), (None, recorded.column)
            if choices.assessment in assessments and choices.primary in columns:
                return recorded
        if choices.assessment is None:
            return None
        return self.judged_columns.of(sweep.id, choices.assessment, choices.primary)

    def recorded_column(self, sweep: StoredSweep) -> JudgedColumn | None:
        """Return the judged column that the sweep recorded as its primary metric; None if it recorded no judge."""
        return self.judged_columns.recorded(sweep)

    def _matrix(self, sweep: StoredSweep, rows: Sequence[RunRows], metric: str) -> QuestionMatrix:
        matrix = matrix_of(rows, self.run_browser.questions(sweep), metric=metric)
        return self.matrices.put(cache_key(sweep, metric), matrix) if is_finished(sweep) else matrix

    def evidence(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> Evidence:
        """Return all tests of all gains and the sensitivity of the result; takes some seconds.

        InputError where the choices give no one scale to test on, ConflictError before the sweep has ended.
        """
        sweep = self.at_rest(sweep_id)
        found = self.tests(sweep, rows_of(sweep, self.evaluations), choices)
        if found is None:
            raise InputError(
                sentence("analysis.tests-one-scale", scope=choices.scope),
                field="scope",
            )
        return found

    def tests(self, sweep: StoredSweep, rows: Sequence[RunRows], choices: SweepChoices) -> Evidence | None:
        """Return all tests of the rows of a sweep, as its questions are weighted; None without one scale for all."""
        questions = self.run_browser.questions(sweep)
        found = evidence_of_runs(rows, choices, weights=weights_of(questions))
        if found is None or not clusters_of(questions, choices.clusters):
            return found
        return found.model_copy(update={"statements": (*found.statements, sentence("evidence.independent"))})

    def rows(self, sweep_id: str) -> list[RunRows]:
        """Return the runs of a sweep with their questions, for an analysis."""
        return rows_of(self.runs.load_sweep(sweep_id), self.evaluations)

    def weights(self, sweep_id: str) -> dict[str, float]:
        """Return the weights of a sweep's questions by id; empty if all are equal."""
        return weights_of(self.run_browser.questions(self.runs.load_sweep(sweep_id, counted=False)))

    def similarities(self, sweep_id: str) -> dict[str, Floats]:
        """Return the similarities of all retrieved passages of a sweep, by collection, shape (n,)."""
        return similarities_of(self.runs.load_sweep(sweep_id), self.evaluations)

    def similarity_figures(self, sweep_id: str) -> tuple[Figure, ...]:
        """Return the similarities of gold and other passages, a figure for each collection."""
        return similarity_figures(self.runs.load_sweep(sweep_id), self.evaluations)


def _is_kept(sweep: StoredSweep, choices: SweepChoices) -> bool:
    """Return whether an analysis cannot change: judged values and labels are added to finished sweeps."""
    return is_finished(sweep) and choices.assessment is None and sweep.sweep.judge is None
