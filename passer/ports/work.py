"""The table of work: each piece of work, the process that does it, and its progress."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Protocol

from pydantic import Field

from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.base import Frozen
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import LocalizedText

WorkKind = Literal[
    "sweep", "ingest", "dataset", "import", "ragelo", "answers", "example", "pull", "post", "assess", "draft", "tune"
]
"""Kind of work: `dataset` imports questions, `import` result sheets, `ragelo` an experiment of RAGElo, `post` sends
entries to the ledger, `assess` asks a judge, `draft` has models write questions, `tune` chooses a judge's task by
ratings by people."""
POSTING = "posting"
"""Id of the one row of that kind: one process posts at a time, and posting never ends."""


class WorkProgress(Frozen):
    """Progress of a piece of work."""

    message: str = ""
    """Current activity, in words."""
    done: int = 0
    """Steps done."""
    total: int = 0
    """Steps in all; 0 while that is unknown."""


class FailedPart(Frozen):
    """One problem of the input."""

    message: LocalizedText
    """One sentence."""
    row: int | None = None
    """Row of the file, from 1."""
    field: str | None = None
    """Column or setting."""


class WorkFailure(Frozen):
    """Failure of a piece of work, as it is stored."""

    error: str | None
    """Name of a class in passer.errors; None for an error that PaSSER did not expect."""
    message: LocalizedText
    """Cause and action."""
    field: str | None = None
    """Column or setting that is wrong."""
    parts: tuple[FailedPart, ...] = ()
    """Rows or files that are wrong."""


class Work(Frozen):
    """One piece of work."""

    id: str
    """Unique in its project; of a sweep, the sweep's id."""
    project: str = DEFAULT_PROJECT
    """Project of the store that contains the row."""
    number: int = 0
    """Place in the queue; the store gives it."""
    kind: WorkKind
    """Kind of the work."""
    subject: str | None = None
    """Name of the collection, dataset, import or model in which the result appears."""
    spec: dict[str, Any] = Field(default_factory=dict)
    """Specification as JSON: enough for another process to do the work."""
    state: RunState = RunState.QUEUED
    """State; of a sweep, that of its runs."""
    progress: WorkProgress | None = None
    """Progress as last reported."""
    result: dict[str, Any] | None = None
    """Result as JSON."""
    failure: WorkFailure | None = None
    """Reason of the failure."""
    owner: str | None = None
    """The process that holds the lease; None if no process holds it or it has expired."""
    created_at: datetime
    """UTC."""
    started_at: datetime | None = None
    """UTC."""
    ended_at: datetime | None = None
    """UTC."""

    @property
    def key(self) -> tuple[str, str]:
        """Return the key within a server: a backup that was restored as another project has the same ids."""
        return self.project, self.id


class WorkQuery(Frozen):
    """Selection of pieces of work to list."""

    kinds: tuple[WorkKind, ...] = ()
    """Only these; empty for all."""
    subject: str | None = None
    """Only work whose result appears in this collection, dataset, import or model."""
    limit: int = Field(default=50, ge=1, le=500)
    """Most that are listed."""


class WaitingWork(Protocol):
    """Queue from which a worker takes work."""

    def waiting(self) -> Sequence[Work]:
        """Return queued and running rows, of each project oldest first; rows paused by a person are omitted."""


class WorkStore(Protocol):
    """Rows of the table of work, each with a lease."""

    def add(self, work: Work, *, most: int, ttl_s: float) -> Work:
        """Add a row and return it with its number, leased to `work.owner` for `ttl_s` if an owner is set.

        QueueFull if `most` rows of its kind are waiting.
        """

    def find(self, work_id: str) -> Work:
        """Return one row; NotFoundError if there is none."""

    def list_work(self, query: WorkQuery) -> list[Work]:
        """Return rows, newest first."""

    def waiting(self) -> list[Work]:
        """Return queued and running rows, oldest first; rows paused by a person are omitted."""

    def acquire(self, work_id: str, owner: str, *, ttl_s: float) -> str:
        """Acquire the lease if it is free, expired or already the owner's; return its holder.

        Raises NotFoundError if the work does not exist.
        """

    def renew(self, work_id: str, owner: str, *, ttl_s: float, progress: Frozen | None = None) -> bool:
        """Extend a lease and store the progress; False, without a change, if another owner has the lease."""

    def release(self, work_id: str, owner: str) -> None:
        """Release the lease if this owner holds it."""

    def begin(self, work_id: str, owner: str) -> bool:
        """Move a queued row to running; False if it is neither queued nor running, or the lease is not held."""

    def end(
        self,
        work_id: str,
        owner: str,
        state: RunState,
        *,
        result: dict[str, Any] | None = None,
        failure: WorkFailure | None = None,
    ) -> bool:
        """End a running row and release its lease; False, and nothing is stored, if the lease is not held."""

    def cancel(self, work_id: str) -> bool:
        """Cancel a row that is queued, running or paused, and revoke its lease; False if it has ended."""

    def requeue(self, work_id: str) -> bool:
        """Queue a paused, failed or cancelled row again, or a finished drafting; False for a row in another state."""

    def prune(self, kept: int) -> Sequence[str]:
        """Delete ended rows beyond the newest `kept`, sweeps and assessments excepted; ids that were deleted."""
