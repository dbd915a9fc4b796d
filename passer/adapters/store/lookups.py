"""Rows by their keys, a few hundred at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, select

LOOKUP = 500
"""Keys per query: below every database's limit on bound parameters."""


def by_key(connection: Connection, table: Table, key: str, wanted: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the rows of a table whose key is wanted, by key."""
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(wanted), LOOKUP):
        query = select(table).where(table.c[key].in_(wanted[start : start + LOOKUP]))
        found.update((row[key], dict(row)) for row in connection.execute(query).mappings())
    return found
