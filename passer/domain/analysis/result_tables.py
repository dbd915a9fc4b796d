"""Every table of an analysis by name, of sweeps and of imported sheets alike."""

from __future__ import annotations

from collections.abc import Mapping

from passer.domain.analysis.analysis import ConfigurationResult, SweepAnalysis
from passer.domain.analysis.comparison_tables import COMPARED_METRICS, FACTORS
from passer.domain.analysis.constants import FIELD, Constants
from passer.domain.analysis.counts import counts_of_sweep
from passer.domain.analysis.partial_gain import COVERAGE_COLUMNS, coverage_cells
from passer.domain.analysis.study_tables import (
    BandSetting,
    StudyConfiguration,
    StudyTable,
    spearman_within_model,
    study_tables,
)
from passer.domain.base import Frozen
from passer.domain.evidence.found import Evidence
from passer.domain.evidence.tables import evidence_tables, pool_table
from passer.domain.sheets.procedures import StudyAnalysis
from passer.domain.statistics import stars
from passer.domain.timing.tables import MACHINES, TIMINGS


class NamedTable(Frozen):
    """A table of an analysis."""

    name: str
    """By which it is exported."""
    title: str
    """In words."""
    table: StudyTable
    """Its columns and rows."""


def named_tables(tables: Mapping[str, StudyTable]) -> tuple[NamedTable, ...]:
    """Tables with their titles."""
    return tuple(NamedTable(name=name, title=TITLES[name], table=table) for name, table in tables.items())


def pinned_table(table: StudyTable, constants: Constants) -> StudyTable:
    """The table with a column more, which says where its constants come from."""
    if FIELD in table.columns:
        return table
    rows = tuple((*row, constants.source) for row in table.rows)
    return StudyTable(columns=(*table.columns, FIELD), rows=rows)


CONFIGURATIONS = "configurations"
"""Name of the table with one row a configuration."""
WITHIN_MODEL = "spearman_within_model"
"""Name of the table of correlations model by model; the fixed tables of the study have the pooled ones alone."""
TITLES: dict[str, str] = {
    CONFIGURATIONS: "Configurations",
    "top_cps": "Largest gains in CPS",
    "top_tcps": "Largest T-CPS",
    "spearman": "Rank correlation of T-CPS with CPS and CV",
    WITHIN_MODEL: "Rank correlation of T-CPS with CPS and CV within each model",
    "balance_ranking": "Significant gains ranked by Balance",
    "agreement": "Whether the three criteria agree",
    "significance_counts": "Significant gains and losses, uncorrected",
    "best_configurations": "Best configurations",
    "tests": "Every test of every gain",
    "significance_counts_corrected": "Significant gains and losses by correction",
    "threshold_profiles": "Threshold-response profiles",
    "differences_between_thresholds": "RQ1: do configurations differ?",
    "differences_between_models": "RQ2: does the gain differ between models?",
    "differences_between_domains": "RQ3: does the gain differ between domains?",
    "domains": "Best thresholds in both domains",
    "moved_correlations": "Metrics whose correlation differs most between the domains",
    "counts": "Planned and actual counts",
    "planning": "Planning: questions that find a gain",
    "half_splits": "Recommendation by repeated half splits",
    "sensitivity_alpha_beta": "Sensitivity to alpha and beta of T-CPS",
    "sensitivity_weights": "Sensitivity to the weights of the panel",
    "sensitivity_normalisation": "Sensitivity to the normalisation",
    "metric_correlations": "Rank correlation of metrics",
    "redundant_metrics": "Metrics that rank answers alike",
    "effective_weights": "Constants and effective weights",
    COMPARED_METRICS: "Means and paired differences of compared runs",
    FACTORS: "What sets compared runs apart",
    TIMINGS: "Times and tokens by configuration",
    MACHINES: "The same configuration on two machines",
}
"""In words."""


