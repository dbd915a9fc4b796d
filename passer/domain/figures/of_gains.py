"""Figures of quality: CPS and its gain over the baseline, T-CPS, where gains are significant."""

from __future__ import annotations

from collections.abc import Callable

from passer.domain.figures.axes import COUNTED, CPS_FIGURE, TESTED, Across, column, interval, notes
from passer.domain.figures.figure import Axis, Figure, FigureColumn, FigureRow, Series
from passer.domain.figures.points import Gain, Point, Study
from passer.domain.wording.sentence import sentence

_CPS_AXIS = Axis(label=sentence("figure.cps"))
_CI = sentence("figure.bands")


def cps_figure(study: Study, across: Across) -> Figure:
    """Return the figure of CPS by threshold: one line per model with its band, baselines as horizontal lines."""

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
        id=CPS_FIGURE,
        kind="line",
        title=sentence("figure.cps-by", axis=across.kind),
        x=across.axis,
        y=_CPS_AXIS,
        columns=(across.column, *column("y", sentence("figure.cps")), *interval(), *COUNTED),
        series=across.series(study, row),
        notes=notes(
            study.pool,
            _CI,
            sentence("figure.levels") if compared else "",
            sentence("figure.fewer") if fewer else "",
        ),
    )


def _with_baselines(study: Study) -> list[tuple[Point, Point]]:
    baselines = {point.model: point for point in study.points if point.is_baseline}
    return [(baselines[point.model], point) for point in study.points if point.model in baselines and point.gain]


def cps_gain_figure(study: Study, across: Across) -> Figure:
    """Return the figure of gains in CPS points with intervals, one bar per configuration."""
    return _bars(
        study,
        across,
        id="cps-gain",
        title=sentence("figure.gain-over-baseline"),
        y=Axis(label=sentence("figure.cps-gain"), unit=sentence("unit.points")),
        value=lambda gain: gain.points,
        columns=(
            FigureColumn(field="value", label=sentence("figure.gain"), unit=sentence("unit.percent-of-baseline")),
            *interval(sentence("unit.points")),
            *TESTED,
        ),
        note=sentence("figure.points-note"),
    )


def tcps_gain_figure(study: Study, across: Across) -> Figure:
    """Return the figure of T-CPS gains in percent, one bar per configuration."""
    return _bars(
        study,
        across,
        id="tcps-gain",
        title=sentence("figure.tcps-gain-over-baseline"),
        y=Axis(label=sentence("figure.tcps-gain"), unit="%"),
        value=lambda gain: gain.tcps_improvement_pct,
        columns=TESTED,
        note=sentence("figure.tcps-note"),
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
        notes=notes(study.pool, study.test, sentence("figure.colours"), note),
    )


def significance_figure(study: Study, across: Across) -> Figure:
    """Return the heat map of gains by model and threshold, with their stars."""

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
        title=sentence("figure.significance-map"),
        x=across.axis,
        y=Axis(label=sentence("figure.model"), scale="category"),
        color=Axis(label=sentence("figure.cps-gain"), unit=sentence("unit.points")),
        is_diverging=True,
        columns=(across.column, *column("value", sentence("figure.cps-gain"), sentence("unit.points")), *TESTED),
        series=across.series(study, row),
        notes=notes(study.pool, study.test),
    )


def scatter_figure(study: Study) -> Figure:
    """Return the scatter plot of configurations by CPS and T-CPS."""
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
        title=sentence("figure.stability"),
        x=_CPS_AXIS,
        y=Axis(label=sentence("figure.tcps")),
        has_diagonal=True,
        columns=(
            *column("label", sentence("figure.configuration")),
            *column("x", sentence("figure.cps")),
            *column("y", sentence("figure.tcps")),
            *column("value", sentence("figure.cv")),
            *column("n", sentence("figure.n")),
        ),
        series=series,
        notes=notes(study.pool, sentence("figure.stability-note")),
    )
