"""The Ed25519 key of this installation, which signs checkpoints of its ledgers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from passer.domain.ledger.signed_note import NoteKey

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Ed25519NoteSigner:
    """ports.NoteSigner; the secret is read when something is first signed."""

    def __init__(self, secret: Callable[[], str]) -> None:
        self._secret = secret

    def key(self, name: str) -> NoteKey:
        return NoteKey(name, self._private.public_key().public_bytes_raw())

    def sign(self, text: str) -> bytes:
        return self._private.sign(text.encode())

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(_seed(self._secret()))


def _seed(secret: str) -> bytes:
    """Return 32 bytes of a secret text, which has at least as much randomness."""
    return hashlib.sha256(b"passer checkpoints\n" + secret.strip().encode()).digest()


def fingerprint(key: NoteKey) -> str:
    """Return eight hex digits that name a key."""
    return hashlib.sha256(key.public).hexdigest()[:8]
