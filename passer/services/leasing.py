"""One process does a thing at a time - runs a sweep, posts - and a dead one's is taken over at once."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from passer.errors import LeaseError

LEASE_S = 20.0
"""How long a lease holds without being renewed."""


class Leases(Protocol):
    """What keeps leases by name: ports.LeaseStore those of sweeps, ports.Outbox the poster's."""

    def acquire(self, name: str, owner: str, /, *, ttl_s: float) -> str:
        """Take or renew; the holder after the call."""
        ...

    def release(self, name: str, owner: str, /) -> None:
        """Give back, if it is this owner's."""
        ...


class Lease:
    """A held lease; `renew` before LEASE_S are over."""

    def __init__(self, store: Leases, name: str, owner: str) -> None:
        self._store, self._name, self._owner = store, name, owner

    def renew(self) -> None:
        """Hold it longer; LeaseError when another process has taken it meanwhile."""
        holder = self._store.acquire(self._name, self._owner, ttl_s=LEASE_S)
        if holder != self._owner:
            raise LeaseError(f"The work on {self._name} was taken over by {holder}: follow it there.")


@contextmanager
def leased(store: Leases, name: str, *, refusal: Callable[[str], str]) -> Iterator[Lease]:
    """Hold a lease; LeaseError, with what `refusal` says of its holder, while a living process has it."""
    owner = f"{_machine()}:{os.getpid()}:{secrets.token_hex(4)}"
    holder = store.acquire(name, owner, ttl_s=LEASE_S)
    if holder != owner and _is_dead(holder):
        store.release(name, holder)
        holder = store.acquire(name, owner, ttl_s=LEASE_S)
    if holder != owner:
        raise LeaseError(refusal(holder))
    try:
        yield Lease(store, name, owner)
    finally:
        store.release(name, owner)


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
