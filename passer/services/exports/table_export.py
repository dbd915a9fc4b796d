"""Exports every question of every run, or one row per configuration, as CSV, JSON Lines or XLSX."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, BinaryIO

from passer.domain.analysis.analysis import ConfigurationResult, SweepAnalysis
from passer.domain.analysis.gains import COVERAGE_COLUMNS
from passer.domain.analysis.study_table import StudyTable, value_at
from passer.domain.models.answer import ModelTimings
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.score import VECTOR_ORDER
from passer.domain.sweeps.run import RunMemory
from passer.ports import TableWriter, writer_of
from passer.services.exports.exported_rows import RAGELO_COLUMNS, RageloTable, ragelo_rows
from passer.services.exports.sheet_export import SHEET_COLUMNS, EvaluationExport, sheets_of


def filled(write: Callable[[BinaryIO], object]) -> IO[bytes]:
    """Return a temporary file with what `write` wrote, at its start; the caller closes it. Closed if `write` fails."""
    stream = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
    try:
        write(stream)
        stream.seek(0)
    except BaseException:
        stream.close()
        raise
    return stream


SAME_TIMINGS = tuple(name for name in ModelTimings.model_fields if name != "cached_count")
"""Timings that do not depend on earlier requests to the server."""
EVALUATION_COLUMNS: tuple[str, ...] = (
    "sweep", "sweep_id", "run", "run_id", "is_baseline", "model", "model_digest", "policy", "threshold", "k",
    "retriever", "prompt", "temperature", "seed", "repeat", "profile",
    "number", "question_id", "question", "reference", "answer",
    "passages_kept", "covered", "passage_ids", "similarities", "gold_ids", "gold_ranks", "abstained", "truncated",
    "state", "reason",
    *SAME_TIMINGS, "tokens_per_s",
    *VECTOR_ORDER, "missing_scores", "cluster", "weight", "searched", "not_rewritten", "other_references",
)  # fmt: skip
"""One row per run and question. `number` counts questions from 1, as pages do. `missing_scores` gives the reason of
each score that has no value.

