"""The figures of an analysis, each made by one function from the same points; a figure without values is left out."""

from __future__ import annotations

from passer.domain.evidence.correlation import CorrelationTable
from passer.domain.figures.axes import Across, column, slug
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.figures.of_effort import coverage_figure, latency_figure, passages_figure, tokens_figure
from passer.domain.figures.of_gains import (
    cps_figure,
    cps_gain_figure,
    scatter_figure,
    significance_figure,
    tcps_gain_figure,
)
from passer.domain.figures.points import Study


def figures_of(study: Study) -> tuple[Figure, ...]:
    """All figures that these points can give, in the order in which they are read."""
    across = Across(study)
    made = [
        cps_figure(study, across),
        cps_gain_figure(study, across),
        tcps_gain_figure(study, across),
        significance_figure(study, across),
        scatter_figure(study),
        coverage_figure(study, across),
        passages_figure(study, across),
        latency_figure(study, across),
        tokens_figure(study, across),
        *(_matrix(place, name, table) for place, (name, table) in enumerate(_distinct(study))),
    ]
    return tuple(figure for figure in made if any(series.rows for series in figure.series))


def _distinct(study: Study) -> tuple[tuple[str, CorrelationTable], ...]:
    """Pooled and within each model; of one model alone both are the same."""
    return study.correlations[:1] if len(study.correlations) == 2 else study.correlations


def _matrix(place: int, name: str, table: CorrelationTable) -> Figure:
    rows = tuple(
        FigureRow(x=across, y=down, value=rho, n=table.n)
        for down, line in zip(table.columns, table.rho, strict=True)
        for across, rho in zip(table.columns, line, strict=True)
    )
    return Figure(
        id=f"correlations-{slug(name)}" if place == 0 else f"correlations-{place}-{slug(name)}",
        kind="heatmap",
        title=f"Rank correlation of the metrics, {name}",
        x=Axis(label="Metric", scale="category"),
        y=Axis(label="Metric", scale="category"),
        color=Axis(label="Spearman's rho", domain=(-1.0, 1.0)),
        is_diverging=True,
        columns=(
            *column("y", "Metric"),
            *column("x", "Other metric"),
            *column("value", "Spearman's rho"),
            *column("n", "n"),
        ),
        series=(Series(name=name, rows=rows),),
        notes=(f"Over {table.n:,} rows that have all of these metrics; higher is better except for perplexities.",),
    )
