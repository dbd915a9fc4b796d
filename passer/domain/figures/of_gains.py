"""Figures of quality: CPS and its gain over the baseline, T-CPS, where gains are significant."""

from __future__ import annotations

from collections.abc import Callable

from passer.domain.figures.axes import COUNTED, CPS, TESTED, Across, column, interval, notes
from passer.domain.figures.figure import Axis, Figure, FigureColumn, FigureRow, Series
from passer.domain.figures.points import Gain, Point, Study

_CPS_AXIS = Axis(label="CPS")
_CI = "Bands: 95 % confidence interval of the mean."


def cps_figure(study: Study, across: Across) -> Figure:
    """CPS by threshold, a line a model with its band, the baseline as a level line."""

    def row(point: Point, x: float | str) -> FigureRow:
        ci = point.ci
        return FigureRow(
            x=x,
            y=point.mean_cps,
            low=ci.low if ci else None,
            high=ci.high if ci else None,
            n=point.n,
            mark=point.gain.mark if point.gain else "",
            p=point.gain.p if point.gain else None,
            label=point.name,
        )

    fewer = any(point.n != base.n for base, point in _with_baselines(study))
    compared = any(point.is_baseline for point in study.points)
    return Figure(
        id=CPS,
        kind="line",
        title=f"CPS by {across.axis.label.lower()}",
        x=across.axis,
        y=_CPS_AXIS,
        columns=(across.column, *column("y", "CPS"), *interval(), *COUNTED),
        series=across.series(study, row),
        notes=notes(
            study.pool,
            _CI,
            "Level lines: the baseline of each model." if compared else "",
            "Some means are over fewer questions than their baseline's: read the gains, which are paired."
            if fewer
            else "",
        ),
    )


def _with_baselines(study: Study) -> list[tuple[Point, Point]]:
    baselines = {point.model: point for point in study.points if point.is_baseline}
    return [(baselines[point.model], point) for point in study.points if point.model in baselines and point.gain]


def cps_gain_figure(study: Study, across: Across) -> Figure:
    """Gains in CPS points with intervals, one bar a configuration."""
    return _bars(
        study,
        across,
        id="cps-gain",
        title="Gain in CPS over the baseline",
        y=Axis(label="Gain in CPS", unit="points"),
        value=lambda gain: gain.points,
        columns=(FigureColumn(field="value", label="Gain", unit="% of the baseline"), *interval("points"), *TESTED),
        note="A point is .01 of CPS; the percentage moves with the pool.",
    )


def tcps_gain_figure(study: Study, across: Across) -> Figure:
    """Gains in T-CPS in percent, one bar a configuration."""
    return _bars(
        study,
        across,
        id="tcps-gain",
        title="Gain in T-CPS over the baseline",
        y=Axis(label="Gain in T-CPS", unit="%"),
        value=lambda gain: gain.tcps_improvement_pct,
        columns=TESTED,
        note="Significance is that of the gain in CPS: T-CPS has no test of its own.",
    )


def _bars(
    study: Study,
    across: Across,
    *,
    id: str,
    title: str,
    y: Axis,
    value: Callable[[Gain], float | None],
    columns: tuple[FigureColumn, ...],
    note: str,
) -> Figure:
    with_percent = any(column.field == "value" for column in columns)

    def row(point: Point, x: float | str) -> FigureRow | None:
        gain = point.gain
        if gain is None or value(gain) is None:
            return None
        ci = gain.ci if with_percent else None
        return FigureRow(
            x=x,
            y=value(gain),
            value=gain.improvement_pct if with_percent else None,
            low=ci.low if ci else None,
            high=ci.high if ci else None,
            mark=gain.mark,
            n=gain.n_pairs,
            p=gain.p,
            label=point.name,
        )

    return Figure(
        id=id,
        kind="bar",
        title=title,
        x=across.axis,
        y=y,
        is_diverging=True,
        columns=(across.column, *column("y", y.label, y.unit), *columns),
        series=across.series(study, row),
        notes=notes(study.pool, study.test, "Colour: significant gain, significant loss, not significant.", note),
    )


def significance_figure(study: Study, across: Across) -> Figure:
    """Gains by model and threshold, with their stars."""

    def row(point: Point, x: float | str) -> FigureRow | None:
        if point.gain is None:
            return None
        return FigureRow(
            x=x,
            y=point.model,
            value=point.gain.points,
            mark=point.gain.mark,
            n=point.gain.n_pairs,
            p=point.gain.p,
            label=point.name,
        )

    return Figure(
        id="significance",
        kind="heatmap",
        title="Where the gain in CPS is significant",
        x=across.axis,
        y=Axis(label="Model", scale="category"),
        color=Axis(label="Gain in CPS", unit="points"),
        is_diverging=True,
        columns=(across.column, *column("value", "Gain in CPS", "points"), *TESTED),
        series=across.series(study, row),
        notes=notes(study.pool, study.test),
    )


def scatter_figure(study: Study) -> Figure:
    """Configurations by CPS and T-CPS."""
    series = tuple(
        Series(
            name=model,
            rows=tuple(
                FigureRow(x=point.mean_cps, y=point.tcps, value=point.cv, n=point.n, label=point.name)
                for point in study.points
                if point.model == model and point.mean_cps is not None and point.tcps is not None
            ),
        )
        for model in study.models
    )
    return Figure(
        id="cps-tcps",
        kind="scatter",
        title="T-CPS against CPS",
        x=_CPS_AXIS,
        y=Axis(label="T-CPS"),
        has_diagonal=True,
        columns=(
            *column("label", "Configuration"),
            *column("x", "CPS"),
            *column("y", "T-CPS"),
            *column("value", "CV"),
            *column("n", "n"),
        ),
        series=series,
        notes=notes(study.pool, "Above the diagonal the reward for stability outweighs the penalty for spread."),
    )
