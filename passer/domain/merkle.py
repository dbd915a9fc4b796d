"""The Merkle tree of RFC 6962 over SHA-256: leaves, root, and the path that ties one leaf to the root."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

Hash = bytes
"""32 bytes."""


def leaf_hash(data: bytes) -> Hash:
    """SHA-256(0x00 || data)."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: Hash, right: Hash) -> Hash:
    """SHA-256(0x01 || left || right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[Hash]) -> Hash:
    """The root over leaf hashes; of none SHA-256 of nothing. Level by level, an odd node out is promoted."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    level = list(leaves)
    while len(level) > 1:
        paired = [node_hash(level[place], level[place + 1]) for place in range(0, len(level) - 1, 2)]
        level = paired + level[len(paired) * 2 :]
    return level[0]


def inclusion_path(leaves: Sequence[Hash], place: int) -> list[Hash]:
    """The hashes that lead from the leaf at that place (from 0) to the root, nearest first; IndexError beyond."""
    if not 0 <= place < len(leaves):
        raise IndexError(f"There is no leaf {place} among {len(leaves)}.")
    path, level = [], list(leaves)
    while len(level) > 1:
        neighbour = place ^ 1
        if neighbour < len(level):
            path.append(level[neighbour])
        paired = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level, place = paired + level[len(paired) * 2 :], place // 2
    return path


def root_by_path(leaf: Hash, path: Sequence[Hash], *, place: int, count: int) -> Hash:
    """The root that a leaf at that place of so many leads to by its path; ValueError for a path of another length."""
    if not 0 <= place < count:
        raise ValueError(f"There is no leaf {place} among {count}.")
    found, rest = leaf, list(path)
    while count > 1:
        if place ^ 1 < count:
            if not rest:
                raise ValueError("The path is too short for this leaf.")
            found = node_hash(rest.pop(0), found) if place & 1 else node_hash(found, rest.pop(0))
        place, count = place // 2, (count + 1) // 2
    if rest:
        raise ValueError("The path is too long for this leaf.")
    return found
