"""Draws rows as marks: lines with bands, bars, points, cells. Colour-blind safe; significance also shown by stars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from passer.adapters.drawing.numbers import tick_texts
from passer.domain.figures.figure import Figure, FigureRow, frontier
from passer.domain.wording.sentence import shown

INK = "#1b1f24"
"""Colour of text and axes; replaced by the page's colour in an SVG."""
CELL_INK, CELL_PAPER = "#101010", "#fafafa"
"""Colour of text on cells, which does not follow the page."""
COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f7f7f", "#8c6d31")
"""Okabe and Ito's palette, distinguishable for colour-blind readers."""
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")
GAIN, LOSS, NEITHER = "#2166ac", "#b2182b", "#b8bec6"
DIVERGING = "RdBu"
"""Diverging palette: red below zero, blue above, white at zero; distinguishable for colour-blind readers."""
SEQUENTIAL = "cividis"
SIGNIFICANT = ("*", "**", "***")
AROUND = ("s", "o", "D")
"""Outlines around rows that a figure singles out, in the order of its highlights."""
NAME_WIDTH, NAME_HEIGHT = 0.24, 0.05
"""Room of the name of a point, as shares of the axes."""
_WIDTH, _HEIGHT = 7.2, 3.6
_CELL = 0.34


def width_of(figure: Figure) -> float:
    """Return the width of the drawing in inches."""
    if figure.kind != "heatmap":
        return _WIDTH
    return max(_WIDTH, 2.6 + _CELL * len(_places(figure, "x"))) if _is_matrix(figure) else _WIDTH


def height_of(figure: Figure) -> float:
    """Return the height of the drawing in inches."""
    if figure.kind == "heatmap":
        return max(2.5, 1.5 + _CELL * len(_places(figure, "y"))) + (1.2 if _is_matrix(figure) else 0.0)
    if figure.kind == "bar":
        return 0.9 + 1.9 * len(figure.series)
    if figure.kind == "ranked":
        return 1.5 + _CELL * len(_places(figure, "x"))
    return 5.0 if figure.kind == "scatter" else _HEIGHT


def draw_panel(canvas: Any, axes: Any, figure: Figure) -> None:
    """Draw a figure in one pair of axes, or one pair per series for bars."""
    if figure.kind == "heatmap":
        _heatmap(canvas, axes, figure)
    elif figure.kind == "bar":
        _bars(canvas, axes, figure)
        return
    elif figure.kind == "ranked":
        _ranks(axes, figure)
        return
    elif figure.kind == "scatter":
        _scatter(axes, figure)
    else:
        _lines(axes, figure)
    axes.set_title(figure.title)
    axes.set_xlabel(figure.x.heading)
    axes.set_ylabel(figure.y.heading)


def _lines(axes: Any, figure: Figure) -> None:
    places = _category_places(figure)
    for number, series in enumerate(figure.series):
        color, shape = COLORS[number % len(COLORS)], SHAPES[number % len(SHAPES)]
        rows = [row for row in series.rows if isinstance(row.y, float | int)]
        x = [_at(row.x, places) for row in rows]
        stepped = {"drawstyle": "steps-mid"} if figure.is_stepped else {"marker": shape, "markersize": 4}
        axes.plot(x, [row.y for row in rows], color=color, linewidth=1.4, label=series.name, **stepped)
        banded = [(at, row) for at, row in zip(x, rows, strict=True) if row.low is not None and row.high is not None]
        if banded:
            ends = [at for at, _ in banded], [row.low for _, row in banded], [row.high for _, row in banded]
            axes.fill_between(*ends, color=color, alpha=0.15, linewidth=0)
        for at, row in zip(x, rows, strict=True):
            if row.mark in SIGNIFICANT:
                axes.annotate(row.mark, (at, row.y), (0, 4), textcoords="offset points", ha="center", fontsize=8)
        if series.baseline is not None and isinstance(series.baseline.y, float | int):
            axes.axhline(series.baseline.y, color=color, linestyle="--", linewidth=0.9)
    _rules(axes, figure)
    _ticks(axes, figure, places)
    _legend(axes, figure)


def _bars(canvas: Any, axes: Any, figure: Figure) -> None:
    """Draw one panel per series over a shared y axis."""
    axes.remove()
    panels = np.atleast_1d(canvas.subplots(len(figure.series), 1, sharey=True, sharex=True))
    places = {value: place for place, value in enumerate(_places(figure, "x"))}
    for panel, series in zip(panels, figure.series, strict=True):
        for row in series.rows:
            _bar(panel, row, places[row.x])
        panel.axhline(0, color=INK, linewidth=0.8)
        panel.set_title(series.name, fontsize=9)
        panel.set_xticks(range(len(places)), tick_texts(list(places)), rotation=_rotation(list(places)))
        panel.margins(y=0.18)
    canvas.suptitle(figure.title, fontsize=10, x=0.01, ha="left")
    canvas.supylabel(figure.y.heading, fontsize=9)
    panels[-1].set_xlabel(figure.x.heading)


