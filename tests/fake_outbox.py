"""The outbox and the ledger in memory, held to the same contract as the real ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from passer.domain.ledger.entry import Entry, LocalPlace, Receipt
from passer.domain.sweeps.run import RunState
from passer.errors import ConflictError, LeaseError, NotFoundError
from passer.ports import (
    Clock,
    LedgerHead,
    LedgerKind,
    LedgerPage,
    LedgerQuery,
    LedgerRow,
    OnRecorded,
    OutboxEntry,
    RunRecord,
    Sent,
    StoredRecord,
    Verified,
)


@dataclass(frozen=True)
class _Record:
    run_id: str
    record: RunRecord
    created_at: datetime
    reason: str | None = None
    retry_at: datetime | None = None


class MemoryOutbox:
    """ports.Outbox on lists; numbers are places in them, from 1."""

    def __init__(self, clock: Clock, state_of: Callable[[str], RunState | None]) -> None:
        self._clock, self._state_of = clock, state_of
        self._records: list[_Record] = []
        self._outbox: list[tuple[LedgerKind, OutboxEntry]] = []

    def add(self, run_id: str, record: RunRecord, *, ledger: LedgerKind) -> int:
        if self._state_of(run_id) is not RunState.FINISHED:
            raise ConflictError(f"Run {run_id} is not finished. Only finished runs can be recorded.")
        return self.put_record(run_id, record, ledger=ledger)

    def put_record(self, run_id: str, record: RunRecord, *, ledger: LedgerKind) -> int:
        mine = [n for n, kept in enumerate(self._records, start=1) if kept.run_id == run_id]
        if not mine or self._records[mine[-1] - 1].record.digest != record.digest:
            self._records.append(_Record(run_id, record, self._clock.now()))
            mine.append(len(self._records))
        there = {one.entry for kind, one in self._outbox if (kind, one.run_id) == (ledger, run_id)}
        fresh = [entry for entry in record.entries if entry not in there]
        for entry in fresh:
            number = len(self._outbox) + 1
            one = OutboxEntry(number=number, record=mine[-1], run_id=run_id, entry=entry, state="waiting")
            self._outbox.append((ledger, one))
        return len(fresh)

    def manifest(self, run_id: str) -> str | None:
        found = [kept.record.manifest for kept in self._records if kept.run_id == run_id]
        return found[-1] if found else None

    def records(self, run_id: str, *, ledger: LedgerKind) -> list[StoredRecord]:
        return [one for one in self._stored(ledger) if one.run_id == run_id]

    def unposted(self, *, ledger: LedgerKind) -> list[StoredRecord]:
        return [one for one in self._stored(ledger) if one.waiting]

    def waiting(self, record: int, *, ledger: LedgerKind, limit: int) -> list[OutboxEntry]:
        found = [one for kind, one in self._outbox if (kind, one.record, one.state) == (ledger, record, "waiting")]
        return found[:limit]

    def awaiting(self, identities: Sequence[str], *, ledger: LedgerKind) -> list[OutboxEntry]:
        found = [one for kind, one in self._outbox if (kind, one.state) == (ledger, "waiting")]
        return [one for one in found if one.entry.identity in identities]

    def entries(self, run_id: str, *, ledger: LedgerKind, after: int = 0, limit: int = 100) -> list[OutboxEntry]:
        found = [one for kind, one in self._outbox if (kind, one.run_id) == (ledger, run_id) and one.number > after]
        return found[:limit]

    def posted(self, numbers: Sequence[int], receipts: Sequence[Receipt]) -> None:
        for number, receipt in zip(numbers, receipts, strict=True):
            kind, one = self._outbox[number - 1]
            done = isinstance(receipt.place, LocalPlace) or receipt.place.block_id is not None
            changed = {"state": "recorded" if done else "posted", "receipt": receipt}
            self._outbox[number - 1] = (kind, one.model_copy(update=changed))

    def defer(self, numbers: Sequence[int], *, reason: str | None, retry_at: datetime | None) -> None:
        for number in numbers:
            self._records[number - 1] = replace(self._records[number - 1], reason=reason, retry_at=retry_at)

    def _stored(self, ledger: LedgerKind) -> list[StoredRecord]:
        newest = {kept.run_id: number for number, kept in enumerate(self._records, start=1)}
        found = []
        for number, kept in enumerate(self._records, start=1):
            states = [one.state for kind, one in self._outbox if (kind, one.record) == (ledger, number)]
            counts = {state: states.count(state) for state in ("waiting", "posted", "recorded")}
            found.append(
                StoredRecord(
                    number=number,
                    run_id=kept.run_id,
                    digest=kept.record.digest,
                    created_at=kept.created_at,
                    superseded=newest[kept.run_id] != number,
                    entries=len(kept.record.entries),
                    reason=kept.reason,
                    retry_at=kept.retry_at,
                    **counts,
                )
            )
        return found


class MemoryJournal:
    """ports.Journal on a dict."""

    def __init__(self) -> None:
        self._sent: dict[str, Sent] = {}

    def keep(self, sent: Sequence[Sent]) -> None:
        own, held = {one.id for one in sent}, ("prepared", "open")
        here = {(one.chain_id, one.contract) for one in sent}
        others = [one for one in self.sent(*held) if one.id not in own and (one.chain_id, one.contract) in here]
        taken = {identity for one in others for identity in one.identities}
        if any(taken.intersection(one.identities) for one in sent if one.state in held):
            raise LeaseError("Another PaSSER process posted these entries in the meantime. Leave it running.")
        for one in sent:
            self._sent.setdefault(one.id, one)

    def signed(self, sent: Sent) -> bool:
        return self._moved(sent.id, state="open", signatures=sent.signatures)

    def given_up(self, sent: Sent) -> bool:
        return self._moved(sent.id, state="dropped")

    def find(self, key: str) -> Sent | None:
        return self._sent.get(key)

    def sent(self, *states: str) -> list[Sent]:
        return [one for one in self._sent.values() if one.state in states]

    def settled(self, sent: Sequence[Sent]) -> None:
        self._sent.update({one.id: one for one in sent})

    def _moved(self, key: str, **changes: object) -> bool:
        is_prepared = self._sent[key].state == "prepared"
        if is_prepared:
            self._sent[key] = self._sent[key].model_copy(update=changes)
        return is_prepared


class FakeLedger:
    """Takes what it is given, at most `at_once` entries; raises what stands in `failures` first, one a call."""

    kind: LedgerKind = "local"

    def __init__(self, clock: Clock, *, at_once: int = 1000) -> None:
        self._clock, self._at_once = clock, at_once
        self.recorded: list[Receipt] = []
        self.failures: list[Exception | None] = []
        self.refused: dict[str, Exception] = {}

    def append(self, entries: Sequence[Entry], *, taken: OnRecorded | None = None) -> list[Receipt]:
        failure = self.failures.pop(0) if self.failures else None
        if failure is not None:
            raise failure
        for entry in entries[: self._at_once]:
            if entry.description in self.refused:
                # As a transaction that holds a refused action: none of it is taken.
                raise self.refused[entry.description]
        return [self._append(entry) for entry in entries[: self._at_once]]

    def settle(self) -> int:
        return 0

    def get(self, row_id: str) -> LedgerRow:
        for row in self._rows():
            if row.id == row_id:
                return row
        raise NotFoundError(f"The ledger has no row {row_id}.")

    def list(self, query: LedgerQuery) -> LedgerPage:
        after = int(query.after or 0)
        found = [
            row
            for row in self._rows()
            if int(row.id) > after
            and query.account is None
            and query.testid in (None, row.testid)
            and (query.since is None or row.recorded_at >= query.since)
            and (query.until is None or row.recorded_at < query.until)
        ]
        shown = tuple(found[: query.limit])
        return LedgerPage(items=shown, next=shown[-1].id if len(found) > query.limit else None)

    def verify(self, entry: Entry) -> Verified:
        for row, receipt in zip(self._rows(), self.recorded, strict=True):
            if receipt.entry == entry:
                return Verified(verdict="equal", detail="It is there.", row=row)
            if (row.testid, row.description) == (entry.testid, entry.description):
                return Verified(verdict="differs", detail="Another is there.", row=row)
        return Verified(verdict="absent", detail="It is not there.")

    def head(self) -> LedgerHead:
        last = self.recorded[-1] if self.recorded else None
        return LedgerHead(
            kind="local",
            place="memory",
            entries=len(self.recorded),
            digest=last.place.digest if last else None,
            at=last.recorded_at if last else None,
            proves="nothing",
            proves_not="anything",
        )

    def _append(self, entry: Entry) -> Receipt:
        for receipt in self.recorded:
            if receipt.entry == entry:
                return receipt
        previous = self.recorded[-1].place.digest if self.recorded else "0" * 64
        place = LocalPlace(sequence=len(self.recorded) + 1, previous=previous, digest=entry.identity)
        made = Receipt(entry=entry, recorded_at=self._clock.now().replace(microsecond=0), place=place)
        self.recorded.append(made)
        return made

    def _rows(self) -> list[LedgerRow]:
        return [
            LedgerRow(id=str(r.place.sequence), account=None, recorded_at=r.recorded_at, **r.entry.model_dump())
            for r in self.recorded
        ]
