"""Enters the plan of a sweep in the ledger before its first question is asked, and checks that a study kept to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from passer.domain.base import digest_of
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.entry_form import REGISTRATION, other_field
from passer.domain.bundle.manifest import described_config
from passer.domain.bundle.members import EntryDocument, EntryReceipt, LocalEntryPlace
from passer.domain.bundle.question_record import question_digest
from passer.domain.dataset import Question
from passer.domain.study.document import ENTRY, STUDY, StudyDocument, described_design, planned_rule
from passer.domain.study.registration import (
    FORMAT,
    Registration,
    RegistrationDocument,
    first_difference,
    registration_entry,
)
from passer.domain.sweeps.run import Run, RunState
from passer.domain.wording.counted import counted
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, PasserError
from passer.ports import DatasetStore, RunStore, StoredSweep, WorkStore
from passer.services.analysis.verdict.primary_metric import recorded_rule
from passer.services.provenance.published_study import Recorder
from passer.services.provenance.study_check import StudyCheck
from passer.services.provenance.sweeps_of_dataset import other_sweeps
from passer.services.work.lease import leased

UNREGISTERED = "the plan was not registered before the sweep; the study is exploratory"
UNRECORDED = "a run is not recorded in a ledger, so that nothing shows which came first"


def check_registration(check: StudyCheck, asked: Sequence[str], rows_of_runs: Sequence[Sequence[EntryReceipt]]) -> None:
    """Add the step `registration`.

    `asked` are the digests of the questions, `rows_of_runs` the ledger's rows of each run in the table.
    """
    study, entry = check.study.value, check.entry.value
    if study is None or entry is None:
        check.steps.skipped("registration", "study.json or entry.json cannot be read")
    elif study.registration is None and entry.registration is None:
        check.steps.skipped("registration", UNREGISTERED)
    elif study.registration is None or entry.registration is None:
        member = STUDY if study.registration is None else ENTRY
        check.add("registration", "fail", Violation("It has no registration.", field=REGISTRATION), member)
    elif not all(rows_of_runs):
        check.steps.skipped("registration", UNRECORDED)
    else:
        wrong, member = _problem(study, entry, asked, [row for rows in rows_of_runs for row in rows])
        check.add("registration", "fail" if wrong else "pass", wrong or _detail(study, entry.registration), member)


def _problem(
    study: StudyDocument, entry: EntryDocument, asked: Sequence[str], rows: Sequence[EntryReceipt]
) -> tuple[Violation | None, str]:
    """Return the first problem, and the member that has it."""
    document, receipt, rule = study.registration, entry.registration, planned_rule(study.design)
    if document is None or receipt is None or rule is None:
        return Violation("The rule of the design is not valid.", field="design"), STUDY
    other = other_field(receipt.entry, registration_entry(document, rule))
    if other is not None:
        return Violation(f"The row's {other} is not that of the plan.", field=f"registration.entry.{other}"), ENTRY
    other = first_difference(
        document,
        sweep=study.sweep.id,
        design=study.design_digest,
        dataset=study.dataset.digest,
        configurations=(run.config_digest for run in study.runs),
    )
    if other is None and document.questions != tuple(asked):
        other = "questions"
    if other is not None:
        return Violation(f"The study's {other} is not the planned one.", field=f"registration.{other}"), STUDY
    late = any(_is_before(row, receipt) for row in rows)
    return Violation("Results were recorded before the plan.", field=REGISTRATION) if late else None, ENTRY


def _is_before(row: EntryReceipt, registered: EntryReceipt) -> bool:
    one, other = row.place, registered.place
    if isinstance(one, LocalEntryPlace) and isinstance(other, LocalEntryPlace) and one.sequence < other.sequence:
        return True
    return datetime.fromisoformat(row.recorded_at) < datetime.fromisoformat(registered.recorded_at)


def _detail(study: StudyDocument, receipt: EntryReceipt) -> str:
    document = study.registration
    if document is None:
        return ""
    said = f"Registered at {receipt.recorded_at} with {counted(document.earlier, 'earlier sweep')} of the dataset."
    if document.known:
        known = counted(len(document.known), "configuration")
        return f"{said} Exploratory: {known} had already answered questions of it."
    return f"{said} Confirmatory: no result was recorded before."


@dataclass(frozen=True)
class Registrar:
    """Registers plans; the same plan leads to the same row of the ledger, however often it is registered."""

    runs: RunStore
    recorder: Recorder

    def register(self, stored: StoredSweep, questions: Sequence[Question]) -> Registration:
        """Record the plan of a sweep that is not stored yet, and return it with its receipt.

        ConflictError where the ledger does not record it: the sweep must not start then.
        """
        document = self.document(stored, questions)
        try:
            receipt = self.recorder.record(registration_entry(document, recorded_rule(stored.sweep)))
        except PasserError as exc:
            raise ConflictError(sentence("registration.refused", reason=exc.message)) from exc
        return Registration(document=document, receipt=receipt)

    def document(self, stored: StoredSweep, questions: Sequence[Question]) -> RegistrationDocument:
        """Return the content of a registration of the sweep."""
        configurations = [described_config(run.config).digest for run in stored.runs]
        others = list(other_sweeps(self.runs, stored))
        asked = {
            described_config(run.config).digest
            for other in others
            for run in other.runs
            if run.counts.answered or run.counts.failed
        }
        return RegistrationDocument(
            format=FORMAT,
            sweep=stored.id,
            design_digest=digest_of(described_design(stored.sweep.model_dump(mode="json"))),
            dataset=stored.dataset_digest,
            # Digests, not texts: the row may be public before the results are (decision 014).
            questions=tuple(question_digest(each.id, each.text, each.references) for each in questions),
            configurations=tuple(configurations),
            # Answers are stored and reused: a plan made after them could have been written with the results in view.
            known=tuple(each for each in configurations if each in asked),
            earlier=len(others),
        )


@dataclass(frozen=True)
class WaitingSweeps:
    """Registers sweeps that exist already and have asked no question."""

    registrar: Registrar
    work: WorkStore
    datasets: DatasetStore

    def register(self, sweep_id: str) -> StoredSweep:
        """Register the plan of a sweep, once, and return the sweep.

        ConflictError where the ledger does not record it, or an answer exists already: what was written down after
        a result proves nothing. LeaseError while a process runs the sweep.
        """
        runs = self.registrar.runs
        known = runs.load_sweep(sweep_id, counted=False)
        if known.registered is not None:
            return known
        late = sentence("registration.late", sweep=sweep_id)
        # With the lease nobody can start the sweep between the look at its answers and the row of the ledger.
        with leased(self.work, sweep_id, refusal=lambda _: late):
            stored = runs.load_sweep(sweep_id)
            if any(map(_has_begun, stored.runs)):
                raise ConflictError(late)
            dataset = self.datasets.load_dataset(stored.sweep.config.dataset, stored.dataset_digest)
            runs.add_registration(self.registrar.register(stored, dataset.questions[: stored.questions]))
        return runs.load_sweep(sweep_id)


def _has_begun(run: Run) -> bool:
    return run.state not in (RunState.QUEUED, RunState.PAUSED) or run.counts.answered + run.counts.failed > 0
