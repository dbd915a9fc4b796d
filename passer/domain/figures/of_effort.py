"""Figures of retrieval and effort: questions without passages, passages, time, tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

from passer.domain.composite import CPS
from passer.domain.figures.axes import CPS_FIGURE, Across, by_tie, column, interval, notes
from passer.domain.figures.figure import Axis, Figure, FigureRow
from passer.domain.figures.points import Point, Study
from passer.domain.panel import higher_is_better
from passer.domain.score import VECTOR_ORDER
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.verdict import Cost
from passer.domain.wording.sentence import sentence

Number = Callable[[Point], float | None]

RECOMMENDED, CHEAPEST, BASELINE = "figure.recommended", "figure.cheapest", "figure.baseline"
"""Kinds of highlighted configurations, in the order of their outlines."""


def coverage_figure(study: Study, across: Across) -> Figure:
    """Return the figure of questions without passages."""
    return _simple(
        study,
        across,
        id="without-passages",
        title=sentence("figure.uncovered"),
        y=Axis(label=sentence("figure.uncovered"), unit="%", domain=(0.0, 100.0)),
        value=lambda point: None if point.coverage is None else 100 * (1 - point.coverage),
        note=sentence("figure.uncovered-note"),
    )


def passages_figure(study: Study, across: Across) -> Figure:
    """Return the figure of mean passages kept."""
    return _simple(
        study,
        across,
        id="mean-passages",
        title=sentence("figure.passages"),
        y=Axis(label=sentence("figure.mean-passages")),
        value=lambda point: point.mean_passages,
    )


def latency_figure(study: Study, across: Across) -> Figure:
    """Return the figure of median seconds per answer."""
    return _simple(
        study,
        across,
        id="latency",
        title=sentence("figure.time"),
        y=Axis(label=sentence("figure.median-time"), unit=sentence("unit.seconds")),
        value=lambda point: point.median_s,
        counted=lambda point: point.n_timed,
        beside=CPS_FIGURE,
        note=sentence("figure.time-note"),
    )


def tokens_figure(study: Study, across: Across) -> Figure:
    """Return the figure of mean tokens of prompts and answers."""
    prompt = _simple(
        study,
        across,
        id="tokens",
        title=sentence("figure.tokens"),
        y=Axis(label=sentence("figure.mean-tokens")),
        value=lambda point: point.prompt_tokens,
        counted=lambda point: point.n_timed,
        beside=CPS_FIGURE,
        note=sentence("figure.tokens-note"),
    )
    output = _simple(study, across, id="tokens", title="", y=prompt.y, value=lambda point: point.output_tokens)
    named = [
        series.model_copy(update={"name": sentence(code, model=series.name)})
        for code, figure in (("figure.series-prompt", prompt), ("figure.series-answer", output))
        for series in figure.series
    ]
    return prompt.model_copy(update={"series": tuple(named)})


def cost_figures(study: Study) -> tuple[Figure, ...]:
    """Return the figure of the primary metric by each cost that all configurations record, that of the verdict first.

    The first is `cost`; the others are named after their measure, such as `cost-seconds`.
    """
    measures = [
        measure
        for measure in dict.fromkeys(measure for point in study.points for measure in point.costs)
        if all(measure in point.costs for point in study.points) and any(point.costs[measure] for point in study.points)
    ]
    return tuple(
        _cost_figure(study, measure, "cost" if place == 0 else f"cost-{measure}".replace("_", "-"))
        for place, measure in enumerate(measures)
    )


def is_other_cost(figure: Figure) -> bool:
    """Return whether a figure repeats that of cost and quality by a cost that does not decide."""
    return figure.id.startswith("cost-")


def _cost_figure(study: Study, measure: Cost, id: str) -> Figure:
    """Return the figure of one cost.

    Singled out are the baseline and the recommended configuration of each model, and the cheapest of those that are
    better than their baseline or as good, if it costs less.
    """
    label, unit = sentence(f"figure.cost-{measure}"), _unit_of(study, measure)
    scale = 1000.0 if measure == "money" else 1.0
    costs = {point: scale * point.costs[measure] for point in study.points if _level(study, point) is not None}
    marked = _highlighted(study, costs)
    groups: dict[bool, list[FigureRow]] = {True: [], False: []}
    for point, cost in costs.items():
        row = _costed(study, point, cost, marked.get(point, ()))
        groups[(point.model, point.name) in study.tied].append(row)
    rows = [row for group in groups.values() for row in group]
    kinds = [
        each for each in map(sentence, (RECOMMENDED, CHEAPEST, BASELINE)) if any(each in row.highlights for row in rows)
    ]
    best = max((row.y for row in rows if isinstance(row.y, float)), default=0.0)
    # A logarithm shows what a question more or less costs; a configuration without passages has none.
    positive = all(isinstance(row.x, float) and row.x > 0 for row in rows)
    axis, margin = _axis_of(study.primary), study.margin
    size = amount(study.primary, margin, "size")
    return Figure(
        id=id,
        kind="scatter",
        title=sentence("figure.cost"),
        x=Axis(label=label, unit=unit, scale="log" if positive else "number"),
        y=Axis(label=axis),
        has_frontier=True,
        band=(best - margin, best) if rows and margin else None,
        band_name=sentence("figure.as-good", margin=size, metric=study.primary) if rows and margin else "",
        highlights=tuple(kinds),
        columns=(
            *column("label", sentence("figure.configuration")),
            *column("x", label, unit),
            *column("y", axis),
            *interval(),
            *column("n", sentence("figure.n")),
            *(column("highlights", sentence("figure.highlights")) if kinds else ()),
        ),
        series=by_tie(groups),
        notes=notes(
            study.pool if study.primary == CPS else "",
            sentence("figure.cost-note", margin=size, level=study.level, metric=study.primary) if margin else "",
        ),
    )


def _unit_of(study: Study, measure: Cost) -> str:
    if measure == "money":
        return study.currency
    return sentence("unit.seconds") if measure == "seconds" else ""


def _axis_of(primary: str) -> str:
    """Return a metric as the label of an axis on which higher is better."""
    if primary == CPS:
        return sentence("figure.cps")
    lower = primary in VECTOR_ORDER and not higher_is_better(primary)
    return sentence("figure.reversed", metric=primary) if lower else primary


def _level(study: Study, point: Point) -> float | None:
    """Return the height of a configuration: its mean in the primary metric."""
    return point.mean_cps if study.primary == CPS else point.mean_primary


def _highlighted(study: Study, costs: Mapping[Point, float]) -> dict[Point, tuple[str, ...]]:
    """Return what singles out each configuration."""
    baselines = {point.model: costs[point] for point in costs if point.is_baseline}
    cheapest: dict[str, Point] = {}
    for point in sorted(costs, key=lambda point: (costs[point], -(_level(study, point) or 0.0))):
        is_cheaper = costs[point] < baselines.get(point.model, inf)
        if is_cheaper and (point.model, point.name) in study.as_good:
            cheapest.setdefault(point.model, point)
    return {
        point: (
            *((sentence(RECOMMENDED),) if (point.model, point.name) in study.recommended else ()),
            *((sentence(CHEAPEST),) if point in cheapest.values() else ()),
            *((sentence(BASELINE),) if point.is_baseline else ()),
        )
        for point in costs
    }


def _costed(study: Study, point: Point, cost: float, highlights: tuple[str, ...]) -> FigureRow:
    """Return a configuration at its cost, with the interval of its gain drawn around its mean."""
    gain, mean = point.judged, _level(study, point)
    level = None if gain is None or gain.gain is None or mean is None else mean - gain.gain
    return FigureRow(
        x=float(cost),
        y=mean,
        low=None if level is None or gain is None or gain.interval is None else level + gain.interval.low,
        high=None if level is None or gain is None or gain.interval is None else level + gain.interval.high,
        n=point.n,
        label=study.name_of(point),
        highlights=highlights,
    )


def _simple(
    study: Study,
    across: Across,
    *,
    id: str,
    title: str,
    y: Axis,
    value: Number,
    counted: Callable[[Point], int] = lambda point: point.n,
    beside: str | None = None,
    note: str = "",
) -> Figure:
    """Return one number by configuration; models with equal values become one series."""

    def row(point: Point, x: float | str) -> FigureRow | None:
        number = value(point)
        return None if number is None else FigureRow(x=x, y=number, n=counted(point))

    series = across.series(study, row)
    if len({(item.rows, item.baseline) for item in series}) == 1 < len(series):
        series = (series[0].model_copy(update={"name": sentence("figure.all-models")}),)
    return Figure(
        id=id,
        kind="line",
        title=title or id,
        x=across.axis,
        y=y,
        beside=beside,
        columns=(across.column, *column("y", y.label, y.unit), *column("n", sentence("figure.n"))),
        series=series,
        notes=notes(note),
    )
