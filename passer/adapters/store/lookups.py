"""Rows by their keys, a few hundred at a time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, select

LOOKUP = 500
"""Keys per query: below every database's limit on bound parameters."""


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
