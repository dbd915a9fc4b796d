"""Verifies published files: the bundle of a run, or a study."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from passer.domain.analysis.run_rows import RunRows
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.entry_form import receipts_of
from passer.domain.bundle.judged_texts import AnsweredTexts
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.members import EntryReceipt
from passer.domain.bundle.verdict_check import OTHER_DECLARED
from passer.domain.bundle.verification import (
    STUDY_STEPS,
    TITLES,
    Step,
    StepName,
    Steps,
    Verification,
    VerifiedStudy,
    verdict_of,
)
from passer.domain.bundle.zip_form import PROOFS, Buffer, read_zip
from passer.domain.study.document import (
    FIRST_MEMBERS,
    PROMPTS,
    STUDY,
    StudyDocument,
    StudyRun,
    is_study,
    member_of,
    planned_judge,
    study_names,
)
from passer.domain.study.planned_runs import plan_problem
from passer.domain.study.run_records import RunRecords
from passer.domain.study.sent_prompts import other_prompt, sent_digests
from passer.services.provenance.bundle_verifier import BundleVerifier, add_zip_step, check_is_zip
from passer.services.provenance.registrar import check_registration
from passer.services.provenance.sheet_check import check_sheets
from passer.services.provenance.study_check import ReadRuns, StudyCheck, StudyRows, worst

RESULTS: tuple[StepName, ...] = ("design", "verdict", "table", "methods")
AGGREGATED: tuple[StepName, ...] = ("dataset", "rescored")
"""Steps of the runs' bundles that a study repeats for all of them."""
NO_ROWS = "the rows of the sheets are not those that study.json states"
NO_RUNS = "a bundle of a run is missing or not verified"


@dataclass(frozen=True)
class Verifier:
    """Verifies bundles and studies; needs neither a database nor settings."""

    bundles: BundleVerifier

    def verify(self, data: Buffer) -> Verification:
        """Run every step in order; InputError if the bytes are neither a bundle nor a study."""
        check_is_zip(data)
        return self._study(data) if is_study(data) else self.bundles.verify(data)

    def _study(self, data: Buffer) -> Verification:
        steps, read = Steps(), read_zip(data, study_names(data) or FIRST_MEMBERS)
        add_zip_step(steps, read)
        if not read.members:
            for name in STUDY_STEPS[1:]:
                steps.skipped(name, "the members cannot be found in the file")
            return _verification(steps, None, self.bundles.unconfirmed(steps), None)
        check = StudyCheck(read.members, steps)
        check.check_files()
        # The proof and the time stamps are of the study, whose digest covers its runs.
        runs = _Runs(check, replace(self.bundles, expectation=self.bundles.expectation.of_runs, check_stamp=None))
        _check_content(check, runs)
        rows = StudyRows(check, self.bundles.read_transaction, self.bundles.expectation, self.bundles.check_stamp)
        rows.check()
        self.bundles.ask_chain(rows, steps)
        unconfirmed = self.bundles.unconfirmed(steps)
        if unconfirmed is not None and runs.has_unconfirmed:
            unconfirmed = ("runs", *unconfirmed)
        return _verification(steps, check, unconfirmed, runs)


def _check_content(check: StudyCheck, runs: _Runs) -> None:
    """Add the steps of the runs or sheets, of the results that follow from them, and of the registration."""
    study, steps = check.study.value, check.steps
    of_sheets = study is not None and study.sheets is not None
    found = check_sheets(check, study) if study is not None and of_sheets else runs.check()
    unread = NO_ROWS if of_sheets else NO_RUNS
    if found is not None and (of_sheets or runs.check_design()):
        check.check_results(found)
    else:
        for name in RESULTS:
            if steps.outcome(name) is None:
                steps.skipped(name, unread if found is None else "the runs are not those of one design")
    if found is None:
        steps.skipped("registration", unread)
    else:
        check_registration(check, runs.asked, runs.recorded)


