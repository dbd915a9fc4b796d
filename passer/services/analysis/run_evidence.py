"""Runs every test of every gain of a sweep's similarity thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passer.domain.analysis.choices import AS_USUAL, SEVERAL_POOLS, SweepChoices
from passer.domain.analysis.composites import composed
from passer.domain.analysis.run_rows import RunRows
from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.evidence.builder import gather_evidence
from passer.domain.evidence.correlation import CorrelationTable, correlations_of
from passer.domain.evidence.permutation import DRAWS
from passer.domain.evidence.results import Evidence
from passer.services.analysis.comparability import arm_labels, check_comparable, grouped
from passer.services.analysis.pooling import rules_of
from passer.services.analysis.score_rows import rows_of_runs


def evidence_of_runs(
    runs: Sequence[RunRows],
    choices: SweepChoices = AS_USUAL,
    *,
    weights: Mapping[str, float] | None = None,
    draws: int = DRAWS,
) -> Evidence | None:
    """Test each similarity threshold against its own baseline; other configurations only widen the pool.

    `weights` are those of the questions by id, by default equal. None if the scope has no common scale to test on.
    ConflictError where the runs cannot be compared, InputError where the panel cannot be computed or the constants are
    not comparable.
    """
    rows = _rows(runs, weights)
    rules = rules_of(rows, runs, choices)
    if rules.scope in SEVERAL_POOLS:
        return None
    return gather_evidence(
        composed(rows, rules).questions,
        rules.panel,
        correlations_of(rows),
        normalisation=rules.normalisation,
        stability=rules.stability,
        draws=draws,
    )


def correlations_of_runs(runs: Sequence[RunRows]) -> list[tuple[str, CorrelationTable]]:
    """Return Spearman's rho of all metrics, pooled and by model; ConflictError if runs cannot be compared."""
    return correlations_of(_rows(runs))


def _rows(runs: Sequence[RunRows], weights: Mapping[str, float] | None = None) -> ScoreRows:
    check_comparable(runs)
    groups = grouped(runs)
    return rows_of_runs(groups, arm_labels(groups), weights=weights)
