"""Ports of the ledger, of its Merkle tree with signed checkpoints, and of the outbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

from pydantic import Field

from passer.domain.base import Count, Frozen
from passer.domain.bundle.merkle import SubtreeHash
from passer.domain.ledger.entry import Action, Digest, Entry, Receipt
from passer.domain.ledger.signed_note import NoteKey
from passer.domain.study.entry import PublishedStudy
from passer.domain.wording.sentence import LocalizedText

LedgerKind = Literal["local", "antelope"]
"""A hash chain in the application's database, or a contract on an Antelope chain."""
WaitingState = Literal["waiting", "posted", "recorded"]
"""Waiting; in a reversible block; irreversible."""
OnRecorded = Callable[[Sequence[Receipt]], None]
"""Callback with the receipts of entries that the ledger has recorded."""


class RunRecord(Frozen):
    """The record of a finished run: its manifest and the entries derived from it."""

    digest: Digest
    """Digest of the manifest."""
    manifest: str
    """Canonical JSON as hashed."""
    entries: tuple[Entry, ...]
    """Entries in recording order; the run's own entry comes last."""


class StoredRecord(Frozen):
    """A stored record of a run. A run that was reopened has several; the newest one counts."""

    number: int
    """Number among all records, in order of creation."""
    run_id: str
    """Its run."""
    digest: Digest
    """Digest of the manifest."""
    created_at: datetime
    """Time at which the run finished, UTC."""
    superseded: bool
    """True if the run finished again later with other results."""
    entries: int
    """Number of entries; those shared with an earlier record of the run are not recorded twice."""
    waiting: int
    """Entries not yet in the ledger."""
    posted: int
    """Entries in a block that is still reversible."""
    recorded: int
    """Entries recorded irreversibly."""
    reason: LocalizedText | None = None
    """Reason why entries wait, in one sentence."""
    retry_at: datetime | None = None
    """Time of the next attempt to post, UTC; None means at once."""


class OutboxEntry(Frozen):
    """An entry of the outbox."""

    number: int
    """Its number among all entries, from 1."""
    record: int
    """The record it belongs to."""
    run_id: str
    """The run's id."""
    entry: Entry
    """The entry to record."""
    state: WaitingState
    """State of the entry."""
    receipt: Receipt | None = None
    """The ledger's receipt; None while the entry waits."""


class LedgerRow(Frozen):
    """A row of a ledger."""

    id: str
    """Its id: a sequence number, or action and row number of a contract's table."""
    action: Action
    """The contract's table."""
    account: str | None
    """The signing account; None in the local ledger, whose rows are not signed."""
    testid: str
    """The run's twelve-character id."""
    recorded_at: datetime
    """Time of recording (UTC)."""
    description: str
    """Run and question."""
    results: tuple[float | None, ...]
    """Values as recorded; None for a value that is not a number."""
    run_digest: Digest | None = None
    """None in rows of the published contract."""
    config_digest: Digest | None = None
    """None in rows of the published contract."""
    authenticated: bool = True
    """False in rows of the published contract, which checks no authority and lets anyone erase its tables."""
    previous: Digest | None = None
    """Digest of the previous row, in the local ledger."""
    digest: Digest | None = None
    """SHA-256 of the canonical JSON of sequence, previous, recorded_at and entry, in the local ledger."""


class LedgerQuery(Frozen):
    """Selects rows of a ledger."""

    account: str | None = None
    """Only rows of this account."""
    testid: str | None = None
    """Only rows of this run."""
    since: datetime | None = None
    """Only rows recorded at this time or later."""
    until: datetime | None = None
    """Only rows recorded before this time."""
    after: str | None = None
    """Id of the last row of the previous page."""
    limit: int = Field(default=100, ge=1, le=1000)
    """Maximum number of rows."""


class LedgerPage(Frozen):
    """A page of rows, oldest first."""

    items: tuple[LedgerRow, ...]
    """The rows."""
    next: str | None
    """Id after which the next page starts; None on the last page."""


class LedgerHead(Frozen):
    """The current end of a ledger, and what it proves."""

    kind: LedgerKind
    """Name of the ledger."""
    place: str
    """Its address."""
    entries: int | None
    """Number of rows; None if counting takes long."""
    digest: Digest | None
    """Digest of the last row (local), or id of the last irreversible block (antelope); None while empty."""
    at: datetime | None
    """Its time, UTC."""
    proves: LocalizedText
    """Facts that this ledger proves."""
    proves_not: LocalizedText
    """Facts that it does not prove."""


class Verified(Frozen):
    """Result of checking that a ledger contains exactly this entry."""

    verdict: Literal["equal", "differs", "absent"]
    """The outcome of the comparison."""
    detail: str
    """One sentence."""
    row: LedgerRow | None = None
    """The row that was compared."""


def _nothing(_: Sequence[Receipt]) -> None:
    """Ignore receipts; the caller reads them from the result."""


