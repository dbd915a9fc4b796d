"""The local ledger: rows of this database, each holding the digest of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, text

from passer.adapters.store.database import LOOKUP, Database
from passer.adapters.store.schema import ledger
from passer.adapters.store.table_parts import moment
from passer.domain.ledger.entry import Entry, LocalPlace, Receipt, row_digest
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError
from passer.ports import Clock, LedgerHead, LedgerKind, LedgerPage, LedgerQuery, LedgerRow, OnRecorded, Verified

NOTHING = "0" * 64
"""Previous digest of the first row."""
PAGE = 1000
MOST_DIGITS = 18
"""Most digits of a sequence number that a database takes as an integer."""
_LAST = select(ledger).order_by(ledger.c.sequence.desc()).limit(1)


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


class LocalLedger:
    """ports.Ledger in the application's database; rows are only ever added."""

    kind: LedgerKind = "local"

    def __init__(self, database: Database, clock: Clock, *, place: str) -> None:
        self._database, self._clock, self._place = database, clock, place

    def append(self, entries: Sequence[Entry], *, taken: OnRecorded | None = None) -> list[Receipt]:
        """Record entries in order, in one transaction; existing ones are not written again."""
        with self._database.begin() as connection:
            if connection.dialect.name == "postgresql":
                # SQLite has one writer at a time anyway.
                connection.execute(text("LOCK TABLE ledger IN EXCLUSIVE MODE"))
            # Under the lock: two processes that post the same run would otherwise both find its entries missing.
            found = _known(connection, [entry.identity for entry in entries])
            row = connection.execute(_LAST).mappings().one_or_none()
            last = None if row is None else LedgerRecord(**row)
            at, fresh = moment(self._clock.now()), []
            for entry in entries:
                if entry.identity not in found:
                    last = _next(last, entry, at)
                    found[entry.identity] = last
                    fresh.append(last)
            if fresh:
                connection.execute(ledger.insert(), [vars(record) for record in fresh])
        return [_receipt(entry, found[entry.identity]) for entry in entries]

    def settle(self) -> int:
        """Return 0: rows of the local ledger are final at once."""
        return 0

    def get(self, row_id: str) -> LedgerRow:
        found = self._find(LedgerQuery(), after=_sequence(row_id) - 1, limit=1)
        if not found or str(found[0].sequence) != row_id:
            raise NotFoundError(sentence("ledger.no-row", row=row_id))
        return _row(found[0])

    def list(self, query: LedgerQuery) -> LedgerPage:
        """Return rows, the oldest first; the local ledger has no accounts to filter by."""
        if query.account is not None:
            return LedgerPage(items=(), next=None)
        found = self._find(query, after=_sequence(query.after or "0"), limit=query.limit + 1)
        shown = tuple(_row(record) for record in found[: query.limit])
        return LedgerPage(items=shown, next=shown[-1].id if len(found) > query.limit else None)

    def verify(self, entry: Entry) -> Verified:
        with self._database.connect() as connection:
            record = _known(connection, [entry.identity]).get(entry.identity)
        if record is None:
            # Not found by its identity, but it may be there with other results: that is another answer than "absent".
            return _not_equal(entry, self.list(LedgerQuery(testid=entry.testid, limit=PAGE)).items)
        if _problem(record) or record.entry.encode() != entry.canonical:
            return Verified(verdict="differs", detail=f"Row {record.sequence} was changed after it was recorded.")
        row = _row(record)
        return Verified(verdict="equal", detail=f"Row {row.id} of {row.recorded_at:%Y-%m-%d} contains it.", row=row)

    def head(self) -> LedgerHead:
        last = self._database.row(_LAST)
        return LedgerHead(
            kind="local",
            place=self._place,
            entries=last["sequence"] if last else 0,
            digest=last["digest"] if last else None,
            at=datetime.fromisoformat(last["recorded_at"]) if last else None,
            proves=sentence("ledger.local-proves"),
            proves_not=sentence("ledger.local-proves-not"),
        )

    def broken(self, *, until: tuple[int, str] | None = None) -> str | None:
        """Return the first error in the chain as a sentence; None if every row is valid.

        `until` is an earlier head (sequence, digest) that must still be part of the chain.
        """
        # Page by page: a ledger may have more rows than fit into memory.
        before, previous = 0, NOTHING
        while found := self._find(LedgerQuery(), after=before, limit=PAGE):
            for record in found:
                problem = _gap(record, before, previous) or _problem(record)
                if problem or (until and record.sequence == until[0] and record.digest != until[1]):
                    return problem or f"Row {record.sequence} is not the one of the earlier head."
                before, previous = record.sequence, record.digest
        if until and until[0] > before:
            return f"The ledger ends at row {before}, but the earlier head is row {until[0]}: rows were removed."
        return None

    def _find(self, query: LedgerQuery, *, after: int, limit: int) -> Sequence[LedgerRecord]:
        """Return rows by a filter, oldest first, after that sequence number."""
        wanted = select(ledger).where(ledger.c.sequence > after)
        if query.testid is not None:
            wanted = wanted.where(ledger.c.testid == query.testid)
        if query.since is not None:
            wanted = wanted.where(ledger.c.recorded_at >= moment(query.since))
        if query.until is not None:
            wanted = wanted.where(ledger.c.recorded_at < moment(query.until))
        rows = self._database.rows(wanted.order_by(ledger.c.sequence).limit(limit))
        return [LedgerRecord(**row) for row in rows]


