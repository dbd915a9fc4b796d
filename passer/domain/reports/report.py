"""A report as data: sections in reading order, with tables and figures."""

from __future__ import annotations

from passer.domain.analysis.study_table import StudyTable
from passer.domain.base import Frozen
from passer.domain.figures.figure import Figure
from passer.domain.texts.cell_text import cell_text, heading, is_number
from passer.domain.verdict.lines import Line
from passer.domain.wording.sentence import LocalizedText, sentence


class ReportTable(Frozen):
    """A table as text: every cell is a string."""

    title: LocalizedText
    """Title."""
    name: str = ""
    """Name of the table of the analysis, by which sentences refer to it; empty for a table of the report alone."""
    columns: tuple[LocalizedText, ...]
    """Headings."""
    is_numeric: tuple[bool, ...]
    """True for each column that is aligned as numbers."""
    rows: tuple[tuple[LocalizedText, ...], ...]
    """Rows with one text per column."""
    is_folded: bool = False
    """True if it is collapsed by default: long, or a detail."""


class ReportSection(Frozen):
    """A section of a report."""

    heading: LocalizedText
    """Heading."""
    lines: tuple[Line, ...] = ()
    """Paragraphs that come first, each with the tables in which its numbers are computed."""
    paragraphs: tuple[LocalizedText, ...] = ()
    """Paragraphs."""
    points: tuple[LocalizedText, ...] = ()
    """List items."""
    tables: tuple[ReportTable, ...] = ()
    """Tables."""
    figures: tuple[Figure, ...] = ()
    """Figures, drawn and readable as tables."""


class Report(Frozen):
    """A report."""

    title: LocalizedText
    """Title of the page."""
    facts: tuple[tuple[LocalizedText, LocalizedText], ...]
    """Facts about the report: names and values."""
    sections: tuple[ReportSection, ...]
    """Sections in reading order."""
    has_first_page: bool = False
    """True if the first section is a page of its own, and the others are its appendix."""
    made_by: str
    """Program name and version."""

    @property
    def places(self) -> dict[str, int]:
        """Return the number of each named table in reading order, from 1; of two by one name, that of the first."""
        found: dict[str, int] = {}
        tables = [table for section in self.sections for table in section.tables]
        for number, table in enumerate(tables, start=1):
            found.setdefault(table.name, number)
        return {name: number for name, number in found.items() if name}

    def of_project(self, project: str | None) -> Report:
        """Return the report with the name of its project among the facts; None: of the default one, as it is."""
        if project is None:
            return self
        return self.model_copy(update={"facts": ((sentence("report.project"), project), *self.facts)})


def report_table(title: str, table: StudyTable, *, name: str = "", is_folded: bool = False) -> ReportTable:
    """Return a result table as text."""
    return ReportTable(
        title=title,
        name=name,
        columns=tuple(heading(column) for column in table.columns),
        is_numeric=tuple(
            all(is_number(column, row[place]) for row in table.rows) for place, column in enumerate(table.columns)
        ),
        rows=tuple(
            tuple(cell_text(column, value) for column, value in zip(table.columns, row, strict=True))
            for row in table.rows
        ),
        is_folded=is_folded,
    )
