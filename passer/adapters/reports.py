"""Renders reports as one self-contained HTML page from the template in passer/templates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from passer.domain.figures.figure import BASELINE, Figure, figure_table
from passer.domain.reports.report import Report, ReportTable, report_table
from passer.domain.texts.visible import visible
from passer.domain.verdict.lines import Line
from passer.domain.wording.icu import localised
from passer.domain.wording.sentence import in_readers_language, reader, sentence, shown

TEMPLATES = Path(__file__).parents[1] / "templates"
MOST_ROWS = 150
"""Longest table shown in a report; longer ones, such as correlation matrices, are shown as figures or exported."""

_TYPED = re.compile("`([^`]+)`")
"""Text between backticks is code."""
_SIGN = re.compile(r"^-(?=[\d.])")
_LETTER = re.compile(r"[^\W\d_]")


class HtmlReports:
    """ports.ReportRenderer by Jinja2. Everything except our own drawings is escaped."""

    def render(self, report: Report, drawings: Mapping[str, bytes]) -> bytes:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup, escape

        environment = Environment(
            loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )
        figures = [figure for section in report.sections for figure in section.figures]
        page = environment.get_template("report.html.j2").render(
            report=report,
            language=reader(),
            # Our own drawings; matplotlib has escaped every text in them.
            drawings={figure.id: Markup(drawings.get(figure.id, b"").decode()) for figure in figures},
            figure_tables={figure.id: in_readers_language(_table(figure)) for figure in figures},
            # A plain string: the parts that the pattern adds to Markup would be escaped.
            coded=lambda text: Markup(_TYPED.sub(r"<code>\1</code>", str(escape(text)))),
            typeset=_typeset,
            appendix=shown(sentence("report.appendix")),
            sections=shown(sentence("report.sections")),
            as_table=shown(sentence("report.as-table")),
            numbered=lambda n, title: shown(sentence("report.numbered-table", n=n, title=title)),
            tables_of=lambda line: _tables_of(line, report.places),
            made_by=shown(sentence("report.made-by", program=report.made_by)),
        )
        return visible(page).encode()


def _typeset(cell: str) -> str:
    """Return a number as printed for the reader: a real minus, a thin space before %, a dash for no value."""
    if cell == "-":
        return "\N{EN DASH}"
    cell = _SIGN.sub("\N{MINUS SIGN}", cell).replace("%", "\N{NARROW NO-BREAK SPACE}%")
    if reader() == "en" or _LETTER.search(cell):
        return cell
    return localised(cell.replace(",", "\N{NARROW NO-BREAK SPACE}"), reader())


def _tables_of(line: Line, places: Mapping[str, int]) -> list[tuple[int, str]]:
    """Return the number and the short name of each table of the report in which a number of the line is computed."""
    numbers = sorted({places[name] for name in line.tables if name in places})
    return [(number, shown(sentence("report.table-number", n=number))) for number in numbers]


def _table(figure: Figure) -> ReportTable:
    table = figure_table(figure)
    baseline = shown(sentence("cell.baseline"))
    rows = tuple(tuple(baseline if cell == BASELINE else cell for cell in row) for row in table.rows[:MOST_ROWS])
    title = figure.title
    if len(rows) < len(table.rows):
        title = sentence("report.first-rows", title=title, shown=len(rows), n=len(table.rows))
    return report_table(title, table.model_copy(update={"rows": rows}))
