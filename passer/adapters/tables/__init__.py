"""Readers and writers of table files, by suffix."""

from __future__ import annotations

from passer.adapters.tables.csv import CsvReader, CsvWriter
from passer.adapters.tables.json import JsonLinesReader, JsonLinesWriter, JsonReader
from passer.adapters.tables.latex import LatexWriter
from passer.adapters.tables.parquet import ParquetReader
from passer.adapters.tables.xlsx import XlsxReader, XlsxWriter
from passer.ports import TableReader, TableWriter


def table_readers() -> tuple[TableReader, ...]:
    """One for each kind of question file."""
    return JsonReader(), JsonLinesReader(), CsvReader(), XlsxReader(), ParquetReader()


def table_writers() -> tuple[TableWriter, ...]:
    """One for each kind of export; CSV carries a byte order mark, without which Excel misreads it."""
    return CsvWriter(bom=True), JsonLinesWriter(), XlsxWriter()


def result_writers() -> tuple[TableWriter, ...]:
    """One for each kind of file that results are exported as: those of all tables, and LaTeX."""
    return *table_writers(), LatexWriter()
