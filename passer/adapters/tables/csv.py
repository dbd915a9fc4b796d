"""Text separated by commas, semicolons, tabs or bars."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, BinaryIO

from passer.adapters.tables.cells import (
    FORMULA_STARTS,
    Cell,
    NothingHidden,
    cell_value,
    checked_header,
    encodable,
    row_of,
    without_row_numbers,
)
from passer.adapters.tables.decoding import bytes_of, decode
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError, Problem

if TYPE_CHECKING:
    from passer.ports import TableContent

SEPARATORS = (",", ";", "\t", "|")
_STATED = re.compile(r"\ufeff?sep=(?P<separator>[,;|\t])\r?\n", re.IGNORECASE)
"""First line by which spreadsheet programs state the separator; it is no part of the table."""
_AS_TEXT = re.compile(r'="(?P<text>(?:[^"]|"")*)"')
"""Formula that protects leading zeros and long numbers from spreadsheet programs."""
_MARK = "'"
"""Keeps spreadsheet programs from running a cell."""

_HEADER = re.compile(r'[\r\n]*(?:[^"\r\n]+|"[^"]*")+')
_LONE_RETURN = re.compile(r"\r(?!\n|\Z)")
_PRIVATE = range(0xE000, 0xF900)
"""Characters that have no meaning of their own."""

# csv's default limit of 128 KiB is shorter than some references. The size of the whole file is limited already.
csv.field_size_limit(2**31 - 1)


def _separator(text: str) -> str:
    """Return the delimiter that splits the header into the most columns; a comma if none does."""

    def width(separator: str) -> int:
        return len(next(csv.reader(io.StringIO(text.lstrip("\r\n"), newline=""), delimiter=separator), []))

    return max(SEPARATORS, key=width)


def _may_be_formula(text: str) -> bool:
    # What begins with marks gets one more, so that the reader can take exactly one away.
    return text.lstrip(_MARK).startswith(FORMULA_STARTS)


_RULE = re.compile(r"\s*+(?::?+-{3,}+:?+\s*+)+")
"""Possessive: a row of 100 dashes and a letter could be divided into runs in more ways than can be tried."""


def _unmarked(cell: str) -> str:
    """Return a cell without what this and other programs write around a text that may be a formula or a number."""
    if cell.startswith(_MARK):
        return cell[1:] if _may_be_formula(cell) else cell
    found = _AS_TEXT.fullmatch(cell) if cell.startswith("=") else None
    return found["text"].replace('""', '"') if found else cell


def _stand_in(text: str) -> str | None:
    """Return a character for the carriage returns within cells, where `csv` would begin a row; None without any.

    Python before 3.13 writes them without quotation marks. Where the header ends with one, each of them ends a row.
    """
    header = _HEADER.match(text)
    if header is None or not text.startswith(("\n", "\r\n"), header.end()) or not _LONE_RETURN.search(text):
        return None
    return next((char for char in map(chr, _PRIVATE) if char not in text), None)


def _records(text: str, separator: str) -> list[list[str]]:
    """Return the rows of a text, the header among them; DatasetError names the line where a wrong one begins."""
    if (mark := _stand_in(text)) is not None:
        with suppress(DatasetError):
            found = _read(_LONE_RETURN.sub(mark, text), separator)
            width = len(next(filter(None, found), []))
            # A row that is too long with it is several: the header has another end than they.
            if not any(len(each) > width and any(mark in cell for cell in each) for each in found):
                return [[cell.replace(mark, "\r") for cell in each] for each in found]
    return _read(text, separator)


def _read(text: str, separator: str) -> list[list[str]]:
    line, rows = 1, []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            rows.append(row)
            line = reader.line_num + 1
    except csv.Error as exc:
        code = "file.not-tsv" if separator == "\t" else "file.not-csv"
        raise DatasetError(sentence(code, line=line, why=str(exc))) from exc
    return rows


def _check_lengths(header: Sequence[str], records: Sequence[Sequence[str]]) -> None:
    """Raise DatasetError for lines of one cell behind a row of several: parts of its text, whose quotes are missing."""
    is_wide = sum(map(bool, header)) > 1
    problems: list[Problem] = []
    for number, (above, record) in enumerate(pairwise(records)):
        follows = len(above) > 1 or (bool(problems) and problems[-1].row == number - 1)
        if is_wide and number and follows and len(record) == 1 and record[0].strip():
            problems.append(
                Problem(sentence("file.one-cell", columns=len(header)), row=number + 1, field=header[0] or None)
            )
    if problems:
        raise DatasetError(sentence("file.one-cell-lines", n=len(problems)), problems=tuple(problems))


class CsvReader(NothingHidden):
    """Reads separated text with a header line; quoted cells may contain line breaks. Reads what CsvWriter wrote."""

    suffixes: tuple[str, ...] = (".csv", ".tsv")

    def read(self, content: TableContent) -> list[dict[str, Any]]:
        """Return the rows in order, an empty one per blank line; blank cells are None. Blank lines above the header are
        left out, and so are the row numbers that data frames write in a column without a name.
        """
        text = decode(bytes_of(content))
        stated = _STATED.match(text)
        separator = stated["separator"] if stated else _separator(text)
        records = _records(text[stated.end() :] if stated else text, separator)
        first = next((place for place, record in enumerate(records) if record), 0)
        # The rule below the header of a table in Markdown.
        bare = [[] if separator == "|" and _RULE.fullmatch("".join(record)) else record for record in records[first:]]
        table = without_row_numbers(bare)
        header = checked_header(table[0] if table else ())
        _check_lengths(header, table)
        rows = [row_of(header, [_unmarked(cell) for cell in record]) for record in table[1:]]
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
