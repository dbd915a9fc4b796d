"""Checks of a study: its files, its runs, and that table and verdict follow from the records."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import JsonValue

from passer.domain.analysis.run_rows import RunRows
from passer.domain.base import digest_of
from passer.domain.bundle.documents import Violation, read_document
from passer.domain.bundle.entry_form import REGISTRATION, other_field
from passer.domain.bundle.judged_check import JudgedCheck
from passer.domain.bundle.judged_document import JudgedRecord
from passer.domain.bundle.judged_texts import RunTexts
from passer.domain.bundle.members import NOT_RECORDED, EntryDocument, seal_of
from passer.domain.bundle.proofs_check import Proofs
from passer.domain.bundle.recomputed_gains import TOLERANCE as GRID_TOLERANCE
from passer.domain.bundle.rows_check import RowsCheck, Subject
from passer.domain.bundle.verdict_check import list_problem, read_verdict
from passer.domain.bundle.verdict_document import VerdictDocument
from passer.domain.bundle.verification import Outcome, Steps, StudyResult
from passer.domain.bundle.zip_form import Buffer
from passer.domain.dataset import Question
from passer.domain.study.document import (
    CITATION,
    CRATE,
    ENTRY,
    METHODS,
    STUDY,
    TABLE,
    VERDICT,
    StudyDocument,
    planned_judge,
    planned_rule,
)
from passer.domain.study.entry import study_entry
from passer.domain.study.linked_values import wrong_link
from passer.domain.study.methods import study_result, wrong_conclusion
from passer.domain.study.publication import missing_sentence, other_in_citation, other_in_crate, withheld_sentence
from passer.domain.study.table import TOLERANCE, differing_cell, read_table, table_rows
from passer.errors import PasserError
from passer.services.analysis.comparability import arm_labels, grouped
from passer.services.analysis.verdict.bundle_content import VerdictSource, judged_column_of, replies_of

_ON_GRID = ("gains", "conclusions")
"""Members of verdict.json that agree within its own tolerance; others within that of the table."""
_OPTIONAL = {"weights", "judged"}


@dataclass
class ReadRuns:
    """The runs of the table as an analysis reads them."""

    rows: list[RunRows] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    """Asked by every run, in order."""
    texts: dict[str, RunTexts] = field(default_factory=dict)
    """Texts of each run, where a judge read them."""


class StudyCheck(Subject):
    """The members of a study; the methods add steps in the order of docs/study.md."""

    def __init__(self, members: Mapping[str, Buffer], steps: Steps) -> None:
        super().__init__(steps, read_document(EntryDocument, bytes(members[ENTRY])), Proofs.of(members, STUDY))
        self.members = members
        self.study = read_document(StudyDocument, bytes(members[STUDY]))
        self.verdict: VerdictDocument | None = None
        """verdict.json; None until it is read."""
        self.configs: dict[str, Mapping[str, JsonValue]] = {}
        """Configuration of each run that was read, by its manifest."""

    @property
    def result(self) -> StudyResult | None:
        """Return what the study concludes; None before its verdict is read."""
        document = self.study.value
        return study_result(document, self.verdict, self.configs) if document and self.verdict else None

    def check_files(self) -> None:
        """Add the steps `study` and `files`."""
        self._study()
        document = self.study.value
        if document is None:
            self.steps.skipped("files", "study.json cannot be read")
            return
        for name in document.file_names:
            if hashlib.sha256(self.members.get(name, b"")).hexdigest() != document.files[name]:
                self.steps.failed("files", "Its SHA-256 differs from the one in study.json.", member=name)
                return
        for name, other_in in ((CITATION, other_in_citation), (CRATE, other_in_crate)):
            if other := other_in(bytes(self.members[name]), document):
                detail = f"Its value of {other} differs from study.json."
                self.add("files", "fail", Violation(detail, field=other), name)
                return
        self.steps.passed("files", f"{len(document.file_names)} files.")

    def check_results(self, read: ReadRuns) -> None:
        """Add the steps `verdict`, `table` and `methods`."""
        document, content = self.study.value, bytes(self.members[VERDICT])
        verdict, wrong = read_verdict(content)
        if document is None or verdict is None or wrong is not None:
            self.add("verdict", "fail", wrong or Violation("It is not valid."), VERDICT)
            for name in ("table", "methods"):
                self.steps.skipped(name, "verdict.json cannot be read")
            return
        self.verdict = verdict
        wrong = differing(verdict, self._recomputed(document, verdict, read))
        detail = (
            f"Values, constants, costs, gains, intervals and verdict recomputed from {len(read.rows)} runs of "
            f"{len(read.questions)} questions."
        )
        self.add("verdict", "fail" if wrong else "pass", wrong or detail, VERDICT)
        cells = read_table(bytes(self.members[TABLE]), document.format)
        if cells is None:
            self.add("table", "fail", Violation("It is not the table of a study."), TABLE)
            self.steps.skipped("methods", "table.csv cannot be read")
            return
        if list_problem(verdict) is not None:
            # The previous step has reported it.
            wrong = Violation("No table follows from verdict.json.")
        else:
            configs = self.configs if document.sheets is None else None
            follows = table_rows(verdict, read.rows, version=document.format, configs=configs)
            wrong = differing_cell(cells, follows)
        self.add("table", "fail" if wrong else "pass", wrong or f"{len(cells) - 1} rows, every cell.", TABLE)
        self._methods(cells)

    def _study(self) -> None:
        read, entry = self.study, self.entry.value
        changed: list[str] = []
        if entry is not None and isinstance(read.json, dict) and seal_of(entry.manifest) == entry.seals.manifest:
            names = sorted(read.json.keys() | entry.manifest.keys())
            changed = [n for n in names if n not in read.json or entry.manifest.get(n) != seal_of(read.json[n])]
        if read.value is None:
            self.add("study", "fail", read.violation or Violation("It is not valid."), STUDY)
        elif changed:
            detail = f"{', '.join(changed)} does not match the seal in entry.json. It was changed afterwards."
            self.add("study", "fail", Violation(detail, field=changed[0]), STUDY)
        elif digest_of(read.json["design"]) != read.value.design_digest:
            self.add("study", "fail", Violation("It is not the digest of the design.", field="design_digest"), STUDY)
        else:
            all_of = "imported sheets" if read.value.sheets is not None else "runs"
            said = missing_sentence(read.value) or f"All {read.value.sizes[1]} {all_of} are in the table."
            facts = " ".join(filter(None, (f"SHA-256 {read.digest}.", said, withheld_sentence(read.value))))
            self.add("study", "pass", facts, STUDY)

    def _methods(self, cells: list[list[str]]) -> None:
        try:
            text = bytes(self.members[METHODS]).decode("utf-8")
        except UnicodeDecodeError:
            self.add("methods", "fail", Violation("It is not UTF-8."), METHODS)
            return
        documents = {STUDY: self.study.json, VERDICT: self.verdict and self.verdict.model_dump(mode="json")}
        wrong = wrong_link(text, cells, documents)
        if wrong is None and self.verdict is not None:
            wrong = wrong_conclusion(text, self.verdict)
        self.add(
            "methods", "fail" if wrong else "pass", wrong or "The conclusions, and every number with a link.", METHODS
        )

    def _recomputed(
        self, document: StudyDocument, verdict: VerdictDocument, read: ReadRuns
    ) -> dict[str, Any] | Violation:
        """Return verdict.json recomputed from the records, or the reason why that is impossible."""
        rule = planned_rule(document.design)
        if rule is None:
            return Violation("The rule of the design is not valid.", field="rule")
        questions = document.dataset.declared(read.questions)
        digests = {run.id: run.run_digest for run in document.in_table}
        rows = _apart(read.rows, document, verdict)
        earlier = arm_labels(grouped(rows), shares_names=True)
        as_once = {
            "old_rank": verdict.has_old_rank,
            "old_family": verdict.has_old_family,
            "drops_unanswered": verdict.drops_unanswered,
            "shares_names": earlier == [each.model for each in verdict.configurations],
        }
        rule = rule.model_copy(update=as_once)
        sweep = VerdictSource(document.sweep.id, verdict.conclusion_digest, rows, questions, rule)
        judge, judged = planned_judge(document.design), verdict.judged
        if judge != (judged and judged.judge):
            return Violation("It is not by the judge of the design.", field="judged")
        try:
            if judged is not None:
                if (wrong := _wrong_of_judged(verdict, judged, read)) is not None:
                    return wrong
                sweep = replace(sweep, judged=judged_column_of(judged), replies=replies_of(judged))
            return sweep.content(digests.get).model_dump(mode="json")
        except (PasserError, ValueError) as exc:
            return Violation(f"No verdict follows from the records: {exc}")


class StudyRows(RowsCheck[StudyCheck]):
    """Compares the row of a study with study.json."""

    own_steps = ("study_entry",)

    def check_own_rows(self) -> None:
        """Check the ledger row that a study contains."""
        study, verdict = self._subject.study, self._subject.verdict
        if study.value is None or verdict is None:
            self._steps.skipped("study_entry", "study.json or verdict.json cannot be read")
            return
        expected = study_entry(study.value, study.digest, verdict)
        if self.document is not None and self.document.run == NOT_RECORDED:
            self._steps.skipped("study_entry", "the study is not recorded, only its plan")
            return
        for item in self.placed:
            if item.path == REGISTRATION:
                continue
            other = "action" if item.path != "run" else other_field(item.receipt.entry, expected)
            if other is not None:
                self._failed_row(f"{item.path}.entry", other)
                return
        self._steps.passed("study_entry", f"Study digest {study.digest}.")

    def _failed_row(self, path: str, field: str) -> None:
        detail = f"The row's {field} does not match study.json."
        self._steps.failed("study_entry", detail, member=ENTRY, path=f"{path}.{field}")


def _wrong_of_judged(verdict: VerdictDocument, judged: JudgedRecord, read: ReadRuns) -> Violation | None:
    """Return the first judged value that cannot be computed again, or differs when it is."""
    check = JudgedCheck(verdict, judged, read.texts)
    if not judged.is_whole:
        return Violation("It does not state all questions, tasks and prompts.", field="judged.questions")
    if not check.is_recomputed:
        return Violation("Its values do not follow from replies alone.", field="judged.column")
    return check.problem()


def _apart(rows: Sequence[RunRows], document: StudyDocument, verdict: VerdictDocument) -> list[RunRows]:
    """Distinguish runs with equal digests: their models had different connections, which a study does not name.

    They are in the order of the models. If the verdict joins such runs, their model was compared with itself.
    """
    digests = {run.id: (run.config_digest, run.is_baseline) for run in document.runs}
    joined = [[digests.get(run.id) for run in configuration.runs] for configuration in verdict.configurations]
    if len(set(digests.values())) == len(digests) or any(len(set(each)) < len(each) for each in joined):
        return list(rows)
    seen = Counter[tuple[str, bool]]()
    places: dict[str, int] = {}
    for run in document.runs:
        places[run.id] = seen[digests[run.id]]
        seen[digests[run.id]] += 1
    return [_connected(row, str(places[row.run_id])) for row in rows]


def _connected(row: RunRows, connection: str) -> RunRows:
    model = row.config.model.model_copy(update={"connection": connection})
    return row.model_copy(update={"config": row.config.model_copy(update={"model": model})})


def differing(stated: VerdictDocument, follows: dict[str, Any] | Violation) -> Violation | None:
    """Return the first member of verdict.json that does not follow; the digest of the sentences is not compared."""
    if isinstance(follows, Violation):
        return follows
    held = stated.model_dump(mode="json", exclude={"digest"})
    # A member that the sweep does not need, such as weights, is in neither.
    for name in [*follows, *(held.keys() & _OPTIONAL - follows.keys())]:
        within = GRID_TOLERANCE if name in _ON_GRID else TOLERANCE
        path = _other(held.get(name), follows.get(name), name, within)
        if path is not None:
            return Violation(f"{path} does not follow from the records.", field=path)
    return None


def worst(outcomes: list[Outcome]) -> Outcome:
    """Return the worst of several outcomes."""
    return next(each for each in ("fail", "not_checked", "pass") if each in outcomes)


def _other(stated: Any, follows: Any, path: str, within: float) -> str | None:
    """Return the path of the first value that differs; numbers within a tolerance, relative above 1."""
    if isinstance(stated, dict) and isinstance(follows, dict) and stated.keys() == follows.keys():
        parts = [(f"{path}.{name}", stated[name], follows[name]) for name in follows]
    elif isinstance(stated, list) and isinstance(follows, list) and len(stated) == len(follows):
        parts = [(f"{path}[{place}]", *pair) for place, pair in enumerate(zip(stated, follows, strict=True))]
    elif isinstance(stated, float | int) and isinstance(follows, float | int) and not isinstance(stated, bool):
        return None if math.isclose(stated, follows, rel_tol=within, abs_tol=within) else path
    else:
        return None if stated == follows else path
    return next((found for part in parts if (found := _other(part[1], part[2], part[0], within))), None)
