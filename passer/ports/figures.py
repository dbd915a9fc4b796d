"""Ports that draw figures and render reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from passer.domain.figures.figure import Figure
from passer.domain.reports.report import Report

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
