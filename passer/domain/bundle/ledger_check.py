"""Checks of the ledger's rows in a bundle: they match manifest and records, and each other."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.bundle.check import ENTRY, MANIFEST, QUESTIONS, BundleCheck
from passer.domain.bundle.documents import Wrong
from passer.domain.bundle.entry_form import (
    Placed,
    action_wrong,
    local_digest,
    misplaced,
    other_field,
    placed_of,
    transaction_wrong,
    unsealed,
)
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.members import (
    NOT_RECORDED,
    ChainEntryPlace,
    EntryDocument,
    EntryReceipt,
    LocalEntryPlace,
    Transaction,
)
from passer.domain.bundle.verification import CHAIN_STEPS, StepName
from passer.domain.ledger.chain import RecordedAction, TransactionReader
from passer.domain.ledger.entry import Action
from passer.domain.ledger.of_run import EntryMaker
from passer.domain.manifest import Manifest, RunningMeans, mean_scores
from passer.domain.question_record import TIMES, times, vector
from passer.domain.wording.counted import counted
from passer.errors import InputError

NOTHING_BEFORE = "0" * 64
LEDGER_STEPS: tuple[StepName, ...] = (
    "run_entry", "question_entries", "local_ledger", "transaction_id", "action", "expected",
)  # fmt: skip
LEGACY = "the rows are in the published contract, which has no digests, checks no authority and can be emptied"


class LedgerCheck:
    """Compares entry.json with manifest and records; adds its steps after those of a `BundleCheck`."""

    def __init__(
        self, bundle: BundleCheck, read_transaction: TransactionReader | None, expectation: Expectation
    ) -> None:
        self._bundle, self._steps, self._read = bundle, bundle.steps, read_transaction
        self._expectation = expectation
        self.document: EntryDocument | None = bundle.entry.value
        """entry.json; None if it cannot be read."""
        self.placed: tuple[Placed, ...] = placed_of(self.document) if self.document else ()
        """All receipts."""

    def check(self) -> None:
        """Check everything about the ledger that needs nothing but the bundle."""
        self._entry()
        because = self._nothing_to_hold()
        if because is not None:
            for name in LEDGER_STEPS:
                self._steps.skipped(name, because)
            return
        self._run_entry()
        self._question_entries()
        self._local_ledger()
        self._transaction_ids()
        self._actions()
        self._expected()

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
            return "the run is recorded in a local ledger, not on a chain"
        if self._is_broken("entry") or self._is_broken("transaction_id") or self._is_broken("action"):
            return "the transactions in entry.json are broken"
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
        read = self._bundle.entry
        if read.wrong is not None:
            self._steps.failed("entry", read.wrong.detail, member=ENTRY, path=read.wrong.field)
        elif read.value is not None:
            wrong = next(unsealed(read.value, self.placed), None) or misplaced(
                read.value, self.placed, questions=len(self._bundle.records.records)
            )
            if wrong is not None:
                self._bundle.fail_at("entry", ENTRY, wrong)
            else:
                self._steps.passed("entry", f"Canonical and valid, {len(self.placed)} receipts, seals match.")

    def _run_entry(self) -> None:
        manifest = self._bundle.manifest
        if manifest.value is None:
            self._steps.skipped("run_entry", "manifest.json cannot be read")
            return
        maker = _maker(manifest.value)
        expected = {"run": maker.of_run("addtest", mean_scores(manifest.value.means), run_digest=manifest.digest)}
        if self.document is not None and self.document.run_times != NOT_RECORDED:
            rows = self._rows_of_times()
            if rows is None:
                self._steps.skipped("run_entry", "a question record or its times are broken")
                return
            means = RunningMeans(len(TIMES))
            for row in rows:
                means.add(row)
            expected["run_times"] = maker.of_run("addtimetest", means.means, run_digest=manifest.digest)
        for item in self.placed:
            if item.number is None and (other := other_field(item.receipt.entry, expected[item.path])):
                self._blame(item, other)
                return
        self._steps.passed("run_entry", f"Run digest {manifest.digest}.")

    def _blame(self, item: Placed, other: str) -> None:
        """Blame the manifest where its seals show a change, else the row."""
        changed = self._bundle.changed
        if changed:
            detail = f"The ledger contains the digest of another manifest. Changed members: {', '.join(changed)}."
            self._steps.failed("run_entry", detail, member=MANIFEST, path=changed[0])
        else:
            detail = f"The row's {other} does not match the manifest."
            self._steps.failed("run_entry", detail, member=ENTRY, path=f"{item.path}.entry.{other}")

    def _question_entries(self) -> None:
        of_questions = [item for item in self.placed if item.number is not None]
        manifest = self._bundle.manifest.value
        whole, rows = self._bundle.records.whole, None
        if not of_questions:
            self._steps.skipped("question_entries", "only the run itself is recorded")
            return
        if any(item.path.startswith("question_times") for item in of_questions):
            rows = self._rows_of_times()
            whole = whole if rows else None
        if manifest is None or whole is None or self._steps.outcome("entry") != "pass":
            self._steps.skipped(
                "question_entries", "the manifest, entry.json or a question's record or times are broken"
            )
            return
        maker = _maker(manifest)
        for item in of_questions:
            number = item.number or 0
            record, leaf = whole[number], self._bundle.records.leaves[number].hex()
            action: Action = "addtimetest" if rows and item.path.startswith("question_times") else "addtest"
            values = rows[number] if rows and action == "addtimetest" else vector(record.scores)
            other = other_field(item.receipt.entry, maker.of_question(action, values, question_id=record.id, leaf=leaf))
            if other is not None:
                self._blame_question(item, other)
                return
        self._steps.passed("question_entries", f"Rows that match their records: {len(of_questions):,} (all).")

    def _blame_question(self, item: Placed, other: str) -> None:
        """Blame the record where its leaf is not the one in scores.csv, else the row."""
        number = item.number or 0
        noted, leaf = self._bundle.noted.get(number), self._bundle.records.leaves[number].hex()
        if noted is not None and noted.leaf != leaf:
            detail = "The ledger contains another record of this question."
            self._bundle.fail_at("question_entries", QUESTIONS, Wrong(detail, number=number))
            return
        path = f"{item.path}.entry.{other}"
        detail = f"The row's {other} does not match the record."
        self._bundle.fail_at("question_entries", ENTRY, Wrong(detail, field=path, number=number))

    def _rows_of_times(self) -> list[Sequence[float | None]] | None:
        """Return the nine times of each question; None if a record or its times are broken."""
        whole, timings = self._bundle.records.whole, self._bundle.timings
        if whole is None or timings.wrong:
            return None
        pairs = zip(whole, timings.timings, strict=True)
        return [times(record.timings, timing) for record, timing in pairs if timing is not None]

    def _local_ledger(self) -> None:
        held = [(item, item.receipt.place) for item in self.placed]
        local = sorted(
            ((place, item) for item, place in held if isinstance(place, LocalEntryPlace)),
            key=lambda pair: pair[0].sequence,
        )
        if not local:
            self._steps.skipped("local_ledger", "the run is recorded on a chain")
            return
        before: LocalEntryPlace | None = None
        for place, item in local:
            if local_digest(item.receipt, place) != place.digest:
                self._fail_at(item, "local_ledger", "The row's digest does not match its content.", "place.digest")
                return
            follows = before is not None and before.sequence + 1 == place.sequence
            expected = before.digest if before and follows else NOTHING_BEFORE
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
            self._steps.skipped("transaction_id", "the run is recorded in a local ledger, not on a chain")
            return
        for number, transaction in enumerate(held):
            wrong = transaction_wrong(transaction)
            if wrong is not None:
                self._steps.failed("transaction_id", wrong.detail, member=ENTRY,
                                   path=f"transactions[{number}].{wrong.field}")  # fmt: skip
                return
        if any(transaction.block_number is not None and transaction.block_id is None for transaction in held):
            self._steps.skipped("transaction_id", "a block was not irreversible when the bundle was written")
        else:
            self._steps.passed("transaction_id", f"{len(held)} transactions.")

    def _actions(self) -> None:
        if not self.transactions() or self._is_broken("transaction_id") or self._is_broken("entry"):
            because = "there is no transaction" if not self.transactions() else "entry.json is broken"
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
        if any(action.legacy for _, actions in unpacked for action in actions):
            self._steps.skipped("action", LEGACY)
        else:
            self._steps.passed("action", f"{len(self.placed)} actions match the entries.")

    def _is_broken(self, name: StepName) -> bool:
        return self._steps.outcome(name) == "fail"

    def _expected(self) -> None:
        expectation, document = self._expectation, self.document
        if not expectation.is_of_ledger or document is None:
            self._steps.skipped("expected", "no account, contract, chain or head was given to compare with")
        else:
            self._bundle.add("expected", *expectation.compared(document, self.placed), ENTRY)

    def _fail_at(self, item: Placed, name: StepName, detail: str, part: str) -> None:
        question = self._bundle.name_of(item.number)
        self._steps.failed(
            name, detail, member=ENTRY, number=item.number, question=question, path=f"{item.path}.{part}"
        )


def _maker(manifest: Manifest) -> EntryMaker:
    return EntryMaker(manifest.run.id, manifest.config_digest)
