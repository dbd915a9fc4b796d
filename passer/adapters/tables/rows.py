"""Header and cells to rows by column name, for files that are a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from passer.errors import DatasetError

NO_COLUMN = ""
"""Key of what stands in no named column."""


def checked_header(cells: Sequence[Any]) -> list[str]:
    """Column names, trimmed; DatasetError where there is none, or one stands twice."""
    header = ["" if cell is None else str(cell).strip() for cell in cells]
    named = [name for name in header if name]
    if not named:
        raise DatasetError("The first line of the file must name its columns.")
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise DatasetError(f"The header names the column {twice[0]!r} twice: rename or delete one.", field=twice[0])
    return header


def row_of(header: Sequence[str], record: Sequence[Any]) -> dict[str, Any]:
    """A row by column name; {} for a blank one; what stands in no named column is kept under NO_COLUMN."""
    if all(cell is None or cell == "" for cell in record):
        return {}
    row = {name: None if cell == "" else cell for name, cell in zip(header, record, strict=False) if name}
    row |= dict.fromkeys((name for name in header[len(record) :] if name), None)
    nameless = [cell for place, cell in enumerate(record) if place >= len(header) or not header[place]]
    beyond = [cell for cell in nameless if cell not in (None, "")]
    return row | ({NO_COLUMN: beyond} if beyond else {})
