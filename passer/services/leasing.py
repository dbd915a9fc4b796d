"""One process runs a sweep at a time, and a dead one's sweep is taken over at once."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from passer.errors import LeaseError
from passer.ports import LeaseStore

LEASE_S = 20.0
"""How long a lease holds without being renewed."""


class Lease:
    """A held lease; `renew` before LEASE_S are over."""

    def __init__(self, store: LeaseStore, sweep_id: str, owner: str) -> None:
        self._store, self._sweep_id, self._owner = store, sweep_id, owner

    def renew(self) -> None:
        """Hold it longer; LeaseError when another process has taken it meanwhile."""
        holder = self._store.acquire(self._sweep_id, self._owner, ttl_s=LEASE_S)
        if holder != self._owner:
            raise LeaseError(f"Sweep {self._sweep_id} was taken over by {holder}: follow it there.")


@contextmanager
def leased(store: LeaseStore, sweep_id: str) -> Iterator[Lease]:
    """Hold a sweep's lease; LeaseError while a living process runs it."""
    owner = f"{_machine()}:{os.getpid()}:{secrets.token_hex(4)}"
    holder = store.acquire(sweep_id, owner, ttl_s=LEASE_S)
    if holder != owner and _is_dead(holder):
        store.release(sweep_id, holder)
        holder = store.acquire(sweep_id, owner, ttl_s=LEASE_S)
    if holder != owner:
        raise LeaseError(f"Sweep {sweep_id} is being run by {holder}: follow it with `passer show {sweep_id}`.")
    try:
        yield Lease(store, sweep_id, owner)
    finally:
        store.release(sweep_id, owner)


def _is_dead(owner: str) -> bool:
    """Whether the owner was a process of this machine that is gone; other machines' leases have to run out."""
    host, pid, _ = owner.rsplit(":", 2)
    if host != _machine():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _machine() -> str:
    """Where process numbers mean the same: host, start of the machine, and namespace (containers share host names)."""
    parts = [socket.gethostname()]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8])
        parts.append(str(Path("/proc/self/ns/pid").stat().st_ino))
    return "/".join(parts)
