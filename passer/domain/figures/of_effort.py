"""Figures of retrieval and effort: questions without passages, passages, time, tokens."""

from __future__ import annotations

from collections.abc import Callable

from passer.domain.composite import CPS as CPS_METRIC
from passer.domain.figures.axes import CPS, Across, column, interval, notes
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.figures.points import Point, Study
from passer.domain.wording.sentence import sentence

Number = Callable[[Point], float | None]


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
        y=Axis(label=sentence("figure.median-time"), unit="s"),
        value=lambda point: point.median_s,
        counted=lambda point: point.n_timed,
        beside=CPS,
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
        beside=CPS,
        note=sentence("figure.tokens-note"),
    )
    output = _simple(study, across, id="tokens", title="", y=prompt.y, value=lambda point: point.output_tokens)
    named = [
        series.model_copy(update={"name": sentence(code, model=series.name)})
        for code, figure in (("figure.series-prompt", prompt), ("figure.series-answer", output))
        for series in figure.series
    ]
    return prompt.model_copy(update={"series": tuple(named)})


def cost_figure(study: Study) -> Figure:
    """Return the figure of CPS by cost: prompt tokens if all models count them, else passages."""
    by_tokens = all(point.prompt_tokens is not None for point in study.points)
    label = sentence("figure.prompt-tokens") if by_tokens else sentence("figure.mean-passages")
    several = len(study.models) > 1
    # The tied set and the margin are those of the primary metric.
    tied, margin = (study.tied, study.margin) if study.primary == CPS_METRIC else (frozenset(), 0.0)
    groups: dict[bool, list[FigureRow]] = {True: [], False: []}
    for point in study.points:
        cost = point.prompt_tokens if by_tokens else point.mean_passages
        if cost is not None and point.mean_cps is not None:
            groups[(point.model, point.name) in tied].append(_costed(point, cost, several=several))
    rows = [row for group in groups.values() for row in group]
    best = max((row.y for row in rows if isinstance(row.y, float)), default=0.0)
    names = {True: "figure.tied", False: "figure.not-tied" if groups[True] else "figure.configurations"}
    # A logarithm shows what a question more or less costs; a configuration without passages has none.
    positive = all(isinstance(row.x, float) and row.x > 0 for row in rows)
    return Figure(
        id="cost",
        kind="scatter",
        title=sentence("figure.cost"),
        x=Axis(label=label, scale="log" if positive else "number"),
        y=Axis(label=sentence("figure.cps")),
        has_frontier=True,
        band=(best - margin, best) if rows and margin else None,
        columns=(
            *column("label", sentence("figure.configuration")),
            *column("x", label),
            *column("y", sentence("figure.cps")),
            *interval(),
            *column("n", sentence("figure.n")),
        ),
        series=tuple(
            Series(name=sentence(names[is_tied]), rows=tuple(group)) for is_tied, group in groups.items() if group
        ),
        notes=notes(study.pool, sentence("figure.cost-note", margin=margin, level=study.level) if margin else ""),
    )


def _costed(point: Point, cost: float, *, several: bool) -> FigureRow:
    """Return a configuration at its cost, with the interval of its gain drawn around its mean."""
    gain, mean = point.gain, point.mean_cps
    level = None if gain is None or gain.points is None or mean is None else mean - gain.points / 100
    ci = gain.ci if gain else None
    return FigureRow(
        x=float(cost),
        y=mean,
        low=None if level is None or ci is None else level + ci.low / 100,
        high=None if level is None or ci is None else level + ci.high / 100,
        n=point.n,
        label=f"{point.model}, {point.name}" if several else point.name,
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
