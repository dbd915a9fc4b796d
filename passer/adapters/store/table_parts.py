"""Common parts of all database tables: their metadata, times, and the search of rows by their keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, DateTime, MetaData, Select, Table, TypeDecorator, bindparam, select

LOOKUP = 500
"""Keys per query: below every database's limit on bound parameters."""


class Moment(TypeDecorator[datetime]):
    """A time in UTC; SQLite forgets the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def by_key(connection: Connection, table: Table, key: str, wanted: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the rows of a table whose key is wanted, by key."""
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(wanted), LOOKUP):
        rows = connection.execute(_query(table, key), {"wanted": wanted[start : start + LOOKUP]}).mappings()
        found.update((row[key], dict(row)) for row in rows)
    return found


@cache
def _query(table: Table, key: str) -> Select[Any]:
    # Composed once: for a single row, composing it again takes longer than the database does.
    return select(table).where(table.c[key].in_(bindparam("wanted", expanding=True)))