class _Runs:
    """The bundles of the runs in a study, verified one after the other."""

    def __init__(self, check: StudyCheck, bundles: BundleVerifier) -> None:
        self._check, self._bundles = check, bundles
        self.questions = 0
        """Records of all runs."""
        self.has_unconfirmed = False
        """True if a chain was asked about a run and did not confirm it."""
        self.recorded: list[list[EntryReceipt]] = []
        """Rows of the ledger of each run."""
        self._manifests: list[tuple[StudyRun, Manifest, list[str]]] = []
        self.has_texts = True
        """True if all records have their texts."""
        self._rows: list[RunRows | None] = []

    @property
    def asked(self) -> list[str]:
        """Return the digests of the questions, in order; they are those of the first run."""
        return self._manifests[0][2] if self._manifests else []

    def check(self) -> ReadRuns | None:
        """Add the steps `runs`, `dataset` and `rescored`; None where a run is missing or not verified."""
        check, steps, study = self._check, self._check.steps, self._check.study.value
        if study is None:
            for name in ("runs", *AGGREGATED):
                steps.skipped(name, "study.json cannot be read")
            return None
        proofs = tuple(name for name in PROOFS if name in check.members)
        prompts = tuple(name for name in (PROMPTS,) if name in study.files)
        expected = (*proofs, *prompts, *(member_of(run.id) for run in study.in_table))
        held = tuple(check.members)[len(FIRST_MEMBERS) :]
        if held != expected or not study.in_table:
            other = next((name for name in (*expected, *held) if (name in expected) != (name in held)), STUDY)
            steps.failed("runs", "The bundles are not those of the runs in the table.", member=other)
            for name in AGGREGATED:
                steps.skipped(name, NO_RUNS)
            return None
        found, verified = ReadRuns(), list[Verification]()
        for run in study.in_table:
            with self._examined(study, run, found) as verification:
                verified.append(verification)
        is_whole = self._add_steps(study, verified, found)
        found.rows = [row for row in self._rows if row is not None]
        return found if is_whole else None

    def check_design(self) -> bool:
        """Add the step `design`; False where the runs are not those of one design."""
        wrong, member = self._design_problem(), STUDY
        if wrong is None and PROMPTS in self._check.members:
            sent = sent_digests(rows for rows in self._rows if rows is not None)
            wrong, member = other_prompt(self._check.members[PROMPTS], sent), PROMPTS
        detail = "All runs that the design plans, with the same dataset, questions and scorer."
        self._check.add("design", "fail" if wrong else "pass", wrong or detail, member if wrong else STUDY)
        return wrong is None

    def _design_problem(self) -> Violation | None:
        """Return in what the runs are not those of the design."""
        study = self._check.study.value
        if study is None:
            return Violation("It cannot be read.")
        prompts = {prompt.name: prompt.digest for prompt in study.prompts}
        _, first, asked = self._manifests[0]
        if self.has_texts != (study.texts is None):
            return Violation("It does not state whether the records have their texts.", field="texts")
        for place, (run, manifest, own) in enumerate(self._manifests):
            template = manifest.prompt_template
            compared: dict[str, tuple[object, object]] = {
                "run_digest": (manifest.digest, run.run_digest),
                "config_digest": (manifest.config_digest, run.config_digest),
                "id": (manifest.run.id, run.id),
                "name": (manifest.run.name, run.name),
                "sweep": (manifest.run.sweep_id, study.sweep.id),
                "dataset": (manifest.dataset.digest, study.dataset.digest),
                "dataset name": (manifest.dataset.name, study.dataset.name),
                "number of questions": (manifest.dataset.questions, study.dataset.questions),
                "questions": (own, asked),
                "scorer": (manifest.scored_by, first.scored_by),
                "prompt": (template.digest, prompts.get(template.name, template.digest)),
            }
            other = next((name for name, (one, two) in compared.items() if one != two), None)
            if other is not None:
                return Violation(f"Run {run.name}: its {other} is not the one of the study.", field=f"runs {run.id}")
            if self._rows[place] is None:
                return Violation(f"Run {run.name}: its configuration is not valid.", field=f"runs {run.id}")
        return plan_problem(study) or _prompt_problem(study)

    @contextmanager
    def _examined(self, study: StudyDocument, run: StudyRun, found: ReadRuns) -> Iterator[Verification]:
        judged: dict[str, AnsweredTexts] | None = None if planned_judge(study.design) is None else {}
        records = RunRecords(keep_questions=not self._manifests, judged=judged)
        verification, bundle = self._bundles.examine(self._check.members[member_of(run.id)], records.see)
        self.questions += verification.questions
        self.has_unconfirmed |= bool(verification.unconfirmed)
        if bundle is not None and not _broken(verification) and bundle.manifest.value is not None:
            manifest = bundle.manifest.value
            self._check.configs[run.id] = manifest.config
            self._manifests.append((run, manifest, records.asked))
            self.has_texts &= records.has_texts
            self.recorded.append([item.receipt for item in receipts_of(bundle.entry)])
            self._rows.append(records.rows(study, run, manifest, bundle.timings.timings))
            found.questions = found.questions or records.questions
            if judged is not None:
                found.texts[run.id] = judged
        yield verification

    def _add_steps(self, study: StudyDocument, verified: list[Verification], read: ReadRuns) -> bool:
        steps = self._check.steps
        pairs = list(zip(study.in_table, verified, strict=True))
        broken = next(((run, found_wrong) for run, found in pairs for found_wrong in _broken(found)[:1]), None)
        if broken is not None:
            run, step = broken
            where = " ".join(filter(None, (step.member, step.field)))
            detail = f"Run {run.name}: {TITLES[step.name]}: {step.detail}"
            steps.failed(
                "runs", detail, member=member_of(run.id), number=step.number, question=step.question, path=where or None
            )
        else:
            steps.passed("runs", f"{len(pairs)} runs, {self.questions} records.")
        for name in AGGREGATED:
            own = [step for found in verified for step in found.steps if step.name == name]
            outcome = worst([step.outcome for step in own])
            detail = next(step.detail for step in own if step.outcome == outcome)
            if outcome == "fail":
                steps.failed(
                    name, detail, member=next(member_of(run.id) for run, found in pairs if found.verdict != "verified")
                )
            elif outcome == "pass" and name == "dataset" and (wrong := self._other_declared(study, read)):
                self._check.add(name, "fail", wrong, STUDY)
            elif outcome == "pass":
                steps.passed(name, f"In {len(pairs)} runs. {detail}")
            else:
                steps.not_checked(name, detail)
        return broken is None

    def _other_declared(self, study: StudyDocument, read: ReadRuns) -> Violation | None:
        """Return that clusters or weights are not the dataset's, whose questions are known.

        Without the auditor's copy, its digest follows from the questions alone, so that it declares neither.
        """
        copy = self._bundles.expectation.dataset
        asked = copy.questions[: study.dataset.questions] if copy is not None else read.questions
        other = study.dataset.other_declared(asked)
        return None if other is None else Violation(OTHER_DECLARED[other], field=f"dataset.{other}")


