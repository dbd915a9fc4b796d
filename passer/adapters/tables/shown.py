"""What a workbook shows where it stores something else: percent, units, zeros, dates, merged cells, hidden sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache, lru_cache, partial
from itertools import repeat
from typing import Any

from passer.adapters.documents.plain import raised
from passer.adapters.tables.cells import plain_value
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

_PART = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]|(?P<bracket>\[[^\]]*\])|[_*].|'
    r"(?P<digits>[#0?][#0?,]*(?:\.[#0?]*,*)?|\.[#0?]+)|(?P<other>.)",
    re.DOTALL,
)
"""Parts of a number format (ECMA-376, part 1, 18.8.31): texts, what is in brackets, spaces, the number, other signs."""
_COLOUR = re.compile(r"\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]", re.IGNORECASE)
_SIGNS = frozenset("$%€£¥+-() ")
"""Signs that a format shows without quotation marks."""
_LONGEST = 255
_ONLY_LAYOUT = frozenset("+-() \u00a0\u202f")
_ZEROS = re.compile(r"0{2,}")
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3}[0-9]{1,7})"')
_DIGITS = 15
"""Significant digits that spreadsheet programs show of a number."""


class _Looks:
    """How cells look, by the numbers of their styles: thousands of cells have one of a few."""

    def __init__(self, sheet: Any) -> None:
        from openpyxl.cell.read_only import ReadOnlyCell

        self._cell = partial(ReadOnlyCell, sheet, 1, 1, None)
        self.is_crossed_out = cache(self._is_crossed_out)
        self.number_format = cache(self._number_format)

    def _is_crossed_out(self, style: int) -> bool:
        return style != 0 and bool(self._cell(style_id=style).font.strike)

    def _number_format(self, style: int) -> str:
        return str(self._cell(style_id=style).number_format)


def shown_rows(book: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of the first worksheet that is not hidden, as they are shown.

    openpyxl's own loop over a read-only worksheet reads texts that are stored in cells (`<is>`) without their fonts.
    """
    sheet, following = first_shown(book), 1
    looks = _Looks(sheet)
    with sheet._get_source() as source:
        for number, cells in _parser(source, sheet, book).parse():
            yield from repeat((), number - following)
            if number >= following:
                following = number + 1
                yield _shown_row(cells, looks)


def _parser(source: Any, sheet: Any, book: Any) -> Any:
    from openpyxl.worksheet._reader import WorkSheetParser

    return WorkSheetParser(
        source,
        sheet._shared_strings,
        data_only=True,
        rich_text=True,
        epoch=book.epoch,
        date_formats=book._date_formats,
        timedelta_formats=book._timedelta_formats,
    )


def _shown_row(cells: Sequence[Mapping[str, Any]], looks: _Looks) -> tuple[Any, ...]:
    row: list[Any] = [None] * (cells[-1]["column"] if cells else 0)
    for cell in cells:
        if cell["column"] <= len(row):
            row[cell["column"] - 1] = _shown_value(cell["value"], cell["style_id"], looks)
    return tuple(row)


def _shown_value(value: Any, style: int, looks: _Looks) -> Any:
    """Return a value as its cell shows it, where the format changes more than the number of digits.

    A reference of 5 % is stored as 0.05, one of 12.50 € as 12.5, an id of 007 as 7, a day as midnight,
    and 0.1 + 0.2 as 0.30000000000000004. Raised figures are written as such, and crossed-out text is left out.
    """
    if value is not None and looks.is_crossed_out(style):
        return ""
    if isinstance(value, list):
        return "".join(each if isinstance(each, str) else _run(each) for each in value)
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02d}" + (f":{seconds:02d}" if seconds else "")
    if isinstance(value, datetime):
        has_time = any((value.hour, value.minute, value.second, value.microsecond))
        return value if has_time or "h" in looks.number_format(style).lower() else value.date()
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _shown_number(value, looks.number_format(style)) if is_number else value


