"""Ports of the local ledger's Merkle tree, of the key that signs its checkpoints, and of their time stamps."""

from __future__ import annotations

from typing import Protocol

from passer.domain.base import Count, Frozen
from passer.domain.ledger.entry import Digest
from passer.domain.ledger.signed_note import NoteKey
from passer.domain.ledger.tlog import SubtreeHash


class StoredCheckpoint(Frozen):
    """A checkpoint that was signed; it is never changed."""

    size: Count
    """Number of rows."""
    root: Digest
    """Merkle tree hash (RFC 6962), hex."""
    note: str
    """The signed note."""


class LedgerTree(Protocol):
    """The Merkle tree over the digests of all rows; numbers of rows count from 0."""

    def extend(self) -> int:
        """Include all rows, and return their number; ConflictError where one is missing."""

    def digest(self, index: int) -> str:
        """Return the digest of a row, hex."""

    def subtrees(self) -> SubtreeHash:
        """Return a function for hashes of complete subtrees, which remembers what it read."""

    def checkpoints(self) -> list[StoredCheckpoint]:
        """Return all signed checkpoints, the smallest first."""

    def last_checkpoint(self) -> StoredCheckpoint | None:
        """Return the largest signed checkpoint."""

    def keep(self, checkpoint: StoredCheckpoint) -> None:
        """Keep a signed checkpoint; one of the same size is kept once."""

    def wrong_tile(self) -> str | None:
        """Compute what is kept of the tree again from all rows; return what differs, in one sentence."""


class StampStore(Protocol):
    """Replies of time stamp authorities (RFC 3161), by the SHA-256 of what they stamped, hex."""

    def stamp(self, digest: str) -> bytes | None:
        """Return the first reply that was kept; None where there is none."""

    def keep(self, digest: str, reply: bytes) -> None:
        """Keep a reply, unless there is one."""


class NoteSigner(Protocol):
    """Signs notes by the key of this installation."""

    def key(self, name: str) -> NoteKey:
        """Return the public key under a name."""

    def sign(self, text: str) -> bytes:
        """Return the Ed25519 signature of a text, 64 bytes."""
