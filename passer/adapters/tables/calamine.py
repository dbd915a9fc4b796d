"""Reads plain workbooks by calamine, several times faster than openpyxl.

Calamine drops error values, decodes `_x000D_`, and returns a sheet as a full rectangle. Workbooks where that would
change a value or exhaust memory are read by openpyxl.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from passer.adapters.tables.worksheets import DAMAGED

_CELL = re.compile(rb'<c [^>]*?r="([A-Z]{1,3})([0-9]+)"')
_ERROR_CELL = re.compile(rb'<c [^>]*?t="e"')
_ODD_TEXT = re.compile(rb"_x[0-9A-Fa-f]{4}_|<rPh")
_PARTS = ("xl/worksheets/", "xl/sharedStrings")
EMPTY_TIMES = 4
"""Largest ratio of a sheet's rectangle to its filled cells."""
MAX_COLUMNS = 1_000
"""More columns than any result sheet has."""

Grid = list[tuple[Any, ...]]


def quick_grid(content: bytes) -> Grid | None:
    """Return the cells of the first sheet that is not hidden, empty ones as None, numbers as floats.

    None if openpyxl must read it.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum
    except ImportError:
        return None
    try:
        if not _reads_equally(content):
            return None
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        sheets = [each for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
        shown = [each for each in sheets if each.visible == SheetVisibleEnum.Visible] or sheets
        if not shown:
            return None
        rows = book.get_sheet_by_name(shown[0].name).to_python(skip_empty_area=False)
    # openpyxl's reader reports damaged files, so that there is one wording for them.
    except (CalamineError, *DAMAGED, ValueError):
        return None
    return [_row(row) for row in rows]


def _row(cells: list[Any]) -> tuple[Any, ...]:
    """Drop the empty cells at the end of a row."""
    last = len(cells)
    while last and cells[last - 1] == "":
        last -= 1
    return tuple(None if cell == "" else cell for cell in cells[:last])


def _reads_equally(content: bytes) -> bool:
    """Return whether both libraries read every cell in the same way and the cells fill their rectangle."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for part in archive.namelist():
            if part.startswith(_PARTS):
                xml = archive.read(part)
                if _ODD_TEXT.search(xml) or _ERROR_CELL.search(xml):
                    return False
                if part.startswith(_PARTS[0]) and not _is_filled(xml):
                    return False
    return True


def _is_filled(xml: bytes) -> bool:
    places = _CELL.findall(xml)
    if not places or len(places) != xml.count(b"<c "):
        return False
    width = max(map(_column, {letters for letters, _ in places}))
    height = max(map(int, {number for _, number in places}))
    return width <= MAX_COLUMNS and width * height <= EMPTY_TIMES * len(places)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
