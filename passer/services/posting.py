"""From the outbox into the ledger: in order, each entry once, and a reason wherever one waits."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Event

from passer.domain.base import Frozen
from passer.domain.ledger.entry import MOST_ENTRIES_PER_TRANSACTION
from passer.errors import LeaseError, LedgerRefused, PasserError, SignatureAwaited, StoreUnavailable, UnavailableError
from passer.ports import Clock, Ledger, Outbox, StoredRecord
from passer.services.background import Background
from passer.services.leasing import Lease, leased

log = logging.getLogger(__name__)

POSTER = "poster"
"""Name of the lease: one process posts."""
BATCH = 20 * MOST_ENTRIES_PER_TRANSACTION
"""Entries handed to the ledger together."""
FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 300.0
"""Pause after a first failure; it doubles with each further one."""


class Posted(Frozen):
    """What came of one round of posting."""

    posted: int
    """Entries that the ledger took."""
    waiting: int
    """Entries that still wait."""
    unsettled: int
    """Transactions in blocks that may still be undone."""
    reasons: tuple[str, ...]
    """Why the others wait, each once."""


@dataclass
class _Failures:
    """How often in a row the records and the ledger itself have failed, in this process."""

    of_records: dict[int, int]
    of_ledger: int = 0
    unsigned: set[int] = field(default_factory=set)
    """Records that waited for a signature when they were last looked at."""


class Posting:
    """Posts what waits; whoever holds the lease does it."""

    def __init__(self, outbox: Outbox, ledger: Ledger, clock: Clock) -> None:
        self._outbox, self._ledger, self._clock = outbox, ledger, clock
        self._failures = _Failures({})

    def post(self, *, stop: Event | None = None, at_once: bool = False, only: Collection[int] | None = None) -> Posted:
        """Post what is due, record by record; `at_once` does not wait for what was put off. LeaseError elsewhere.

        `only` are numbers of records: others are left alone, and not counted.
        """
        stop = stop or Event()
        with leased(self._outbox, POSTER, refusal=elsewhere) as lease:
            posted = self._rounds(lease, stop, at_once=at_once, only=only)
            unsettled = self._settle()
        records = self._unposted(only)
        return Posted(
            posted=posted,
            waiting=sum(record.waiting for record in records),
            unsettled=unsettled,
            reasons=tuple(dict.fromkeys(record.reason for record in records if record.reason)),
        )

    def _unposted(self, only: Collection[int] | None) -> list[StoredRecord]:
        records = self._outbox.unposted(ledger=self._ledger.kind)
        return records if only is None else [record for record in records if record.number in only]

    def _rounds(self, lease: Lease, stop: Event, *, at_once: bool, only: Collection[int] | None) -> int:
        posted = 0
        for record in self._unposted(only):
            due = at_once or record.retry_at is None or record.retry_at <= self._clock.now()
            if stop.is_set() or not due:
                continue
            try:
                posted += self._post(record, lease, stop)
            except (StoreUnavailable, LeaseError):
                raise
            except PasserError as exc:
                self._put_off_all(exc)
                break
        return posted

    def _post(self, record: StoredRecord, lease: Lease, stop: Event) -> int:
        """Everything that a record has waiting, unless the ledger refuses some of it."""
        # After a refusal few at a time: what stands before the refused entry is posted, and the reason is its own.
        hesitant = record.number in self._failures.of_records or record.number in self._failures.unsigned
        posted, batch = 0, 1 if hesitant else BATCH
        while not stop.is_set():
            waiting = self._outbox.waiting(record.number, ledger=self._ledger.kind, limit=batch)
            if not waiting:
                break
            try:
                receipts = self._ledger.append([one.entry for one in waiting])
            except SignatureAwaited as exc:
                self._await(record, exc, anew=posted > 0)
                break
            except LedgerRefused as exc:
                self._put_off(record, exc)
                break
            self._outbox.posted([one.number for one in waiting[: len(receipts)]], receipts)
            posted, batch = posted + len(receipts), min(2 * batch, BATCH)
            self._went_well(record)
            lease.renew()
        return posted

    def _went_well(self, record: StoredRecord) -> None:
        self._failures.of_ledger = 0
        if self._failures.of_records.pop(record.number, 0) or record.reason or record.retry_at:
            self._outbox.put_off([record.number], reason=None, retry_at=None)

    def _await(self, record: StoredRecord, exc: SignatureAwaited, *, anew: bool) -> None:
        """Nothing failed: the record waits for a person, and is looked at again each time."""
        self._failures.of_records.pop(record.number, None)
        self._failures.unsigned.add(record.number)
        if anew or record.reason != exc.message or record.retry_at is not None:
            self._outbox.put_off([record.number], reason=exc.message, retry_at=None)

    def _put_off(self, record: StoredRecord, exc: PasserError) -> None:
        """One record waits; the others go on."""
        times = self._failures.of_records.get(record.number, 0) + 1
        self._failures.of_records[record.number] = times
        self._say([record], exc, times)

    def _put_off_all(self, exc: PasserError) -> None:
        self._failures.of_ledger += 1
        self._say(self._outbox.unposted(ledger=self._ledger.kind), exc, self._failures.of_ledger)

    def _say(self, records: list[StoredRecord], exc: PasserError, times: int) -> None:
        pause = min(FIRST_WAIT_S * 2 ** min(times - 1, 16), LONGEST_WAIT_S)
        log.warning("entries of %d runs wait: %s", len(records), exc.message)
        until = self._clock.now() + timedelta(seconds=pause)
        self._outbox.put_off([record.number for record in records], reason=exc.message, retry_at=until)

    def _settle(self) -> int:
        try:
            return self._ledger.settle()
        except StoreUnavailable:
            raise
        except UnavailableError as exc:
            log.warning("what was posted cannot be looked after: %s", exc.message)
            return 0


class Poster(Background):
    """The server's poster: posts for as long as the server lives."""

    def __init__(self, posting: Posting) -> None:
        super().__init__("posting")
        self._posting = posting

    def look(self) -> None:
        """Post what waits."""
        try:
            self._posting.post(stop=self._stop)
        except LeaseError:
            log.debug("another process posts")
        except PasserError as exc:
            log.warning("posting failed: %s", exc.message)
        except Exception:
            log.exception("posting: PaSSER itself failed")


def elsewhere(holder: str) -> str:
    """Who posts in the place of whom this is said to."""
    return f"Another PaSSER ({holder}) posts at this moment: let it go on, `passer ledger list` shows how far it is."
