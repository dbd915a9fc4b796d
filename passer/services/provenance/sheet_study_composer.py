"""Composes a study of imported result sheets: their rows, their audit, and the table and verdict that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from zipfile import ZipFile

from passer.domain.base import canonical_json, digest_of
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.verdict_document import document_bytes
from passer.domain.bundle.zip_form import write_member
from passer.domain.sheets.measures import CORRECTED, labelled
from passer.domain.sheets.procedures import obstacle_to_publishing
from passer.domain.sheets.sheet import Sheet, SheetImport
from passer.domain.study.dataset import StudyDataset
from passer.domain.study.document import (
    AUDIT,
    CITATION,
    CRATE,
    FILES,
    FORMAT,
    METHODS,
    ROWS,
    SHEET_FILES,
    TABLE,
    VERDICT,
    StudyDocument,
    StudySweep,
    digests_of,
    format_of,
)
from passer.domain.study.methods import methods_text
from passer.domain.study.publication import citation, crate
from passer.domain.study.sheet_rows import SheetRow, asked, rows_of, runs_of_rows, study_sheets
from passer.domain.study.table import table_bytes, table_rows
from passer.domain.verdict.verdict import VerdictRule
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import ImportStore
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.verdict.bundle_content import VerdictSource
from passer.services.provenance.published_study import ComposedStudy, KeptStudy, Publication
from passer.services.provenance.study_composer import moment


@dataclass(frozen=True)
class SheetStudyComposer:
    """Composes studies of imported sheets by the procedure `corrected`; the same sheets give the same bytes."""

    imports: ImportStore
    published_by: str

    def compose(
        self, import_id: str, publication: Publication = Publication(), labels: Mapping[str, str] | None = None
    ) -> ComposedStudy:
        """Return the documents of a study; `labels` names models for its tables.

        Raises NotFoundError if the import does not exist; ConflictError if a sheet lacks a column of the panel or its
        true columns are unknown; InputError if there is nothing to compare; ConfigError for a label that fits no model.
        """
        if publication.prompts:
            raise InputError(sentence("study.sheets-have-no-prompts"), field="prompts")
        imported = self.imports.load_import(import_id)
        obstacle = obstacle_to_publishing(imported.sheets)
        if obstacle:
            raise ConflictError(obstacle)
        sheets, names = labelled(imported.sheets, labels or {})
        rows = list(rows_of(sheets, texts=publication.texts))
        by_sheet = [[row for row in rows if row.sheet == place] for place in range(len(sheets))]
        questions, rule = asked(by_sheet), VerdictRule()
        draft = self._document(imported, sheets, names, publication, [each.id for each in questions])
        runs = runs_of_rows(draft, by_sheet)
        if isinstance(runs, Violation):
            raise InputError(sentence("provenance.sheets-refused", why=runs.detail), field=runs.field)
        audit = imported.audit if publication.texts else imported.audit.without_texts()
        conclusion = analyse(runs, recorded=rule, questions=questions).verdict.digest
        verdict = VerdictSource(import_id, conclusion, runs, questions, rule).content(lambda _: None)
        version = format_of(verdict, has_runs=False)
        draft = draft.model_copy(update={"format": version})
        cells = table_rows(verdict, runs, version=version, configs=None)
        files = {
            VERDICT: document_bytes(verdict),
            TABLE: table_bytes(cells, version),
            METHODS: methods_text(draft, verdict, cells).encode(),
            CITATION: citation(draft),
            CRATE: crate(draft),
            ROWS: _lines(rows),
            AUDIT: canonical_json(audit.model_dump(mode="json")),
        }
        document = draft.model_copy(update={"files": digests_of(files)})
        return self.again(KeptStudy(document, verdict, files))

    def again(self, kept: KeptStudy) -> ComposedStudy:
        """Return a published study; all that it contains is kept with it."""

        def write_rows(opened: ZipFile) -> None:
            for name in SHEET_FILES:
                write_member(opened, name, [kept.files[name]])

        return ComposedStudy(kept.document, kept.verdict, kept.files, None, write_rows)

    def _document(
        self,
        imported: SheetImport,
        sheets: list[Sheet],
        names: list[str],
        publication: Publication,
        questions: list[str],
    ) -> StudyDocument:
        at = moment(imported.created_at)
        rule = VerdictRule()
        design = {
            "procedure": "corrected",
            "columns": "true",
            "panel": CORRECTED.panel.name,
            "normalisation": "min-max",
            "pool": "all sheets",
            "primary": rule.primary,
            "margin": rule.margin,
            "alpha": rule.alpha,
            "family": "all sheets with a baseline",
        }
        return StudyDocument(
            format=FORMAT,
            title=publication.title or imported.name,
            authors=publication.authors,
            licence=publication.licence,
            published_by=self.published_by,
            finished_at=at,
            sweep=StudySweep(id=imported.id, name=imported.name, created_at=at),
            design=design,
            design_digest=digest_of(design),
            dataset=StudyDataset(
                name=imported.dataset or imported.name,
                digest=imported.dataset_digest or digest_of(questions),
                questions=len(questions),
                clusters=None,
                weights=None,
            ),
            prompts=(),
            runs=(),
            others=(),
            files=dict.fromkeys((*FILES, *SHEET_FILES), "0" * 64),
            sheets=study_sheets(sheets, names),
            texts=None if publication.texts else "withheld",
        )


def _lines(rows: list[SheetRow]) -> bytes:
    return b"".join(canonical_json(row.model_dump(mode="json")) + b"\n" for row in rows)
