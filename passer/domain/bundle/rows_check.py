"""Subject of a verification, and the checks of entry.json that bundles and studies share: seals, places, digests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from passer.domain.bundle.documents import ReadMember, Violation
from passer.domain.bundle.entry_form import (
    PlacedReceipt,
    action_wrong,
    misplaced,
    receipts_of,
    transaction_wrong,
    unsealed,
)
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.members import ChainEntryPlace, EntryDocument, EntryReceipt, LocalEntryPlace, Transaction
from passer.domain.bundle.proofs_check import CheckStamp, Proofs
from passer.domain.bundle.verification import CHAIN_STEPS, Outcome, StepName, Steps
from passer.domain.bundle.zip_form import PROOF
from passer.domain.ledger.chain import RecordedAction, TransactionReader
from passer.domain.ledger.entry import row_digest
from passer.domain.wording.counted import counted
from passer.errors import InputError

ENTRY = "entry.json"
NOTHING_BEFORE = "0" * 64
ROWS_STEPS: tuple[StepName, ...] = ("transaction_id", "action", "expected")
"""Last steps about the ledger, which need rows."""
LEGACY = "the rows are in the published contract, which has no digests, checks no authority and can be emptied"


class Subject:
    """Steps so far, and how one fails at a question."""

    def __init__(self, steps: Steps, entry: ReadMember[EntryDocument], proofs: Proofs = Proofs()) -> None:
        self.steps, self.entry, self.proofs = steps, entry, proofs

    @property
    def questions(self) -> int:
        """Return the number of questions that have a row in entry.json, if questions are recorded."""
        return 0

    def name_of(self, number: int | None) -> str | None:
        """Return the id of a question; None where it is not known."""
        return None

    def fail_at(self, name: StepName, member: str, wrong: Violation, *, more: int = 0) -> None:
        """Add a failed step; names the question where the problem has one."""
        question = self.name_of(wrong.number)
        where = f"Question {wrong.number + 1} ({question or 'id unknown'}): " if wrong.number is not None else ""
        others = f" {more} more have problems." if more else ""
        self.steps.failed(
            name, f"{where}{wrong.detail}{others}", member=member, number=wrong.number, question=question,
            path=wrong.field,
        )  # fmt: skip

    def add(self, name: StepName, outcome: Outcome, found: str | Violation, member: str) -> None:
        """Add a step with its sentence, or with its problem in a member."""
        if isinstance(found, Violation):
            self.fail_at(name, member, found)
        elif outcome == "pass":
            self.steps.passed(name, found)
        else:
            self.steps.not_checked(name, found)


SubjectT = TypeVar("SubjectT", bound=Subject)


class RowsCheck(ABC, Generic[SubjectT]):
    """Compares the rows in entry.json with each other and with their places."""

    own_steps: ClassVar[tuple[StepName, ...]]
    """Steps that compare the rows with what they record."""

    def __init__(
        self,
        subject: SubjectT,
        read_transaction: TransactionReader | None,
        expectation: Expectation,
        check_stamp: CheckStamp | None = None,
    ) -> None:
        self._subject, self._steps, self._read = subject, subject.steps, read_transaction
        self._expectation, self._check_stamp = expectation, check_stamp
        self.document: EntryDocument | None = subject.entry.value
        """entry.json; None if it cannot be read."""
        self.placed: tuple[PlacedReceipt, ...] = receipts_of(subject.entry)
        """All receipts."""

    def check(self) -> None:
        """Run all checks of the ledger rows that need only the bundle."""
        self._entry()
        because = self._nothing_to_hold()
        if because is not None:
            for name in (*self.own_steps, "local_ledger"):
                self._steps.skipped(name, because)
            self._proofs()
            for name in ROWS_STEPS:
                self._steps.skipped(name, because)
            return
        self.check_own_rows()
        self._local_ledger()
        self._proofs()
        self._transaction_ids()
        self._actions()
        self._expected()

    @abstractmethod
    def check_own_rows(self) -> None:
        """Add `own_steps`: whether the rows are those that follow from what is recorded."""

    def transactions(self) -> list[tuple[Transaction, list[tuple[int, EntryReceipt]]]]:
        """Return the transactions with their receipts and action indexes, to ask a chain about."""
        held = [
            (transaction, list[tuple[int, EntryReceipt]]())
            for transaction in (self.document.transactions if self.document else ())
        ]
        for item in self.placed:
            place = item.receipt.place
            if isinstance(place, ChainEntryPlace) and place.transaction < len(held):
                held[place.transaction][1].append((place.action_index, item.receipt))
        return held

    def why_no_chain(self) -> str | None:
        """Return why no chain can be asked; None if one can."""
        because = self._nothing_to_hold()
        if because is not None:
            return because
        if not self.transactions():
            return "the run is recorded in a local ledger, not on a blockchain"
        if self._is_broken("entry") or self._is_broken("transaction_id") or self._is_broken("action"):
            return "the transactions in entry.json are damaged"
        return None if self._steps.outcome("action") == "pass" else "the actions could not be compared with the entries"

    def skip_chain(self, because: str) -> None:
        """Mark all chain steps as not checked."""
        for name in CHAIN_STEPS:
            self._steps.skipped(name, because)

    def _nothing_to_hold(self) -> str | None:
        if self.document is None:
            return "entry.json cannot be read"
        return None if self.placed else "the bundle states that the run is not recorded"

    def _entry(self) -> None:
        read = self._subject.entry
        if read.violation is not None:
            self._steps.failed("entry", read.violation.detail, member=ENTRY, path=read.violation.field)
        elif read.value is not None:
            wrong = next(unsealed(read.value, self.placed), None) or misplaced(
                read.value, self.placed, questions=self._subject.questions
            )
            if wrong is not None:
                self._subject.fail_at("entry", ENTRY, wrong)
            else:
                self._steps.passed("entry", f"Canonical and valid, {counted(len(self.placed), 'entry')}, seals match.")

    def _proofs(self) -> None:
        """Check what others signed; a file that is not recorded may have a time stamp."""
        proofs = self._subject.proofs
        if self.document is None:
            self._steps.skipped("checkpoint", "entry.json cannot be read")
        else:
            self._subject.add("checkpoint", *proofs.checkpoint(self.document, self.placed))
        self._subject.add("stamps", *proofs.stamps(self.document, self._check_stamp))

    def _local_ledger(self) -> None:
        held = [(item, item.receipt.place) for item in self.placed]
        local = sorted(
            ((place, item) for item, place in held if isinstance(place, LocalEntryPlace)),
            key=lambda pair: pair[0].sequence,
        )
        if not local:
            self._steps.skipped("local_ledger", "the run is recorded on a blockchain")
            return
        before: LocalEntryPlace | None = None
        for place, item in local:
            at, entry = item.receipt.recorded_at, item.entry
            digest = row_digest(sequence=place.sequence, previous=place.previous, recorded_at=at, entry=entry)
            if digest != place.digest:
                self._fail_at(item, "local_ledger", "The row's digest does not match its content.", "place.digest")
                return
            follows = before is not None and before.sequence + 1 == place.sequence
            expected = before.digest if before and follows else NOTHING_BEFORE
            # Rows of other runs may lie between two of this bundle: only neighbours, and the first row, can be
            # compared.
            if (follows or place.sequence == 1) and place.previous != expected:
                self._fail_at(item, "local_ledger", "The row does not link to the previous row.", "place.previous")
                return
            before = place
        detail = (
            f"{counted(len(local), 'row')}; digest of the last row: {local[-1][0].digest}. "
            "Compare it with a published head."
        )
        self._steps.passed("local_ledger", detail)

    def _transaction_ids(self) -> None:
        held = self.document.transactions if self.document else ()
        if not held:
            self._steps.skipped("transaction_id", "the run is recorded in a local ledger, not on a blockchain")
            return
        for number, transaction in enumerate(held):
            wrong = transaction_wrong(transaction)
            if wrong is not None:
                self._steps.failed("transaction_id", wrong.detail, member=ENTRY,
                                   path=f"transactions[{number}].{wrong.field}")  # fmt: skip
                return
        # Such a block could still be replaced, so neither its number nor a missing id speaks against the bundle.
        if any(transaction.block_number is not None and transaction.block_id is None for transaction in held):
            self._steps.skipped("transaction_id", "a block was not irreversible when the bundle was written")
        else:
            self._steps.passed("transaction_id", f"{len(held)} transactions.")

    def _actions(self) -> None:
        if not self.transactions() or self._is_broken("transaction_id") or self._is_broken("entry"):
            because = "there is no transaction" if not self.transactions() else "entry.json is damaged"
            self._steps.skipped("action", because)
            return
        if self._read is None:
            self._steps.skipped("action", "this version does not know the format of transactions")
            return
        unpacked: list[tuple[Transaction, Sequence[RecordedAction]]] = []
        for number, (transaction, _) in enumerate(self.transactions()):
            try:
                unpacked.append((transaction, self._read(bytes.fromhex(transaction.packed_transaction))))
            except InputError:
                path = f"transactions[{number}].packed_transaction"
                self._steps.failed("action", "Its bytes are not a transaction.", member=ENTRY, path=path)
                return
        for item in self.placed:
            place = item.receipt.place
            if isinstance(place, ChainEntryPlace):
                wrong = action_wrong(item.receipt, place, *unpacked[place.transaction])
                if wrong is not None:
                    self._fail_at(item, "action", wrong.detail, str(wrong.field))
                    return
        # The published contract has no field for a digest: that its rows match proves little, so the step does not
        # count as passed.
        if any(action.legacy for _, actions in unpacked for action in actions):
            self._steps.skipped("action", LEGACY)
        else:
            self._steps.passed("action", f"{len(self.placed)} actions match the entries.")

    def _is_broken(self, name: StepName) -> bool:
        return self._steps.outcome(name) == "fail"

    def _expected(self) -> None:
        expectation, document = self._expectation, self.document
        if not expectation.is_of_ledger or document is None:
            self._steps.skipped("expected", "no account, contract, blockchain or head was given to compare with")
        else:
            proof = self._subject.proofs.members.get(PROOF)
            self._subject.add("expected", *expectation.compared(document, self.placed, proof), ENTRY)

    def _fail_at(self, item: PlacedReceipt, name: StepName, detail: str, part: str) -> None:
        question = self._subject.name_of(item.number)
        self._steps.failed(
            name, detail, member=ENTRY, number=item.number, question=question, path=f"{item.path}.{part}"
        )
