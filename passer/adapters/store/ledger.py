"""Rows of the local ledger, and what was sent to a chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, func, select, text, update

from passer.adapters.store.database import Database
from passer.adapters.store.schema import ledger, outbox, transactions
from passer.errors import LeaseError
from passer.ports import LedgerQuery, Sent

LOOKUP = 500


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
        """A transaction in which nobody else appends."""
        with self.database.begin() as connection:
            if connection.dialect.name == "postgresql":
                # SQLite has one writer at a time anyway.
                connection.execute(text("LOCK TABLE ledger IN EXCLUSIVE MODE"))
            yield connection

    def last(self, connection: Connection) -> LedgerRecord | None:
        """The newest row."""
        row = connection.execute(select(ledger).order_by(ledger.c.sequence.desc()).limit(1)).one_or_none()
        return None if row is None else _record(row)

    def known(self, connection: Connection, identities: Sequence[str]) -> dict[str, LedgerRecord]:
        """Rows of these entries, by identity."""
        found = {}
        for start in range(0, len(identities), LOOKUP):
            query = select(ledger).where(ledger.c.identity.in_(identities[start : start + LOOKUP]))
            found.update({row.identity: _record(row) for row in connection.execute(query)})
        return found

    def add(self, connection: Connection, rows: Sequence[LedgerRecord]) -> None:
        """Append."""
        if rows:
            connection.execute(ledger.insert(), [vars(row) for row in rows])

    def count(self) -> int:
        """How many rows there are."""
        with self.database.connect() as connection:
            return connection.execute(select(func.count()).select_from(ledger)).scalar_one()

    def find(self, query: LedgerQuery, *, after: int, limit: int) -> list[LedgerRecord]:
        """Those that are asked for, oldest first, after that sequence number."""
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


class DatabaseJournal:
    """ports.Journal on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, sent: Sequence[Sent]) -> None:
        """Before the first push; LeaseError, and nothing kept, where another process has sent an entry of an open one.

        What is pushed is kept here before, so that an entry is in two transactions of which either may still be taken
        never happens, however long a process slept between reading the outbox and this.
        """
        rows = [
            {**one.model_dump(), "signatures": list(one.signatures), "identities": list(one.identities)} for one in sent
        ]
        insert = self._database.insert(transactions).on_conflict_do_nothing(index_elements=["id"])
        if not rows:
            return
        with self._database.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("LOCK TABLE transactions IN EXCLUSIVE MODE"))
            _check_free(connection, [one for one in sent if one.state == "open"])
            connection.execute(insert, rows)

    def sent(self, *states: Literal["open", "posted", "final", "dropped"]) -> list[Sent]:
        """Transactions in these states, oldest first."""
        query = select(transactions).where(transactions.c.state.in_(states)).order_by(transactions.c.number)
        with self._database.connect() as connection:
            return [_sent(row) for row in connection.execute(query).mappings()]

    def settled(self, sent: Sequence[Sent]) -> None:
        """Keep their new states; entries of a dropped one wait again, those of a final one are there for good."""
        with self._database.begin() as connection:
            for one in sent:
                known = one.model_dump(include={"state", "block_number", "block_id", "block_time"})
                connection.execute(update(transactions).where(transactions.c.id == one.id).values(known))
                mine = outbox.c.transaction_id == one.id
                if one.state == "final":
                    connection.execute(update(outbox).where(mine).values(state="recorded"))
                elif one.state == "dropped":
                    again = {"state": "waiting", "transaction_id": None, "action_index": None}
                    connection.execute(update(outbox).where(mine).values(again))


def _check_free(connection: Connection, sent: Sequence[Sent]) -> None:
    wanted = {identity for one in sent for identity in one.identities}
    own = [one.id for one in sent]
    opened = select(transactions.c.identities).where(transactions.c.state == "open", transactions.c.id.not_in(own))
    taken = any(wanted.intersection(identities) for identities in connection.execute(opened).scalars())
    listed = sorted(wanted)
    for start in range(0, len(listed), LOOKUP):
        mine = (outbox.c.ledger == "antelope", outbox.c.identity.in_(listed[start : start + LOOKUP]))
        gone = select(outbox.c.number).where(*mine, outbox.c.state != "waiting").limit(1)
        taken = taken or connection.execute(gone).scalar() is not None
    if taken:
        raise LeaseError("Another PaSSER has posted these entries meanwhile: let it go on.")


def moment(at: datetime) -> str:
    """A time in whole seconds, as pydantic writes it too: its order as text is that of time."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _record(row: Row[Any]) -> LedgerRecord:
    return LedgerRecord(**row._asdict())


def _sent(row: Any) -> Sent:
    return Sent(**{name: value for name, value in dict(row).items() if name != "number"})
