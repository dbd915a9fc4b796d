"""Every table of an analysis by name, both of sweeps and of imported sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passer.domain.analysis.analysis import ConfigurationResult, SweepAnalysis
from passer.domain.analysis.constants import FIELD, Constants
from passer.domain.analysis.counts import counts_of_sweep
from passer.domain.analysis.gains import COVERAGE_COLUMNS
from passer.domain.analysis.study_configuration import StudyConfiguration, with_ranks
from passer.domain.analysis.study_table import Cell, Source, StudyTable, tabulate, with_rows, yes_or_no
from passer.domain.analysis.study_tables import LEVEL, BandSetting, spearman_within_model, study_tables, with_factor
from passer.domain.analysis.verdict_tables import judged_columns, verdict_tables
from passer.domain.base import Frozen
from passer.domain.composite import CPS
from passer.domain.evidence.results import Evidence
from passer.domain.evidence.tables import evidence_tables, pool_table
from passer.domain.sheets.defect_effects import DefectEffects, effects_table
from passer.domain.sheets.procedures import StudyAnalysis
from passer.domain.texts.cell_text import CellKind, cell_word, heading, kind_of
from passer.domain.wording.sentence import LocalizedText, Sentence, sentence

DECIDED_OTHERWISE = ("significance_counts_corrected", "threshold_profiles", "half_splits")
"""Tables of imported sheets that count or choose by other tests."""


def table_title(name: str) -> Sentence:
    """Return the title of a table in words."""
    return sentence(f"table.{name}")


class TableColumn(Frozen):
    """Display of a column."""

    heading: LocalizedText
    """Its name in words, with its unit."""
    kind: CellKind
    """Format of its numbers."""
    words: dict[str, LocalizedText]
    """Its texts in the reader's words; names that people chose are not among them."""


class NamedTable(Frozen):
    """A table of an analysis."""

    name: str
    """Name by which it is exported."""
    title: LocalizedText
    """Title in words."""
    table: StudyTable
    """Its columns and rows."""
    columns: tuple[TableColumn, ...]
    """Presentation of each column, in the same order."""


def named_tables(tables: Mapping[str, StudyTable]) -> tuple[NamedTable, ...]:
    """Return tables with their names and titles, and how their columns are shown."""
    return tuple(
        NamedTable(
            name=name,
            title=table_title(name),
            table=table,
            columns=tuple(
                _shown(column, [row[place] for row in table.rows]) for place, column in enumerate(table.columns)
            ),
        )
        for name, table in tables.items()
    )


def _shown(column: str, cells: Sequence[Cell]) -> TableColumn:
    words = {text: cell_word(column, text) for text in cells if isinstance(text, str)}
    numbers = [value for value in cells if isinstance(value, int | float)]
    # JSON does not distinguish 1.0 from 1.
    is_whole = bool(numbers) and all(isinstance(value, int) for value in numbers)
    return TableColumn(
        heading=heading(column),
        kind="count" if is_whole else kind_of(column),
        words={text: word for text, word in words.items() if isinstance(word, Sentence)},
    )


def pinned_table(table: StudyTable, constants: Constants) -> StudyTable:
    """Return the table with an additional column that names the source of its constants."""
    if FIELD in table.columns:
        return table
    rows = tuple((*row, constants.source) for row in table.rows)
    return StudyTable(columns=(*table.columns, FIELD), rows=rows)


CONFIGURATIONS = "configurations"
"""Name of the table with one row a configuration."""
EFFECTS = "defect_effects"
"""Name of the table of figures as published and corrected."""
WITHIN_MODEL = "spearman_within_model"
"""Name of the table of correlations model by model; the fixed tables of the study have the pooled ones alone."""


def tables_of_import(analysis: StudyAnalysis, effects: DefectEffects | None = None) -> dict[str, StudyTable]:
    """Return the tables of an import that have rows, configurations first; with `effects`, also the defects."""
    found = {CONFIGURATIONS: _configurations(analysis.configurations), **analysis.tables}
    found[WITHIN_MODEL] = spearman_within_model(analysis.configurations)
    found |= evidence_tables(analysis.evidence) if analysis.evidence else {}
    found |= {"counts": analysis.counts, "effective_weights": pool_table(analysis.pools)}
    found |= {EFFECTS: effects_table(effects)} if effects else {}
    return with_rows(found)


def tables_of_sweep(
    analysis: SweepAnalysis, evidence: Evidence | None, *, questions: int, bands: BandSetting = "phase3"
) -> dict[str, StudyTable]:
    """Return the tables of a sweep that have rows; tables by threshold contain thresholds and baselines only."""
    compared = [_as_study(item) for item in analysis.configurations if item.threshold is not None or item.is_baseline]
    by_threshold = (
        study_tables(with_ranks(compared), bands) if any(item.threshold is not None for item in compared) else {}
    )
    found = {CONFIGURATIONS: _results(analysis), **by_threshold}
    found |= {WITHIN_MODEL: spearman_within_model(compared)} if by_threshold else {}
    found |= _other_tests(evidence_tables(evidence)) if evidence else {}
    found |= {CONSISTENCY: consistency_table(analysis)}
    found |= verdict_tables(analysis)
    found |= {"counts": counts_of_sweep(analysis, questions=questions), "effective_weights": pool_table(analysis.pools)}
    return with_rows(found)


