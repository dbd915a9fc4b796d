"""A figure as data, drawn by the browser or as SVG and PNG, and readable as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from passer.domain.analysis.study_table import Cell, StudyTable
from passer.domain.base import Frozen
from passer.domain.wording.sentence import LocalizedText, sentence

FigureKind = Literal["line", "bar", "scatter", "heatmap", "ranked"]
"""Kind of marks: y over x with a band; one bar, point or cell per row; or names down the side, y and its interval
across."""
RowField = Literal["x", "y", "value", "low", "high", "mark", "n", "p", "label", "highlights"]
"""A field of FigureRow."""

BASELINE = "baseline"
"""Text of x in the table for the baseline's row."""


class Axis(Frozen):
    """Quantity along an axis or shown by colour."""

    label: LocalizedText
    """Label in words."""
    unit: LocalizedText = ""
    """Unit: %, points, s; empty for a pure number."""
    scale: Literal["number", "category", "log"] = "number"
    """Scale: numbers, names in the order of the rows, or positive numbers on a logarithmic scale."""
    domain: tuple[float, float] | None = None
    """Fixed ends of the scale; None fits the data."""
    names: tuple[LocalizedText, ...] = ()
    """Names in the order in which they are drawn; empty where the rows have that order."""

    @property
    def heading(self) -> str:
        """Label with unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


class FigureRow(Frozen):
    """One mark."""

    x: float | LocalizedText
    """Value on the horizontal axis."""
    y: float | str | None
    """Value on the vertical axis; None if missing."""
    value: float | None = None
    """Value shown by colour, in heat maps."""
    low: float | None = None
    """Lower end of the 95 % interval of y."""
    high: float | None = None
    """Upper end of the 95 % interval of y."""
    mark: str = ""
    """Significance: `***` .001, `**` .01, `*` .05, `ns`; empty without a test."""
    n: int | None = None
    """Number of questions."""
    p: float | None = None
    """p value of the test that `mark` shows."""
    label: LocalizedText = ""
    """Name of the configuration or pair."""
    highlights: tuple[LocalizedText, ...] = ()
    """Marks among the figure's `highlights` that single it out; it is outlined and named."""


class Series(Frozen):
    """Rows of one series, with one colour unless colour shows a value."""

    name: LocalizedText
    """Name in the legend."""
    rows: tuple[FigureRow, ...]
    """Rows in order."""
    baseline: FigureRow | None = None
    """Baseline, drawn as a horizontal line."""
    is_filled: bool = False
    """True if its points are filled; else they are outlines, in a figure of points."""


class FigureColumn(Frozen):
    """A column of the figure's table."""

    field: RowField
    """Field of the rows."""
    label: LocalizedText
    """Heading."""
    unit: LocalizedText = ""
    """Unit of its numbers."""


class Figure(Frozen):
    """A figure: axes, series, rows and notes."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    """Id, unique within an analysis; also its file name."""
    kind: FigureKind
    """Kind of marks."""
    title: LocalizedText
    """Title."""
    x: Axis
    """Horizontal axis."""
    y: Axis
    """Vertical axis."""
    color: Axis | None = None
    """Quantity shown by colour, if that is not the series."""
    is_diverging: bool = False
    """True if the colour scale diverges from zero."""
    has_diagonal: bool = False
    """True if the line y = x is drawn."""
    has_frontier: bool = False
    """True if a staircase joins the rows that no other row exceeds in y at the same or a smaller x."""
    is_sized: bool = False
    """True if the area of a mark shows its n, for marks that represent several questions."""
    is_stepped: bool = False
    """True if lines are steps with their area filled, as in a histogram."""
    band: tuple[float, float] | None = None
    """Shaded range of y."""
    band_name: LocalizedText = ""
    """Meaning of the shaded range, for the legend."""
    highlights: tuple[LocalizedText, ...] = ()
    """Marks that rows can have: a square around the first, a ring around the second."""
    verticals: tuple[float, ...] = ()
    """Places on the horizontal axis of the drawing where a vertical line is drawn."""
    horizontals: tuple[float, ...] = ()
    """Places on the vertical axis where a horizontal line is drawn, in a figure of points."""
    beside: str | None = None
    """Id of the companion figure over the same x axis."""
    columns: tuple[FigureColumn, ...]
    """Columns of the table, after the series' name."""
    series: tuple[Series, ...]
    """Series to draw."""
    notes: tuple[LocalizedText, ...] = ()
    """Notes on how its numbers were computed."""


def frontier(rows: Sequence[FigureRow]) -> list[FigureRow]:
    """Return the rows that no other row reaches in y at the same or a smaller x, by x."""
    numbers = [(float(row.x), float(row.y), row) for row in rows if row.y is not None]
    found: list[FigureRow] = []
    highest = float("-inf")
    for _, y, row in sorted(numbers, key=lambda item: (item[0], -item[1])):
        if y > highest:
            found.append(row)
            highest = y
    return found


def figure_table(figure: Figure) -> StudyTable:
    """Return the figure as a table: one row per mark, the baseline first."""
    lines: list[tuple[Cell, ...]] = []
    for series in figure.series:
        if series.baseline is not None:
            lines.append((series.name, *_cells(figure, series.baseline.model_copy(update={"x": BASELINE}))))
        lines += [(series.name, *_cells(figure, row)) for row in series.rows]
    headings = [f"{column.label} ({column.unit})" if column.unit else column.label for column in figure.columns]
    return StudyTable(columns=("series", *headings), rows=tuple(lines))


def _cells(figure: Figure, row: FigureRow) -> tuple[Cell, ...]:
    return tuple(
        sentence("figure.highlighted", names=row.highlights)
        if column.field == "highlights"
        else getattr(row, column.field)
        for column in figure.columns
    )
