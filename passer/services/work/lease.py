"""Leases: one process does a piece of work at a time, and notices during the run if another has taken it over."""

from __future__ import annotations

import logging
import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from passer.domain.base import Frozen
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import sentence
from passer.errors import LeaseError, PasserError, StoreUnavailable, WorkCancelled
from passer.ports import WorkStore

log = logging.getLogger(__name__)

LEASE_S = 20.0
"""Seconds for which a lease is valid without renewal."""
RENEW_EVERY_S = LEASE_S / 4
"""Well below LEASE_S: a database that is busy for ten seconds must not cost the lease."""


class Lease:
    """A lease that this process holds.

    The holder calls `renew` or `report` immediately before each commit. Between that call and the commit another
    process may still take over, so commits are also idempotent: ids are content-addressed, and rows move only from
    states that allow it.
    """

    def __init__(self, store: WorkStore, work_id: str, owner: str) -> None:
        self._store, self.work_id, self.owner = store, work_id, owner

    def renew(self) -> None:
        """Extend the lease; LeaseError if another process has it, WorkCancelled if the work was cancelled."""
        self._keep(None)

    def report(self, progress: Frozen) -> None:
        """Extend the lease and store the progress.

        Raises LeaseError if another process has the lease, and WorkCancelled if a person cancelled the work.
        """
        self._keep(progress)

    def _keep(self, progress: Frozen | None) -> None:
        if self._store.renew(self.work_id, self.owner, ttl_s=LEASE_S, progress=progress):
            return
        now = self._store.find(self.work_id)
        if now.state is RunState.CANCELLED:
            raise WorkCancelled(sentence("work.cancelled"))
        # Also where nobody has it now: who held it meanwhile may have changed what this process has read (decision
        # 005).
        taken_by = f"Another PaSSER ({now.owner})" if now.owner else "Another PaSSER"
        raise LeaseError(sentence("work.taken-over", other=taken_by, work=self.work_id))


@contextmanager
def leased(store: WorkStore, work_id: str, *, refusal: Callable[[str], str]) -> Iterator[Lease]:
    """Hold a lease and keep it renewed; LeaseError with the text of `refusal` if another process has it."""
    owner = new_owner()
    holder = store.acquire(work_id, owner, ttl_s=LEASE_S)
    # A killed process leaves its lease behind. Waiting until it expires would delay its work by 20 s at each restart.
    if holder != owner and is_dead(holder):
        store.release(work_id, holder)
        holder = store.acquire(work_id, owner, ttl_s=LEASE_S)
    if holder != owner:
        raise LeaseError(refusal(holder))
    with held(store, work_id, owner) as lease:
        yield lease


@contextmanager
def held(store: WorkStore, work_id: str, owner: str) -> Iterator[Lease]:
    """Renew a lease that `owner` has acquired, and release it at the end."""
    lease = Lease(store, work_id, owner)
    over = Event()
    # A thread of its own: one embedding call or one long record may take longer than a lease is valid.
    Thread(target=_keep_renewed, args=(lease, over), name="lease", daemon=True).start()
    try:
        yield lease
    finally:
        # Released, not left to expire: the next process, or a resume by the same person, begins at once.
        over.set()
        store.release(work_id, owner)


def new_owner() -> str:
    """Return a name for a holder of leases in this process."""
    return f"{_machine()}:{os.getpid()}:{secrets.token_hex(4)}"


def is_dead(owner: str) -> bool:
    """Return whether the owner was a process of this machine that is gone; leases of other machines must expire."""
    host, pid, _ = owner.rsplit(":", 2)
    if host != _machine():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    # It exists, as a process of another user.
    except PermissionError:
        return False
    return False


def _keep_renewed(lease: Lease, over: Event) -> None:
    while not over.wait(RENEW_EVERY_S):
        try:
            lease.renew()
        except StoreUnavailable as exc:
            log.debug("lease of %s not renewed yet: %s", lease.work_id, exc.message)
        except PasserError:
            # The working thread notices it before its next commit.
            return


def _machine() -> str:
    """Return an id of the scope in which process numbers are unique: host, start of the machine, and namespace."""
    parts = [socket.gethostname()]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8])
        parts.append(str(Path("/proc/self/ns/pid").stat().st_ino))
    return "/".join(parts)
