"""Composes a study: every run of a sweep as its bundle, with table and verdict that follow (docs/study.md)."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from zipfile import ZipFile

from passer.domain.base import digest_of
from passer.domain.bundle.manifest import described_config
from passer.domain.bundle.verdict_document import document_bytes
from passer.domain.bundle.zip_form import LARGEST, write_member
from passer.domain.judging.formulas import FORMULAS
from passer.domain.study.dataset import StudyDataset
from passer.domain.study.document import (
    CITATION,
    CRATE,
    FILES,
    FORMAT,
    METHODS,
    PROMPTS,
    TABLE,
    VERDICT,
    OtherSweep,
    StudyDocument,
    StudyPrompt,
    StudyRun,
    StudySweep,
    described_design,
    digests_of,
    format_of,
    member_of,
)
from passer.domain.study.methods import methods_text
from passer.domain.study.publication import citation, crate
from passer.domain.study.registration import Registration
from passer.domain.study.sent_prompts import prompt_line, sent_digests
from passer.domain.study.table import table_bytes, table_rows
from passer.domain.sweeps.run import RunState
from passer.domain.verdict.judged_rule import JudgedColumn
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import RunStore, StoredSweep
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.verdict.bundle_content import VerdictSource
from passer.services.analysis.verdict.judged_column_reader import NO_REPLIES
from passer.services.analysis.verdict.primary_metric import recorded_rule
from passer.services.provenance.bundle_writer import BLOCK, BundleWriter, blocks
from passer.services.provenance.published_study import ComposedStudy, KeptStudy, Publication
from passer.services.provenance.sweeps_of_dataset import other_sweeps


@dataclass(frozen=True)
class StudyComposer:
    """Composes studies of sweeps; the same stores give the same bytes."""

    runs: RunStore
    sweep_results: SweepResults
    bundle_writer: BundleWriter
    """Writer of bundles without verdicts: a study has one verdict for all its runs."""
    published_by: str

    def compose(self, sweep_id: str, publication: Publication = Publication()) -> ComposedStudy:
        """Return what a study states; ConflictError or InputError where no table can be computed."""
        stored = self.runs.load_sweep(sweep_id)
        column = self._judged_column(stored)
        if column is not None and not publication.texts:
            raise ConflictError(sentence("study.replies-are-texts", sweep=sweep_id, column=column.column))
        if publication.prompts and not publication.texts:
            raise InputError(sentence("study.prompts-are-texts"), field="prompts")
        done = {run.id for run in stored.runs if run.state is RunState.FINISHED}
        if not done:
            raise ConflictError(sentence("provenance.no-finished-run", sweep=sweep_id))
        rows = [row for row in self.sweep_results.rows(sweep_id) if row.run_id in done]
        questions = self.sweep_results.run_browser.questions(stored)
        rule = recorded_rule(stored.sweep)
        conclusion = analyse(rows, recorded=rule, questions=questions, judged=column).verdict.digest
        manifests = {run_id: self.bundle_writer.manifest(run_id) for run_id in done}
        digests = {run_id: manifest.digest for run_id, manifest in manifests.items()}
        replies = NO_REPLIES if column is None else self.sweep_results.judged_columns.judge_replies(column)
        verdict = VerdictSource(sweep_id, conclusion, rows, questions, rule, column, replies).content(digests.get)
        version = format_of(verdict, has_runs=True)
        configs = {run_id: manifest.config for run_id, manifest in manifests.items()}
        cells = table_rows(verdict, rows, version=version, configs=configs)
        registration = self.runs.registration(sweep_id)
        draft = self._document(stored, digests, publication, registration).model_copy(update={"format": version})
        several = sum(each.other_references is not None for each in questions)
        files = {
            VERDICT: document_bytes(verdict),
            TABLE: table_bytes(cells, version),
            METHODS: methods_text(draft, verdict, cells, several=several).encode(),
            CITATION: citation(draft),
            CRATE: crate(draft),
        }
        stated, sent = digests_of(files), sent_digests(rows) if publication.prompts else []
        if publication.prompts:
            whole = hashlib.sha256()
            for line in self._prompt_lines(sent):
                whole.update(line)
            stated[PROMPTS] = whole.hexdigest()
        document = draft.model_copy(update={"files": stated})
        return self._composed(KeptStudy(document, verdict, files), registration, sent)

    def again(self, kept: KeptStudy) -> ComposedStudy:
        """Return a published study; ConflictError if a run has changed since, NotFoundError if it is deleted."""
        document, sweep_id = kept.document, kept.document.sweep.id
        for run in document.in_table:
            if self.bundle_writer.manifest(run.id).digest != run.run_digest:
                raise ConflictError(sentence("study.run-changed", run=run.name))
        done = {run.id for run in document.in_table}
        rows = self.sweep_results.rows(sweep_id) if PROMPTS in document.files else ()
        sent = sent_digests([row for row in rows if row.run_id in done])
        return self._composed(kept, self.runs.registration(sweep_id), sent)

    def _composed(self, kept: KeptStudy, registration: Registration | None, sent: Sequence[str]) -> ComposedStudy:
        document = kept.document

        def write_rest(opened: ZipFile) -> None:
            if PROMPTS in document.files:
                write_member(opened, PROMPTS, self._prompt_lines(sent))
            self._write_runs(document, opened)

        receipt = registration.receipt if registration else None
        return ComposedStudy(document, kept.verdict, kept.files, receipt, write_rest)

    def _prompt_lines(self, sent: Sequence[str]) -> Iterator[bytes]:
        """Yield the lines of prompts.jsonl; one prompt at a time, because a sweep may have sent gigabytes."""
        total = 0
        for digest in sent:
            prompt = self.sweep_results.evaluations.prompt(digest)
            if prompt is None:
                raise ConflictError(sentence("study.prompt-not-stored", digest=digest[:12]))
            line = prompt_line(prompt)
            total += len(line)
            if total > LARGEST - 2 * BLOCK:
                raise InputError(sentence("provenance.study-over-limit"))
            yield line

    def _judged_column(self, stored: StoredSweep) -> JudgedColumn | None:
        """Return the judged column that decides; ConflictError while nobody could compute its values again."""
        column = self.sweep_results.recorded_column(stored)
        if column is None:
            return None
        if column.by.status == "waiting":
            raise ConflictError(sentence("study.judge-waits", judge=column.by.judge))
        if column.column not in FORMULAS:
            raise ConflictError(sentence("study.not-recomputed", column=column.column, sweep=stored.id))
        return column

    def _write_runs(self, document: StudyDocument, opened: ZipFile) -> None:
        for run in document.in_table:
            with self.bundle_writer.bundle(run.id, texts=document.texts is None) as bundle:
                size = bundle.seek(0, io.SEEK_END)
                if sum(member.file_size for member in opened.infolist()) + size > LARGEST - 2 * BLOCK:
                    raise InputError(sentence("provenance.study-over-limit"))
                write_member(opened, member_of(run.id), blocks(bundle))

    def _document(
        self,
        stored: StoredSweep,
        digests: dict[str, str],
        publication: Publication,
        registration: Registration | None,
    ) -> StudyDocument:
        finished = [run.finished_at for run in stored.runs if run.id in digests and run.finished_at is not None]
        design = described_design(stored.sweep.model_dump(mode="json"))
        return StudyDocument(
            format=FORMAT,
            title=publication.title or stored.sweep.name,
            authors=publication.authors,
            licence=publication.licence,
            published_by=self.published_by,
            finished_at=moment(max(finished, default=stored.created_at)),
            sweep=StudySweep(id=stored.id, name=stored.sweep.name, created_at=moment(stored.created_at)),
            design=design,
            design_digest=digest_of(design),
            dataset=StudyDataset.of(
                stored.sweep.config.dataset, stored.dataset_digest, self.sweep_results.run_browser.questions(stored)
            ),
            prompts=tuple(StudyPrompt(**template.model_dump()) for template in stored.templates),
            runs=tuple(
                StudyRun(
                    id=run.id,
                    name=run.stored_name,
                    is_baseline=run.is_baseline,
                    state=run.state.value,
                    reason=None if run.id in digests or run.reason is None else str(run.reason),
                    config_digest=described_config(run.config).digest,
                    run_digest=digests.get(run.id),
                )
                for run in stored.runs
            ),
            others=tuple(self._others(stored)),
            # Placeholders: some of these files quote this document, so their digests can only be filled in afterwards.
            files=dict.fromkeys((*FILES, PROMPTS) if publication.prompts else FILES, "0" * 64),
            registration=registration.document if registration else None,
            texts=None if publication.texts else "withheld",
        )

    def _others(self, stored: StoredSweep) -> Sequence[OtherSweep]:
        """Return the other sweeps of the dataset, oldest first: a reader may ask whether this is the best of many."""
        own = _configurations(stored)
        return sorted(
            (
                OtherSweep(
                    id=other.id,
                    name=other.sweep.name,
                    created_at=moment(other.created_at),
                    state=other.state.value,
                    has_same_design=_configurations(other) == own,
                )
                for other in other_sweeps(self.runs, stored)
            ),
            key=lambda other: (other.created_at, other.id),
        )


def _configurations(stored: StoredSweep) -> set[str]:
    return {run.config.digest for run in stored.runs}


def moment(at: datetime) -> str:
    """Return a time of UTC as a study states it."""
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")
