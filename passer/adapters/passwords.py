"""Hashing of passwords with Argon2id (RFC 9106)."""

from __future__ import annotations

from functools import cached_property
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from passer.domain.extras import requires_extra
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

if TYPE_CHECKING:
    import argon2

AT_ONCE = 2
"""Hashes computed side by side: each takes 64 MiB and a processor, and anybody may try to sign in."""


class Argon2Passwords:
    """ports.PasswordHasher with the library's parameters (RFC 9106, low-memory profile)."""

    def __init__(self) -> None:
        self._turns = BoundedSemaphore(AT_ONCE)

    def hash(self, password: str) -> str:
        with self._turns:
            return self._hasher.hash(password)

    def is_right(self, password: str, hashed: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        with self._turns:
            try:
                return self._hasher.verify(hashed, password)
            except (VerificationError, InvalidHashError):
                return False

    @cached_property
    def _hasher(self) -> argon2.PasswordHasher:
        with requires_extra("team", sentence("extra.accounts"), ConfigError):
            import argon2
        return argon2.PasswordHasher()
