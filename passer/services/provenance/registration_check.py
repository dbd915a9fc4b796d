"""Checks that the plan of a study was registered before its results, and that the study is the planned one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from passer.domain.bundle.documents import Violation
from passer.domain.bundle.entry_form import REGISTRATION, other_field
from passer.domain.bundle.members import EntryDocument, EntryReceipt, LocalEntryPlace
from passer.domain.study.document import ENTRY, STUDY, StudyDocument, planned_rule
from passer.domain.study.registration import first_difference, registration_entry
from passer.domain.wording.counted import counted
from passer.services.provenance.study_check import StudyCheck

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
