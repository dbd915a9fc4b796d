"""Readers and writers of table files, by suffix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.adapters.tables.csv import CsvReader, CsvWriter
from passer.adapters.tables.json import JsonLinesReader, JsonLinesWriter, JsonReader
from passer.adapters.tables.latex import LatexWriter
from passer.adapters.tables.parquet import ParquetReader
from passer.adapters.tables.xlsx import XlsxReader, XlsxWriter

if TYPE_CHECKING:
    from passer.ports import TableReader, TableWriter


def table_readers() -> tuple[TableReader, ...]:
    """Return one reader per format of question files."""
    return JsonReader(), JsonLinesReader(), CsvReader(), XlsxReader(), ParquetReader()


def table_writers() -> tuple[TableWriter, ...]:
    """Return one writer per export format. CSV starts with a byte order mark, without which Excel misreads UTF-8."""
    return CsvWriter(bom=True), JsonLinesWriter(), XlsxWriter()


def result_writers() -> tuple[TableWriter, ...]:
    """Return the writers of result tables: every export format and LaTeX."""
    return *table_writers(), LatexWriter()
