"""What a finished run puts into the outbox, and how far its entries are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from passer.domain.base import Frozen
from passer.domain.ledger.entry import Digest, Entry, LocalPlace, testid_of
from passer.domain.ledger.of_run import Granularity
from passer.domain.manifest import Manifest
from passer.domain.run import Run, RunState
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, NotFoundError
from passer.ports import LedgerKind, Outbox, OutboxEntry, RunRecord, RunStore, StoredRecord, WaitingState
from passer.services.describing import Describing

CHAIN_PLACE = ("transaction_id", "action_index", "block_number", "block_id")
AGAIN = (
    "This run was finished more than once. A ledger is append-only: what was recorded of the earlier results stays, "
    "and the newest record is the one that counts."
)


class RecordedEntry(Frozen):
    """One entry of a run, and where it stands; the whole proof is in the run's bundle."""

    number: int
    """Its place among all, from 1."""
    record: int
    """The record it belongs to."""
    entry: Entry
    """What is recorded."""
    state: WaitingState
    """How far it is."""
    recorded_at: datetime | None = None
    """UTC; None while it waits."""
    sequence: int | None = None
    """Row of the local ledger."""
    digest: Digest | None = None
    """Of that row."""
    transaction_id: Digest | None = None
    """On a chain."""
    action_index: int | None = None
    """Which of the transaction's actions, from 0."""
    block_number: int | None = None
    """Block that holds it."""
    block_id: Digest | None = None
    """Its id, once it cannot be undone."""

    @classmethod
    def of(cls, one: OutboxEntry) -> RecordedEntry:
        """Without the transaction's bytes, which are the same for fifty of them."""
        found: dict[str, Any] = {"number": one.number, "record": one.record, "entry": one.entry, "state": one.state}
        if one.receipt is None:
            return cls(**found)
        place = one.receipt.place
        names = ("sequence", "digest") if isinstance(place, LocalPlace) else CHAIN_PLACE
        return cls(**found, recorded_at=one.receipt.recorded_at, **{name: getattr(place, name) for name in names})


class RunEntries(Frozen):
    """What was recorded of a run, and what waits."""

    run_id: str
    """The run."""
    testid: str
    """The run in the ledger."""
    ledger: LedgerKind
    """Where it is recorded."""
    records: tuple[StoredRecord, ...]
    """Oldest first; a run that finished again has several. None for a run that was finished before there were any."""
    items: tuple[RecordedEntry, ...]
    """A page of their entries, in order."""
    next: int | None
    """Number after which the next page begins; None at the end."""
    note: str | None
    """What is to be known of it, in one sentence or two."""


@dataclass(frozen=True)
class Recording:
    """Puts what a finished run leaves into the outbox; posting is another's work."""

    runs: RunStore
    outbox: Outbox
    describing: Describing
    ledger: LedgerKind
    granularity: Granularity

    def finish(self, run_id: str) -> bool:
        """Finish a run with its record, in one transaction; False where a person holds it or it is over."""
        described = self.describing.described(run_id, self.granularity)
        return self.runs.finish(run_id, described.record, ledger=self.ledger)

    def record(self, run_id: str) -> int:
        """Record a run that was finished before, or for another ledger; how many entries are new in the outbox."""
        run = next((run for run in self._runs_beside(run_id) if run.id == run_id), None)
        if run is None:
            raise NotFoundError(sentence("problem.no-run", run=run_id))
        if run.state is not RunState.FINISHED:
            raise ConflictError(f"Run {run_id} is {run.state.value}: only a finished run can be recorded.")
        return self.outbox.add(run_id, self._record_again(run_id), ledger=self.ledger)

    def entries(self, run_id: str, *, after: int = 0, limit: int = 100) -> RunEntries:
        """How far the entries of a run are."""
        records = self.outbox.records(run_id, ledger=self.ledger)
        found = self.outbox.entries(run_id, ledger=self.ledger, after=after, limit=limit + 1)
        return RunEntries(
            run_id=run_id,
            testid=testid_of(run_id),
            ledger=self.ledger,
            records=tuple(records),
            items=tuple(RecordedEntry.of(one) for one in found[:limit]),
            next=found[limit - 1].number if len(found) > limit else None,
            note=self._note(run_id, records),
        )

    def _record_again(self, run_id: str) -> RunRecord:
        """The record as it was made when the run finished, where it has one; else as it is described now."""
        described = self.describing.described(run_id, self.granularity)
        kept = self.outbox.manifest(run_id)
        if kept is None:
            return described.record
        manifest = Manifest.model_validate_json(kept)
        if manifest.questions_root != described.manifest.questions_root:
            raise ConflictError(
                f"What is stored of run {run_id} is no longer what was recorded when it finished: restore the database."
            )
        # The rows of the run itself hold the digest of the manifest, which names the machine of its day.
        now = described.manifest.digest
        entries = tuple(
            entry.model_copy(update={"run_digest": manifest.digest}) if entry.run_digest == now else entry
            for entry in described.entries
        )
        return RunRecord(digest=manifest.digest, manifest=kept, entries=entries)

    def _note(self, run_id: str, records: list[StoredRecord]) -> str | None:
        if any(record.superseded for record in records):
            return AGAIN
        if not any(record.waiting + record.posted + record.recorded for record in records):
            run = next(run for run in self._runs_beside(run_id) if run.id == run_id)
            if run.state is RunState.FINISHED:
                return f"Nothing of this run is recorded yet: `passer ledger record {run_id}` does it."
            return "The run is recorded when it is finished."
        return None

    def _runs_beside(self, run_id: str) -> tuple[Run, ...]:
        return self.runs.load_sweep(run_id.rpartition("-")[0]).runs
