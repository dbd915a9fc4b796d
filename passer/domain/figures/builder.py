"""Builds the figures of an analysis, one function per figure. Figures without values are left out."""

from __future__ import annotations

from passer.domain.evidence.correlation import ALL_MODELS, CorrelationTable
from passer.domain.figures.axes import Across, column, slug
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.figures.of_effort import (
    cost_figures,
    coverage_figure,
    latency_figure,
    passages_figure,
    tokens_figure,
)
from passer.domain.figures.of_gains import (
    cps_figure,
    cps_gain_figure,
    scatter_figure,
    significance_figure,
    tcps_gain_figure,
)
from passer.domain.figures.of_ranks import ranked_figure
from passer.domain.figures.points import Study
from passer.domain.wording.sentence import sentence


def figures_of(study: Study) -> tuple[Figure, ...]:
    """Return all figures that these points allow, in reading order."""
    across = Across(study)
    made = [
        cps_figure(study, across),
        cps_gain_figure(study, across),
        tcps_gain_figure(study, across),
        significance_figure(study, across),
        scatter_figure(study),
        *cost_figures(study),
        ranked_figure(study),
        coverage_figure(study, across),
        passages_figure(study, across),
        latency_figure(study, across),
        tokens_figure(study, across),
        *(_matrix(place, name, table) for place, (name, table) in enumerate(_distinct(study))),
    ]
    return tuple(figure for figure in made if any(series.rows for series in figure.series))


def _distinct(study: Study) -> tuple[tuple[str, CorrelationTable], ...]:
    """Return the pooled figure and one per model; only one figure for a single model."""
    return study.correlations[:1] if len(study.correlations) == 2 else study.correlations


def _named(name: str) -> str:
    return sentence("figure.all-models") if name == ALL_MODELS else name


def _matrix(place: int, name: str, table: CorrelationTable) -> Figure:
    rows = tuple(
        FigureRow(x=across, y=down, value=rho, n=table.n)
        for down, line in zip(table.columns, table.rho, strict=True)
        for across, rho in zip(table.columns, line, strict=True)
    )
    return Figure(
        id=f"correlations-{slug(name)}" if place == 0 else f"correlations-{place}-{slug(name)}",
        kind="heatmap",
        title=sentence("figure.correlation", name=_named(name)),
        x=Axis(label=sentence("figure.metric"), scale="category"),
        y=Axis(label=sentence("figure.metric"), scale="category"),
        color=Axis(label=sentence("figure.rho"), domain=(-1.0, 1.0)),
        is_diverging=True,
        columns=(
            *column("y", sentence("figure.metric")),
            *column("x", sentence("figure.other-metric")),
            *column("value", sentence("figure.rho")),
            *column("n", sentence("figure.n")),
        ),
        series=(Series(name=_named(name), rows=rows),),
        notes=(sentence("figure.correlation-note", n=table.n),),
    )
