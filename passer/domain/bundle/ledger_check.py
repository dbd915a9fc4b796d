"""What a bundle holds of the ledger: whether its rows say what manifest and records say, and fit together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pydantic import ValidationError

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
from passer.domain.bundle.members import (
    NOT_RECORDED,
    ChainEntryPlace,
    EntryDocument,
    LocalEntryPlace,
    Transaction,
)
from passer.domain.bundle.verification import CHAIN_STEPS, StepName
from passer.domain.ledger.antelope.transaction import ChainTransaction, unpacked_transaction
from passer.domain.ledger.entry import Action, Entry
from passer.domain.ledger.of_run import EntryMaker
from passer.domain.manifest import Manifest, RunningMeans, mean_scores
from passer.domain.question_record import TIMES, times, vector
from passer.errors import InputError

NOTHING_BEFORE = "0" * 64
LEDGER_STEPS: tuple[StepName, ...] = ("run_entry", "question_entries", "local_ledger", "transaction_id", "action")


class LedgerCheck:
    """entry.json against manifest and records; goes on with the steps of a `BundleCheck`."""

    def __init__(self, bundle: BundleCheck) -> None:
        self._bundle, self._steps = bundle, bundle.steps

    @cached_property
    def document(self) -> EntryDocument | None:
        """entry.json; None where it cannot be read."""
        return self._bundle.entry.value if self._bundle.entry else None

    @cached_property
    def placed(self) -> tuple[Placed, ...]:
        """All receipts."""
        return placed_of(self.document) if self.document else ()

    def look(self) -> None:
        """Every step about the ledger that needs nothing but the bundle."""
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

    def transactions(self) -> list[tuple[Transaction, list[tuple[int, Entry]]]]:
        """Transactions with their entries by action; for a chain to look at."""
        held = [
            (transaction, list[tuple[int, Entry]]())
            for transaction in (self.document.transactions if self.document else ())
        ]
        for item in self.placed:
            place = item.receipt.place
            if isinstance(place, ChainEntryPlace) and place.transaction < len(held):
                held[place.transaction][1].append((place.action_index, item.receipt.entry))
        return held

    def why_no_chain(self) -> str | None:
        """Why there is nothing to ask a chain; None where there is."""
        because = self._nothing_to_hold()
        if because is not None:
            return because
        if not self.transactions():
            return "the run is recorded in a local ledger, not on a chain"
        if any(self._steps.outcome(name) != "pass" for name in ("entry", "transaction_id", "action")):
            return "the transactions in entry.json do not hold by themselves"
        return None

    def skip_chain(self, because: str) -> None:
        """Leave out what only a chain can confirm."""
        for name in CHAIN_STEPS:
            self._steps.skipped(name, because)

    def _nothing_to_hold(self) -> str | None:
        if self.document is None:
            return "entry.json cannot be read"
        return None if self.placed else "the bundle says that the run is not recorded"

    def _entry(self) -> None:
        read = self._bundle.entry
        if read is None:
            self._steps.skipped("entry", "it cannot be found in the file")
        elif read.wrong is not None:
            self._steps.failed("entry", read.wrong.detail, member=ENTRY, path=read.wrong.field)
        elif read.value is not None:
            wrong = next(unsealed(read.value, self.placed), None) or misplaced(
                read.value, self.placed, questions=len(self._bundle.records.records)
            )
            if wrong is not None:
                question = self._bundle.name_of(wrong.number)
                self._steps.failed("entry", wrong.detail, member=ENTRY, number=wrong.number, question=question,
                                   path=wrong.field)  # fmt: skip
            else:
                self._steps.passed("entry", f"Canonical, of the form, {len(self.placed)} receipts, seals hold.")

    def _run_entry(self) -> None:
        manifest = self._bundle.manifest
        if manifest is None or manifest.value is None:
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
        """A row of the run and the manifest say different things: the manifest, if its seals say that it changed."""
        changed = self._bundle.changed
        if changed:
            detail = f"The ledger holds the digest of another manifest: it was changed under {', '.join(changed)}."
            self._steps.failed("run_entry", detail, member=MANIFEST, path=changed[0])
        else:
            detail = f"The row's {other} is not what follows from the manifest."
            self._steps.failed("run_entry", detail, member=ENTRY, path=f"{item.path}.entry.{other}")

    def _question_entries(self) -> None:
        of_questions = [item for item in self.placed if item.number is not None]
        manifest = self._bundle.manifest.value if self._bundle.manifest else None
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
        self._steps.passed("question_entries", f"{len(of_questions)} rows say what the records say.")

    def _blame_question(self, item: Placed, other: str) -> None:
        """A question's row and its record say different things: the record, if its leaf is not the noted one."""
        number = item.number or 0
        noted, leaf = self._bundle.noted.get(number), self._bundle.records.leaves[number].hex()
        if noted is not None and noted.leaf != leaf:
            detail = "The ledger holds another record of it."
            self._bundle.at_question("question_entries", QUESTIONS, Wrong(detail, number=number))
            return
        path = f"{item.path}.entry.{other}"
        detail = f"The row's {other} is not what follows from the record."
        self._bundle.at_question("question_entries", ENTRY, Wrong(detail, field=path, number=number))

    def _rows_of_times(self) -> list[Sequence[float | None]] | None:
        """The nine times of each question; None where a record or its times are broken."""
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
                self._fail_at(item, "local_ledger", "The row's digest is not that of its content.", "place.digest")
                return
            follows = before is not None and before.sequence + 1 == place.sequence
            expected = before.digest if before and follows else NOTHING_BEFORE
            if (follows or place.sequence == 1) and place.previous != expected:
                self._fail_at(item, "local_ledger", "The row does not follow the row before.", "place.previous")
                return
            before = place
        detail = f"{len(local)} rows, the last with digest {local[-1][0].digest}: compare it with a published head."
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
        self._steps.passed("transaction_id", f"{len(held)} transactions.")

    def _actions(self) -> None:
        if self._steps.outcome("transaction_id") != "pass" or self._steps.outcome("entry") != "pass":
            because = "there is no transaction" if not self.transactions() else "entry.json does not hold by itself"
            self._steps.skipped("action", because)
            return
        unpacked: list[tuple[Transaction, ChainTransaction]] = []
        for number, (transaction, _) in enumerate(self.transactions()):
            try:
                packed = bytes.fromhex(transaction.packed_transaction)
                unpacked.append((transaction, unpacked_transaction(packed)))
            except (InputError, ValidationError):
                path = f"transactions[{number}].packed_transaction"
                self._steps.failed("action", "Its bytes are no transaction.", member=ENTRY, path=path)
                return
        for item in self.placed:
            place = item.receipt.place
            if isinstance(place, ChainEntryPlace):
                wrong = action_wrong(item.receipt.entry, place, *unpacked[place.transaction])
                if wrong is not None:
                    self._fail_at(item, "action", wrong, "place.action_index")
                    return
        self._steps.passed("action", f"{len(self.placed)} actions hold what the entries say.")

    def _fail_at(self, item: Placed, name: StepName, detail: str, part: str) -> None:
        question = self._bundle.name_of(item.number)
        self._steps.failed(
            name, detail, member=ENTRY, number=item.number, question=question, path=f"{item.path}.{part}"
        )


def _maker(manifest: Manifest) -> EntryMaker:
    return EntryMaker(manifest.run.id, manifest.config_digest)
