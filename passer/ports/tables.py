"""Ports that read and write table files, draw figures and render reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Literal, Protocol

from passer.domain.figures.figure import Figure
from passer.domain.reports.report import Report
from passer.domain.sheets.sheet import Place, Sheet
from passer.domain.wording.sentence import sentence
from passer.errors import MOST_PROBLEMS, DatasetError, InputError

ExportFormat = Literal["csv", "jsonl", "xlsx", "latex"]
"""Formats in which a table can be exported."""
SUFFIXES: Mapping[str, str] = {"csv": ".csv", "jsonl": ".jsonl", "xlsx": ".xlsx", "latex": ".tex"}
"""Suffix of a file, with the dot, by `ExportFormat`; a command line gives any text."""
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


_REFUSED = {
    (".gz", ".zip", ".bz2", ".xz", ".zst", ".7z", ".tgz", ".tar", ".rar"): "file.packed",
    (".ods", ".xls", ".xlsm", ".xlsb", ".numbers"): "file.other-workbook",
}
"""Endings of file names that are refused, each with the code of the message that says what to do."""


def reader_of(readers: Sequence[TableReader], filename: str) -> TableReader:
    """Return the reader of a file by its suffix; InputError names the suffixes that can be read."""
    suffix = PurePath(filename).suffix.lower()
    for reader in readers:
        if suffix in reader.suffixes:
            return reader
    code = next((code for ends, code in _REFUSED.items() if suffix in ends), "file.not-read")
    raise _no_format(code, filename if suffix else "", [each for one in readers for each in one.suffixes])


def rows_of(readers: Sequence[TableReader], content: TableContent, filename: str) -> list[dict[str, Any]]:
    """Return the rows of a table, an empty one for each blank line; DatasetError names the file.

    InputError for a format that cannot be read.
    """
    reader = reader_of(readers, filename)
    try:
        return reader.read(content)
    except DatasetError as exc:
        said = sentence("dataset.of-file", name=filename, problem=exc.message)
        raise DatasetError(said, field=exc.field, problems=exc.problems[:MOST_PROBLEMS]) from exc


def writer_of(writers: Sequence[TableWriter], suffix: str) -> TableWriter:
    """Return the writer of files with this suffix; InputError names the suffixes that can be written."""
    for writer in writers:
        if writer.suffix == suffix.lower():
            return writer
    raise _no_format("file.not-written", suffix, [writer.suffix for writer in writers])


def _no_format(code: str, name: str, suffixes: Iterable[str]) -> InputError:
    known = ", ".join(suffixes)
    said = sentence(code, name=name, known=known) if name else sentence("file.no-suffix", known=known)
    return InputError(said, field="file")


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
