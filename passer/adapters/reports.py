"""Reports as one HTML page that needs nothing beside itself, from the template in passer/templates."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from passer.domain.figures.figure import Figure, figure_table
from passer.domain.reports.report import Report, ReportTable, report_table

TEMPLATES = Path(__file__).parents[1] / "templates"
MOST_ROWS = 150
"""A matrix of correlations is read in its drawing; a longer table belongs into a file."""


class HtmlReports:
    """ports.ReportRenderer by Jinja2; everything is escaped but our own drawings."""

    def render(self, report: Report, drawings: Mapping[str, bytes]) -> bytes:
        """The page in UTF-8; a figure without a drawing is shown as its table."""
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup

        environment = Environment(
            loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )
        figures = [figure for section in report.sections for figure in section.figures]
        page = environment.get_template("report.html.j2").render(
            report=report,
            # Our own drawings, in which matplotlib has escaped every text.
            drawings={figure.id: Markup(drawings.get(figure.id, b"").decode()) for figure in figures},
            figure_tables={figure.id: _table(figure) for figure in figures},
        )
        return page.encode()


def _table(figure: Figure) -> ReportTable:
    table = figure_table(figure)
    shown = table.model_copy(update={"rows": table.rows[:MOST_ROWS]})
    left = len(table.rows) - len(shown.rows)
    return report_table(figure.title + (f" (the first {MOST_ROWS} of {len(table.rows)} rows)" if left else ""), shown)
