"""Transactions prepared for wallets and sent to a chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select, text, update

from passer.adapters.store.database import LOOKUP, Database
from passer.adapters.store.schema import outbox, transactions
from passer.domain.wording.sentence import sentence
from passer.errors import LeaseError
from passer.ports import Sent, SentState

HELD = ("prepared", "open")
"""States in which a transaction reserves its entries."""


class DatabaseJournal:
    """ports.Journal on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, sent: Sequence[Sent]) -> None:
        """Save transactions; LeaseError if one of their entries is in another prepared or open transaction.

        Transactions are saved before they are pushed. So no entry can be in two transactions that the chain may still
        accept, however long a process was suspended between reading the outbox and this call.
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
            _check_free(connection, [one for one in sent if one.state in HELD])
            connection.execute(insert, rows)

    def signed(self, sent: Sent) -> bool:
        return self._moved(sent, state="open", signatures=list(sent.signatures))

    def given_up(self, sent: Sent) -> bool:
        return self._moved(sent, state="dropped")

    def find(self, key: str) -> Sent | None:
        row = self._database.row(select(transactions).where(transactions.c.id == key))
        return None if row is None else _sent(row)

    def sent(self, *states: SentState) -> list[Sent]:
        query = select(transactions).where(transactions.c.state.in_(states)).order_by(transactions.c.number)
        return [_sent(row) for row in self._database.rows(query)]

    def settled(self, sent: Sequence[Sent]) -> None:
        if not sent:
            return
        known: dict[str, Any] = {
            name: bindparam(name) for name in ("state", "block_number", "block_id", "block_time", "signatures")
        }
        query = update(transactions).where(transactions.c.id == bindparam("key")).values(known)
        rows = [
            {"key": one.id, **one.model_dump(include=set(known)), "signatures": list(one.signatures)} for one in sent
        ]
        # In the same transaction: an entry whose transaction is dropped must wait again, or nobody would post it.
        again = {"state": "waiting", "transaction_id": None, "action_index": None}
        with self._database.begin() as connection:
            connection.execute(query, rows)
            _follow(connection, [one.id for one in sent if one.state == "final"], {"state": "recorded"})
            _follow(connection, [one.id for one in sent if one.state == "dropped"], again)

    def _moved(self, sent: Sent, **changes: Any) -> bool:
        """Change a prepared transaction; return whether it was still prepared."""
        # One statement, so that of a simultaneous signature and cancellation only one takes effect.
        prepared = (transactions.c.id == sent.id, transactions.c.state == "prepared")
        return self._database.change(update(transactions).where(*prepared).values(changes)) == 1


def _follow(connection: Connection, keys: Sequence[str], values: dict[str, Any]) -> None:
    """Change the entries of some transactions."""
    for start in range(0, len(keys), LOOKUP):
        mine = outbox.c.transaction_id.in_(keys[start : start + LOOKUP])
        connection.execute(update(outbox).where(mine).values(values))


# Made once, for hundreds of identities at a time: to write each of them into a new statement took longer than to ask.
_NOT_WAITING = (
    select(outbox.c.number)
    .where(
        outbox.c.ledger == "antelope",
        outbox.c.identity.in_(bindparam("identities", expanding=True)),
        outbox.c.state != "waiting",
    )
    .limit(1)
)


def _check_free(connection: Connection, sent: Sequence[Sent]) -> None:
    wanted = {identity for one in sent for identity in one.identities}
    own = [one.id for one in sent]
    # Transactions for another chain or contract are no longer followed and reserve nothing here.
    here = (
        transactions.c.chain_id.in_({one.chain_id for one in sent}),
        transactions.c.contract.in_({one.contract for one in sent}),
    )
    held = select(transactions.c.identities).where(transactions.c.state.in_(HELD), transactions.c.id.not_in(own), *here)
    taken = any(wanted.intersection(identities) for identities in connection.execute(held).scalars())
    listed = sorted(wanted)
    for start in range(0, len(listed), LOOKUP):
        some = {"identities": listed[start : start + LOOKUP]}
        taken = taken or connection.execute(_NOT_WAITING, some).scalar() is not None
    if taken:
        raise LeaseError(sentence("posting.elsewhere"))


def _sent(row: Any) -> Sent:
    return Sent(**{name: value for name, value in dict(row).items() if name != "number"})
