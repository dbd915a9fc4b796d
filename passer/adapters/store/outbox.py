"""Records of finished runs, and their entries on the way to the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, RowMapping, Update, bindparam, func, select, update

from passer.adapters.store.database import LOOKUP, Database
from passer.adapters.store.schema import ledger as ledger_rows
from passer.adapters.store.schema import outbox, records, runs, transactions
from passer.domain.ledger.entry import ChainPlace, Entry, LocalPlace, Receipt
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import restored, sentence, stored
from passer.errors import ConflictError
from passer.ports import Clock, LedgerKind, OutboxEntry, RunRecord, StoredRecord

PLACES = ("previous", "digest", "recorded_at", "chain_id", "contract", "creator", "packed", "signatures",
          "block_number", "block_id", "block_time")  # fmt: skip
WAITING = tuple(outbox.c[name] for name in ("number", "record", "run_id", "entry", "state"))


class DatabaseOutbox:
    """ports.Outbox on SQL."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def add(self, run_id: str, record: RunRecord, *, ledger: LedgerKind) -> int:
        with self._database.begin() as connection:
            # Read in the same transaction: a retry may have queued the run again since the caller looked.
            state = connection.execute(select(runs.c.state).where(runs.c.id == run_id)).scalar()
            if state != RunState.FINISHED.value:
                if state is None:
                    raise ConflictError(sentence("outbox.not-stored", run=run_id))
                raise ConflictError(sentence("outbox.not-finished", run=run_id, state=state))
            return put_record(connection, run_id, record, ledger=ledger, now=self._clock.now())

    def manifest(self, run_id: str) -> str | None:
        query = select(records.c.manifest).where(records.c.run_id == run_id).order_by(records.c.number.desc()).limit(1)
        with self._database.connect() as connection:
            return connection.execute(query).scalar()

    def records(self, run_id: str, *, ledger: LedgerKind) -> list[StoredRecord]:
        return self._records(records.c.run_id == run_id, ledger)

    def unposted(self, *, ledger: LedgerKind) -> list[StoredRecord]:
        waiting = select(outbox.c.record).where(outbox.c.state == "waiting", outbox.c.ledger == ledger)
        return self._records(records.c.number.in_(waiting.distinct()), ledger)

    def waiting(self, record: int, *, ledger: LedgerKind, limit: int) -> list[OutboxEntry]:
        mine = (outbox.c.record == record, outbox.c.ledger == ledger, outbox.c.state == "waiting")
        with self._database.connect() as connection:
            rows = connection.execute(select(*WAITING).where(*mine).order_by(outbox.c.number).limit(limit)).all()
        return [_waiting(row) for row in rows]

    def awaiting(self, identities: Sequence[str], *, ledger: LedgerKind) -> list[OutboxEntry]:
        mine = (outbox.c.identity.in_(identities), outbox.c.ledger == ledger, outbox.c.state == "waiting")
        with self._database.connect() as connection:
            rows = connection.execute(select(*WAITING).where(*mine).order_by(outbox.c.number)).all()
        return [_waiting(row) for row in rows]

    def entries(self, run_id: str, *, ledger: LedgerKind, after: int = 0, limit: int = 100) -> list[OutboxEntry]:
        places = [table.c[name] for table in (ledger_rows, transactions) for name in PLACES if name in table.c]
        joined = outbox.outerjoin(ledger_rows, ledger_rows.c.sequence == outbox.c.sequence)
        joined = joined.outerjoin(transactions, transactions.c.id == outbox.c.transaction_id)
        query = select(outbox, *places).select_from(joined)
        query = query.where(outbox.c.run_id == run_id, outbox.c.ledger == ledger, outbox.c.number > after)
        with self._database.connect() as connection:
            rows = connection.execute(query.order_by(outbox.c.number).limit(limit)).all()
        return [_entry(row) for row in rows]

    def posted(self, numbers: Sequence[int], receipts: Sequence[Receipt]) -> None:
        """Mark entries as posted, and the transactions that contain them: both, or neither."""
        with self._database.begin() as connection:
            _place(connection, numbers, receipts)
            _take(connection, receipts)

    def defer(self, numbers: Sequence[int], *, reason: str | None, retry_at: datetime | None) -> None:
        # With its message, so that a reader of another language reads the reason in that language.
        kept = None if reason is None else stored(reason)
        query = update(records).where(records.c.number.in_(numbers)).values(reason=kept, retry_at=retry_at)
        self._database.change(query)

    def _records(self, which: Any, ledger: LedgerKind) -> list[StoredRecord]:
        # A run that was retried may have several records. Only the newest is of the scores as they are now.
        newer = records.alias("newer")
        superseded = select(newer.c.number).where(newer.c.run_id == records.c.run_id, newer.c.number > records.c.number)
        counted = [
            func.count(outbox.c.number).filter(outbox.c.state == state).label(state)
            for state in ("waiting", "posted", "recorded")
        ]
        own = [records.c[name] for name in ("number", "run_id", "digest", "created_at", "reason", "retry_at")]
        joined = records.outerjoin(outbox, (outbox.c.record == records.c.number) & (outbox.c.ledger == ledger))
        query = select(
            *own, records.c.entry_count.label("entries"), superseded.exists().label("superseded"), *counted
        ).select_from(joined)  # fmt: skip
        query = query.where(which).group_by(records.c.number).order_by(records.c.number)
        return [_record(row) for row in self._database.rows(query)]


