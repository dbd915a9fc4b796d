"""The queue of work: requested over HTTP or by a command, done by the server's worker or in the requesting process."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, BinaryIO, TypeVar

from passer import errors
from passer.domain.base import Frozen
from passer.domain.cancellation import cancellable
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import STORED, sentence
from passer.errors import ConflictError, InputError, LeaseError, PasserError, StoreUnavailable, WorkPaused, WorkStopped
from passer.ports import Clock, FailedPart, Progress, Work, WorkFailure, WorkKind, WorkProgress, WorkStore
from passer.services.work.kinds import SPECS, WorkSpec, spec_of
from passer.services.work.lease import LEASE_S, Lease, held, leased, new_owner
from passer.services.work.sources import Uploads

log = logging.getLogger(__name__)

MOST_WAITING = 100
"""Rows of one kind that may wait: 100 uploads of the largest size are 5 GB on disk."""
KEPT = 1000
"""Ended rows that can still be asked about."""
# A report is a write to the database, and small steps would make many in a second.
REPORT_EVERY_S = 0.25

R = TypeVar("R", bound=Frozen)
UNEXPECTED = sentence("problem.unexpected")


class Reporter:
    """ports.Progress of a piece of work: saves it with the lease, and raises where nothing more may be written.

    A call with `done == total` is always saved, so a handler makes one immediately before each commit.
    """

    def __init__(self, lease: Lease, stop: Event, watch: Progress | None = None) -> None:
        self._lease, self._stop, self._watch = lease, stop, watch
        self._saved_at = float("-inf")

    def __call__(self, message: str, done: int, total: int) -> None:
        """Save the progress.

        Raises LeaseError if another process has the lease, and WorkStopped if the work must stop.
        """
        self._check_stop()
        if self._watch is not None:
            self._watch(message, done, total)
        now = time.monotonic()
        if done != total and now - self._saved_at < REPORT_EVERY_S:
            return
        self._saved_at = now
        self._lease.report(WorkProgress(message=message, done=done, total=total))

    def check(self) -> None:
        """Check during a long wait whether the work is still wanted. Raises LeaseError or WorkStopped if it is not."""
        self._check_stop()
        # A busy database does not mean that the lease was lost.
        with suppress(StoreUnavailable):
            self._lease.renew()

    def _check_stop(self) -> None:
        if self._stop.is_set():
            raise WorkStopped(sentence("work.stopped"))

    def renew(self) -> None:
        """Extend the lease immediately before a commit; LeaseError or WorkStopped if it is lost."""
        self._lease.renew()


Handler = Callable[[Any, Sequence[Path], Reporter], Frozen]
"""Does one kind of work, from its specification and its uploaded files."""


@dataclass(frozen=True)
class WorkQueue:
    """Adds work, does it under its lease, and cancels it."""

    store: WorkStore
    uploads: Uploads
    handlers: Mapping[WorkKind, Handler]
    clock: Clock
    cancelled: Callable[[Work], None] = lambda _: None
    """Called with work that was cancelled, to cancel what it began elsewhere."""
    is_shared: bool = False
    """True if servers with other home folders use the same database: an upload is then done where its files are."""

    def submit(self, spec: WorkSpec[Any], files: Sequence[bytes | BinaryIO] = ()) -> Work:
        """Queue work for the server's worker; raise QueueFull if there is no room."""
        return self._add(spec, files)

    def run_here(
        self, spec: WorkSpec[R], files: Sequence[bytes | BinaryIO] = (), *, progress: Progress | None = None
    ) -> R:
        """Do work immediately in this process and return its result; raises what the handler raises.

        The row exists from the start: if this process is killed, a server finishes the work.
        """
        work = self._add(spec, files, owner=new_owner())
        try:
            with held(self.store, work.id, work.owner or "") as lease:
                done: R = self._do(work, lease, Event(), progress)
            return done
        except KeyboardInterrupt:
            self.cancel(work.id)
            raise

    def run(self, work: Work, stop: Event) -> None:
        """Do queued work, or continue what another process left; LeaseError if another process does it."""
        with leased(self.store, work.id, refusal=lambda holder: f"{holder} does job {work.id}.") as lease:
            self._do(work, lease, stop, None)

    def resume(self, work_id: str) -> Work:
        """Queue paused, failed or cancelled work again; raise NotFoundError or ConflictError if that is impossible.

        A row that waits, or that a process left when it died, stays as it is: it can be run.
        """
        work = self.store.find(work_id)
        is_open = work.state in (RunState.QUEUED, RunState.RUNNING)
        if work.kind not in SPECS or not (is_open or self.store.requeue(work_id)):
            raise ConflictError(sentence("work.not-resumable", job=work_id, state=work.state.value))
        return self.store.find(work_id)

    def run_queued_here(self, work_id: str, *, progress: Progress | None = None) -> Any:
        """Do queued work in this process and return its result; raises what the handler raises."""
        work = self.store.find(work_id)
        with leased(self.store, work.id, refusal=lambda holder: f"{holder} does job {work.id}.") as lease:
            return self._do(work, lease, Event(), progress)

    def can_run(self, work: Work) -> bool:
        """Return whether this process has what the work needs."""
        if not self.is_shared or self.uploads.has(work.id):
            return True
        try:
            return not spec_of(work).uploads
        except ValueError:
            return True  # a row of a newer version fails, without blocking the rows behind it

    def cancel(self, work_id: str) -> Work:
        """Cancel work that waits or is being done; what it has committed is kept.

        Raises NotFoundError if it does not exist, and ConflictError if it has ended.
        """
        work = self.store.find(work_id)
        if work.kind not in SPECS:
            raise ConflictError(sentence("work.cancel-elsewhere", job=work_id))
        if not self.store.cancel(work_id):
            raise ConflictError(
                sentence("work.not-cancellable", job=work_id, state=self.store.find(work_id).state.value)
            )
        self.cancelled(work)
        # The worker may still be reading the files of the work, and deletes them itself.
        if work.owner is None:
            self.uploads.delete(work_id)
        return self.store.find(work_id)

    def delete_forgotten_uploads(self) -> None:
        """Delete files that a killed process left without a row, or with one that has ended."""
        self.uploads.delete_forgotten({work.id for work in self.store.waiting()})

    def _add(self, spec: WorkSpec[Any], files: Sequence[bytes | BinaryIO], *, owner: str | None = None) -> Work:
        work = Work(
            id=spec.work_id or secrets.token_hex(8),
            kind=spec.kind,
            subject=spec.subject,
            spec=spec.model_dump(mode="json"),
            owner=owner,
            created_at=self.clock.now(),
        )
        # Files first: a worker may begin the row at once. Files without a row are deleted after a day.
        if files:
            self.uploads.save(work.id, files)
        try:
            added = self.store.add(work, most=MOST_WAITING, ttl_s=LEASE_S)
        except BaseException:
            self.uploads.delete(work.id)
            raise
        for old in self.store.prune(KEPT):
            self.uploads.delete(old)
        return added

    def _do(self, work: Work, lease: Lease, stop: Event, watch: Progress | None) -> Any:
        # It was cancelled or ended between the look at the table and this.
        if not self.store.begin(work.id, lease.owner):
            self._forget_uploads(work)
            return None
        try:
            spec = spec_of(work)
            report = Reporter(lease, stop, watch)
            paths = self.uploads.paths(work.id, spec.uploads)
            # Code far below that waits for a model or a retry asks this, so that a cancelled job ends without its next
            # commit.
            with cancellable(report.check):
                result = self.handlers[work.kind](spec, paths, report)
            stored = result.model_dump(mode="json", context=STORED)
            self.store.end(work.id, lease.owner, RunState.FINISHED, result=stored)
        except WorkPaused as exc:
            # Its uploads stay: a resumed job begins anew and reads them again.
            self._end_with(exc, work, lease, RunState.PAUSED)
            raise
        except (LeaseError, WorkStopped, StoreUnavailable):
            # Not a failure of the work: the next holder of the lease continues it, unless it was cancelled.
            self._forget_uploads(work)
            raise
        except Exception as exc:
            self._end_with(exc, work, lease, RunState.FAILED)
            self._forget_uploads(work)
            raise
        self._forget_uploads(work)
        return result

    def _end_with(self, exc: Exception, work: Work, lease: Lease, state: RunState) -> None:
        """Store why work was paused or has failed."""
        try:
            self.store.end(work.id, lease.owner, state, failure=failure_of(exc))
        except StoreUnavailable:
            raise
        except Exception:
            # A reason that no table can hold: the row would stay open, and the worker begin it again for ever.
            log.exception("why job %s ended cannot be stored", work.id)
            self.store.end(work.id, lease.owner, state, failure=failure_of(RuntimeError()))

    def _forget_uploads(self, work: Work) -> None:
        """Delete the files of work that has ended."""
        try:
            if self.uploads.has(work.id) and self.store.find(work.id).state.is_final:
                self.uploads.delete(work.id)
        except StoreUnavailable as exc:
            log.debug("uploads of %s are kept: %s", work.id, exc.message)


def failure_of(exc: Exception) -> WorkFailure:
    """Return the stored form of an error."""
    if not isinstance(exc, PasserError):
        return WorkFailure(error=None, message=UNEXPECTED)
    found = exc.problems if isinstance(exc, InputError) else ()
    return WorkFailure(
        error=type(exc).__name__,
        message=exc.message,
        field=exc.field if isinstance(exc, InputError) else None,
        parts=tuple(FailedPart(message=each.message, row=each.row, field=each.field) for each in found),
    )


def error_of(failure: WorkFailure) -> PasserError | None:
    """Return the error again; None for one that PaSSER did not expect."""
    kind = getattr(errors, failure.error or "", None)
    if not (isinstance(kind, type) and issubclass(kind, PasserError)):
        return None
    if issubclass(kind, InputError):
        parts = tuple(errors.Problem(each.message, row=each.row, field=each.field) for each in failure.parts)
        return kind(failure.message, field=failure.field, problems=parts)
    # Some classes ask for more than a message: what a client is shown needs none of it.
    return PasserError.__new__(kind, failure.message)
