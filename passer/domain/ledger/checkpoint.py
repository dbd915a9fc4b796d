"""Checkpoints of a ledger and proofs against them, as texts (c2sp.org/tlog-checkpoint, tlog-proof, tlog-witness)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.bundle.merkle import Hash, is_consistent, is_included, leaf_hash
from passer.domain.ledger.signed_note import NoteKey, decoded, encoded, verified_text
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

PROOF = "c2sp.org/tlog-proof@v1"
"""First line of an inclusion proof."""
MOST_DIGITS = 18
"""Most digits of a number of rows or of a row."""
_LONGEST_PROOF = 63
"""Hashes of a proof in a tree of as many rows as a number can state."""


@dataclass(frozen=True)
class Checkpoint:
    """The head of a ledger's Merkle tree."""

    origin: str
    """Name of the ledger."""
    size: int
    """Number of rows."""
    root: Hash
    """Merkle tree hash (RFC 6962); the leaf of a row is the hash of 0x00 and the row's digest."""

    @property
    def text(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{encoded(self.root)}\n"


@dataclass(frozen=True)
class InclusionProof:
    """Proof that a row is in the ledger at a checkpoint."""

    index: int
    """Number of the row, from 0."""
    hashes: tuple[Hash, ...]
    """Siblings from the leaf to the root."""
    checkpoint: str
    """The signed checkpoint."""

    @property
    def text(self) -> str:
        """Return the proof as c2sp.org/tlog-proof writes it."""
        return f"{PROOF}\nindex {self.index}\n{_lines(self.hashes)}\n{self.checkpoint}"


@dataclass(frozen=True)
class ConsistencyProof:
    """Proof that a ledger at a later checkpoint begins with the rows of an earlier one."""

    earlier: int
    """Number of rows at the earlier checkpoint."""
    hashes: tuple[Hash, ...]
    """Hashes as in RFC 6962."""
    checkpoint: str
    """The later checkpoint, signed."""

    @property
    def text(self) -> str:
        """Return the proof as a witness is given it: the body of `add-checkpoint` in c2sp.org/tlog-witness."""
        return f"old {self.earlier}\n{_lines(self.hashes)}\n{self.checkpoint}"


def leaf_of(row_digest: str) -> Hash:
    """Return the leaf of a row, whose digest is hex."""
    return leaf_hash(bytes.fromhex(row_digest))


def opened_checkpoint(note: str, key: NoteKey) -> Checkpoint:
    """Return the checkpoint in a note that the key signed; InputError if it is none."""
    lines = verified_text(note, key).split("\n")
    if len(lines) < 4 or not all(lines[:-1]):
        raise InputError(sentence("note.not-checkpoint"))
    root = _hash(lines[2])
    # The key of one log must not confirm the tree of another, so a log's origin is the name of its key.
    if lines[0] != key.name:
        raise InputError(sentence("note.other-origin", origin=lines[0], key=key.name))
    return Checkpoint(lines[0], _number(lines[1]), root)


def inclusion_of(text: str) -> InclusionProof:
    """Read an inclusion proof; InputError if it has another form. What `extra` states is ignored."""
    head, hashes, checkpoint = _parts(text)
    if head[:1] == [PROOF] and len(head) == 3 and head[1].startswith("extra "):
        del head[1]
    if head[:1] != [PROOF] or len(head) != 2 or not head[1].startswith("index "):
        raise InputError(sentence("note.not-row-proof"))
    return InclusionProof(_number(head[1].removeprefix("index ")), hashes, checkpoint)


def consistency_of(text: str) -> ConsistencyProof:
    """Read a consistency proof; InputError if it has another form."""
    head, hashes, checkpoint = _parts(text)
    if len(head) != 1 or not head[0].startswith("old "):
        raise InputError(sentence("note.not-consistency-proof"))
    return ConsistencyProof(_number(head[0].removeprefix("old ")), hashes, checkpoint)


def included_at(proof: InclusionProof, row_digest: str, key: NoteKey) -> Checkpoint | None:
    """Return the checkpoint that a row was in; None if the proof does not show it. InputError as above."""
    head = opened_checkpoint(proof.checkpoint, key)
    shown = is_included(leaf_of(row_digest), proof.index, head.size, proof.hashes, head.root)
    return head if shown else None


def continues(proof: ConsistencyProof, earlier: Checkpoint, key: NoteKey) -> Checkpoint | None:
    """Return the later checkpoint if it continues the earlier one; None if the proof does not show it."""
    head = opened_checkpoint(proof.checkpoint, key)
    if proof.earlier != earlier.size:
        return None
    if earlier.size == 0:
        # Every ledger continues an empty one, so a checkpoint of size 0 must have the root of the empty tree.
        return None if proof.hashes or earlier.root != hashlib.sha256(b"").digest() else head
    return head if is_consistent(earlier.size, earlier.root, head.size, head.root, proof.hashes) else None


def _parts(text: str) -> tuple[list[str], tuple[Hash, ...], str]:
    """Return the lines before the hashes, the hashes, and the note after the first empty line."""
    before, found, note = text.partition("\n\n")
    lines = before.split("\n", _LONGEST_PROOF + 4)
    head = [line for line in lines if " " in line or line == PROOF]
    hashes = lines[len(head) :]
    if not found or len(hashes) > _LONGEST_PROOF or lines[: len(head)] != head:
        raise InputError(sentence("note.not-proof"))
    return head, tuple(_hash(line) for line in hashes), note


def _number(text: str) -> int:
    # One spelling of each number: isdigit also accepts digits of other scripts, and int() leading zeros.
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and str(int(text)) == text):
        raise InputError(sentence("note.not-a-size", text=text[:40]))
    return int(text)


def _hash(text: str) -> Hash:
    content = decoded(text)
    if len(content) != hashlib.sha256().digest_size:
        raise InputError(sentence("note.not-a-digest", text=text[:60]))
    return content


def _lines(hashes: Sequence[Hash]) -> str:
    return "".join(f"{encoded(each)}\n" for each in hashes)
