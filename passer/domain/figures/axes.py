"""Parts that figures share: the horizontal axis, table columns, notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from passer.domain.figures.figure import BASELINE, Axis, FigureColumn, FigureRow, RowField, Series
from passer.domain.figures.points import Point, Study
from passer.domain.wording.sentence import sentence

CPS_FIGURE = "cps"
"""Id of the figure that companions are drawn beside."""


class Across:
    """Return the horizontal axis: thresholds if all points have one, else k if it differs, else names."""

    def __init__(self, study: Study) -> None:
        moving = [point for point in study.points if not point.is_baseline]
        self._by: Literal["threshold", "k", "name"] = "name"
        if moving and all(point.threshold is not None for point in moving) and _distinguishes(moving, "threshold"):
            self._by = "threshold"
        elif all(point.k is not None and point.threshold is None for point in study.points) and _distinguishes(
            study.points, "k"
        ):
            self._by = "k"
        self.axis = {
            "threshold": Axis(label=sentence("figure.threshold")),
            "k": Axis(label=sentence("figure.k")),
            "name": Axis(label=sentence("figure.configuration"), scale="category"),
        }[self._by]

    @property
    def kind(self) -> str:
        """Return what the axis shows, as it is written within a title."""
        return sentence(f"figure.by-{self._by}")

    def place(self, point: Point) -> float | str:
        """Return a point's place on the axis."""
        if point.is_baseline and self._by == "threshold":
            return BASELINE
        value = {"threshold": point.threshold, "k": point.k, "name": point.name}[self._by]
        return point.name if value is None else value

    @property
    def column(self) -> FigureColumn:
        """Return the axis as a table column."""
        return FigureColumn(field="x", label=self.axis.label)

    def series(self, study: Study, row: Callable[[Point, float | str], FigureRow | None]) -> tuple[Series, ...]:
        """Return one series per model, with the baseline separate from its rows."""
        found = []
        for model in study.models:
            rows, baseline = [], None
            for point in (point for point in study.points if point.model == model):
                made = row(point, self.place(point))
                if made is not None and point.is_baseline and self._by != "k":
                    baseline = made
                elif made is not None:
                    rows.append(made)
            if self._by != "name":
                rows.sort(key=lambda made: float(made.x))
            found.append(Series(name=model, rows=tuple(rows), baseline=baseline))
        return tuple(series for series in found if series.rows)


def _distinguishes(points: Sequence[Point], name: str) -> bool:
    """Return whether a field distinguishes the configurations of each model."""
    by_model: dict[str, list[object]] = {}
    for point in points:
        by_model.setdefault(point.model, []).append(getattr(point, name))
    return all(len(set(values)) == len(values) for values in by_model.values())


def by_tie(rows: Mapping[bool, Sequence[FigureRow]]) -> tuple[Series, ...]:
    """Return the configurations tied with the best one as filled points, and the others as outlines.

    Without a tie all are of one series.
    """
    names = {True: "figure.tied", False: "figure.not-tied" if rows[True] else "figure.configurations"}
    return tuple(
        Series(name=sentence(names[tied]), rows=tuple(own), is_filled=tied) for tied, own in rows.items() if own
    )


def column(field: RowField, label: str, unit: str = "") -> tuple[FigureColumn]:
    """Return a column of the figure's table."""
    return (FigureColumn(field=field, label=label, unit=unit),)


def interval(unit: str = "") -> tuple[FigureColumn, FigureColumn]:
    """Return the columns of the 95 % interval in the unit of its value."""
    return FigureColumn(field="low", label=sentence("figure.ci-low"), unit=unit), FigureColumn(
        field="high", label=sentence("figure.ci-high"), unit=unit
    )


COUNTED = (FigureColumn(field="n", label=sentence("figure.n")),)
TESTED = (
    *COUNTED,
    FigureColumn(field="p", label=sentence("figure.p")),
    FigureColumn(field="mark", label=sentence("figure.significance")),
)


def notes(*given: str) -> tuple[str, ...]:
    """Return the sentences that are not empty."""
    return tuple(note for note in given if note)


def slug(text: str) -> str:
    """Return a file name of lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unnamed"
