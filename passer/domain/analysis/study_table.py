"""A table of results as it is shown and exported, and its construction from values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from passer.domain.base import Frozen
from passer.domain.wording.sentence import EnglishText

Cell = str | int | float | None
Source = str | Callable[[Any], Cell]
"""Source of a column's values: a path of attributes, or a function of the item."""


class StudyTable(Frozen):
    """A table: columns and rows."""

    columns: tuple[str, ...]
    """Names, in order."""
    rows: tuple[tuple[EnglishText | int | float | None, ...], ...]
    """One value per column; names of configurations are those that are stored."""


def tabulate(columns: Sequence[str], items: Iterable[Any], sources: Mapping[str, Source] | None = None) -> StudyTable:
    """Make a row of each item.

    A column holds the attribute of its name, unless `sources` gives another: `ci.low`, say, which is None where ci is.
    """
    found = {column: _getter((sources or {}).get(column, column)) for column in columns}
    return StudyTable(columns=tuple(columns), rows=tuple(tuple(get(item) for get in found.values()) for item in items))


def _getter(source: Source) -> Callable[[Any], Cell]:
    if callable(source):
        return source
    return lambda item: value_at(item, source)


def value_at(item: Any, path: str) -> Any:
    """Return a nested attribute or value of a mapping, such as `ci.low`; None if a part is missing."""
    return reduce(_part, path.split("."), item)


def _part(value: Any, name: str) -> Any:
    if value is None:
        return None
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name)


def yes_or_no(value: bool | None) -> str | None:
    """Return a boolean as tables show it; None stays None."""
    return None if value is None else "yes" if value else "no"


def with_rows(tables: Mapping[str, StudyTable]) -> dict[str, StudyTable]:
    """Return the tables that have at least one row."""
    return {name: table for name, table in tables.items() if table.rows}
