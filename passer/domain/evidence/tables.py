"""The evidence behind gains as tables: tests, profiles, research questions, half splits, sensitivity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passer.domain.analysis.pool import Pool
from passer.domain.analysis.study_tables import SIGNIFICANT, Cell, StudyTable
from passer.domain.evidence.found import Evidence, GainTests, ModelEvidence
from passer.domain.evidence.power import GAINS, POWER

Row = tuple[Cell, ...]


def evidence_tables(evidence: Evidence) -> dict[str, StudyTable]:
    """By name; those without a row are left out."""
    models = evidence.models
    made = {
        "tests": _tests(evidence.comparisons),
        "significance_counts_corrected": _counts(models, evidence.comparisons),
        "threshold_profiles": _profiles(models),
        "differences_between_thresholds": _omnibus(models),
        "differences_between_models": _interactions(evidence),
        "half_splits": _table(_SPLIT_COLUMNS, (row for model in models for row in _splits(model))),
        "planning": _planning(evidence),
        "sensitivity_alpha_beta": _table(_GRID_COLUMNS, (row for model in models for row in _grid(model))),
        "sensitivity_weights": _table(
            ("model", "threshold", "best_share"), (row for model in models for row in _weights(model))
        ),
        "sensitivity_normalisation": _normalisations(evidence),
        "metric_correlations": _correlations(evidence),
        "redundant_metrics": _table(
            ("metric", "other_metric", "spearman_rho"),
            ((pair.one, pair.other, pair.rho) for pair in evidence.redundant),
        ),
    }
    return {name: table for name, table in made.items() if table.rows}


def pool_table(pools: Sequence[Pool]) -> StudyTable:
    """Constants and weights of each pool's metrics."""
    columns = (
        "pool", "pool_rows", "metric", "weight", "effective_weight", "minimum", "maximum", "is_constant",
    )  # fmt: skip
    rows = (
        (
            pool.name,
            pool.rows,
            item.metric,
            item.weight,
            item.effective_weight,
            item.minimum,
            item.maximum,
            _yes(item.is_constant),
        )
        for pool in pools
        for item in pool.metrics
    )
    return _table(columns, rows)


def _table(columns: Sequence[str], rows: Iterator[Row]) -> StudyTable:
    return StudyTable(columns=tuple(columns), rows=tuple(rows))