def _other_tests(found: dict[str, StudyTable]) -> dict[str, StudyTable]:
    """Return the tables of tests without those that would decide by another rule than the verdict.

    t-tests and sign flips of each gain are only in the table `tests` ("Other procedures").
    """
    return {name: table for name, table in found.items() if name not in DECIDED_OTHERWISE}


def _configurations(items: tuple[StudyConfiguration, ...]) -> StudyTable:
    hidden = {"judged", "is_ranked", "strategy"}
    if all(item.mean_cps_all_rows is None for item in items):
        hidden.add("mean_cps_all_rows")
    columns = [name for name in StudyConfiguration.model_fields if name not in hidden]
    if any(item.judged for item in items):
        columns += [*_JUDGED, "ranked"]
    sources = {**_JUDGED, **LEVEL, "ranked": lambda item: yes_or_no(item.is_ranked)}
    return with_factor(tabulate(columns, items, sources), items)


_JUDGED: dict[str, Source] = {
    "gain": "judged.gain",
    "gain_ci_low": "judged.low",
    "gain_ci_high": "judged.high",
    "p_adjusted": "judged.p",
    "outcome": "judged.outcome",
}
"""Columns of a gain by the rule of the verdict."""
_OWN = ("model", "name", "policy", "n", "n_excluded", "n_failed", "mean_cps")
_COMPARED = (
    "n_pairs", "gain", "gain_ci_low", "gain_ci_high", "improvement_pct", "tcps_improvement_pct", "balance",
    "p_adjusted", "outcome", "cohens_d", "effect", "stars", "gold_lost", "gold_won", "n_prompts_changed",
    *COVERAGE_COLUMNS,
)  # fmt: skip
_SPREADS = ("cv", "within_sd", "within_cv", "between_sd", "between_cv")
_TOKENS = ("prompt_tokens", "read_tokens")
_RETRIEVED = ("coverage", "mean_passages", "abstention_rate", "recall", "mrr")


def _results(analysis: SweepAnalysis) -> StudyTable:
    sources: dict[str, Source] = {name: f"comparison.{name}" for name in _COMPARED}
    sources |= {"gain_ci_low": "comparison.ci.low", "gain_ci_high": "comparison.ci.high"}
    sources |= {"p_adjusted": "comparison.judged.p", "outcome": "comparison.judged.outcome"}
    sources |= {name: f"comparison.{path}" for name, path in COVERAGE_COLUMNS.items()}
    sources |= {name: f"retrieval.{name}" for name in _RETRIEVED} | {"median_s": "latency.median_s"}
    sources |= {name: f"latency.mean_{name}" for name in _TOKENS}
    # CPS gains have no interval where another metric decides, so that metric's gains are listed next to them.
    judged = () if analysis.rule.primary == CPS else judged_columns(analysis.rule.primary)
    sources |= dict(zip(judged, (f"comparison.judged.{part}" for part in ("gain", "low", "high")), strict=False))
    columns = (*_OWN, *_SPREADS, "tcps", *judged, *_COMPARED, *_RETRIEVED, "median_s", *_TOKENS)
    return tabulate(columns, analysis.configurations, sources)


CONSISTENCY = "consistency"
"""Name of the table with the agreement of repeats."""


def consistency_table(analysis: SweepAnalysis) -> StudyTable:
    """Return the agreement of the repeats of each configuration; no row without repeats."""
    whole = {name: f"consistency.{name}" for name in ("metric", "right_from", "repeats", "questions", "agreement")}
    shares = {
        f"{column}{end}": f"consistency.{name}.{path}"
        for column, name in (("flipped_share", "flipped"), ("right_share", "always_right"))
        for end, path in (("", "value"), ("_ci_low", "interval.low"), ("_ci_high", "interval.high"))
    }
    repeated = [item for item in analysis.configurations if item.consistency is not None]
    return tabulate(("model", "name", *whole, *shares), repeated, {**whole, **shares})


_AS_PUBLISHED = {
    "n_pairs": "n_pairs",
    "cps_improvement_pct": "improvement_pct",
    "tcps_improvement_pct": "tcps_improvement_pct",
    "t_statistic": "t",
    "p_value": "p",
    "cohens_d": "cohens_d",
    "balance_score": "balance",
}
"""Names that the published tables have for parts of a comparison."""


def _as_study(item: ConfigurationResult) -> StudyConfiguration:
    """Return a configuration of a sweep in the form of the published tables, with the stars of the verdict's rule."""
    test = item.comparison
    compared = {name: getattr(test, own) for name, own in _AS_PUBLISHED.items()} if test else {}
    return StudyConfiguration(
        model=item.model,
        threshold=None if item.is_baseline else item.threshold,
        n=item.n,
        mean_cps=item.mean_cps,
        cv=item.cv,
        tcps=item.tcps,
        significance=(test.stars or None) if test else None,
        judged=test.judged if test else None,
        **compared,
    )
