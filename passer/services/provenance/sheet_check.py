"""Checks of a study of imported sheets: its rows, and that the columns are the ones that their numbers show."""

from __future__ import annotations

from passer.domain.bundle.documents import Violation
from passer.domain.bundle.zip_form import PROOFS
from passer.domain.sheets.sheet import place_of
from passer.domain.study.document import FIRST_MEMBERS, ROWS, SHEET_FILES, STUDY, StudyDocument
from passer.domain.study.sheet_rows import asked, name_of, read_rows, runs_of_rows
from passer.services.provenance.study_check import ReadRuns, StudyCheck

NO_TEXTS = "imported sheets have no references"
UNREAD = "the rows cannot be read"


def check_sheets(check: StudyCheck, study: StudyDocument) -> ReadRuns | None:
    """Add the steps `runs`, `dataset`, `rescored` and `design`; None where no table follows from the rows."""
    sheets = study.sheets or ()
    held = tuple(check.members)[len(FIRST_MEMBERS) :]
    expected = (*(name for name in PROOFS if name in check.members), *SHEET_FILES)
    if held != expected:
        other = next((name for name in (*expected, *held) if (name in expected) != (name in held)), STUDY)
        check.steps.failed("runs", "The members are not those of a study of imported sheets.", member=other)
        rows = None
    else:
        read = read_rows(bytes(check.members[ROWS]), sheets, texts=study.texts is None)
        rows = None if isinstance(read, Violation) else read
        whole = f"{len(sheets)} sheets, {sum(sheet.rows for sheet in sheets)} rows, as they were imported."
        check.add("runs", "pass" if rows else "fail", read if isinstance(read, Violation) else whole, ROWS)
    for name in ("dataset", "rescored"):
        check.steps.skipped(name, NO_TEXTS)
    if rows is None:
        check.steps.skipped("design", UNREAD)
        return None
    questions, found = asked(rows), runs_of_rows(study, rows)
    wrong = found if isinstance(found, Violation) else _design_problem(study, len(questions))
    check.add("design", "fail" if wrong else "pass", wrong or "The labels are those that the numbers show.", STUDY)
    return None if wrong or isinstance(found, Violation) else ReadRuns(found, questions)


def _design_problem(study: StudyDocument, questions: int) -> Violation | None:
    """Return what study.json states otherwise than paths and rows."""
    if study.dataset.questions != questions:
        return Violation("It is not the number of questions in the rows.", field="dataset.questions")
    sheets = study.sheets or ()
    places = [place_of(sheet.path) for sheet in sheets]
    for at, (sheet, place) in enumerate(zip(sheets, places, strict=True)):
        if place is None or (sheet.name, sheet.is_baseline) != (name_of(place), not place.levels):
            return Violation("Its path names another configuration.", field=f"sheets[{at}].name")
    models = {(place and place.model, sheet.model) for sheet, place in zip(sheets, places, strict=True)}
    if any(len({pair[part] for pair in models}) != len(models) for part in (0, 1)):
        return Violation("Two models share a name, or one has two.", field="sheets")
    return None
