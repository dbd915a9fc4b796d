"""Sweeps and runs as they are kept, and who runs them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from passer.domain.base import Frozen
from passer.domain.run import Run, RunState
from passer.domain.sweep import FrozenTemplate, Sweep
from passer.domain.wording.sentence import Said
from passer.ports.ledger import LedgerKind, RunRecord
from passer.ports.run_lists import FoundRuns, RunQuery


class RecentFailure(Frozen):
    """A question that could not be answered."""

    run_id: str
    """Of which run."""
    number: int
    """Place in the dataset, from 0; opens the evaluation together with `run_id`."""
    question_id: str
    """As in the dataset."""
    reason: Said
    """Why, in one sentence."""
    at: datetime
    """UTC."""


class SweepProgress(Frozen):
    """How a sweep moves; written by whoever runs it, readable from anywhere."""

    stage: Literal["retrieving", "answering", "waiting", "done"]
    """What is being done; `waiting` while the model server is gone."""
    done: int
    """Evaluations that need nothing more."""
    total: int
    """Evaluations planned."""
    rate_per_s: float | None = None
    """Evaluations per second of late; None before it can be told."""
    eta_s: float | None = None
    """Seconds to go at that rate."""
    failures: tuple[RecentFailure, ...] = ()
    """The last five questions that failed, newest first; those that are asked again are not among them."""
    updated_at: datetime
    """UTC."""

    def still_failing(self, runs: Sequence[Run]) -> SweepProgress:
        """The same, without failures of runs that have none any more, because they were retried."""
        failing = {run.id for run in runs if run.counts.failed}
        return self.model_copy(update={"failures": tuple(each for each in self.failures if each.run_id in failing)})


class StoredSweep(Frozen):
    """A sweep with what was fixed when it was created."""

    id: str
    """Unique."""
    sweep: Sweep
    """What is compared."""
    dataset_digest: str
    """The version of the dataset that it runs on."""
    questions: int
    """Questions of each configuration."""
    runs: tuple[Run, ...]
    """In order, baselines first of each model."""
    templates: tuple[FrozenTemplate, ...] = ()
    """The prompt templates that it names, as they were; empty for sweeps older than this member."""
    created_at: datetime
    """UTC."""
    progress: SweepProgress | None = None
    """As last reported."""

    @property
    def state(self) -> RunState:
        """The liveliest state among its runs; finished only when all are."""
        states = {run.state for run in self.runs}
        order = (RunState.RUNNING, RunState.PAUSED, RunState.QUEUED, RunState.FAILED, RunState.CANCELLED)
        return next((state for state in order if state in states), RunState.FINISHED)


class RunStore(Protocol):
    """Sweeps, their runs and states."""

    def create_sweep(self, sweep: StoredSweep, *, idempotency_key: str | None = None) -> StoredSweep:
        """Keep a sweep with all its runs, or nothing; a known idempotency key gives the sweep made with it.

        ConflictError where that one is another sweep.
        """
        ...

    def load_sweep(self, sweep_id: str, *, counted: bool = True) -> StoredSweep:
        """With its runs as they are now; not `counted`, their counts are left at 0, which is quicker while they run."""
        ...

    def list_sweeps(self, *, limit: int, before: str | None = None) -> list[StoredSweep]:
        """Newest first; `before` is the id after which to go on."""
        ...

    def find_runs(self, query: RunQuery) -> FoundRuns:
        """Runs of all sweeps, found, sorted and paged."""
        ...

    def set_state(
        self,
        run_ids: Sequence[str],
        state: RunState,
        *,
        reason: str | None = None,
        only_from: Sequence[RunState] = (),
        held: bool = False,
        unless_held: bool = False,
    ) -> int:
        """Move runs on and say how many moved; `only_from` leaves runs in other states alone.

        `unless_held` is for moves that nobody asked for: they leave alone what a person paused.
        """
        ...

    def finish(self, run_id: str, record: RunRecord, *, ledger: LedgerKind) -> bool:
        """Finish a live run that nobody holds, and put its entries into the outbox: both, or neither.

        Whether it was moved; the record is kept, as it is, from then on.
        """
        ...


class LeaseStore(Protocol):
    """Who runs which sweep: one process at a time."""

    def acquire(self, sweep_id: str, owner: str, *, ttl_s: float) -> str:
        """Take or renew the lease; the holder after the call (another's name where it was refused)."""
        ...

    def release(self, sweep_id: str, owner: str) -> None:
        """Give the lease back, if it is this owner's."""
        ...

    def unfinished(self) -> list[str]:
        """Ids of sweeps with runs to do, oldest first; runs that a person paused are left alone."""
        ...

    def report(self, sweep_id: str, progress: SweepProgress) -> None:
        """Keep the newest progress."""
        ...