def _bar(panel: Any, row: FigureRow, place: int) -> None:
    height = float(row.y) if isinstance(row.y, float | int) else 0.0
    significant = row.mark in SIGNIFICANT
    color = NEITHER if not significant else GAIN if height > 0 else LOSS
    panel.bar(place, height, width=0.7, color=color)
    top = height
    if row.low is not None and row.high is not None:
        panel.vlines(place, row.low, row.high, color=INK, linewidth=1)
        top = row.high if height >= 0 else row.low
    if row.mark:
        offset, side = (2, "bottom") if height >= 0 else (-2, "top")
        panel.annotate(
            row.mark, (place, top), (0, offset), textcoords="offset points", ha="center", va=side, fontsize=7.5
        )


def _rules(axes: Any, figure: Figure) -> None:
    for draw, places in ((axes.axvline, figure.verticals), (axes.axhline, figure.horizontals)):
        for place in places:
            draw(place, color=INK, linestyle=":", linewidth=0.8)


def _ranks(axes: Any, figure: Figure) -> None:
    """Draw names down the side, the largest value at the top, and values with their intervals across."""
    rows = [(row, number) for number, series in enumerate(figure.series) for row in series.rows]
    rows.sort(key=lambda pair: float(pair[0].y or 0.0))
    for place, (row, number) in enumerate(rows):
        color = COLORS[number % len(COLORS)]
        if row.low is not None and row.high is not None:
            axes.hlines(place, row.low, row.high, color=color, linewidth=1.4)
        axes.plot([row.y], [place], markersize=5, linestyle="", **_point(figure, number))
    axes.axvline(0, color=INK, linewidth=0.8)
    _rules(axes, figure)
    axes.set_yticks(range(len(rows)), tick_texts([row.x for row, _ in rows]))
    for number, series in enumerate(figure.series):
        axes.plot([], [], linestyle="", label=series.name, **_point(figure, number))
    axes.set_title(figure.title)
    axes.set_xlabel(figure.y.heading)
    _legend(axes, figure)


def _scatter(axes: Any, figure: Figure) -> None:
    for number, series in enumerate(figure.series):
        x, y = [row.x for row in series.rows], [row.y for row in series.rows]
        axes.plot(x, y, markersize=5, linestyle="", label=series.name, **_point(figure, number))
        for row in series.rows:
            if row.low is not None and row.high is not None:
                axes.vlines(row.x, row.low, row.high, color=COLORS[number % len(COLORS)], linewidth=1)
    if figure.x.scale == "log":
        from matplotlib.ticker import LogLocator, NullLocator

        axes.set_xscale("log")
        # Powers of ten alone are often one number; 300 is not a power that anybody reads.
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter("{x:g}")
    rows = [row for series in figure.series for row in series.rows if isinstance(row.y, float | int)]
    for highlight, shape in zip(figure.highlights, AROUND, strict=False):
        around = [row for row in rows if highlight in row.highlights]
        axes.plot([row.x for row in around], [row.y for row in around], marker=shape, markersize=12, linestyle="",
                  markerfacecolor="none", color=INK, label=highlight)  # fmt: skip
    if figure.band is not None:
        axes.axhspan(*figure.band, color=NEITHER, alpha=0.3, linewidth=0, label=figure.band_name or None)
    stairs = frontier(rows) if figure.has_frontier else []
    axes.step([row.x for row in stairs], [row.y for row in stairs], where="post", color=INK, linewidth=0.8)
    _names(axes, figure, stairs, rows)
    _rules(axes, figure)
    if figure.has_diagonal:
        low, high = min(axes.get_xlim()[0], axes.get_ylim()[0]), max(axes.get_xlim()[1], axes.get_ylim()[1])
        axes.plot([low, high], [low, high], color=INK, linestyle=":", linewidth=0.9)
        axes.set_aspect("equal", adjustable="box")
    _legend(axes, figure)


def _point(figure: Figure, number: int) -> dict[str, Any]:
    """Return how points of a series are drawn: filled or as outlines, so that series differ by more than colour."""
    color = COLORS[number % len(COLORS)]
    filled = figure.series[number].is_filled
    return {
        "color": color,
        "marker": SHAPES[number % len(SHAPES)],
        "markerfacecolor": color if filled else "none",
        "markeredgewidth": 1.3,
    }


