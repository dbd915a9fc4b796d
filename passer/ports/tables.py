"""Ports that read and write table files, draw figures and render reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from passer.domain.figures.figure import Figure
from passer.domain.reports.report import Report
from passer.domain.sheets.sheet import Place, Sheet

TableContent = bytes | Path
"""Bytes of a table file, or the file that holds them: then only the process that reads it has them in memory."""


class TableReader(Protocol):
    """Reads one format of table files."""

    suffixes: tuple[str, ...]
    """Lower-case file suffixes that it reads, with the dot."""

    def read(self, content: TableContent) -> list[dict[str, Any]]:
        """Return the rows as dicts, in order.

        A blank row is {}; cells without a column name are under the key "". DatasetError names the row and column of
        what cannot be read.
        """

    def remarks(self, content: TableContent) -> tuple[str, ...]:
        """Return what the rows of a file that was read do not show, one sentence each: rows that are hidden, sheets
        that are not read.
        """


class TableWriter(Protocol):
    """Writes one format of table files."""

    suffix: str
    """File suffix with the dot."""

    def write(
        self, stream: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, reproducible: bool = False
    ) -> None:
        """Write all rows: numbers as numbers, None as an empty cell. `reproducible` leaves out clock times."""


class SheetReader(Protocol):
    """Reads result sheets of earlier PaSSER versions."""

    def read(self, content: TableContent, *, path: str, place: Place) -> Sheet:
        """Read the scores of one configuration; DatasetError names the file and every row without scores."""


DrawingFormat = Literal["svg", "png"]
"""File format of a drawing."""


class FigureDrawer(Protocol):
    """Draws figures. The same figure gives the same bytes."""

    def draw(self, figure: Figure, form: DrawingFormat, *, beside: Figure | None = None) -> bytes:
        """Return the figure as a file, with `beside` above it over the same x axis; UnavailableError without
        the extra `report`.
        """


class ReportRenderer(Protocol):
    """Renders a report as one page."""

    def render(self, report: Report, drawings: Mapping[str, bytes]) -> bytes:
        """Return a self-contained page. `drawings` are SVG by figure id; figures without one are shown as tables."""
