"""Posts entries from the outbox to the ledger: in order, each once, with a reason for each that waits."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Event

from passer.domain.base import Frozen
from passer.domain.ledger.entry import MOST_ENTRIES_PER_TRANSACTION, Receipt
from passer.domain.wording.sentence import LocalizedText
from passer.errors import LeaseError, LedgerRefused, PasserError, SignatureAwaited, StoreUnavailable, UnavailableError
from passer.ports import POSTING, Clock, Ledger, Outbox, StoredRecord, Work, WorkKind, WorkStore
from passer.services.work.lease import Lease, leased

log = logging.getLogger(__name__)

BATCH = 100 * MOST_ENTRIES_PER_TRANSACTION
"""Entries passed to the ledger at once."""
FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 300.0
"""First and longest pause after a failure; the pause doubles with each further failure."""


class Posted(Frozen):
    """Result of one round of posting."""

    posted: int
    """Entries posted."""
    waiting: int
    """Entries still waiting."""
    unsettled: int
    """Transactions in reversible blocks."""
    reasons: tuple[LocalizedText, ...]
    """Reasons why entries wait, each once."""


@dataclass
class _Failures:
    """Consecutive failures of records and of the ledger, in this process."""

    of_records: dict[int, int]
    of_ledger: int = 0
    unsigned: set[int] = field(default_factory=set)
    """Records that last waited for a signature."""


@dataclass
class _Marked:
    """Marks entries as posted while the ledger records the next ones."""

    outbox: Outbox
    lease: Lease
    numbers: Sequence[int]
    count: int = 0

    def mark(self, receipts: Sequence[Receipt]) -> None:
        """Mark the next entries as posted, one for each receipt."""
        self.lease.renew()
        self.outbox.posted(self.numbers[self.count : self.count + len(receipts)], receipts)
        self.count += len(receipts)


class OutboxPoster:
    """Posts waiting entries; one process at a time holds the lease."""

    def __init__(self, outbox: Outbox, ledger: Ledger, clock: Clock, work: WorkStore) -> None:
        self._outbox, self._ledger, self._clock, self._work = outbox, ledger, clock, work
        self._failures = _Failures({})

    def post(self, *, stop: Event | None = None, at_once: bool = False, only: Collection[int] | None = None) -> Posted:
        """Post due entries, record by record; `at_once` ignores pauses. LeaseError if another process posts.

        With `only`, other records are neither posted nor counted.
        """
        stop = stop or Event()
        with leased(self._work, POSTING, refusal=elsewhere) as lease:
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
            # Without the database a reason cannot be stored; without the lease it must not be.
            except (StoreUnavailable, LeaseError):
                raise
            except PasserError as exc:
                # The ledger itself does not answer: the next record would only wait for the same error.
                self._defer_all(exc)
                break
        return posted

    def _post(self, record: StoredRecord, lease: Lease, stop: Event) -> int:
        """Post a record's waiting entries until the ledger refuses one."""
        # After a refusal, post few entries at a time: those before the refused one are posted, and it gets the reason.
        hesitant = record.number in self._failures.of_records or record.number in self._failures.unsigned
        posted, batch = 0, 1 if hesitant else BATCH
        while not stop.is_set():
            waiting = self._outbox.waiting(record.number, ledger=self._ledger.kind, limit=batch)
            if not waiting:
                break
            # Immediately before the append: a process that was suspended since may have lost the lease.
            lease.renew()
            marked = _Marked(self._outbox, lease, [one.number for one in waiting])
            try:
                receipts = self._ledger.append([one.entry for one in waiting], taken=marked.mark)
            except SignatureAwaited as exc:
                self._await(record, exc, anew=posted > 0)
                break
            except LedgerRefused as exc:
                self._defer(record, exc)
                break
            # A ledger may take the first entries only: the others keep waiting, and their order stays.
            marked.mark(receipts[marked.count :])
            posted, batch = posted + len(receipts), min(2 * batch, BATCH)
            self._clear_failures(record)
        return posted

    def _clear_failures(self, record: StoredRecord) -> None:
        self._failures.of_ledger = 0
        if self._failures.of_records.pop(record.number, 0) or record.reason or record.retry_at:
            self._outbox.defer([record.number], reason=None, retry_at=None)

    def _await(self, record: StoredRecord, exc: SignatureAwaited, *, anew: bool) -> None:
        """Mark a record as waiting for a signature; it is tried again in every round."""
        self._failures.of_records.pop(record.number, None)
        self._failures.unsigned.add(record.number)
        if anew or record.reason != exc.message or record.retry_at is not None:
            self._outbox.defer([record.number], reason=exc.message, retry_at=None)

    def _defer(self, record: StoredRecord, exc: PasserError) -> None:
        """Pause one record; the others continue."""
        times = self._failures.of_records.get(record.number, 0) + 1
        self._failures.of_records[record.number] = times
        self._say([record], exc, times)

    def _defer_all(self, exc: PasserError) -> None:
        self._failures.of_ledger += 1
        self._say(self._outbox.unposted(ledger=self._ledger.kind), exc, self._failures.of_ledger)

    def _say(self, records: list[StoredRecord], exc: PasserError, times: int) -> None:
        pause = min(FIRST_WAIT_S * 2 ** min(times - 1, 16), LONGEST_WAIT_S)
        log.warning("entries of %d runs wait: %s", len(records), exc.message)
        until = self._clock.now() + timedelta(seconds=pause)
        self._outbox.defer([record.number for record in records], reason=exc.message, retry_at=until)

    def _settle(self) -> int:
        try:
            return self._ledger.settle()
        except StoreUnavailable:
            raise
        except UnavailableError as exc:
            # No failure of the posting: what is posted stays so, and the next round asks again.
            log.warning("what was posted cannot be looked after: %s", exc.message)
            return 0


class PostingLane:
    """Posts waiting entries while the server runs; the one row of its kind in each project never ends."""

    kinds: frozenset[WorkKind] = frozenset({"post"})

    def __init__(self, poster_of: Callable[[str], OutboxPoster]) -> None:
        """Post with the poster that a project has."""
        self._poster_of = poster_of

    def choose(self, waiting: Sequence[Work], running: Sequence[Work]) -> Work | None:
        """Return the row of a project that does not run."""
        busy = {work.project for work in running}
        return next((work for work in waiting if work.project not in busy), None)

    def run(self, work: Work, stop: Event) -> None:
        """Post what is due now; LeaseError if another process posts."""
        self._poster_of(work.project).post(stop=stop)


def elsewhere(holder: str) -> str:
    """Error text: another process holds the posting lease."""
    return f"Another PaSSER process ({holder}) is posting now. `passer ledger list` shows its progress."
