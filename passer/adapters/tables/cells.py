"""Values as cells of text and spreadsheet files, and header and cells of a grid as rows by column name."""

from __future__ import annotations

import json
import math
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

from passer.domain.texts.written_numbers import parsed_number
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError, InputError

if TYPE_CHECKING:
    from passer.ports import TableContent

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a text that a spreadsheet program may run as a formula."""

Cell = str | int | float | bool | None


def plain_value(value: Any, *, column: str) -> Any:
    """Return a JSON value: enums by value, dates in ISO 8601; InputError for NaN and infinity."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(sentence("file.not-number", column=column, value=str(value)))
    if isinstance(value, Mapping):
        return {str(key): plain_value(item, column=column) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item, column=column) for item in value]
    return value


def cell_value(value: Any, *, column: str) -> Cell:
    """Return a value for one cell: numbers stay numbers, lists and objects become JSON text."""
    plain = plain_value(value, column=column)
    if plain is None or isinstance(plain, str | int | float | bool):
        return plain
    return json.dumps(plain, ensure_ascii=False, allow_nan=False)


def encodable(text: str) -> str:
    """Replace lone surrogates, so that the text has a UTF-8 form."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


MAX_COLUMNS = 1_000
"""More columns than any table of questions has."""
_PANDAS_UNNAMED = "Unnamed: 0"
NO_COLUMN = ""
"""Key of the cells that have no column name."""


_INVISIBLE = string.whitespace + "\u00a0\u200b\u200e\u200f\u2060\ufeff"
"""Spaces and marks around names, such as that of a second byte-order mark."""


class NothingHidden:
    """Reader of a format whose rows are all in sight."""

    def remarks(self, content: TableContent) -> tuple[str, ...]:
        return ()


def checked_header(cells: Sequence[Any]) -> list[str]:
    """Return the trimmed column names; DatasetError if there are none or one is repeated."""
    header = ["" if cell is None else str(cell).strip(_INVISIBLE) for cell in cells]
    named = [name for name in header if name]
    if not named:
        raise DatasetError(sentence("file.no-header"))
    if len(header) > MAX_COLUMNS:
        raise DatasetError(sentence("file.many-columns", columns=len(header), most=MAX_COLUMNS))
    twice = sorted(name for name, count in Counter(named).items() if count > 1)
    if twice:
        code = "file.column-twice" if parsed_number(twice[0]) is None else "file.values-in-header"
        raise DatasetError(sentence(code, column=twice[0]), field=twice[0])
    return header


def row_of(header: Sequence[str], record: Sequence[Any]) -> dict[str, Any]:
    """Return a row by column name, {} for a blank one; cells without a column name are kept under NO_COLUMN."""
    if all(cell is None or cell == "" for cell in record):
        return {}
    row = {name: None if cell == "" else cell for name, cell in zip(header, record, strict=False) if name}
    row |= dict.fromkeys((name for name in header[len(record) :] if name), None)
    nameless = [cell for place, cell in enumerate(record) if place >= len(header) or not header[place]]
    beyond = [cell for cell in nameless if cell not in (None, "")]
    return row | ({NO_COLUMN: beyond} if beyond else {})


def without_row_numbers(grid: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    """Return header and rows without the first column if it only numbers the rows, as pandas and R write it.

    It has no name, or the one that pandas gives a column without, and its cells are different whole numbers.
    """
    header = grid[0] if grid else ()
    rows = [row for row in grid[1:] if any(cell not in (None, "") for cell in row)]
    if len(header) < 2 or str(header[0] or "").strip() not in ("", _PANDAS_UNNAMED) or not rows:
        return grid
    numbers = {str(row[0]).removesuffix(".0") if row else "" for row in rows}
    is_index = len(numbers) == len(rows) and all(number.isdecimal() for number in numbers)
    return [row[1:] for row in grid] if is_index else grid
