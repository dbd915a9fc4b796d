"""What a workbook shows where it stores something else: percent, leading zeros, dates, merged cells, hidden sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

_PERCENT = re.compile(r"0(?:\.(0+))?%")
_ZEROS = re.compile(r"0{2,}")
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3}[0-9]{1,7})"')
_DIGITS = 15
"""Significant digits that spreadsheet programs show of a number."""


def shown_value(cell: Any) -> Any:
    """Return a value as its cell shows it, where the format changes more than the number of digits.

    A reference of 5 % is stored as 0.05, an id of 007 as 7, a day as midnight, and 0.1 + 0.2 as 0.30000000000000004.
    """
    value = cell.value
    if isinstance(value, datetime):
        has_time = any((value.hour, value.minute, value.second, value.microsecond)) or "h" in cell.number_format.lower()
        return value if has_time else value.date()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if found := _PERCENT.fullmatch(cell.number_format):
        return f"{value * 100:.{len(found[1] or '')}f}%"
    if _ZEROS.fullmatch(cell.number_format) and value == int(value):
        return f"{int(value):0{len(cell.number_format)}d}"
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def first_shown(book: Any) -> Any:
    """Return the first worksheet that is not hidden; hidden ones are often earlier versions."""
    return next((sheet for sheet in book.worksheets if sheet.sheet_state == "visible"), book.worksheets[0])


def check_other_sheets(book: Any, header: Sequence[Any]) -> None:
    """Raise DatasetError if another worksheet that is shown has rows under the same header: they would be lost."""
    read, columns = first_shown(book), _names(header)
    alike = [
        sheet.title
        for sheet in book.worksheets
        if sheet is not read and sheet.sheet_state == "visible" and _has_rows(sheet, columns)
    ]
    if alike and columns:
        raise DatasetError(sentence("file.sheets-alike", sheets=", ".join(alike), n=len(alike)))


def merged_cells(book: Any) -> Iterator[tuple[int, int, str]]:
    """Yield row and column, from 0, of the first cell of each merged area of the sheet that is read, and the area."""
    from openpyxl.utils import column_index_from_string

    # openpyxl reads a sheet either row by row, or with its merged areas.
    for letters, row, last in _MERGED.findall(book._archive.read(first_shown(book)._worksheet_path)):
        area = f"{letters.decode()}{row.decode()}:{last.decode()}"
        yield int(row) - 1, column_index_from_string(letters.decode()) - 1, area


def _names(header: Sequence[Any]) -> set[str]:
    return {str(cell).strip() for cell in header if cell is not None}


def _has_rows(sheet: Any, columns: set[str]) -> bool:
    sheet.reset_dimensions()
    rows = sheet.iter_rows(values_only=True)
    return _names(next(rows, ())) == columns and any(cell is not None for row in rows for cell in row)
