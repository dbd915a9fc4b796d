"""What is recorded for good: the ledger, what waits for it, and what was sent to a chain."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.ledger.entry import Action, Digest, Entry, Receipt

LedgerKind = Literal["local", "antelope"]
"""A hash chain in the application's database, or a contract on an Antelope chain."""
WaitingState = Literal["waiting", "posted", "recorded"]
"""Not there yet; in a block that may still be undone; there for good."""


class RunRecord(Frozen):
    """What a finished run leaves for good: its manifest and the entries that follow from it."""

    digest: Digest
    """Of the manifest."""
    manifest: str
    """Canonical JSON, as it was hashed."""
    entries: tuple[Entry, ...]
    """In the order in which they are to be recorded; the run's own comes last."""


class StoredRecord(Frozen):
    """A record of a run as it is kept; a run that was reopened has several, the newest is the one that counts."""

    number: int
    """Of all records, in the order in which they were made."""
    run_id: str
    """Its run."""
    digest: Digest
    """Of the manifest."""
    created_at: datetime
    """When the run was finished, UTC."""
    superseded: bool
    """Whether the run was finished again later, with other results."""
    entries: int
    """How many follow from it; those that an earlier record of the run has too are not recorded twice."""
    waiting: int
    """Entries that are not in the ledger yet."""
    posted: int
    """Entries in a block that may still be undone."""
    recorded: int
    """Entries that are there for good."""
    reason: str | None = None
    """Why they wait, in one sentence."""
    retry_at: datetime | None = None
    """When posting is tried again, UTC; None is at once."""


class OutboxEntry(Frozen):
    """One entry on its way."""

    number: int
    """Its place among all, from 1."""
    record: int
    """The record it belongs to."""
    run_id: str
    """Its run."""
    entry: Entry
    """What is recorded."""
    state: WaitingState
    """How far it is."""
    receipt: Receipt | None = None
    """What the ledger gave back; None while it waits."""


class LedgerRow(Frozen):
    """A row as it stands in a ledger."""

    id: str
    """Its place: a sequence number, or action and row number of a contract's table."""
    action: Action
    """Which table it belongs to."""
    account: str | None
    """Who signed; None in the local ledger, where nobody does."""
    testid: str
    """The run, as twelve characters."""
    recorded_at: datetime
    """UTC."""
    description: str
    """Run and question."""
    results: tuple[float | None, ...]
    """As they stand there; None for what is no number."""
    run_digest: Digest | None = None
    """None in rows of the published contract."""
    config_digest: Digest | None = None
    """None in rows of the published contract."""
    authenticated: bool = True
    """False in rows of the published contract, which checks no authority and lets anyone erase its tables."""
    previous: Digest | None = None
    """Digest of the row before, in the local ledger."""
    digest: Digest | None = None
    """SHA-256 of the canonical JSON of sequence, previous, recorded_at and entry, in the local ledger."""


class LedgerQuery(Frozen):
    """Which rows of a ledger."""

    account: str | None = None
    """Only those of this account."""
    testid: str | None = None
    """Only those of this run."""
    since: datetime | None = None
    """Only those recorded then or later."""
    until: datetime | None = None
    """Only those recorded before."""
    after: str | None = None
    """Id of the last row of the page before."""
    limit: int = Field(default=100, ge=1, le=1000)
    """Most rows on a page."""


class LedgerPage(Frozen):
    """A page of rows, oldest first."""

    items: tuple[LedgerRow, ...]
    """The rows."""
    next: str | None
    """Id after which the next page begins; None at the end."""


class LedgerHead(Frozen):
    """Where a ledger stands, and what that is worth."""

    kind: LedgerKind
    """Which ledger."""
    place: str
    """Where it is."""
    entries: int | None
    """How many are in it; None where counting would take long."""
    digest: Digest | None
    """Of its last row (local), or the id of the last irreversible block (antelope); None while it is empty."""
    at: datetime | None
    """When that was made, UTC."""
    proves: str
    """What this ledger proves, plainly."""
    proves_not: str
    """And what it does not."""


class Verified(Frozen):
    """Whether a ledger holds just this entry."""

    verdict: Literal["equal", "differs", "absent"]
    """What was found."""
    detail: str
    """One sentence."""
    row: LedgerRow | None = None
    """The row that was compared."""


class Ledger(Protocol):
    """An append-only record."""

    @property
    def kind(self) -> LedgerKind:
        """Which one."""
        ...

    def append(self, entries: Sequence[Entry]) -> list[Receipt]:
        """Receipts of the first entries, in order; fewer than given where something stopped it after some.

        What is there already is not written again, its receipt is given. Nothing done at all is LedgerUnavailable or
        LedgerRefused, which says why.
        """
        ...

    def settle(self) -> int:
        """Look after what was posted until it cannot be undone; how many transactions still can."""
        ...

    def get(self, row_id: str) -> LedgerRow:
        """One row; NotFoundError."""
        ...

    def list(self, query: LedgerQuery) -> LedgerPage:
        """Rows, oldest first."""
        ...

    def verify(self, entry: Entry) -> Verified:
        """Whether it holds just this entry."""
        ...

    def head(self) -> LedgerHead:
        """Where it stands."""
        ...


class Outbox(Protocol):
    """Records of runs, and their entries on the way to the ledger."""

    def add(self, run_id: str, record: RunRecord, *, ledger: LedgerKind) -> int:
        """Keep the record of a finished run that has none for this ledger yet; how many entries are new."""
        ...

    def manifest(self, run_id: str) -> str | None:
        """Canonical JSON of the newest manifest of a run."""
        ...

    def records(self, run_id: str, *, ledger: LedgerKind) -> list[StoredRecord]:
        """All records of a run, oldest first."""
        ...

    def unposted(self, *, ledger: LedgerKind) -> list[StoredRecord]:
        """Records with entries that wait, oldest first."""
        ...

    def waiting(self, record: int, *, ledger: LedgerKind, limit: int) -> list[OutboxEntry]:
        """The next entries of a record, in order."""
        ...

    def awaiting(self, identities: Sequence[Digest], *, ledger: LedgerKind) -> list[OutboxEntry]:
        """Those of these entries that wait, of whichever run, in order."""
        ...

    def entries(self, run_id: str, *, ledger: LedgerKind, after: int = 0, limit: int = 100) -> list[OutboxEntry]:
        """Entries of all records of a run, in order, after that number."""
        ...

    def posted(self, numbers: Sequence[int], receipts: Sequence[Receipt]) -> None:
        """These entries are in the ledger."""
        ...

    def put_off(self, numbers: Sequence[int], *, reason: str | None, retry_at: datetime | None) -> None:
        """Say why these records wait, and until when; None when they do so no more."""
        ...

    def acquire(self, name: str, owner: str, *, ttl_s: float) -> str:
        """Take or renew the lease of that name; the holder after the call."""
        ...

    def release(self, name: str, owner: str) -> None:
        """Give the lease back, if it is this owner's."""
        ...
