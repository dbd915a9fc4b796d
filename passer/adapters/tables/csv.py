"""Comma, semicolon and tab separated text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from passer.adapters.tables.cells import FORMULA_STARTS, Cell, cell_value, checked_header, encodable, row_of
from passer.adapters.tables.decoding import bytes_of, decode
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

if TYPE_CHECKING:
    from passer.ports import TableContent

SEPARATORS = (",", ";", "\t")
_MARK = "'"
"""Keeps spreadsheet programs from running a cell."""

# csv's default limit of 128 KiB is shorter than some references. The size of the whole file is limited already.
csv.field_size_limit(2**31 - 1)


def _separator(text: str) -> str:
    """Return the delimiter that splits the header into the most columns; a comma if none does."""

    def width(separator: str) -> int:
        return len(next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), []))

    return max(SEPARATORS, key=width)


def _may_be_formula(text: str) -> bool:
    # What begins with marks gets one more, so that the reader can take exactly one away.
    return text.lstrip(_MARK).startswith(FORMULA_STARTS)


def _unmarked(cell: str) -> str:
    """Return a cell without the mark that this and other programs write before what may be a formula."""
    return cell[1:] if cell.startswith(_MARK) and _may_be_formula(cell) else cell


class CsvReader:
    """Reads separated text with a header line; quoted cells may contain line breaks. Reads what CsvWriter wrote."""

    suffixes: tuple[str, ...] = (".csv", ".tsv")

    def read(self, content: TableContent) -> list[dict[str, Any]]:
        """Return the rows in order, an empty one per blank line; blank cells are None."""
        text = decode(bytes_of(content))
        separator = _separator(text)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        try:
            records = list(reader)
        except csv.Error as exc:
            code = "file.not-tsv" if separator == "\t" else "file.not-csv"
            raise DatasetError(sentence(code, line=reader.line_num, why=str(exc))) from exc
        header = checked_header(records[0])
        rows = [row_of(header, [_unmarked(cell) for cell in record]) for record in records[1:]]
        while rows and not rows[-1]:
            rows.pop()
        return rows


class CsvWriter:
    """Writes RFC 4180 with CRLF; text that a spreadsheet program could run as a formula gets a leading apostrophe."""

    suffix = ".csv"

    def __init__(self, *, bom: bool = False, neutralise: bool = True) -> None:
        self._bom = bom
        self._neutralise = neutralise

    def write(
        self, stream: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, reproducible: bool = False
    ) -> None:
        """Write all rows: None as an empty cell, booleans as words."""
        stream.write(b"\xef\xbb\xbf" if self._bom else b"")
        for chunk in _encoded(columns, self._records(columns, rows)):
            stream.write(chunk)

    def _records(self, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Cell]]:
        for row in rows:
            yield [self._cell(cell_value(row.get(column), column=column)) for column in columns]

    def _cell(self, value: Cell) -> Cell:
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return f"{_MARK}{value}" if self._neutralise and _may_be_formula(value) else value
        return value


def _encoded(columns: Sequence[str], records: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    """Yield header and records as UTF-8, line by line, so that a long table is never whole in memory."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(columns)
    for record in records:
        yield _taken(buffer)
        writer.writerow(record)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return encodable(text).encode()