def _yes(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _tests(comparisons: Sequence[GainTests]) -> StudyTable:
    columns = (
        "model", "threshold", "n_pairs", "gain", "gain_ci_low", "gain_ci_high", "cohens_d", "p_t", "p_wilcoxon",
        "p_permutation", "p_max_t", "p_holm", "p_bonferroni", "p_benjamini_hochberg", "detectable", "spread",
        "questions_for_a_point", "reason",
    )  # fmt: skip
    bounds = {"gain_ci_low": "low", "gain_ci_high": "high"}
    rows = (
        tuple(
            (getattr(item.ci, bounds[name]) if item.ci else None) if name in bounds else getattr(item, name)
            for name in columns
        )
        for item in comparisons
    )
    return _table(columns, rows)


def _planning(evidence: Evidence) -> StudyTable:
    """Questions that a study needs to find each gain, by how often it asks them."""
    alpha = SIGNIFICANT / max(evidence.family_size, 1)
    rows = (
        (
            item.model,
            item.threshold,
            plan.repeats,
            plan.spread,
            alpha,
            POWER,
            *plan.questions,
            "no repeats in the pilot" if item.noise is None else "repeats of the pilot",
        )
        for item in evidence.comparisons
        for plan in item.planned
        if plan.spread
    )
    wanted = (f"questions_for_{100 * gain:g}_points" for gain in GAINS)
    return _table(("model", "threshold", "repeats", "spread", "alpha", "power", *wanted, "basis"), rows)


def _counts(models: Sequence[ModelEvidence], comparisons: Sequence[GainTests]) -> StudyTable:
    """Signs of significant gains by each correction."""
    corrections = {
        "none (t-test)": "p_t", "Holm": "p_holm", "Bonferroni": "p_bonferroni",
        "Benjamini-Hochberg": "p_benjamini_hochberg", "max-T": "p_max_t",
    }  # fmt: skip

    def rows() -> Iterator[Row]:
        for model in models:
            own = [item for item in comparisons if item.model == model.model]
            for correction, field in corrections.items():
                found = [item for item in own if (p := getattr(item, field)) is not None and p < SIGNIFICANT]
                positive = sum(1 for item in found if (item.gain or 0) > 0)
                yield model.model, correction, positive, len(found) - positive, len(own) - len(found)

    columns = ("model", "correction", "significant_positive", "significant_negative", "not_significant")
    return _table(columns, rows())


def _profiles(models: Sequence[ModelEvidence]) -> StudyTable:
    columns = ("model", "profile", "gains", "breadth", "tested", "is_contiguous", "losses")
    rows = (
        (
            item.model,
            item.profile.kind,
            _listed(item.profile.gains),
            len(item.profile.gains),
            item.profile.tested,
            _yes(item.profile.is_contiguous),
            _listed(item.profile.losses),
        )
        for item in models
    )
    return _table(columns, rows)


def _omnibus(models: Sequence[ModelEvidence]) -> StudyTable:
    columns = ("model", "f", "p", "p_max_f", "n_questions", "n_configurations", "draws")
    return _table(columns, ((item.model, *(getattr(item.omnibus, name) for name in columns[1:])) for item in models))


def _interactions(evidence: Evidence) -> StudyTable:
    columns = ("model", "other_model", "threshold", "difference_of_gains", "n_questions", "p", "p_max_t")
    rows = (
        (
            item.first,
            item.second,
            item.threshold,
            item.test.difference,
            item.test.n_questions,
            item.test.p,
            item.test.p_max_t,
        )
        for item in evidence.interactions
    )
    return _table(columns, rows)


_SPLIT_COLUMNS = (
    "model", "threshold", "chosen_share", "is_best", "not_told_from_best", "confirmed_gain", "confirmed_low",
    "confirmed_high", "optimism", "splits", "n_questions",
)  # fmt: skip


def _splits(model: ModelEvidence) -> Iterator[Row]:
    """One row a threshold, and one for the baseline; what holds for all splits stands in each."""
    choice = model.choice
    if choice is None:
        return
    shares = (*choice.chosen_share, choice.baseline_share)
    for place, share in enumerate(shares):
        is_baseline = place == len(model.thresholds)
        yield (
            model.model,
            "baseline" if is_baseline else model.thresholds[place],
            share,
            _yes(choice.best is None if is_baseline else choice.best == place),
            None if is_baseline else _yes(place in choice.not_told_apart),
            choice.confirmed_gain,
            choice.confirmed_range.low,
            choice.confirmed_range.high,
            choice.optimism,
            choice.splits,
            choice.n_questions,
        )


_GRID_COLUMNS = ("model", "threshold", "rank", "best_rank", "worst_rank", "changed", "pairs", "alpha_share")


def _grid(model: ModelEvidence) -> Iterator[Row]:
    for threshold, item in zip(model.thresholds, model.grid, strict=False):
        yield (model.model, threshold, *(getattr(item, name) for name in _GRID_COLUMNS[2:]))


def _weights(model: ModelEvidence) -> Iterator[Row]:
    if model.weights is not None:
        names: tuple[str | float, ...] = ("baseline", *model.thresholds)
        for threshold, share in zip(names, model.weights.best_share, strict=True):
            yield model.model, threshold, share


def _normalisations(evidence: Evidence) -> StudyTable:
    columns = ("normalisation", "model", "threshold", "gain", "is_best")

    def rows() -> Iterator[Row]:
        models = [model.model for model in evidence.models]
        for item in evidence.normalisations:
            best = dict(zip(models, item.best, strict=True))
            for test, gain in zip(evidence.comparisons, item.gains, strict=True):
                yield item.method, test.model, test.threshold, gain, _yes(best.get(test.model) == test.threshold)

    return _table(columns, rows())


def _correlations(evidence: Evidence) -> StudyTable:
    def rows() -> Iterator[Row]:
        for name, table in evidence.correlations:
            for place, (metric, line) in enumerate(zip(table.columns, table.rho, strict=True)):
                for other, rho in zip(table.columns[place + 1 :], line[place + 1 :], strict=True):
                    yield name, metric, other, rho, table.n

    return _table(("rows_of", "metric", "other_metric", "spearman_rho", "n"), rows())