def _shown_number(value: float, number_format: str) -> float | str:
    if (text := _with_unit(value, number_format)) is not None:
        return text
    if _ZEROS.fullmatch(number_format) and value == int(value):
        return f"{int(value):0{len(number_format)}d}"
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def _run(block: Any) -> str:
    """Return a part of a text with its own font: without it 10 to the power of 5 would be 105."""
    if block.font.strike:
        return ""
    return (raised(block.text) if block.font.vertAlign == "superscript" else None) or str(block.text)


def _with_unit(value: float, number_format: str) -> str | None:
    """Return a number as a format with a percent sign or a text shows it, digits ungrouped; None for other formats."""
    sections = _sections(number_format)
    place = 1 if value < 0 and len(sections) > 1 else 2 if value == 0 and len(sections) > 2 else 0
    parts = sections[place] if sections else ()
    if abs(value) >= 10**_DIGITS or all(set(text) <= _ONLY_LAYOUT for text, _ in parts):
        return None
    percent = sum(text == "%" for text, _ in parts)
    shown = "".join(_digits(abs(value), form, percent) if form else text for text, form in parts)
    return ("-" if value < 0 and place == 0 else "") + shown.strip()


@lru_cache(maxsize=256)
def _sections(number_format: str) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the sections of a format as pairs of a text and the form of a number, of which one is empty.

    Empty for dates, fractions, exponents, conditions, and several numbers in one section.
    """
    sections: list[list[tuple[str, str]]] = [[]]
    # A file may claim any format; spreadsheet programs allow 255 characters.
    for part in _PART.finditer(number_format[:_LONGEST]):
        text = part["quoted"] or part["escaped"] or part["currency"] or part["other"] or ""
        if part["other"] == ";":
            sections.append([])
            continue
        is_condition = part["bracket"] and not _COLOUR.fullmatch(part["bracket"])
        has_two = part["digits"] and any(form for _, form in sections[-1])
        if is_condition or has_two or (part["other"] or "$") not in _SIGNS:
            return ()
        sections[-1].append((text, part["digits"] or ""))
    return tuple(map(tuple, sections))


def _digits(value: float, form: str, percent: int) -> str:
    """Return a number with the decimals of its format; a comma at the end of the form divides by a thousand."""
    whole, _, decimals = form.rstrip(",").partition(".")
    number = Decimal(f"{value:.{_DIGITS}g}").scaleb(2 * percent - 3 * (len(form) - len(form.rstrip(","))))
    least = len(decimals.rstrip("#?"))
    rounded = number.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP, Context(prec=2 * _LONGEST))
    before, _, after = f"{rounded:f}".partition(".")
    after = after[:least] + after[least:].rstrip("0")
    return before.zfill(whole.count("0")) + (f".{after}" if after else "")


def plain_cell(cell: Any) -> Any:
    """Return dates as text and whole floats as integers: a workbook stores 12 as 12.0."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if cell is None or isinstance(cell, str | int | float):
        return cell
    return plain_value(cell, column="") if hasattr(cell, "year") else str(cell)


def first_shown(book: Any) -> Any:
    """Return the first worksheet that is not hidden; hidden ones are often earlier versions."""
    return next((sheet for sheet in book.worksheets if sheet.sheet_state == "visible"), book.worksheets[0])


def check_first_row(cells: Sequence[Sequence[Any]]) -> None:
    """Raise DatasetError for a sheet without cells in its first row, which must have the names of the columns."""
    if not cells or all(cell is None for cell in cells[0]):
        has_more = any(cell is not None for row in cells for cell in row)
        raise DatasetError(sentence("file.empty-first-row" if has_more else "file.no-sheet"))


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
    return {str(cell).strip().lower() for cell in header if cell is not None}


def _has_rows(sheet: Any, columns: set[str]) -> bool:
    sheet.reset_dimensions()
    rows = sheet.iter_rows(values_only=True)
    return _names(next(rows, ())) == columns and any(cell is not None for row in rows for cell in row)