def _known(connection: Connection, identities: Sequence[str]) -> dict[str, LedgerRecord]:
    """Return the rows that record these entries, by the entry's identity."""
    found = {}
    for start in range(0, len(identities), LOOKUP):
        query = select(ledger).where(ledger.c.identity.in_(identities[start : start + LOOKUP]))
        found.update({row["identity"]: LedgerRecord(**row) for row in connection.execute(query).mappings()})
    return found


def _next(last: LedgerRecord | None, entry: Entry, at: str) -> LedgerRecord:
    sequence, previous = (last.sequence + 1, last.digest) if last else (1, NOTHING)
    digest = row_digest(sequence=sequence, previous=previous, recorded_at=at, entry=entry.canonical)
    kept = entry.canonical.decode("utf-8")
    return LedgerRecord(sequence, previous, digest, at, kept, entry.identity, entry.testid)


def _gap(record: LedgerRecord, before: int, previous: str) -> str | None:
    """Return the problem of a row after row `before`, whose digest is `previous`; None without one."""
    if record.sequence != before + 1:
        return f"Row {before + 1} is missing: rows were removed after they were recorded."
    if record.previous != previous:
        return f"Row {record.sequence} does not follow row {before}: the ledger was changed there."
    return None


def _problem(record: LedgerRecord) -> str | None:
    digest = row_digest(
        sequence=record.sequence,
        previous=record.previous,
        recorded_at=record.recorded_at,
        entry=record.entry.encode(),
    )
    # The search columns repeat parts of the entry, so they must agree with it.
    entry = Entry.model_validate_json(record.entry) if digest == record.digest else None
    if entry is not None and (entry.identity, entry.testid) == (record.identity, record.testid):
        return None
    return f"Row {record.sequence} was changed after it was recorded."


def _row(record: LedgerRecord) -> LedgerRow:
    entry = Entry.kept(record.entry)
    at = datetime.fromisoformat(record.recorded_at)
    return LedgerRow(
        id=str(record.sequence),
        account=None,
        recorded_at=at,
        previous=record.previous,
        digest=record.digest,
        **entry.model_dump(),
    )


def _receipt(entry: Entry, record: LedgerRecord) -> Receipt:
    place = LocalPlace(sequence=record.sequence, previous=record.previous, digest=record.digest)
    return Receipt(entry=entry, recorded_at=datetime.fromisoformat(record.recorded_at), place=place)


def _not_equal(entry: Entry, rows: Sequence[LedgerRow]) -> Verified:
    for row in rows:
        if (row.action, row.description) == (entry.action, entry.description):
            return Verified(verdict="differs", detail=f"Row {row.id} differs from it.", row=row)
    return Verified(verdict="absent", detail="The ledger has no such entry.")


def _sequence(row_id: str) -> int:
    if not (row_id.isascii() and row_id.isdigit() and len(row_id) <= MOST_DIGITS):
        raise InputError(sentence("ledger.not-a-row", row=row_id), field="id")
    return int(row_id)