def tables_of_import(analysis: StudyAnalysis) -> dict[str, StudyTable]:
    """Those with rows, the configurations first."""
    found = {CONFIGURATIONS: _configurations(analysis.configurations), **analysis.tables}
    found[WITHIN_MODEL] = spearman_within_model(analysis.configurations)
    found |= evidence_tables(analysis.evidence) if analysis.evidence else {}
    found |= {"counts": analysis.counts, "effective_weights": pool_table(analysis.pools)}
    return {name: table for name, table in found.items() if table.rows}


def tables_of_sweep(
    analysis: SweepAnalysis, evidence: Evidence | None, *, questions: int, bands: BandSetting = "phase3"
) -> dict[str, StudyTable]:
    """Those with rows, of a sweep over so many questions; tables by threshold hold thresholds and baselines alone."""
    compared = [_as_study(item) for item in analysis.configurations if item.threshold is not None or item.is_baseline]
    by_threshold = study_tables(compared, bands) if any(item.threshold is not None for item in compared) else {}
    found = {CONFIGURATIONS: _results(analysis), **by_threshold}
    found |= {WITHIN_MODEL: spearman_within_model(compared)} if by_threshold else {}
    found |= evidence_tables(evidence) if evidence else {}
    found |= {"counts": counts_of_sweep(analysis, questions=questions), "effective_weights": pool_table(analysis.pools)}
    return {name: table for name, table in found.items() if table.rows}


def _configurations(items: tuple[StudyConfiguration, ...]) -> StudyTable:
    columns = tuple(
        name
        for name in StudyConfiguration.model_fields
        if name != "mean_cps_all_rows" or any(item.mean_cps_all_rows is not None for item in items)
    )
    return StudyTable(columns=columns, rows=tuple(tuple(getattr(item, name) for name in columns) for item in items))


_OWN = ("model", "name", "policy", "n", "n_excluded", "n_failed", "mean_cps")
_COMPARED = (
    "n_pairs", "gain", "gain_ci_low", "gain_ci_high", "improvement_pct", "tcps_improvement_pct", "balance", "p",
    "p_holm", "cohens_d", "effect", "stars", "n_prompts_changed", *COVERAGE_COLUMNS,
)  # fmt: skip
_SPREADS = ("cv", "within_sd", "within_cv", "between_sd", "between_cv")
_RETRIEVED = ("coverage", "mean_passages", "abstention_rate", "recall", "mrr")


def _results(analysis: SweepAnalysis) -> StudyTable:
    rows = []
    for item in analysis.configurations:
        test = item.comparison
        ends = (test.ci.low, test.ci.high) if test and test.ci else (None, None)
        compared = {"gain_ci_low": ends[0], "gain_ci_high": ends[1]}
        compared |= coverage_cells(test.with_passages, test.without_passages) if test else {}
        rows.append(
            (
                *(getattr(item, name) for name in _OWN),
                *(getattr(item, name) for name in _SPREADS),
                item.tcps,
                *(compared.get(name, getattr(test, name, None)) for name in _COMPARED),
                *(getattr(item.retrieval, name) for name in _RETRIEVED),
                item.latency.median_s,
            )
        )
    columns = (*_OWN, *_SPREADS, "tcps", *_COMPARED, *_RETRIEVED, "median_s")
    return StudyTable(columns=columns, rows=tuple(rows))


def _as_study(item: ConfigurationResult) -> StudyConfiguration:
    """A configuration of a sweep as the published tables take it; p uncorrected, as there."""
    test = item.comparison
    own = StudyConfiguration(
        model=item.model,
        threshold=None if item.is_baseline else item.threshold,
        n=item.n,
        mean_cps=item.mean_cps,
        cv=item.cv,
        tcps=item.tcps,
    )
    if test is None:
        return own
    return own.model_copy(
        update={
            "n_pairs": test.n_pairs,
            "cps_improvement_pct": test.improvement_pct,
            "tcps_improvement_pct": test.tcps_improvement_pct,
            "t_statistic": test.t,
            "p_value": test.p,
            "cohens_d": test.cohens_d,
            "balance_score": test.balance,
            "significance": stars(test.p) or None,
        }
    )
