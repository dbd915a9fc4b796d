"""Figures of compared runs: effect size per metric, and the CPS gain of each run."""

from __future__ import annotations

from passer.domain.analysis.run_comparison import ComparedMetric, RunComparison, RunDifference
from passer.domain.composite import CPS
from passer.domain.figures.axes import TESTED, column, interval
from passer.domain.figures.figure import Axis, Figure, FigureColumn, FigureRow, Series
from passer.domain.wording.sentence import sentence

_POINT = 0.01
_COLOURS = sentence("figure.colours")
_SIGN = sentence("figure.sign")
_LESS_IS_BETTER = "Perplexity"


def comparison_figures(comparison: RunComparison) -> tuple[Figure, ...]:
    """Return every figure that the compared runs allow."""
    names = {run.id: run.name for run in comparison.runs if run.id != comparison.baseline}
    found = [_effects(comparison, names)]
    if comparison.panel and len(names) > 1:
        found.append(_gains(comparison, names))
    return tuple(
        figure for figure in found if any(row.y is not None for series in figure.series for row in series.rows)
    )


def _effects(comparison: RunComparison, names: dict[str, str]) -> Figure:
    """Return Cohen's d of each metric as bars, the one scale that all metrics share."""
    series = tuple(
        Series(
            name=name,
            rows=tuple(
                _row(
                    found,
                    x=line.metric,
                    y=_towards_better(line.metric, found.cohens_d),
                    label=sentence("figure.of-metric", metric=line.metric, name=name),
                )
                for line, found in _of_run(comparison, run_id)
            ),
        )
        for run_id, name in names.items()
    )
    return Figure(
        id="effects",
        kind="bar",
        title=sentence("figure.effect-sizes"),
        x=Axis(label=sentence("figure.metric"), scale="category"),
        y=Axis(label=sentence("figure.cohens-d")),
        is_diverging=True,
        columns=(
            FigureColumn(field="x", label=sentence("figure.metric")),
            *column("y", sentence("figure.cohens-d")),
            *TESTED,
        ),
        series=series,
        notes=(_tested(comparison), _COLOURS, _SIGN),
    )


def _towards_better(metric: str, effect: float | None) -> float | None:
    return -effect if effect is not None and _LESS_IS_BETTER in metric else effect


def _gains(comparison: RunComparison, names: dict[str, str]) -> Figure:
    """Return the difference in CPS points of each run, with its interval."""
    rows = [
        _row(found, x=name, y=found.difference / _POINT, label=name, scale=1 / _POINT)
        for run_id, name in names.items()
        for line, found in _of_run(comparison, run_id)
        if line.metric == CPS and found.difference is not None
    ]
    return Figure(
        id="cps-difference",
        kind="bar",
        title=sentence("figure.gain-over-baseline"),
        x=Axis(label=sentence("figure.configuration"), scale="category"),
        y=Axis(label=sentence("figure.cps-gain"), unit=sentence("unit.points")),
        is_diverging=True,
        columns=(
            FigureColumn(field="x", label=sentence("figure.configuration")),
            *column("y", sentence("figure.cps-gain"), sentence("unit.points")),
            *interval(sentence("unit.points")),
            *TESTED,
        ),
        series=(Series(name=CPS, rows=tuple(rows)),),
        notes=(_tested(comparison), _COLOURS),
    )


def _row(found: RunDifference, *, x: str, y: float | None, label: str, scale: float | None = None) -> FigureRow:
    """Return a bar, with its interval if `scale` names the unit."""
    ci = found.ci if scale else None
    return FigureRow(
        x=x,
        y=y,
        low=ci.low * scale if ci and scale else None,
        high=ci.high * scale if ci and scale else None,
        mark=found.stars,
        n=found.n_pairs,
        p=found.p,
        label=label,
    )


def _of_run(comparison: RunComparison, run_id: str) -> list[tuple[ComparedMetric, RunDifference]]:
    return [(line, found) for line in comparison.metrics for found in line.differences if found.run_id == run_id]


def _tested(comparison: RunComparison) -> str:
    cps, metrics = (line.family_size or 0 for line in (comparison.metrics[0], comparison.metrics[-1]))
    if not comparison.panel or cps == metrics:
        return sentence("figure.stars", n=metrics)
    return sentence("figure.stars-two", cps=cps, metrics=metrics)
