"""The Merkle tree of RFC 6962 over SHA-256: leaves, root, and proofs of inclusion and consistency (2.1.1, 2.1.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

Hash = bytes
"""A SHA-256 digest, 32 bytes."""
SubtreeHash = Callable[[int, int], Hash]
"""Returns the hash of 2^level leaves from number `index` * 2^level on, by level and index."""


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


def tree_head(size: int, subtree: SubtreeHash) -> Hash:
    """Return the Merkle tree hash of the first `size` leaves."""
    return _range_hash(0, size, subtree) if size else root_of(())


def inclusion_proof(index: int, size: int, subtree: SubtreeHash) -> list[Hash]:
    """Return PATH(index, D[size]): the siblings from the leaf to the root; `index` from 0, below `size`."""
    _refuse(0 <= index < size, "a leaf must be in the tree")
    start, end, siblings = 0, size, list[Hash]()
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            siblings.append(_range_hash(middle, end, subtree))
            end = middle
        else:
            siblings.append(_range_hash(start, middle, subtree))
            start = middle
    return siblings[::-1]


def consistency_proof(first: int, second: int, subtree: SubtreeHash) -> list[Hash]:
    """Return PROOF(first, D[second]): that the tree of `first` leaves is the beginning of that of `second`."""
    _refuse(0 < first <= second, "the earlier tree must have leaves, and not more than the later one")
    start, end, siblings, is_whole = 0, second, list[Hash](), True
    while first != end:
        middle = start + _split(end - start)
        if first <= middle:
            siblings.append(_range_hash(middle, end, subtree))
            end = middle
        else:
            siblings.append(_range_hash(start, middle, subtree))
            start, is_whole = middle, False
    # The holder of the earlier root knows this subtree already if it is the whole earlier tree.
    own = [] if is_whole else [_range_hash(start, end, subtree)]
    return own + siblings[::-1]


def is_included(leaf: Hash, index: int, size: int, proof: Sequence[Hash], root: Hash) -> bool:
    """Return whether a proof leads from a leaf to the root of a tree (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, found = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if place % 2 or place == last:
            found = node_hash(sibling, found)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            found = node_hash(found, sibling)
        place, last = place // 2, last // 2
    return last == 0 and found == root


def is_consistent(first: int, first_root: Hash, second: int, second_root: Hash, proof: Sequence[Hash]) -> bool:
    """Return whether the earlier tree is the beginning of the later one (RFC 9162, 2.1.4.2)."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not proof and first_root == second_root
    # A complete earlier tree is itself a subtree of the later one, so the proof leaves it out.
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        return False
    place, last = first - 1, second - 1
    while place % 2:
        place, last = place // 2, last // 2
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if place % 2 or place == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            new = node_hash(new, sibling)
        place, last = place // 2, last // 2
    return last == 0 and old == first_root and new == second_root


def _range_hash(start: int, end: int, subtree: SubtreeHash) -> Hash:
    """Return the hash of leaves `start` to `end`; `start` is a multiple of the largest power of two in between."""
    count = end - start
    if count & (count - 1) == 0:
        return subtree(count.bit_length() - 1, start // count)
    middle = start + _split(count)
    return node_hash(_range_hash(start, middle, subtree), _range_hash(middle, end, subtree))


def _split(count: int) -> int:
    """Return the largest power of two below a number of at least two leaves."""
    return 1 << ((count - 1).bit_length() - 1)


def _refuse(is_valid: bool, problem: str) -> None:
    if not is_valid:
        raise ValueError(problem)
