"""Figures and reports as files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from passer.domain.figures.figure import Figure
from passer.domain.reports.report import Report

DrawingFormat = Literal["svg", "png"]
"""What a figure is drawn as."""


class FigureDrawer(Protocol):
    """Draws figures; the same figure gives the same bytes."""

    def draw(self, figure: Figure, form: DrawingFormat, *, beside: Figure | None = None) -> bytes:
        """The figure as a file, with `beside` above it over the same x; UnavailableError without a drawing library."""
        ...


class ReportRenderer(Protocol):
    """Makes one page of a report."""

    def render(self, report: Report, drawings: Mapping[str, bytes]) -> bytes:
        """A page that needs nothing beside itself; `drawings` are SVG by figure id, others are shown as tables."""
        ...