def _standing(document: StudyDocument, steps: Steps) -> Literal["confirmatory", "exploratory"]:
    is_kept = document.registration is not None and not document.registration.known
    return "confirmatory" if is_kept and steps.outcome("registration") == "pass" else "exploratory"


def _records(document: StudyDocument | None, runs: _Runs | None) -> int:
    if document is not None and document.sheets is not None:
        return sum(sheet.rows for sheet in document.sheets)
    return runs.questions if runs else 0


def _broken(found: Verification) -> list[Step]:
    """Return the failed steps of a run's bundle, without those that a study has itself."""
    return [step for step in found.failed if step.name not in AGGREGATED]


def _prompt_problem(study: StudyDocument) -> Violation | None:
    for place, prompt in enumerate(study.prompts):
        if hashlib.sha256(prompt.text.encode()).hexdigest() != prompt.digest:
            return Violation(f"The text of the prompt {prompt.name} has another digest.", field=f"prompts[{place}]")
    return None


def _verification(
    steps: Steps, check: StudyCheck | None, unconfirmed: tuple[StepName, ...] | None, runs: _Runs | None
) -> Verification:
    document = check.study.value if check else None
    stated, verdict = None, verdict_of(steps.done)
    if check is not None and document is not None:
        stated = VerifiedStudy(
            digest=check.study.digest,
            of="sweep" if document.sheets is None else "import",
            sweep_id=document.sweep.id,
            title=document.title,
            runs=document.sizes[1],
            in_table=document.sizes[0],
            standing=_standing(document, steps),
            result=check.result if verdict == "verified" else None,
        )
    return Verification(
        verdict=verdict,
        run_id=None,
        run_digest=None,
        config_digest=document.design_digest if document else None,
        questions_root=None,
        questions=_records(document, runs),
        steps=tuple(steps.done),
        unconfirmed=unconfirmed,
        study=stated,
    )
