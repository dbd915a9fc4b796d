"""Records finished runs in the outbox, and lists the state of their entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from passer.domain.base import Frozen
from passer.domain.bundle.manifest import Manifest
from passer.domain.ledger.entry import Digest, Entry, LocalPlace, testid_of
from passer.domain.ledger.of_run import Granularity
from passer.domain.sweeps.run import Run, RunMemory, RunState, sweep_id_of
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports import LedgerKind, Outbox, OutboxEntry, RunRecord, RunStore, StoredRecord, WaitingState
from passer.services.provenance.manifest_builder import ManifestBuilder

CHAIN_PLACE = ("transaction_id", "action_index", "block_number", "block_id")
AGAIN = (
    "This run was finished more than once. The ledger is append-only: records of earlier results "
    "stay, and the newest record counts."
)


class RecordedEntry(Frozen):
    """An entry of a run and its place in the ledger; the whole proof is in the run's bundle."""

    number: int
    """Number among all entries, from 1."""
    record: int
    """Number of its record."""
    entry: Entry
    """The entry."""
    state: WaitingState
    """State of the entry."""
    recorded_at: datetime | None = None
    """Time of recording, UTC; None while it waits."""
    sequence: int | None = None
    """Row number in the local ledger."""
    digest: Digest | None = None
    """Digest of that row."""
    transaction_id: Digest | None = None
    """Id of its transaction on a chain."""
    action_index: int | None = None
    """Index in the transaction's actions, from 0."""
    block_number: int | None = None
    """Number of its block."""
    block_id: Digest | None = None
    """Id of its block, once that is irreversible."""

    @classmethod
    def of(cls, one: OutboxEntry) -> RecordedEntry:
        """Return the view of an entry without the transaction's bytes, which up to fifty entries share."""
        found: dict[str, Any] = {"number": one.number, "record": one.record, "entry": one.entry, "state": one.state}
        if one.receipt is None:
            return cls(**found)
        place = one.receipt.place
        names = ("sequence", "digest") if isinstance(place, LocalPlace) else CHAIN_PLACE
        return cls(**found, recorded_at=one.receipt.recorded_at, **{name: getattr(place, name) for name in names})


class RunEntries(Frozen):
    """Records and entries of a run."""

    run_id: str
    """Id of the run."""
    testid: str
    """Twelve-character id of the run in the ledger."""
    ledger: LedgerKind
    """Kind of the ledger."""
    records: tuple[StoredRecord, ...]
    """Records, oldest first; a run that finished again has several, a run from before records existed has none."""
    items: tuple[RecordedEntry, ...]
    """A page of entries, in order."""
    next: int | None
    """Number after which the next page starts; None on the last page."""
    note: str | None
    """A remark in one or two sentences."""


@dataclass(frozen=True)
class RunRecorder:
    """Puts the record of a finished run into the outbox; `OutboxPoster` posts it."""

    runs: RunStore
    outbox: Outbox
    manifest_builder: ManifestBuilder
    ledger: LedgerKind
    granularity: Callable[[], Granularity]
    """Returns the present setting: a row for each run, or also for each question."""

    def built(self, run_id: str) -> RunRecord:
        """Return the record of a run whose questions are done; reads the stores only."""
        return self.manifest_builder.described(run_id, self.granularity()).record

    def finish(self, run_id: str, record: RunRecord, memory: RunMemory | None = None) -> bool:
        """Finish a run with its record in one transaction; False if it is paused or has ended."""
        # In the transaction that finishes the run, so that every finished run has its entries: they are an outbox.
        return self.runs.finish(run_id, record, ledger=self.ledger, memory=memory)

    def record(self, run_id: str) -> int:
        """Record a run that finished earlier or for another ledger; return the number of new entries."""
        run = self._run(run_id)
        if run.state is not RunState.FINISHED:
            raise ConflictError(
                sentence("provenance.not-finished", run=run_id, state=sentence(f"state.{run.state.value}"))
            )
        return self.outbox.add(run_id, self._record_again(run_id), ledger=self.ledger)

    def entries(self, run_id: str, *, after: int = 0, limit: int = 100) -> RunEntries:
        """Return records and entries of a run."""
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
        """Return the record made when the run finished, or a new one if there is none."""
        described = self.manifest_builder.described(run_id, self.granularity())
        kept = self.outbox.manifest(run_id)
        if kept is None:
            return described.record
        manifest = Manifest.model_validate_json(kept)
        if manifest.questions_root != described.manifest.questions_root:
            raise ConflictError(sentence("record.run-changed", run=run_id))
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
            if self._run(run_id).state is RunState.FINISHED:
                return f"Nothing of this run is recorded yet. `passer ledger record {run_id}` records it."
            return "The run is recorded when it is finished."
        return None

    def _run(self, run_id: str) -> Run:
        return self.runs.load_sweep(sweep_id_of(run_id)).run(run_id)
