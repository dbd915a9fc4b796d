"""A report as data: what a reader is told, in which order, with the tables and figures behind it."""

from __future__ import annotations

from passer.domain.analysis.study_tables import StudyTable
from passer.domain.base import Frozen
from passer.domain.cell_text import cell_text, heading, is_number
from passer.domain.figures.figure import Figure


class ReportTable(Frozen):
    """A table as it is read: every cell is text."""

    title: str
    """In words."""
    columns: tuple[str, ...]
    """Headings."""
    is_numeric: tuple[bool, ...]
    """Which columns are aligned as numbers."""
    rows: tuple[tuple[str, ...], ...]
    """One text per column."""
    is_folded: bool = False
    """Whether it is shown on demand: long, or a detail."""


class ReportSection(Frozen):
    """A heading with what stands under it, in this order."""

    heading: str
    """In words."""
    paragraphs: tuple[str, ...] = ()
    """What is said."""
    points: tuple[str, ...] = ()
    """What is listed."""
    tables: tuple[ReportTable, ...] = ()
    """With numbers."""
    figures: tuple[Figure, ...] = ()
    """Drawn, and readable as tables."""


class Report(Frozen):
    """All of it."""

    title: str
    """Of the page."""
    facts: tuple[tuple[str, str], ...]
    """What it is about: names and values."""
    sections: tuple[ReportSection, ...]
    """In reading order."""
    made_by: str
    """Program and version."""


def report_table(title: str, table: StudyTable, *, is_folded: bool = False) -> ReportTable:
    """A table of results as it is read."""
    return ReportTable(
        title=title,
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
