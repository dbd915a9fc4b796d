"""Reads and writes Excel workbooks with openpyxl's streaming modes."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, BinaryIO

from passer.adapters.tables.calamine import Grid, quick_grid
from passer.adapters.tables.cells import (
    FORMULA_STARTS,
    MAX_COLUMNS,
    Cell,
    cell_value,
    checked_header,
    encodable,
    row_of,
    without_row_numbers,
)
from passer.adapters.tables.decoding import bytes_of, check_parts, check_text
from passer.adapters.tables.shown import (
    check_first_row,
    check_other_sheets,
    first_shown,
    merged_cells,
    plain_cell,
    shown_rows,
)
from passer.adapters.tables.worksheets import check_further, remarks_on
from passer.domain.wording.counted import grouped
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError, InputError, Problem, TooLargeError

if TYPE_CHECKING:
    from passer.ports import TableContent

MAX_CELL = 32_767
"""UTF-16 units that Excel allows per cell."""
MAX_ROWS = 1_048_576
"""Rows that Excel allows per sheet, header included."""
CUT_MARK = " [... truncated: a cell cannot contain {units} characters]"

_OLE = b"\xd0\xcf\x11\xe0"
# Characters that XML 1.0 cannot hold: control characters except tab, line feed, carriage return; two noncharacters.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_FIXED_DATE = datetime(2000, 1, 1)
_ZIP_DATE = (2000, 1, 1, 0, 0, 0)


class XlsxReader:
    """Reads the first sheet of a workbook that is not hidden, as it is shown; its first row names the columns."""

    suffixes: tuple[str, ...] = (".xlsx",)

    def __init__(self, *, max_unpacked_bytes: int = 256 * 1024 * 1024) -> None:
        self._max_unpacked_bytes = max_unpacked_bytes

    def read(self, content: TableContent) -> list[dict[str, Any]]:
        """Return the rows in order, formulas by their stored values; DatasetError names every cell without one."""
        content = bytes_of(content)
        self._check_archive(content)
        cells, merged = _shown(content)
        check_first_row(cells)
        header = checked_header(cells[0])
        problems = [*_unusable(header, cells), *_merged(header, cells, merged)]
        if any(cell is None for row in cells[1:] for cell in row):
            problems += _uncomputed(header, cells, _grid(content, values=False))
        if problems:
            raise DatasetError(sentence("file.cells"), problems=tuple(problems))
        names, *numbered = without_row_numbers([header, *cells[1:]])
        rows = [row_of(names, [plain_cell(cell) for cell in row]) for row in numbered]
        while rows and not rows[-1]:
            rows.pop()
        if not rows:
            check_further(content)
        return rows

    def remarks(self, content: TableContent) -> tuple[str, ...]:
        return remarks_on(bytes_of(content))

    def grid(self, content: bytes) -> Grid:
        """Return all cells of the first sheet that is not hidden, the header first, formulas by their stored values.

        Whole numbers may be floats, and empty cells at the end of a row may be missing.
        """
        self._check_archive(content)
        quick = quick_grid(content)
        return _grid(content, values=True) if quick is None else quick

    def _check_archive(self, content: bytes) -> None:
        if not content:
            raise DatasetError(sentence("file.empty"))
        if content.startswith(_OLE):
            raise DatasetError(sentence("file.old-excel"))
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                check_parts(archive.namelist())
                # zipfile never unpacks more of a member than its declared size.
                unpacked = sum(part.file_size for part in archive.infolist())
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as exc:
            check_text(content)
            raise DatasetError(sentence("file.workbook-damaged")) from exc
        if unpacked > self._max_unpacked_bytes:
            raise TooLargeError(
                sentence("file.workbook-large", size=round(unpacked / 1e6), most=round(self._max_unpacked_bytes / 1e6))
            )


def _grid(content: bytes, *, values: bool) -> Grid:
    """Return all cells of the first sheet that is not hidden: stored values, or formulas as written."""
    with _opened(content, values=values) as book:
        sheet = first_shown(book)
        # A sheet's claim about its own size is not trusted: cells are counted while they are read.
        sheet.reset_dimensions()
        return list(_bounded(sheet.iter_rows(values_only=True)))


def _shown(content: bytes) -> tuple[Grid, list[tuple[int, int, str]]]:
    """Return the cells of the first sheet that is not hidden, as they are shown, and its merged areas."""
    with _opened(content, values=True, is_rich=True) as book:
        cells = list(_bounded(shown_rows(book)))
        check_other_sheets(book, cells[0] if cells else ())
        return cells, list(merged_cells(book))


@contextmanager
def _opened(content: bytes, *, values: bool, is_rich: bool = False) -> Iterator[Any]:
    try:
        with _quiet_openpyxl():
            import openpyxl

            given = io.BytesIO(content)
            book = openpyxl.load_workbook(given, read_only=True, data_only=values, keep_links=False, rich_text=is_rich)
            try:
                yield book
            finally:
                book.close()
    except (InputError, MemoryError):
        raise
    # openpyxl lets every error of its parser through: KeyError, ValueError, BadZipFile, ParseError, ...
    except Exception as exc:
        raise DatasetError(sentence("file.workbook-damaged")) from exc


def _bounded(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    for number, row in enumerate(rows, start=1):
        if number > MAX_ROWS:
            raise DatasetError(sentence("file.many-rows", most=MAX_ROWS))
        if len(row) > MAX_COLUMNS:
            raise DatasetError(sentence("file.many-cells", most=MAX_COLUMNS))
        yield row


@contextmanager
def _quiet_openpyxl() -> Iterator[None]:
    """Silence openpyxl's warnings about styles and extensions, which do not concern the cells."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning, module=r"openpyxl\.")
        yield


