"""Checks of the ledger's rows in a bundle: they match manifest and records, and each other."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.bundle.check import ENTRY, MANIFEST, QUESTIONS, BundleCheck
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.entry_form import PlacedReceipt, other_field
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.members import NOT_RECORDED
from passer.domain.bundle.question_record import TIMES, times, vector
from passer.domain.bundle.rows_check import RowsCheck
from passer.domain.ledger.entry import Action
from passer.domain.ledger.of_run import EntryMaker
from passer.domain.sweeps.run_tally import RunningMeans, mean_scores
from passer.domain.wording.counted import grouped


class LedgerCheck(RowsCheck[BundleCheck]):
    """Compares entry.json with manifest and records; adds its steps after those of a `BundleCheck`."""

    own_steps = ("run_entry", "question_entries")

    def check_own_rows(self) -> None:
        """Check the ledger rows that a run bundle contains: the run's and those of its questions."""
        self._run_entry()
        self._question_entries()

    def _run_entry(self) -> None:
        manifest = self._subject.manifest
        if manifest.value is None:
            self._steps.skipped("run_entry", "manifest.json cannot be read")
            return
        maker = _maker(manifest.value)
        expected = {"run": maker.of_run("addtest", mean_scores(manifest.value.means), run_digest=manifest.digest)}
        if self.document is not None and self.document.run_times != NOT_RECORDED:
            rows = self._rows_of_times()
            if rows is None:
                self._steps.skipped("run_entry", "a question record or its times are damaged")
                return
            means = RunningMeans(len(TIMES))
            for row in rows:
                means.add(row)
            expected["run_times"] = maker.of_run("addtimetest", means.means, run_digest=manifest.digest)
        for item in self.placed:
            wanted = expected.get(item.path)
            # Only studies contain a registration: no row of a run follows from it.
            other = other_field(item.receipt.entry, wanted) if wanted is not None else "action"
            if item.number is None and other is not None:
                self._blame(item, other)
                return
        self._steps.passed("run_entry", f"Run digest {manifest.digest}.")

    def _blame(self, item: PlacedReceipt, other: str) -> None:
        """Blame the manifest where its seals show a change, else the row."""
        changed = self._subject.changed
        if changed:
            detail = f"The ledger contains the digest of another manifest. Changed members: {', '.join(changed)}."
            self._steps.failed("run_entry", detail, member=MANIFEST, path=changed[0])
        else:
            detail = f"The row's {other} does not match the manifest."
            self._steps.failed("run_entry", detail, member=ENTRY, path=f"{item.path}.entry.{other}")

    def _question_entries(self) -> None:
        of_questions = [item for item in self.placed if item.number is not None]
        manifest = self._subject.manifest.value
        whole, rows = self._subject.records.whole, None
        if not of_questions:
            self._steps.skipped("question_entries", "only the run itself is recorded")
            return
        if any(item.path.startswith("question_times") for item in of_questions):
            rows = self._rows_of_times()
            whole = whole if rows else None
        # Positions in entry.json are used as indexes below: its own check must have found them in range.
        if manifest is None or whole is None or self._steps.outcome("entry") != "pass":
            self._steps.skipped(
                "question_entries", "the manifest, entry.json or a question's record or times are damaged"
            )
            return
        maker = _maker(manifest)
        for item in of_questions:
            number = item.number or 0
            record, leaf = whole[number], self._subject.records.leaves[number].hex()
            action: Action = "addtimetest" if rows and item.path.startswith("question_times") else "addtest"
            values = rows[number] if rows and action == "addtimetest" else vector(record.scores)
            other = other_field(item.receipt.entry, maker.of_question(action, values, question_id=record.id, leaf=leaf))
            if other is not None:
                self._blame_question(item, other)
                return
        self._steps.passed("question_entries", f"Rows that match their records: {grouped(len(of_questions))} (all).")

    def _blame_question(self, item: PlacedReceipt, other: str) -> None:
        """Blame the record where its leaf is not the one in scores.csv, else the row."""
        number = item.number or 0
        noted, leaf = self._subject.noted.get(number), self._subject.records.leaves[number].hex()
        if noted is not None and noted.leaf != leaf:
            detail = "The ledger contains another record of this question."
            self._subject.fail_at("question_entries", QUESTIONS, Violation(detail, number=number))
            return
        path = f"{item.path}.entry.{other}"
        detail = f"The row's {other} does not match the record."
        self._subject.fail_at("question_entries", ENTRY, Violation(detail, field=path, number=number))

    def _rows_of_times(self) -> list[Sequence[float | None]] | None:
        """Return the nine times of each question; None if a record or its times are broken."""
        whole, timings = self._subject.records.whole, self._subject.timings
        if whole is None or timings.violations:
            return None
        pairs = zip(whole, timings.timings, strict=True)
        return [times(record.timings, timing) for record, timing in pairs if timing is not None]


def _maker(manifest: Manifest) -> EntryMaker:
    return EntryMaker(manifest.run.id, manifest.config_digest)