def _record(row: RowMapping) -> StoredRecord:
    found = StoredRecord(**row)
    return found if found.reason is None else found.model_copy(update={"reason": restored(found.reason)})


def put_record(connection: Connection, run_id: str, record: RunRecord, *, ledger: LedgerKind, now: datetime) -> int:
    """Store a record with its entries in the caller's transaction; the newest record is not stored twice.

    Entries of the run that are in the outbox already stay as they are. Return the number of new ones.
    """
    newest = select(records.c.number, records.c.digest).where(records.c.run_id == run_id)
    known = connection.execute(newest.order_by(records.c.number.desc()).limit(1)).one_or_none()
    if known is not None and known.digest == record.digest:
        number = known.number
    else:
        row = {"run_id": run_id, "digest": record.digest, "manifest": record.manifest, "created_at": now}
        made = connection.execute(records.insert().values(**row, entry_count=len(record.entries)))
        number = made.inserted_primary_key[0] if made.inserted_primary_key else None
    shared = {"record": number, "run_id": run_id, "ledger": ledger, "state": "waiting"}
    rows = [
        {**shared, "identity": entry.identity, "entry": entry.canonical.decode("utf-8")} for entry in record.entries
    ]
    mine = (outbox.c.run_id == run_id, outbox.c.ledger == ledger)
    # A run that is finished again has mostly the same entries: those are in the ledger already, or on their way.
    there = set(connection.execute(select(outbox.c.identity).where(*mine)).scalars())
    fresh = [row for row in rows if row["identity"] not in there]
    if fresh:
        connection.execute(outbox.insert(), fresh)
    return len(fresh)


def _take(connection: Connection, receipts: Sequence[Receipt]) -> None:
    """Mark transactions as posted together with their other entries, as a chain accepts a transaction as a unit."""
    places = [(receipt.place, receipt.recorded_at) for receipt in receipts if isinstance(receipt.place, ChainPlace)]
    counts = Counter(place.transaction_id for place, _ in places)
    posted = {
        place.transaction_id: {"key": place.transaction_id, "block_number": place.block_number, "block_time": at}
        for place, at in reversed(places)
    }
    keys = list(posted)
    for start in range(0, len(keys), LOOKUP):
        opened = (transactions.c.id.in_(keys[start : start + LOOKUP]), transactions.c.state == "open")
        for key, identities in connection.execute(select(transactions.c.id, transactions.c.identities).where(*opened)):
            if len(identities) > counts[key]:
                _post_with(connection, key, identities)
    mine = (transactions.c.id == bindparam("key"), transactions.c.state == "open")
    block: dict[str, Any] = {name: bindparam(name) for name in ("block_number", "block_time")}
    if posted:
        connection.execute(update(transactions).where(*mine).values(state="posted", **block), [*posted.values()])


