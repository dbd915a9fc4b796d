"""The evidence behind gains as tables: tests, profiles, research questions, half splits, sensitivity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from passer.domain.analysis.levels import MIN_SIMILARITY, Level, level_text, levels_text
from passer.domain.analysis.pool import Pool
from passer.domain.analysis.study_table import Cell, Source, StudyTable, tabulate, with_rows, yes_or_no
from passer.domain.analysis.study_tables import SIGNIFICANT
from passer.domain.evidence.power import GAINS
from passer.domain.evidence.results import Evidence, GainTests, ModelEvidence
from passer.domain.verdict.sample_size import POWER

Row = tuple[Cell, ...]
BASELINE = "baseline"


def evidence_tables(evidence: Evidence) -> dict[str, StudyTable]:
    """Return the tables of the evidence that have rows, by name."""
    models = evidence.models
    made = {
        "tests": _tests(evidence),
        "significance_counts_corrected": _counts(evidence),
        "threshold_profiles": _profiles(models),
        "differences_between_thresholds": _omnibus(models),
        "differences_between_models": _interactions(evidence),
        "half_splits": _splits(models),
        "planning": _planning(evidence),
        "sensitivity_alpha_beta": _grid(models),
        "sensitivity_weights": _weights(models),
        "sensitivity_normalisation": _normalisations(evidence),
        "metric_correlations": _correlations(evidence),
        "redundant_metrics": _redundant(evidence),
    }
    return with_rows({name: _with_factor(table, evidence.factors) for name, table in made.items()})


def _with_factor(table: StudyTable, factors: Sequence[str]) -> StudyTable:
    """The column of the levels under the name of the factor: `threshold` where nothing else is tested."""
    if tuple(factors) == (MIN_SIMILARITY,):
        return table
    return StudyTable(
        columns=tuple("level" if name == "threshold" else name for name in table.columns), rows=table.rows
    )


def _cell(levels: Mapping[str, Level]) -> Cell:
    """Return a threshold as a number and other levels in words."""
    return levels[MIN_SIMILARITY] if tuple(levels) == (MIN_SIMILARITY,) else level_text(levels)


def pool_table(pools: Sequence[Pool]) -> StudyTable:
    """Return the table of constants and weights of each pool's metrics."""
    columns = (
        "pool", "pool_rows", "metric", "weight", "effective_weight", "minimum", "maximum", "is_constant",
    )  # fmt: skip
    rows = tuple(
        (pool.name, pool.rows, *(getattr(item, name) for name in columns[2:-1]), yes_or_no(item.is_constant))
        for pool in pools
        for item in pool.metrics
    )
    return StudyTable(columns=columns, rows=rows)


def _table(columns: Sequence[str], rows: Iterator[Row]) -> StudyTable:
    return StudyTable(columns=tuple(columns), rows=tuple(rows))


def _tests(evidence: Evidence) -> StudyTable:
    columns = (
        "model", "threshold", "n_pairs", "gain", "gain_ci_low", "gain_ci_high", "cohens_d", "p_t", "p_wilcoxon",
        "p_permutation", "p_max_t", "p_holm", "p_bonferroni", "p_benjamini_hochberg", "detectable", "spread",
        "questions_for_a_point", "reason",
    )  # fmt: skip
    sources: dict[str, Source] = {
        "threshold": lambda item: _cell(item.levels),
        "gain_ci_low": "ci.low",
        "gain_ci_high": "ci.high",
    }
    return tabulate(columns, evidence.comparisons, sources)


def _basis(item: GainTests) -> str:
    return "no repeats in the pilot" if item.noise is None else "repeats of the pilot"


def _planning(evidence: Evidence) -> StudyTable:
    """Questions that a study needs to find each gain, by how often it asks them."""
    # Bonferroni, as in every plan here: the steps of Holm depend on p values that a future study does not have.
    alpha = SIGNIFICANT / max(evidence.family_size, 1)
    rows = (
        (item.model, _cell(item.levels), plan.repeats, plan.spread, alpha, POWER, *plan.questions, _basis(item))
        for item in evidence.comparisons
        for plan in item.planned
        if plan.spread
    )
    wanted = (f"questions_for_{100 * gain:g}_points" for gain in GAINS)
    return _table(("model", "threshold", "repeats", "spread", "alpha", "power", *wanted, "basis"), rows)


def _counts(evidence: Evidence) -> StudyTable:
    """Signs of significant gains by each correction."""
    corrections = {
        "none (t-test)": "p_t", "Holm": "p_holm", "Bonferroni": "p_bonferroni",
        "Benjamini-Hochberg": "p_benjamini_hochberg", "max-T": "p_max_t",
    }  # fmt: skip

    def rows() -> Iterator[Row]:
        for model in evidence.models:
            own = [item for item in evidence.comparisons if item.model == model.model]
            for correction, field in corrections.items():
                found = [item for item in own if (p := getattr(item, field)) is not None and p < SIGNIFICANT]
                positive = sum(1 for item in found if (item.gain or 0) > 0)
                yield model.model, correction, positive, len(found) - positive, len(own) - len(found)

    columns = ("model", "correction", "significant_positive", "significant_negative", "not_significant")
    return _table(columns, rows())


