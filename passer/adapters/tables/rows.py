"""Turns header and cells of a grid into rows by column name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

MAX_COLUMNS = 1_000
"""More columns than any table of questions has."""
NO_COLUMN = ""
"""Key of the cells that have no column name."""


def checked_header(cells: Sequence[Any]) -> list[str]:
    """Return the trimmed column names; DatasetError if there are none or one is repeated."""
    header = ["" if cell is None else str(cell).strip() for cell in cells]
    named = [name for name in header if name]
    if not named:
        raise DatasetError(sentence("file.no-header"))
    if len(header) > MAX_COLUMNS:
        raise DatasetError(sentence("file.many-columns", columns=len(header), most=MAX_COLUMNS))
    twice = sorted(name for name, count in Counter(named).items() if count > 1)
    if twice:
        raise DatasetError(sentence("file.column-twice", column=repr(twice[0])), field=twice[0])
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
