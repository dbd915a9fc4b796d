"""The Merkle tree of RFC 6962 over SHA-256: leaves and root."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

Hash = bytes
"""A SHA-256 digest, 32 bytes."""


def leaf_hash(data: bytes) -> Hash:
    """Return SHA-256(0x00 || data), as in RFC 6962."""
    # Leaves and nodes are hashed with different first bytes: without them the two hashes within a node could pass as a
    # leaf.
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: Hash, right: Hash) -> Hash:
    """Return SHA-256(0x01 || left || right), as in RFC 6962."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[Hash]) -> Hash:
    """Return the root of leaf hashes (SHA-256 of nothing without leaves); an odd node is promoted to the next level."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    level = list(leaves)
    while len(level) > 1:
        paired = [node_hash(level[place], level[place + 1]) for place in range(0, len(level) - 1, 2)]
        # An odd node goes up unchanged. Hashing it with itself instead would give two different lists the same root.
        level = paired + level[len(paired) * 2 :]
    return level[0]
