"""Figures of runs side by side: the size of the effect on each metric, and the gain in CPS of each run."""

from __future__ import annotations

from passer.domain.analysis.run_comparison import CPS, ComparedMetric, RunComparison, RunDifference
from passer.domain.figures.axes import TESTED, column, interval
from passer.domain.figures.figure import Axis, Figure, FigureColumn, FigureRow, Series

_POINT = 0.01
_COLOURS = "Colour: significant gain, significant loss, not significant."
_SIGN = "Above zero the run is better than its baseline: of perplexities, where less is better, the sign is turned."
_LESS_IS_BETTER = "Perplexity"


def comparison_figures(comparison: RunComparison) -> tuple[Figure, ...]:
    """Every figure that the compared runs can give."""
    names = _names(comparison)
    found = [_effects(comparison, names)]
    if comparison.panel and len(names) > 1:
        found.append(_gains(comparison, names))
    return tuple(
        figure for figure in found if any(row.y is not None for series in figure.series for row in series.rows)
    )


def _effects(comparison: RunComparison, names: dict[str, str]) -> Figure:
    """Cohen's d of each metric, one bar a metric: the one scale on which all of them can be read together."""
    series = tuple(
        Series(
            name=name,
            rows=tuple(
                _row(
                    found, x=line.metric, y=_towards_better(line.metric, found.cohens_d), label=f"{line.metric}: {name}"
                )
                for line, found in _of_run(comparison, run_id)
            ),
        )
        for run_id, name in names.items()
    )
    return Figure(
        id="effects",
        kind="bar",
        title="Size of the difference in each metric",
        x=Axis(label="Metric", scale="category"),
        y=Axis(label="Cohen's d"),
        is_diverging=True,
        columns=(FigureColumn(field="x", label="Metric"), *column("y", "Cohen's d"), *TESTED),
        series=series,
        notes=(_tested(comparison), _COLOURS, _SIGN),
    )


def _towards_better(metric: str, effect: float | None) -> float | None:
    return -effect if effect is not None and _LESS_IS_BETTER in metric else effect


def _gains(comparison: RunComparison, names: dict[str, str]) -> Figure:
    """Difference in CPS points of each run, with its interval."""
    rows = [
        _row(found, x=name, y=found.difference / _POINT, label=name, scale=1 / _POINT)
        for run_id, name in names.items()
        for line, found in _of_run(comparison, run_id)
        if line.metric == CPS and found.difference is not None
    ]
    return Figure(
        id="cps-difference",
        kind="bar",
        title="Gain in CPS over the baseline",
        x=Axis(label="Configuration", scale="category"),
        y=Axis(label="Gain in CPS", unit="points"),
        is_diverging=True,
        columns=(
            FigureColumn(field="x", label="Configuration"),
            *column("y", "Gain in CPS", "points"),
            *interval("points"),
            *TESTED,
        ),
        series=(Series(name=CPS, rows=tuple(rows)),),
        notes=(_tested(comparison), _COLOURS),
    )


def _row(found: RunDifference, *, x: str, y: float | None, label: str, scale: float | None = None) -> FigureRow:
    """A bar; with its interval where `scale` says in which units."""
    ci = found.ci if scale else None
    return FigureRow(
        x=x,
        y=y,
        low=ci.low * scale if ci and scale else None,
        high=ci.high * scale if ci and scale else None,
        mark=found.stars,
        n=found.n_pairs,
        p=found.p_holm,
        label=label,
    )


def _of_run(comparison: RunComparison, run_id: str) -> list[tuple[ComparedMetric, RunDifference]]:
    return [(line, found) for line in comparison.metrics for found in line.differences if found.run_id == run_id]


def _names(comparison: RunComparison) -> dict[str, str]:
    """Of every run but the baseline; those that are called alike are told apart by their sweep, then by their id."""
    others = [
        (run, sweep)
        for run, sweep in zip(comparison.runs, comparison.sweep_names, strict=True)
        if run.id != comparison.baseline
    ]
    plain = [run.name for run, _ in others]
    longer = [f"{run.name}, {sweep}" for run, sweep in others]
    names = {}
    for (run, _), name, long in zip(others, plain, longer, strict=True):
        alike = name if plain.count(name) == 1 else long
        names[run.id] = alike if longer.count(long) == 1 else f"{long} ({run.id})"
    return names


def _tested(comparison: RunComparison) -> str:
    families = [str(line.family_size) for line in (comparison.metrics[0], comparison.metrics[-1])]
    if not comparison.panel or families[0] == families[1]:
        return f"Stars: paired t-test by question, Holm-corrected over {families[1]} comparisons."
    return (
        f"Stars: paired t-test by question, Holm-corrected over {families[0]} "
        f"comparison{'' if families[0] == '1' else 's'} of CPS "
        f"and {families[1]} of the metrics."
    )