def _post_with(connection: Connection, key: str, identities: Sequence[str]) -> None:
    for place, identity in enumerate(identities):
        beside = (outbox.c.ledger == "antelope", outbox.c.identity == identity, outbox.c.state == "waiting")
        moved = {"state": "posted", "transaction_id": key, "action_index": place}
        connection.execute(update(outbox).where(*beside).values(moved))


def _placing(column: str) -> Update:
    """Return the statement that sets the places of entries with successive numbers."""
    values: dict[str, Any] = {column: outbox.c.number + bindparam("ahead")}
    values |= {"transaction_id": bindparam("transaction"), "state": bindparam("now")}
    return update(outbox).where(outbox.c.number.between(bindparam("first"), bindparam("last"))).values(values)


# Made once: making one for each transaction took longer than the database took to run it.
_IN_LEDGER, _IN_CHAIN = _placing("sequence"), _placing("action_index")


def _place(connection: Connection, numbers: Sequence[int], receipts: Sequence[Receipt]) -> None:
    """Set the places of entries: those that follow each other in the outbox do so in the ledger, mostly."""
    rows: dict[Update, list[dict[str, Any]]] = {_IN_LEDGER: [], _IN_CHAIN: []}
    for step, same in groupby(enumerate(zip(numbers, receipts, strict=True)), key=_step):
        those = [number for _, (number, _) in same]
        state, transaction, ahead, _ = step
        values = {"now": state, "transaction": transaction, "ahead": ahead, "first": those[0], "last": those[-1]}
        rows[_IN_LEDGER if transaction is None else _IN_CHAIN].append(values)
    for statement, ranges in rows.items():
        if ranges:
            connection.execute(statement, ranges)


_Step = tuple[str, str | None, int, int]
"""State, transaction (None in the local ledger), and the entry's place in it or in the ledger less its number; the last
is equal for successive numbers."""


def _step(counted: tuple[int, tuple[int, Receipt]]) -> _Step:
    count, (number, receipt) = counted
    place = receipt.place
    if isinstance(place, LocalPlace):
        return "recorded", None, place.sequence - number, number - count
    state = "recorded" if place.block_id else "posted"
    return state, place.transaction_id, place.action_index - number, number - count


def _waiting(row: Sequence[Any]) -> OutboxEntry:
    number, record, run_id, entry, state = row
    return OutboxEntry(number=number, record=record, run_id=run_id, entry=Entry.kept(entry), state=state)


def _entry(row: Row[Any]) -> OutboxEntry:
    waiting = _waiting([row._mapping[column] for column in WAITING])
    return waiting if waiting.state == "waiting" else waiting.model_copy(update={"receipt": _receipt(waiting, row)})


def _receipt(entry: OutboxEntry, row: Row[Any]) -> Receipt:
    if row.sequence is not None:
        place = LocalPlace(sequence=row.sequence, previous=row.previous, digest=row.digest)
        return Receipt(entry=entry.entry, recorded_at=datetime.fromisoformat(row.recorded_at), place=place)
    chain = ChainPlace(
        chain_id=row.chain_id,
        contract=row.contract,
        creator=row.creator,
        transaction_id=row.transaction_id,
        packed_transaction=row.packed,
        signatures=tuple(row.signatures),
        action_index=row.action_index,
        block_number=row.block_number,
        block_id=row.block_id,
    )
    return Receipt(entry=entry.entry, recorded_at=row.block_time, place=chain)
