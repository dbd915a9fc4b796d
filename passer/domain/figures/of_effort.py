"""Figures of what a configuration keeps and takes: coverage, passages, time, tokens."""

from __future__ import annotations

from collections.abc import Callable

from passer.domain.figures.axes import CPS, Across, column, notes
from passer.domain.figures.figure import Axis, Figure, FigureRow
from passer.domain.figures.points import Point, Study

Number = Callable[[Point], float | None]


def coverage_figure(study: Study, across: Across) -> Figure:
    """Share of questions that keep no passage."""
    return _simple(
        study,
        across,
        id="without-passages",
        title="Questions without any passage",
        y=Axis(label="Questions without a passage", unit="%", domain=(0.0, 100.0)),
        value=lambda point: None if point.coverage is None else 100 * (1 - point.coverage),
        note="A question that keeps no passage is answered without the documents, or not at all.",
    )


def passages_figure(study: Study, across: Across) -> Figure:
    """Mean passages kept."""
    return _simple(
        study,
        across,
        id="mean-passages",
        title="Passages kept per question",
        y=Axis(label="Mean passages kept"),
        value=lambda point: point.mean_passages,
    )


def latency_figure(study: Study, across: Across) -> Figure:
    """Median seconds of generating an answer."""
    return _simple(
        study,
        across,
        id="latency",
        title="Time of an answer beside its quality",
        y=Axis(label="Median generation time", unit="s"),
        value=lambda point: point.median_s,
        counted=lambda point: point.n_timed,
        beside=CPS,
        note="Measured where and when each answer was generated; times of different machines are not compared here.",
    )


def tokens_figure(study: Study, across: Across) -> Figure:
    """Mean tokens of prompts and answers."""
    prompt = _simple(
        study,
        across,
        id="tokens",
        title="Tokens of an answer beside its quality",
        y=Axis(label="Mean tokens"),
        value=lambda point: point.prompt_tokens,
        counted=lambda point: point.n_timed,
        beside=CPS,
        note="As the model server counts them.",
    )
    output = _simple(study, across, id="tokens", title="", y=prompt.y, value=lambda point: point.output_tokens)
    named = [
        series.model_copy(update={"name": f"{series.name}, {kind}"})
        for kind, figure in (("prompt", prompt), ("answer", output))
        for series in figure.series
    ]
    return prompt.model_copy(update={"series": tuple(named)})


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
    """One number by configuration; models that share all of it become one series."""

    def row(point: Point, x: float | str) -> FigureRow | None:
        number = value(point)
        return None if number is None else FigureRow(x=x, y=number, n=counted(point))

    series = across.series(study, row)
    if len({(item.rows, item.baseline) for item in series}) == 1 < len(series):
        series = (series[0].model_copy(update={"name": "all models"}),)
    return Figure(
        id=id,
        kind="line",
        title=title or id,
        x=across.axis,
        y=y,
        beside=beside,
        columns=(across.column, *column("y", y.label, y.unit), *column("n", "n")),
        series=series,
        notes=notes(note),
    )
