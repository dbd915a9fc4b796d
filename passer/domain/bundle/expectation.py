"""Values that an auditor knows from other sources, and their comparison with a bundle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passer.domain.base import Frozen
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.entry_form import PlacedReceipt
from passer.domain.bundle.members import EntryDocument, LocalEntryPlace
from passer.domain.bundle.verification import Outcome
from passer.domain.dataset import Dataset
from passer.domain.ledger.checkpoint import InclusionProof, included_at, inclusion_of
from passer.domain.ledger.entry import AccountName, Digest
from passer.domain.ledger.signed_note import NoteKey
from passer.domain.wording.counted import counted
from passer.errors import InputError


class LoggedRow(Frozen):
    """A proof of inclusion, and the key that must have signed its checkpoint."""

    proof: InclusionProof
    """Proof as `passer ledger prove` writes it."""
    key: NoteKey
    """Key of the ledger, from a place that its operator does not control."""


class Expectation(Frozen):
    """Values that a bundle must have; None where the auditor has none."""

    account: AccountName | None = None
    """Account that must have recorded the run."""
    contract: AccountName | None = None
    """Account of the contract."""
    chain_id: Digest | None = None
    """Id of the chain."""
    head: tuple[int, Digest] | None = None
    """Sequence and digest of a row of the local ledger, published before."""
    logged: LoggedRow | None = None
    """Proof that a row was in the ledger at a signed checkpoint."""
    key: NoteKey | None = None
    """Key that must have signed the checkpoint whose proof is in the file; with `logged` its own key counts."""
    dataset: Dataset | None = None
    """The auditor's copy of the dataset; the step `dataset` compares with it."""

    @property
    def is_of_ledger(self) -> bool:
        """Return whether something is expected of the ledger's rows."""
        return any((self.account, self.contract, self.chain_id, self.head, self.logged, self.key))

    @property
    def of_runs(self) -> Expectation:
        """Return what is expected of the bundles in a study: a proof is of the study's own row."""
        # The bundles in a study have rows of their own, which a proof of the study says nothing about.
        return self.model_copy(update={"logged": None, "key": None})

    def compared(
        self, document: EntryDocument, placed: Sequence[PlacedReceipt], proof: bytes | None = None
    ) -> tuple[Outcome, str | Violation]:
        """Compare with the rows of a bundle: the outcome with one sentence, or with the problem.

        `proof` is the one in the file, None where it has none.
        """
        if self.head is not None:
            found = self._at_head(placed)
            if found is not None:
                return found
        expected = {"chain_id": self.chain_id, "contract": self.contract, "creator": self.account}
        for number, transaction in enumerate(document.transactions):
            for name, value in expected.items():
                stated = getattr(transaction, name)
                if value is not None and stated != value:
                    return "fail", Violation(
                        f"{name} is {stated}, not {value}.", field=f"transactions[{number}].{name}"
                    )
        # "Not checked", not "pass": an auditor who expects an account must not read a local ledger as its confirmation.
        if not document.transactions and any(expected.values()):
            return "not_checked", "Not checked, because the run is recorded in a local ledger, not on a blockchain."
        if self.logged is not None:
            return self._as_logged(self.logged, placed)
        if self.key is not None:
            return self._by_key(self.key, proof, placed)
        return "pass", "The values are those that you expect."

    def _by_key(
        self, key: NoteKey, proof: bytes | None, placed: Sequence[PlacedReceipt]
    ) -> tuple[Outcome, str | Violation]:
        """Return whether the proof in the file is signed by the key that the auditor knows."""
        if proof is None:
            return "not_checked", "Not checked, because the file has no proof that the key could have signed."
        try:
            held = inclusion_of(proof.decode("utf-8", "replace"))
        except InputError as exc:
            return "fail", Violation(f"The proof in the file cannot be used. {exc.message}")
        return self._as_logged(LoggedRow(proof=held, key=key), placed)

    def _as_logged(self, logged: LoggedRow, placed: Sequence[PlacedReceipt]) -> tuple[Outcome, str | Violation]:
        """Return whether the proof shows that a row of the bundle was in the ledger at the checkpoint."""
        rows, sequence = dict(_local_rows(placed)), logged.proof.index + 1
        if sequence not in rows:
            return "not_checked", f"Not checked, because row {sequence}, which the proof is of, is not in the bundle."
        path, digest = rows[sequence]
        try:
            head = included_at(logged.proof, digest, logged.key)
        except InputError as exc:
            return "fail", Violation(f"The proof cannot be used. {exc.message}", field=path)
        if head is None:
            return "fail", Violation(f"The proof does not show that row {sequence} was in the ledger.", field=path)
        detail = f"Row {sequence} ({path.removesuffix('.place.digest')}) is in the ledger {head.origin} at its signed "
        return "pass", f"{detail}checkpoint of {counted(head.size, 'row')}."

    def _at_head(self, placed: Sequence[PlacedReceipt]) -> tuple[Outcome, str | Violation] | None:
        """Return what is wrong with the row of the head, or why it is not known; None if it is there."""
        sequence, digest = self.head or (0, "")
        rows = dict(_local_rows(placed))
        if not rows:
            return "not_checked", "Not checked, because the run is recorded on a blockchain, not in a local ledger."
        if sequence not in rows:
            detail = (
                f"Not checked, because row {sequence} is not in the bundle. Ask for the rows from {min(rows)} to "
                f"{sequence}, as `passer ledger export` writes them."
            )
            return "not_checked", detail
        path, stated = rows[sequence]
        return None if stated == digest else ("fail", Violation(f"Row {sequence} has another digest.", field=path))


def _local_rows(placed: Sequence[PlacedReceipt]) -> Iterator[tuple[int, tuple[str, str]]]:
    for item in placed:
        place = item.receipt.place
        if isinstance(place, LocalEntryPlace):
            yield place.sequence, (f"{item.path}.place.digest", place.digest)
