"""A figure as data: what the browser draws, what becomes SVG and PNG, and what can be read as a table instead."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from passer.domain.analysis.study_tables import Cell, StudyTable
from passer.domain.base import Frozen

FigureKind = Literal["line", "bar", "scatter", "heatmap"]
"""How rows become marks: y over x with a band, one bar a row, one point a row, one cell a row."""
RowField = Literal["x", "y", "value", "low", "high", "mark", "n", "p", "label"]
"""A field of FigureRow."""

BASELINE = "baseline"
"""Stands for x in the table where a row is the baseline's."""


class Axis(Frozen):
    """What is measured along an axis, or by colour."""

    label: str
    """In words."""
    unit: str = ""
    """Of its numbers: %, points, s; empty for a pure number."""
    scale: Literal["number", "category"] = "number"
    """Whether its values are numbers, or names in the order of the rows."""
    domain: tuple[float, float] | None = None
    """Fixed ends, where they mean something; None follows the data."""

    @property
    def heading(self) -> str:
        """Label with unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


class FigureRow(Frozen):
    """One mark."""

    x: float | str
    """Place along the horizontal axis."""
    y: float | str | None
    """Place along the vertical axis; None where there is no value."""
    value: float | None = None
    """What colour stands for, in heat maps."""
    low: float | None = None
    """Lower end of the 95 % interval of y."""
    high: float | None = None
    """Upper end."""
    mark: str = ""
    """Significance: `***` .001, `**` .01, `*` .05, `ns`; empty without a test."""
    n: int | None = None
    """Questions behind it."""
    p: float | None = None
    """p of the test that `mark` shows."""
    label: str = ""
    """Name of the configuration, or of the pair."""


class Series(Frozen):
    """Rows that belong together, of one colour where colour stands for nothing else."""

    name: str
    """Shown in the legend."""
    rows: tuple[FigureRow, ...]
    """In order."""
    baseline: FigureRow | None = None
    """Drawn as a level line: what the rows are compared with."""


class FigureColumn(Frozen):
    """A column of the figure read as a table."""

    field: RowField
    """Which field of the rows."""
    label: str
    """Heading."""
    unit: str = ""
    """Of its numbers."""


class Figure(Frozen):
    """One figure: axes, series and rows, with all that a reader must know beside it."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    """Unique within an analysis; the name of its file."""
    kind: FigureKind
    """How rows become marks."""
    title: str
    """What it shows."""
    x: Axis
    """Horizontal."""
    y: Axis
    """Vertical."""
    color: Axis | None = None
    """What colour stands for, where it is not the series."""
    is_diverging: bool = False
    """Whether colour goes both ways from zero."""
    has_diagonal: bool = False
    """Whether the line y = x belongs to it."""
    beside: str | None = None
    """Id of the figure over the same x that it is to be read beside."""
    columns: tuple[FigureColumn, ...]
    """How it reads as a table, after the series' name."""
    series: tuple[Series, ...]
    """What is drawn."""
    notes: tuple[str, ...] = ()
    """What its numbers rest on, in sentences."""


def figure_table(figure: Figure) -> StudyTable:
    """The figure as a table: one line a row, the baseline first."""
    lines: list[tuple[Cell, ...]] = []
    for series in figure.series:
        if series.baseline is not None:
            lines.append((series.name, *_cells(figure, series.baseline.model_copy(update={"x": BASELINE}))))
        lines += [(series.name, *_cells(figure, row)) for row in series.rows]
    headings = [f"{column.label} ({column.unit})" if column.unit else column.label for column in figure.columns]
    return StudyTable(columns=("series", *headings), rows=tuple(lines))


def _cells(figure: Figure, row: FigureRow) -> tuple[Cell, ...]:
    return tuple(getattr(row, column.field) for column in figure.columns)
