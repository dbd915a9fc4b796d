"""Runs side by side as tables: a row for each metric of each run, for each factor, for each changed question."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.run_comparison import ChangedQuestion, ComparedMetric, RunComparison
from passer.domain.analysis.study_table import Cell, Source, StudyTable, tabulate, with_rows

COMPARED_METRICS, FACTORS, CHANGED = "compared_metrics", "factors", "changed_questions"

_METRICS = (
    "metric", "run", "sweep", "run_id", "is_baseline", "mean", "n", "n_missing", "n_pairs", "n_improved", "n_worse",
    "difference", "ci_low", "ci_high", "p_adjusted", "family_size", "cohens_d", "stars", "reason",
)  # fmt: skip
_CHANGED = (
    "number", "question", "metric", "baseline", "run", "difference", "passages_baseline", "passages_run",
    "answer_baseline", "answer_run",
)  # fmt: skip


def comparison_tables(comparison: RunComparison) -> dict[str, StudyTable]:
    """Return the tables of a comparison that have rows, by name."""
    metrics = [row for line in comparison.metrics for row in _metric_rows(line, comparison)]
    factors = [
        (item.factor, run.name, run.id, value)
        for item in comparison.factors
        for run, value in zip(comparison.runs, item.values, strict=True)
    ]
    made = {
        COMPARED_METRICS: StudyTable(columns=_METRICS, rows=tuple(metrics)),
        FACTORS: StudyTable(columns=("factor", "run", "run_id", "value"), rows=tuple(factors)),
    }
    return with_rows(made)


def changed_table(items: Sequence[ChangedQuestion], *, metric: str) -> dict[str, StudyTable]:
    """Return the table of changed questions, in their order; question numbers count from 1."""
    sources: dict[str, Source] = {
        "number": lambda item: item.number + 1, "metric": lambda _: metric,
        "baseline": "before.value", "run": "here.value",
        "passages_baseline": "before.n_kept", "passages_run": "here.n_kept",
        "answer_baseline": "before.answer", "answer_run": "here.answer",
    }  # fmt: skip
    return {CHANGED: tabulate(_CHANGED, items, sources)}


def _metric_rows(line: ComparedMetric, comparison: RunComparison) -> list[tuple[Cell, ...]]:
    """One metric in every run; the baseline's row has no difference."""
    differences = {item.run_id: item for item in line.differences}
    rows = []
    for run, sweep, mean in zip(comparison.runs, comparison.sweep_names, line.means, strict=True):
        own = (line.metric, run.name, sweep, run.id, run.id == comparison.baseline, mean.mean, mean.n, mean.n_missing)
        found = differences.get(run.id)
        tested: tuple[Cell, ...] = (None,) * (len(_METRICS) - len(own))
        if found:
            ends = (found.ci.low, found.ci.high) if found.ci else (None, None)
            test = (found.p, line.family_size, found.cohens_d, found.stars, found.reason)
            tested = (found.n_pairs, found.n_improved, found.n_worse, found.difference, *ends, *test)
        rows.append((*own, *tested))
    return rows
