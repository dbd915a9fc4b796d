"""Signed checkpoints of the local ledger, and proofs that can be checked without its operator."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.bundle.merkle import SubtreeHash, consistency_proof, inclusion_proof, tree_head
from passer.domain.ledger.checkpoint import Checkpoint, ConsistencyProof, InclusionProof, opened_checkpoint
from passer.domain.ledger.signed_note import NoteKey, NoteSignature, signed_note
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import LedgerTree, NoteSigner, StoredCheckpoint


@dataclass(frozen=True)
class Checkpoints:
    """Signs the head of the ledger's Merkle tree, and proves rows and earlier heads."""

    tree: LedgerTree
    signer: NoteSigner
    origin: str
    """Name of the ledger and of its key."""

    @property
    def key(self) -> NoteKey:
        """Return the key that an auditor needs, from a place that the operator does not control."""
        return self.signer.key(self.origin)

    def current(self) -> StoredCheckpoint:
        """Return the checkpoint of all rows, signed when it is first asked for.

        ConflictError where the rows are not those of the last signed checkpoint: a ledger never signs two histories.
        """
        # In the other order, a checkpoint that another process signs in between has more rows than were counted.
        last, size = self.tree.last_checkpoint(), self.tree.extend()
        if last is not None and last.size == size:
            return last
        subtree = self.tree.subtrees()
        if last is not None:
            self._refuse_rewritten(last, size, subtree)
        head = Checkpoint(self.origin, size, tree_head(size, subtree))
        key = self.key
        signature = NoteSignature(key.name, key.id, self.signer.sign(head.text))
        stored = StoredCheckpoint(size=size, root=head.root.hex(), note=signed_note(head.text, [signature]))
        self.tree.keep(stored)
        return stored

    def prove(self, sequence: int) -> InclusionProof:
        """Return the proof that a row, by its number from 1, is in the ledger at the current checkpoint.

        Raises InputError if there is no such row.
        """
        head = self.current()
        if not 1 <= sequence <= head.size:
            raise InputError(sentence("provenance.no-row", row=sequence, size=head.size), field="row")
        hashes = inclusion_proof(sequence - 1, head.size, self.tree.subtrees())
        return InclusionProof(sequence - 1, tuple(hashes), head.note)

    def first_proof(self, sequence: int) -> InclusionProof:
        """Return the proof that a row is in the ledger at the first checkpoint that covers it, signed if there is none.

        So a file that contains the proof has the same bytes when it is written again. A checkpoint of an earlier key
        or name of the ledger does not count. Errors as in `prove`.
        """
        covering = (each for each in self.tree.checkpoints() if each.size >= sequence)
        head = next((each for each in covering if self._is_own(each)), None)
        if head is None:
            return self.prove(sequence)
        hashes = inclusion_proof(sequence - 1, head.size, self.tree.subtrees())
        return InclusionProof(sequence - 1, tuple(hashes), head.note)

    def continuation(self, earlier: int) -> ConsistencyProof:
        """Return the proof that the ledger extends its first rows. Raises InputError for more rows than it has."""
        head = self.current()
        if not 0 <= earlier <= head.size:
            raise InputError(sentence("provenance.never-rows", rows=earlier, size=head.size), field="earlier")
        hashes = consistency_proof(earlier, head.size, self.tree.subtrees()) if earlier else []
        return ConsistencyProof(earlier, tuple(hashes), head.note)

    def broken(self) -> str | None:
        """Compute the tree again from all rows; return where tree or a signed checkpoint differ, in one sentence."""
        # Read before the rows are counted, as in `current`.
        signed = self.tree.checkpoints()
        size = self.tree.extend()
        problem = self.tree.wrong_tile()
        subtree = self.tree.subtrees()
        if problem is not None:
            return problem
        wrong = (each for each in signed if each.size > size or each.root != tree_head(each.size, subtree).hex())
        other = next(wrong, None)
        return None if other is None else f"The checkpoint of {other.size} rows is not that of these rows."

    def _is_own(self, checkpoint: StoredCheckpoint) -> bool:
        try:
            return opened_checkpoint(checkpoint.note, self.key).size == checkpoint.size
        except InputError:
            return False

    @staticmethod
    def _refuse_rewritten(last: StoredCheckpoint, size: int, subtree: SubtreeHash) -> None:
        if last.size > size or tree_head(last.size, subtree).hex() != last.root:
            raise ConflictError(sentence("provenance.ledger-changed", size=last.size))
