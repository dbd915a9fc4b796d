"""Limits of attempts to sign in, by account and by address."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from passer.domain.lru_cache import LruCache
from passer.domain.wording.sentence import sentence
from passer.errors import TooManyAttempts

WINDOW_S = 900.0
MOST = {"both": 10, "address": 50, "name": 200}
"""Failures within the window, of a name from one address, of an address, and of a name from anywhere.

An office may share one address, and nobody may shut out another person by failing for them a few times.
"""
MOST_REMEMBERED = 100_000


class Attempts:
    """Counts failures of the last quarter of an hour in this process. Thread-safe."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._failures: LruCache[tuple[str, str], int] = LruCache(
            MOST_REMEMBERED, max_age_s=WINDOW_S, monotonic=monotonic
        )
        self._lock = Lock()

    def check(self, name: str | None, address: str) -> None:
        """Raise TooManyAttempts after too many failures of an account or address; None where nobody is named."""
        if any((self._failures.get(key) or 0) >= MOST[key[0]] for key in _keys(name, address)):
            raise TooManyAttempts(sentence("account.too-many-attempts", minutes=int(WINDOW_S // 60)))

    def failed(self, name: str | None, address: str) -> None:
        """Count a failure; the window begins again with each."""
        with self._lock:
            for key in _keys(name, address):
                self._failures.put(key, (self._failures.get(key) or 0) + 1)

    def succeeded(self, name: str, address: str) -> None:
        """Forget the failures of an account from an address."""
        self._failures.discard(_keys(name, address)[0])


def _keys(name: str | None, address: str) -> tuple[tuple[str, str], ...]:
    if name is None:
        return (("address", address),)
    return ("both", f"{name} {address}"), ("address", address), ("name", name)