_ERRORS = frozenset({"#N/A", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"})


def _unusable(header: Sequence[str], cells: Grid) -> list[Problem]:
    return [
        Problem(sentence("file.cell-error", error=cell), row=number, field=_name(header, place))
        for number, row in enumerate(cells[1:], start=1)
        for place, cell in enumerate(row)
        if isinstance(cell, str) and cell in _ERRORS
    ]


def _merged(header: Sequence[str], cells: Grid, areas: Iterable[tuple[int, int, str]]) -> list[Problem]:
    """Return the merged cells below the header: only the first of an area has a value, and the others would lack it."""
    return [
        Problem(sentence("file.cell-merged", cells=area), row=row, field=_name(header, place))
        for row, place, area in sorted(areas)
        if 0 < row < len(cells) and place < len(cells[row]) and cells[row][place] is not None
    ]


def _uncomputed(header: Sequence[str], cells: Grid, formulas: Grid) -> list[Problem]:
    return [
        Problem(sentence("file.cell-formula"), row=number, field=_name(header, place))
        for number, (row, written) in enumerate(zip(cells[1:], formulas[1:], strict=False), start=1)
        for place, (cell, formula) in enumerate(zip(row, written, strict=False))
        if cell is None and formula is not None
    ]


def _name(header: Sequence[str], place: int) -> str | None:
    return header[place] or None if place < len(header) else None


class XlsxWriter:
    """Writes a workbook row by row. Text is never a formula; shortened cells are listed on a sheet `notes`."""

    suffix = ".xlsx"

    def write(
        self, stream: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, reproducible: bool = False
    ) -> None:
        """Write all rows: numbers as numbers, None as an empty cell. `reproducible` leaves out clock times."""
        from openpyxl import Workbook

        book = Workbook(write_only=True)
        try:
            self._fill(book, columns, rows)
        except BaseException:
            # An unfinished sheet would keep its temporary file open.
            for sheet in book.worksheets:
                sheet.close()
            raise
        _save(book, stream, reproducible=reproducible)

    def _fill(self, book: Any, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
        sheet = book.create_sheet("data")
        notes: list[str] = []
        sheet.append([_text_cell(sheet, column) for column in columns])
        for number, row in enumerate(rows, start=2):
            if number > MAX_ROWS:
                raise InputError(sentence("export.too-many-rows", most=MAX_ROWS - 1))
            sheet.append([self._cell(sheet, row.get(column), column, number, notes) for column in columns])
        if notes:
            listing = book.create_sheet("notes")
            for note in notes:
                listing.append([_text_cell(listing, note)])

    def _cell(self, sheet: Any, value: Any, column: str, number: int, notes: list[str]) -> Any:
        plain: Cell = cell_value(value, column=column)
        if not isinstance(plain, str):
            return plain
        text = _UNPRINTABLE.sub("", encodable(plain))
        if len(text) * 2 <= MAX_CELL or (units := _units(text)) <= MAX_CELL:
            return _text_cell(sheet, text)
        notes.append(f"Row {number}, column {column}: truncated from {grouped(units)} characters to fit a cell.")
        mark = CUT_MARK.format(units=grouped(units))
        return _text_cell(sheet, _first_units(text, MAX_CELL - len(mark)) + mark)


def _text_cell(sheet: Any, text: str) -> Any:
    """Return a text cell: `quotePrefix` keeps spreadsheet programs from running it."""
    from openpyxl.cell import WriteOnlyCell

    if not text.startswith(FORMULA_STARTS) and text not in _ERRORS:
        return text
    cell = WriteOnlyCell(sheet)
    cell.value = text
    cell.data_type = "s"
    cell.quotePrefix = True
    return cell


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _first_units(text: str, units: int) -> str:
    """Shorten a text to Excel's limit without splitting a surrogate pair."""
    return text.encode("utf-16-le")[: units * 2].decode("utf-16-le", "ignore")


def _save(book: Any, stream: BinaryIO, *, reproducible: bool) -> None:
    if not reproducible:
        book.save(stream)
        return
    with tempfile.TemporaryFile() as unfixed:
        book.save(unfixed)
        _fix_dates(unfixed, stream)


def _fix_dates(source: Any, target: BinaryIO) -> None:
    """Copy a workbook with a fixed date in every member, so that equal rows give equal bytes."""
    with zipfile.ZipFile(source) as parts, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as fixed:
        for part in parts.infolist():
            entry = zipfile.ZipInfo(part.filename, date_time=_ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # The same on every platform.
            if part.filename == "docProps/core.xml":
                fixed.writestr(entry, _core_properties())
                continue
            with parts.open(part) as reading, fixed.open(entry, "w", force_zip64=True) as writing:
                shutil.copyfileobj(reading, writing)


def _core_properties() -> bytes:
    from openpyxl.packaging.core import DocumentProperties
    from openpyxl.xml.functions import tostring

    return bytes(tostring(DocumentProperties(creator="PaSSER", created=_FIXED_DATE, modified=_FIXED_DATE).to_tree()))
