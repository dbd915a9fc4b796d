"""Figures of two domains: gains at the best thresholds, where the gain differs, and which correlations moved."""

from __future__ import annotations

from passer.domain.crossing.crossed import AcrossDomains, BestInDomain, CrossDomain
from passer.domain.figures.axes import COUNTED, column
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.statistics import stars
from passer.domain.wording.sentence import sentence

_POINT = 0.01
_POINTS = sentence("unit.points")
_DIFFERENCE = sentence("figure.difference-in-gain")
_GAINS = sentence("figure.largest-gains")
_MOVED = sentence("table.moved_correlations")


def crossing_figures(crossed: CrossDomain) -> tuple[Figure, ...]:
    """Return every figure that the two domains allow."""
    made = (_best_gains(crossed), _differences(crossed), _moved(crossed))
    return tuple(figure for figure in made if any(series.rows for series in figure.series))


def _best_gains(crossed: CrossDomain) -> Figure:
    """Return the largest gain of each model in each domain; on different constants they share no scale."""
    sides = [(item, side) for item in crossed.models for side in (item.first, item.second)]
    return Figure(
        id="domains-best-gain",
        kind="heatmap",
        title=_GAINS,
        x=Axis(label=sentence("figure.study"), scale="category"),
        y=Axis(label=sentence("figure.model"), scale="category"),
        color=Axis(label=sentence("figure.cps-gain"), unit=_POINTS),
        is_diverging=True,
        columns=(
            *column("y", sentence("figure.model")),
            *column("x", sentence("figure.study")),
            *column("value", sentence("figure.cps-gain"), _POINTS),
            *column("label", sentence("figure.best-threshold")),
            *COUNTED,
        ),
        series=(Series(name=_GAINS, rows=tuple(_best(*each) for each in sides) if crossed.is_comparable else ()),),
        notes=(sentence("figure.overestimated"),),
    )


def _best(item: AcrossDomains, side: BestInDomain) -> FigureRow:
    return FigureRow(
        x=side.domain,
        y=item.model,
        value=None if side.gain is None else side.gain / _POINT,
        n=side.n_questions,
        label="" if side.best_threshold is None else sentence("figure.threshold-of", threshold=side.best_threshold),
    )


def _differences(crossed: CrossDomain) -> Figure:
    """Return RQ3 as lines: the gain in the first domain minus that in the second, by threshold."""
    series = tuple(
        Series(
            name=model,
            rows=tuple(
                FigureRow(x=item.threshold, y=item.difference / _POINT, p=item.p_max_t, mark=stars(item.p_max_t))
                for item in crossed.differences
                if item.model == model
            ),
        )
        for model in dict.fromkeys(item.model for item in crossed.differences)
    )
    return Figure(
        id="domains-difference",
        kind="line",
        title=sentence("figure.difference-between", first=crossed.first, second=crossed.second),
        x=Axis(label=sentence("figure.threshold")),
        y=Axis(label=_DIFFERENCE, unit=_POINTS),
        is_diverging=True,
        columns=(
            *column("x", sentence("figure.threshold")),
            *column("y", _DIFFERENCE, _POINTS),
            *column("mark", sentence("figure.significance")),
            *column("p", sentence("figure.p-max-t")),
        ),
        series=series,
        notes=(sentence("figure.stars-domains"),),
    )


def _moved(crossed: CrossDomain) -> Figure:
    """Return the rank correlations that differ most between the domains as a heat map."""
    rows = tuple(
        FigureRow(x=domain, y=f"{item.metric} × {item.other_metric}", value=rho)
        for item in crossed.moved
        for domain, rho in ((crossed.first, item.first), (crossed.second, item.second))
    )
    return Figure(
        id="domains-moved",
        kind="heatmap",
        title=_MOVED,
        x=Axis(label=sentence("figure.study"), scale="category"),
        y=Axis(label=sentence("figure.metrics"), scale="category"),
        color=Axis(label=sentence("figure.rho"), domain=(-1.0, 1.0)),
        is_diverging=True,
        columns=(
            *column("y", sentence("figure.metrics")),
            *column("x", sentence("figure.study")),
            *column("value", sentence("figure.rho")),
        ),
        series=(Series(name=_MOVED, rows=rows),),
        notes=(sentence("figure.moved-note"),),
    )
