"""Figures and reports without a drawing library or a browser."""

from __future__ import annotations

from collections.abc import Mapping

from passer.domain.figures.figure import Figure
from passer.domain.reports.report import Report
from passer.errors import UnavailableError
from passer.ports import DrawingFormat


class FakeDrawer:
    """Draws a figure as its id, or cannot draw at all."""

    def __init__(self, *, missing: bool = False) -> None:
        self._missing = missing

    def draw(self, figure: Figure, form: DrawingFormat, *, beside: Figure | None = None) -> bytes:
        if self._missing:
            raise UnavailableError("Drawing figures needs a library that is missing: install it.")
        return f"{form} {figure.id}{f' under {beside.id}' if beside else ''}".encode()


class FakeRenderer:
    """A page of titles, and the report that it was asked for."""

    def __init__(self) -> None:
        self.report: Report | None = None

    def render(self, report: Report, drawings: Mapping[str, bytes]) -> bytes:
        self.report = report
        return "\n".join([report.title, *(content.decode() for content in drawings.values())]).encode()
