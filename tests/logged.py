"""Proofs that rows of a made bundle are in a ledger at a signed checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from passer.domain.bundle.expectation import LoggedRow
from passer.domain.bundle.merkle import Hash, SubtreeHash, inclusion_proof, root_of
from passer.domain.canonical import read_canonical
from passer.domain.ledger.checkpoint import Checkpoint, InclusionProof, leaf_of
from passer.domain.ledger.signed_note import NoteKey
from tests.bundles import members_of
from tests.domain.test_signed_notes import KEY, LOG, signed

Signs = Callable[[str], str]
"""Makes a signed note of a text."""


def logged_row(
    bundle: bytes, *, row: int, key: NoteKey = KEY, more: int = 0, other: str = "0" * 64, sign: Signs = signed
) -> LoggedRow:
    """The proof of a row, in a ledger with two other rows before those of the bundle, and `more` after them."""
    leaves = leaves_of(bundle, more=more, other=other)
    proof = inclusion_proof(row - 1, len(leaves), subtrees(leaves))
    checkpoint = sign(Checkpoint(LOG, len(leaves), root_of(leaves)).text)
    return LoggedRow(proof=InclusionProof(row - 1, tuple(proof), checkpoint), key=key)


def leaves_of(bundle: bytes, *, more: int, other: str = "0" * 64) -> list[Hash]:
    """The leaves of such a ledger; `other` is the digest of each row that is not the bundle's."""
    entry = read_canonical(members_of(bundle)["entry.json"])
    rows = [*(entry["questions"] if entry["questions"] != "not recorded" else ()), entry["run"]]
    digests = {receipt["place"]["sequence"]: receipt["place"]["digest"] for receipt in rows}
    return [leaf_of(digests.get(sequence, other)) for sequence in range(1, max(digests) + more + 1)]


def subtrees(leaves: Sequence[Hash]) -> SubtreeHash:
    return lambda level, n: root_of(leaves[n << level : (n + 1) << level])
