"""Rows of the local ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select, text

from passer.adapters.store.database import LOOKUP, Database
from passer.adapters.store.schema import ledger
from passer.ports import LedgerQuery


@dataclass(frozen=True)
class LedgerRecord:
    """A row of the local ledger as it is kept."""

    sequence: int
    previous: str
    digest: str
    recorded_at: str
    """ISO 8601, exactly as it was hashed."""
    entry: str
    """Canonical JSON, exactly as it was hashed."""
    identity: str
    testid: str


class DatabaseLedger:
    """The local ledger's table; rows are only ever added."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @contextmanager
    def appending(self) -> Iterator[Connection]:
        """Open a transaction during which no other process appends."""
        with self.database.begin() as connection:
            if connection.dialect.name == "postgresql":
                # SQLite has one writer at a time anyway.
                connection.execute(text("LOCK TABLE ledger IN EXCLUSIVE MODE"))
            yield connection

    def last(self, connection: Connection) -> LedgerRecord | None:
        """Return the newest row."""
        row = connection.execute(select(ledger).order_by(ledger.c.sequence.desc()).limit(1)).one_or_none()
        return None if row is None else _record(row)

    def known(self, connection: Connection, identities: Sequence[str]) -> dict[str, LedgerRecord]:
        """Return the rows that record these entries, by the entry's identity."""
        found = {}
        for start in range(0, len(identities), LOOKUP):
            query = select(ledger).where(ledger.c.identity.in_(identities[start : start + LOOKUP]))
            found.update({row.identity: _record(row) for row in connection.execute(query)})
        return found

    def add(self, connection: Connection, rows: Sequence[LedgerRecord]) -> None:
        if rows:
            connection.execute(ledger.insert(), [vars(row) for row in rows])

    def count(self) -> int:
        """Count the rows."""
        with self.database.connect() as connection:
            return connection.execute(select(func.count()).select_from(ledger)).scalar_one()

    def find(self, query: LedgerQuery, *, after: int, limit: int) -> list[LedgerRecord]:
        """Find rows by a filter, oldest first, after that sequence number."""
        wanted = select(ledger).where(ledger.c.sequence > after)
        if query.testid is not None:
            wanted = wanted.where(ledger.c.testid == query.testid)
        if query.since is not None:
            wanted = wanted.where(ledger.c.recorded_at >= moment(query.since))
        if query.until is not None:
            wanted = wanted.where(ledger.c.recorded_at < moment(query.until))
        with self.database.connect() as connection:
            found = connection.execute(wanted.order_by(ledger.c.sequence).limit(limit)).all()
        return [_record(row) for row in found]


def moment(at: datetime) -> str:
    """A time in whole seconds, as pydantic writes it too: its order as text is that of time."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _record(row: Row[Any]) -> LedgerRecord:
    return LedgerRecord(**row._asdict())