def _profiles(models: Sequence[ModelEvidence]) -> StudyTable:
    columns = ("model", "profile", "gains", "breadth", "tested", "is_contiguous", "losses")
    return tabulate(
        columns,
        models,
        {
            "profile": "profile.kind",
            "gains": lambda item: levels_text(item.profile.gains),
            "breadth": lambda item: len(item.profile.gains),
            "tested": "profile.tested",
            "is_contiguous": lambda item: yes_or_no(item.profile.is_contiguous),
            "losses": lambda item: levels_text(item.profile.losses),
        },
    )


def _omnibus(models: Sequence[ModelEvidence]) -> StudyTable:
    columns = ("model", "f", "p", "p_max_f", "n_questions", "n_configurations", "draws")
    return tabulate(columns, models, {name: f"omnibus.{name}" for name in columns[1:]})


def _interactions(evidence: Evidence) -> StudyTable:
    columns = ("model", "other_model", "threshold", "difference_of_gains", "n_questions", "p", "p_max_t")
    sources: dict[str, Source] = {
        "model": "first", "other_model": "second", "threshold": lambda item: _cell(item.levels),
        "difference_of_gains": "test.difference", **{name: f"test.{name}" for name in columns[4:]},
    }  # fmt: skip
    return tabulate(columns, evidence.interactions, sources)


def _splits(models: Sequence[ModelEvidence]) -> StudyTable:
    """Yield one row per configuration and one for the baseline; values of all splits are in the best one's row only."""
    columns = (
        "model", "threshold", "chosen_share", "is_best", "not_told_from_best", "confirmed_gain", "confirmed_low",
        "confirmed_high", "optimism", "splits", "n_questions",
    )  # fmt: skip

    def rows() -> Iterator[Row]:
        for model in models:
            choice = model.choice
            if choice is None:
                continue
            interval = choice.confirmed_range
            confirmed = (choice.confirmed_gain, interval.low, interval.high)
            whole: Row = (*confirmed, choice.optimism, choice.splits, choice.n_questions)
            names = [*map(_cell, model.levels), BASELINE]
            shares = [*choice.chosen_share, choice.baseline_share]
            alike = [place in choice.not_told_apart for place in range(len(model.levels))]
            best = len(model.levels) if choice.best is None else choice.best
            for place, own in enumerate(zip(names, shares, [*alike, choice.baseline_is_alike], strict=True)):
                name, share, is_alike = own
                shown = whole if place == best else (None,) * len(whole)
                yield (model.model, name, share, yes_or_no(place == best), yes_or_no(is_alike), *shown)

    return _table(columns, rows())


def _grid(models: Sequence[ModelEvidence]) -> StudyTable:
    columns = ("model", "threshold", "rank", "best_rank", "worst_rank", "changed", "pairs", "alpha_share")
    rows = (
        (model.model, _cell(levels), *(getattr(item, name) for name in columns[2:]))
        for model in models
        # Without a coefficient of variation there is no grid at all, so that the lists may differ in length.
        for levels, item in zip(model.levels, model.grid, strict=False)
    )
    return _table(columns, rows)


def _weights(models: Sequence[ModelEvidence]) -> StudyTable:
    rows = (
        (model.model, cell, share)
        for model in models
        if model.weights is not None
        for cell, share in zip([BASELINE, *map(_cell, model.levels)], model.weights.best_share, strict=True)
    )
    return _table(("model", "threshold", "best_share"), rows)


def _normalisations(evidence: Evidence) -> StudyTable:
    columns = ("normalisation", "model", "threshold", "gain", "is_best")

    def rows() -> Iterator[Row]:
        models = [model.model for model in evidence.models]
        for item in evidence.normalisations:
            best = dict(zip(models, item.best, strict=True))
            for test, gain in zip(evidence.comparisons, item.gains, strict=True):
                is_best = yes_or_no(best.get(test.model) == test.levels)
                yield item.method, test.model, _cell(test.levels), gain, is_best

    return _table(columns, rows())


def _correlations(evidence: Evidence) -> StudyTable:
    rows = (
        (name, metric, other, rho, table.n)
        for name, table in evidence.correlations
        for place, (metric, line) in enumerate(zip(table.columns, table.rho, strict=True))
        for other, rho in zip(table.columns[place + 1 :], line[place + 1 :], strict=True)
    )
    return _table(("rows_of", "metric", "other_metric", "spearman_rho", "n"), rows)


def _redundant(evidence: Evidence) -> StudyTable:
    columns = ("metric", "other_metric", "spearman_rho")
    return tabulate(columns, evidence.redundant, {"metric": "one", "other_metric": "other", "spearman_rho": "rho"})
