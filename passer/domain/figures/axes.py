"""What figures share: the horizontal axis, columns of the table, notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from passer.domain.figures.figure import BASELINE, Axis, FigureColumn, FigureRow, RowField, Series
from passer.domain.figures.points import Point, Study

CPS = "cps"
"""Id of the figure that others are read beside."""


class Across:
    """The horizontal axis: thresholds where all points have one, else k where that differs, else names."""

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
            "threshold": Axis(label="Similarity threshold"),
            "k": Axis(label="Passages kept (k)"),
            "name": Axis(label="Configuration", scale="category"),
        }[self._by]

    def place(self, point: Point) -> float | str:
        """Of a point."""
        if point.is_baseline and self._by == "threshold":
            return BASELINE
        value = {"threshold": point.threshold, "k": point.k, "name": point.name}[self._by]
        return point.name if value is None else value

    @property
    def column(self) -> FigureColumn:
        """The axis in a table."""
        return FigureColumn(field="x", label=self.axis.label)

    def series(self, study: Study, row: Callable[[Point, float | str], FigureRow | None]) -> tuple[Series, ...]:
        """One series a model, the baseline apart from its rows."""
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
    """Whether a field tells the configurations of each model apart."""
    by_model: dict[str, list[object]] = {}
    for point in points:
        by_model.setdefault(point.model, []).append(getattr(point, name))
    return all(len(set(values)) == len(values) for values in by_model.values())


def column(field: RowField, label: str, unit: str = "") -> tuple[FigureColumn]:
    """A column of the figure as a table, ready to be put among others."""
    return (FigureColumn(field=field, label=label, unit=unit),)


def interval(unit: str = "") -> tuple[FigureColumn, FigureColumn]:
    """Columns of the 95 % interval, in the unit of what it is of."""
    return FigureColumn(field="low", label="CI low", unit=unit), FigureColumn(field="high", label="CI high", unit=unit)


COUNTED = (FigureColumn(field="n", label="n"),)
TESTED = (
    *COUNTED,
    FigureColumn(field="p", label="p"),
    FigureColumn(field="mark", label="Significance"),
)


def notes(*given: str) -> tuple[str, ...]:
    """The sentences that are not empty."""
    return tuple(note for note in given if note)


def slug(text: str) -> str:
    """Lower-case letters, digits and hyphens: a file name that says what it is."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unnamed"