`passage_ids` and `similarities` are of the kept passages, best first; `gold_ranks` are the ranks of the `gold_ids`
among all retrieved passages, from 1, null for one that was not retrieved. `searched` are the texts that were searched
for where a retriever rewrites questions, and `not_rewritten` the reason if that was only the question.
`other_references` are the other right answers of the question: each score is the best over them and the `reference`.
"""
CLOCK_COLUMNS: tuple[str, ...] = (
    "reused", "cached_count", "read_count", "embedding_s", "retrieval_s", "generation_s",
    "run_started_at", "run_finished_at", "passer_memory_bytes", "model_memory_bytes", "model_gpu_memory_bytes",
)  # fmt: skip
"""Columns that differ between two equal runs: local seconds, clock times, memory, and which evaluation asked first."""

_COUNTS = (
    "n", "n_excluded", "excluded", "n_worst_filled", "worst_filled", "n_failed", "n_unfinished", "n_truncated",
    "n_repeated",
)  # fmt: skip
_SPREADS = ("cv", "within_sd", "within_cv", "between_sd", "between_cv")
_COMPARED = (
    "baseline", "n_pairs", "only_here", "only_baseline", "n_prompts_changed", "baseline_mean_cps", "baseline_tcps",
    "gain", "improvement_pct", "tcps_improvement_pct", "balance", "t", "p", "p_holm", "p_bonferroni",
    "p_benjamini_hochberg", "family_size", "cohens_d", "effect", "stars",
)  # fmt: skip
_RETRIEVED = (
    "n_gold", "n_gold_absent", "hit_rate", "recall", "precision", "n_precision", "mrr", "ndcg", "coverage",
    "abstention_rate", "n_answered", "mean_passages",
)  # fmt: skip
COMPOSITE_COLUMNS: tuple[str, ...] = (
    "panel", "scope", "missing", "profile", "pool", "pool_rows",
    "name", "model", "policy", "threshold", "k", "is_baseline", "is_recommended", *_COUNTS,
    "mean_cps", "ci_low", "ci_high", *_SPREADS, "tcps",
    *_COMPARED, "p_adjusted", "outcome", "gain_ci_low", "gain_ci_high",
    *COVERAGE_COLUMNS, "no_test_reason", *_RETRIEVED, *VECTOR_ORDER,
)  # fmt: skip
"""One row per configuration; the 24 columns hold means."""


@dataclass(frozen=True)
class TableExport:
    """Writes tables with the given writers."""

    writers: Sequence[TableWriter]
    project: str | None = None
    """Project that each row names in a column of its own; None: the default one, whose tables have no such column."""

    def writer(self, suffix: str) -> TableWriter:
        """Return what writes files with this suffix; InputError for an unknown one."""
        return writer_of(self.writers, suffix)

    def evaluations(self, items: Iterable[EvaluationExport], *, suffix: str, reproducible: bool = False) -> IO[bytes]:
        """Return one row per run and question, as a file opened at its start; the caller closes it."""
        columns = EVALUATION_COLUMNS + (() if reproducible else CLOCK_COLUMNS)
        return self._of_project(columns, map(_evaluation_row, items), suffix=suffix, reproducible=reproducible)

    def composites(self, analysis: SweepAnalysis, *, suffix: str, reproducible: bool = False) -> IO[bytes]:
        """Return one row per configuration, as a file opened at its start; the caller closes it."""
        return self._of_project(COMPOSITE_COLUMNS, _composite_rows(analysis), suffix=suffix, reproducible=reproducible)

    def ragelo(
        self, table: RageloTable, items: Iterable[EvaluationExport], *, suffix: str, reproducible: bool = False
    ) -> IO[bytes]:
        """Return a file of RAGElo, opened at its start; the caller closes it."""
        rows = ragelo_rows(table, items)
        return self._written(RAGELO_COLUMNS[table], rows, suffix=suffix, reproducible=reproducible)

    def table(self, table: StudyTable, *, suffix: str, reproducible: bool = False) -> IO[bytes]:
        """Return a result table, as a file opened at its start; the caller closes it."""
        rows = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
        return self._written(table.columns, rows, suffix=suffix, reproducible=reproducible)

    def sheets(
        self, items: Iterable[EvaluationExport], *, shifted: bool = False, reproducible: bool = False
    ) -> IO[bytes]:
        """Return a zip of workbooks in the published layout, one per run; the caller closes it."""

        def write(stream: IO[bytes]) -> None:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                for path, rows in sheets_of(items, shifted=shifted, reproducible=reproducible):
                    content = self._written(SHEET_COLUMNS, rows, suffix=".xlsx", reproducible=reproducible)
                    entry = zipfile.ZipInfo(path)
                    entry.create_system = 3  # The same on every platform.
                    with content, archive.open(entry, "w") as part:
                        shutil.copyfileobj(content, part)

        return filled(write)

    def _of_project(
        self, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, suffix: str, reproducible: bool
    ) -> IO[bytes]:
        if self.project is not None:
            columns, rows = ("project", *columns), ({"project": self.project, **row} for row in rows)
        return self._written(columns, rows, suffix=suffix, reproducible=reproducible)

    def _written(
        self, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, suffix: str, reproducible: bool
    ) -> IO[bytes]:
        writer = self.writer(suffix)
        return filled(lambda stream: writer.write(stream, columns, rows, reproducible=reproducible))


def _evaluation_row(item: EvaluationExport) -> dict[str, Any]:
    evaluation, answer = item.evaluation, item.answer
    kept = evaluation.kept[1] - evaluation.kept[0]
    retrieved = evaluation.state != "pending"
    scores = evaluation.scores or {}
    timings = answer.timings if answer else ModelTimings()
    return {
        **_run_cells(item),
        "model_digest": answer.model_digest if answer else None,
        "number": evaluation.number + 1,
        "question_id": item.question.id,
        "question": item.question.text,
        "reference": item.question.reference,
        "answer": answer.text if answer else None,
        "passages_kept": kept if retrieved else None,
        "covered": kept > 0 if retrieved else None,
        **_passage_cells(item),
        "abstained": answer.abstained if answer else None,
        "truncated": answer.truncated if answer else None,
        "state": evaluation.state,
        "reason": evaluation.reason or (answer.reason if answer else None),
        **timings.model_dump(),
        "tokens_per_s": timings.tokens_per_s,
        **{column: score.value for column, score in scores.items()},
        "missing_scores": {name: score.reason for name, score in scores.items() if score.reason} or None,
        "cluster": item.question.cluster,
        "weight": item.question.weight,
        "other_references": item.question.other_references,
        "reused": evaluation.reused,
        "read_count": timings.read_count,
        "embedding_s": item.ranking.embedding_s if item.ranking else None,
        "retrieval_s": item.ranking.retrieval_s if item.ranking else None,
        "generation_s": answer.generation_s if answer else None,
    }


def _passage_cells(item: EvaluationExport) -> dict[str, Any]:
    """Return the cells of the retrieved passages, so that every figure of retrieval can be computed from the row."""
    ranking = item.ranking
    if ranking is None or item.evaluation.state == "pending":
        return {}
    kept = ranking.passages[slice(*item.evaluation.kept)]
    rewriting = ranking.rewriting
    ranks = {name: rank for rank, name in enumerate(ranking.ids, start=1)}
    return {
        "passage_ids": [name for name, _ in kept],
        "similarities": [similarity for _, similarity in kept],
        "gold_ids": ranking.gold_ids,
        "gold_ranks": None if ranking.gold_ids is None else [ranks.get(gold) for gold in ranking.gold_ids],
        "searched": rewriting and rewriting.asked,
        "not_rewritten": rewriting and rewriting.reason,
    }


def _run_cells(item: EvaluationExport) -> dict[str, Any]:
    run = item.run
    config, policy, memory = run.config, run.config.retrieval, run.memory or RunMemory()
    is_ours, is_sent = not config.model.is_outside, not config.model.is_function
    return {
        "sweep": item.sweep_name,
        "sweep_id": run.sweep_id,
        "run": run.name,
        "run_id": run.id,
        "is_baseline": run.is_baseline,
        "model": item.model,
        # How an external system retrieves and prompts is not known, nor the options of one that receives none.
        "policy": policy.label if is_ours else None,
        "threshold": policy.min_similarity if isinstance(policy, ScorePolicy) else None,
        "k": policy.k if isinstance(policy, NormalPolicy) else policy.depth or None,
        "retriever": config.retriever.label if is_ours else None,
        "prompt": config.prompt if is_ours else None,
        "temperature": config.options.temperature if is_sent else None,
        "seed": config.options.seed if is_sent else None,
        "repeat": config.repeat,
        "profile": config.profile,
        "run_started_at": run.started_at,
        "run_finished_at": run.finished_at,
        "passer_memory_bytes": memory.passer_bytes,
        "model_memory_bytes": memory.model.total_bytes if memory.model else None,
        "model_gpu_memory_bytes": memory.model.gpu_bytes if memory.model else None,
    }


def _composite_rows(analysis: SweepAnalysis) -> Iterator[dict[str, Any]]:
    recommended = {(item.model, item.name) for item in analysis.verdict.conclusions}
    pools = {run_id: pool for pool in analysis.pools for run_id in pool.run_ids}
    for result in analysis.configurations:
        pool = pools.get(result.run_ids[0])
        yield {
            "panel": analysis.panel,
            "scope": analysis.scope,
            "missing": analysis.missing,
            "profile": analysis.profile_label,
            "pool": pool.name if pool else None,
            "pool_rows": pool.rows if pool else None,
            "is_recommended": (result.model, result.name) in recommended,
            **_result_cells(result),
        }


def _result_cells(result: ConfigurationResult) -> dict[str, Any]:
    own = ("name", "model", "policy", "threshold", "k", "is_baseline", *_COUNTS, "mean_cps", *_SPREADS, "tcps")
    cells = {name: getattr(result, name) for name in own}
    cells |= {name: counts or None for name in ("excluded", "worst_filled") for counts in [cells[name]]}
    cells |= {"ci_low": result.ci.low, "ci_high": result.ci.high} if result.ci else {}
    test = result.comparison
    if test is not None:
        cells |= {name: getattr(test, name) for name in _COMPARED} | {"no_test_reason": test.reason}
        cells |= {name: value_at(test, path) for name, path in COVERAGE_COLUMNS.items()}
        cells |= {"p_adjusted": test.judged.p, "outcome": test.judged.outcome}
        cells |= {"gain_ci_low": test.ci.low, "gain_ci_high": test.ci.high} if test.ci else {}
    cells |= {name: getattr(result.retrieval, name) for name in _RETRIEVED}
    return cells | {item.metric: item.mean for item in result.metrics}