class Ledger(Protocol):
    """An append-only record."""

    @property
    def kind(self) -> LedgerKind:
        """Return the kind of the ledger."""

    def append(self, entries: Sequence[Entry], *, taken: OnRecorded = _nothing) -> list[Receipt]:
        """Record entries and return the receipts of the first ones, in order.

        A slow ledger calls `taken` with the receipts of each finished part, in order and each once, while it records
        the rest. The returned list holds all receipts, also those that `taken` received.

        Fewer receipts than entries mean that recording stopped in between. An entry that is already recorded is not
        written again; its receipt is returned. If nothing was recorded, LedgerUnavailable or LedgerRefused states why.
        """

    def settle(self) -> int:
        """Follow up posted transactions until they are irreversible; return how many are not yet."""

    def get(self, row_id: str) -> LedgerRow:
        """Return one row. Raises NotFoundError if it does not exist."""

    def list(self, query: LedgerQuery) -> LedgerPage:
        """Return a page of rows, oldest first."""

    def verify(self, entry: Entry) -> Verified:
        """Check whether the ledger contains exactly this entry."""

    def head(self) -> LedgerHead:
        """Return the current end of the ledger."""


class Outbox(Protocol):
    """Store of run records and of entries to be recorded in the ledger."""

    def add(self, run_id: str, record: RunRecord, *, ledger: LedgerKind) -> int:
        """Save the record of a finished run unless this ledger has it already; return the number of new entries."""

    def manifest(self, run_id: str) -> str | None:
        """Return the canonical JSON of a run's newest manifest."""

    def records(self, run_id: str, *, ledger: LedgerKind) -> list[StoredRecord]:
        """Return all records of a run, oldest first."""

    def unposted(self, *, ledger: LedgerKind) -> list[StoredRecord]:
        """Return the records with waiting entries, oldest first."""

    def waiting(self, record: int, *, ledger: LedgerKind, limit: int) -> list[OutboxEntry]:
        """Return the next entries of a record, in order."""

    def awaiting(self, identities: Sequence[Digest], *, ledger: LedgerKind) -> list[OutboxEntry]:
        """Return those of these entries that wait, over all runs, in order."""

    def entries(self, run_id: str, *, ledger: LedgerKind, after: int = 0, limit: int = 100) -> list[OutboxEntry]:
        """Return the entries of all records of a run, in order, after that number."""

    def posted(self, numbers: Sequence[int], receipts: Sequence[Receipt]) -> None:
        """Mark these entries as recorded."""

    def defer(self, numbers: Sequence[int], *, reason: str | None, retry_at: datetime | None) -> None:
        """Save why these records wait, and until when; None clears it."""


class StoredCheckpoint(Frozen):
    """A checkpoint that was signed; it is never changed."""

    size: Count
    """Number of rows."""
    root: Digest
    """Merkle tree hash (RFC 6962), hex."""
    note: str
    """The signed note."""


class LedgerTree(Protocol):
    """The Merkle tree over the digests of all rows; numbers of rows count from 0."""

    def extend(self) -> int:
        """Include all rows, and return their number; ConflictError where one is missing."""

    def digest(self, index: int) -> str:
        """Return the digest of a row, hex."""

    def subtrees(self) -> SubtreeHash:
        """Return a function for hashes of complete subtrees, which remembers what it read."""

    def checkpoints(self) -> list[StoredCheckpoint]:
        """Return all signed checkpoints, the smallest first."""

    def last_checkpoint(self) -> StoredCheckpoint | None:
        """Return the largest signed checkpoint."""

    def keep(self, checkpoint: StoredCheckpoint) -> None:
        """Store a signed checkpoint; one of the same size is stored once."""

    def wrong_tile(self) -> str | None:
        """Compute the stored tree again from all rows; return the difference in one sentence, or None."""


class StampStore(Protocol):
    """Replies of time stamp authorities (RFC 3161), by the SHA-256 of what they stamped, hex."""

    def stamp(self, digest: str) -> bytes | None:
        """Return the first stored reply; None if there is none."""

    def keep(self, digest: str, reply: bytes) -> None:
        """Store a reply unless there is one already."""


class StudyStore(Protocol):
    """Published studies, whose titles the ledger does not have."""

    def add(self, study: PublishedStudy, documents: Mapping[str, bytes]) -> None:
        """Store a study with study.json and its other files, by name; one that was published again is stored once."""

    def published(self, subject: str) -> list[PublishedStudy]:
        """Return the studies of a sweep or import by its id, the newest first."""

    def documents(self, digest: str) -> Mapping[str, bytes] | None:
        """Return the files of a study by its digest; None if it is unknown, or was stored without them."""


class NoteSigner(Protocol):
    """Signs notes by the key of this installation."""

    def key(self, name: str) -> NoteKey:
        """Return the public key under a name."""

    def sign(self, text: str) -> bytes:
        """Return the Ed25519 signature of a text, 64 bytes."""