def _names(axes: Any, figure: Figure, stairs: Sequence[FigureRow], rows: Sequence[FigureRow]) -> None:
    """Write the names of what is singled out, and of the staircase where they cover none of them."""
    singled = [row for row in rows if row.highlights]
    if not figure.has_frontier or not rows:
        return
    axes.margins(x=0.12, y=0.1)
    # Heights and widths of names, as shares of the axes: their sizes are known only when the figure is saved.
    spots: list[tuple[float, float]] = []
    for row in (*singled, *(row for row in stairs if row not in singled)):
        spot = tuple(axes.transAxes.inverted().transform(axes.transData.transform((row.x, row.y))))
        is_free = all(abs(spot[0] - x) > NAME_WIDTH or abs(spot[1] - y) > NAME_HEIGHT for x, y in spots)
        if not row.highlights and not is_free:
            continue
        spots.append(spot)
        right = spot[0] > 1 - NAME_WIDTH
        axes.annotate(
            shown(row.label), (row.x, row.y), (-7 if right else 7, 6), textcoords="offset points", fontsize=7.5,
            ha="right" if right else "left", fontweight="bold" if row.highlights else "normal",
        )  # fmt: skip


def _heatmap(canvas: Any, axes: Any, figure: Figure) -> None:
    across, down = _places(figure, "x"), _places(figure, "y")
    columns, lines = {x: place for place, x in enumerate(across)}, {y: place for place, y in enumerate(down)}
    values, marks = np.full((len(down), len(across)), np.nan), {}
    for series in figure.series:
        for row in series.rows:
            at = lines[row.y or ""], columns[row.x]
            values[at] = np.nan if row.value is None else row.value
            marks[at] = row.mark if row.mark in SIGNIFICANT else ""
    low, high = _range(figure, values)
    image = axes.imshow(
        values, cmap=DIVERGING if figure.is_diverging else SEQUENTIAL, vmin=low, vmax=high, aspect="auto"
    )
    for at, mark in marks.items():
        _cell_text(axes, at, values[at], mark, image, matrix=_is_matrix(figure))
    axes.set_xticks(range(len(across)), tick_texts(across), rotation=90 if _is_matrix(figure) else 0, fontsize=7.5)
    axes.set_yticks(range(len(down)), tick_texts(down), fontsize=7.5)
    bar = canvas.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label(figure.color.heading if figure.color else "")


def _cell_text(axes: Any, at: tuple[int, int], value: float, mark: str, image: Any, *, matrix: bool) -> None:
    """Write the number, with stars below it, light on dark cells."""
    if np.isnan(value):
        return
    red, green, blue, _ = image.cmap(image.norm(value))
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
    text = f"{round(value, 2) or 0.0:.2f}".replace("0.", ".", 1) if matrix else f"{value:+.2f}"
    written = axes.text(
        at[1], at[0], f"{text}\n{mark}" if mark else text, ha="center", va="center",
        fontsize=5.5 if matrix else 7.5, color=CELL_PAPER if dark else CELL_INK,
    )  # fmt: skip
    # Exclude cell texts from layout: there are hundreds, and none can leave its cell.
    written.set_in_layout(False)


def _range(figure: Figure, values: Any) -> tuple[float, float]:
    if figure.color is not None and figure.color.domain is not None:
        return figure.color.domain
    known = values[~np.isnan(values)]
    largest = float(np.abs(known).max()) if known.size else 1.0
    return (-largest or -1.0, largest or 1.0) if figure.is_diverging else (float(known.min()), float(known.max()))


def _places(figure: Figure, name: str) -> list[float | str]:
    """Return the distinct places along an axis: numbers ascending, names in the axis' order, else of appearance."""
    if name == "x" and figure.x.names:
        return list(figure.x.names)
    found = dict.fromkeys(getattr(row, name) for series in figure.series for row in series.rows)
    return sorted(found) if all(isinstance(value, float | int) for value in found) else list(found)


def _is_matrix(figure: Figure) -> bool:
    return figure.x.scale == figure.y.scale == "category" and figure.x.label == figure.y.label


def _category_places(figure: Figure) -> dict[float | str, int]:
    return {value: place for place, value in enumerate(_places(figure, "x"))} if figure.x.scale == "category" else {}


def _at(value: float | str, places: dict[float | str, int]) -> float:
    return float(places[value]) if places else float(value)


def _ticks(axes: Any, figure: Figure, places: dict[float | str, int]) -> None:
    if places:
        axes.set_xticks(range(len(places)), tick_texts(list(places)), rotation=_rotation(list(places)))
    else:
        values = _places(figure, "x")
        if len(values) <= 20:
            axes.set_xticks(values, tick_texts(values))


def _rotation(values: Sequence[float | str]) -> int:
    return 30 if any(isinstance(value, str) and len(value) > 10 for value in values) else 0


def _legend(axes: Any, figure: Figure) -> None:
    if len(figure.series) > 1 or figure.highlights or figure.band_name:
        axes.legend(loc="best")
