"""Runs a published study again in this installation, and compares its table with the published one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from passer.domain.bundle.documents import read_document
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.verdict_check import read_verdict
from passer.domain.bundle.verification import StudyResult
from passer.domain.bundle.zip_form import Buffer, read_zip
from passer.domain.study.document import (
    FIRST_MEMBERS,
    STUDY,
    TABLE,
    VERDICT,
    StudyDocument,
    is_study,
    member_of,
    planned_rule,
    study_names,
)
from passer.domain.study.methods import study_result
from passer.domain.study.reproduction import Reproduction, compared, sweep_of
from passer.domain.study.table import decided_cells, read_table
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import DatasetStore, StoredSweep
from passer.services.provenance.bundle_writer import BundleWriter
from passer.services.provenance.study_composer import StudyComposer
from passer.services.provenance.verifier import Verifier
from passer.services.sweeps.planner import SweepPlanner


@dataclass(frozen=True)
class PublishedStudy:
    """A study that was verified, as far as a repetition needs it."""

    document: StudyDocument
    digest: str
    table: list[list[str]]
    result: StudyResult
    manifest: Manifest
    """Manifest of the first run in the table."""


@dataclass(frozen=True)
class Reproducer:
    """Creates the sweep of a study and compares its results; another service runs it."""

    verifier: Verifier
    planner: SweepPlanner
    datasets: DatasetStore
    study_composer: StudyComposer

    def read(self, data: Buffer) -> PublishedStudy:
        """Return a study; InputError where it is none, or is not verified."""
        found = self.verifier.verify(data)
        if not is_study(data) or found.study is None:
            raise InputError(sentence("provenance.not-study"))
        if found.failed:
            raise InputError(sentence("provenance.study-unverified"))
        members = read_zip(data, study_names(data) or FIRST_MEMBERS).members
        document = read_document(StudyDocument, bytes(members[STUDY])).value
        if document is not None and document.sheets is not None:
            raise InputError(sentence("provenance.study-of-sheets"))
        verdict, _ = read_verdict(bytes(members[VERDICT]))
        table = None if document is None else read_table(bytes(members[TABLE]), document.format)
        if document is None or table is None or verdict is None or found.study.result is None:
            raise InputError(sentence("provenance.not-study"))
        run = read_zip(members[member_of(document.in_table[0].id)]).members
        return PublishedStudy(
            document,
            found.study.digest,
            decided_cells(table, verdict),
            found.study.result,
            Manifest.model_validate_json(bytes(run["manifest.json"])),
        )

    def start(self, study: PublishedStudy, *, seed: int | None = None) -> StoredSweep:
        """Make the sweep of the study's design; ConflictError where this installation has another dataset.

        With `seed` (0 to 2^31 - 1) models are asked with this one, so that no answer of the study is reused.
        """
        stated = study.document.dataset
        # The file only names models, dataset and collection: this installation has its own under these names.
        sweep = sweep_of(study.document.design, name=f"Reproduction of {study.document.title}")
        if self.datasets.load_dataset(stated.name).digest != stated.digest:
            raise ConflictError(sentence("provenance.other-dataset", name=stated.name, digest=stated.digest))
        if seed is not None:
            options = sweep.config.options.model_copy(update={"seed": seed})
            sweep = sweep.model_copy(update={"config": sweep.config.model_copy(update={"options": options})})
        return self.planner.create(sweep)

    def compare(self, study: PublishedStudy, sweep_id: str, tolerance: float | None) -> Reproduction:
        """Compare the tables; without a tolerance the margin of the study, the smallest difference that matters."""
        composed = self.study_composer.compose(sweep_id)
        here = read_table(composed.files[TABLE], composed.document.format)
        rule = planned_rule(study.document.design)
        within = tolerance if tolerance is not None else rule.margin if rule else 0.0
        return Reproduction(
            study=study.digest,
            sweep_id=sweep_id,
            primary=composed.verdict.rule.primary,
            tolerance=within,
            rows=compared(study.table, here or [], tolerance=within),
            published=study.result,
            here=study_result(composed.document, composed.verdict, {}),
            differing=_differing(study.manifest, self._manifest(composed.document)),
        )

    def _manifest(self, document: StudyDocument) -> Manifest:
        writer: BundleWriter = self.study_composer.bundle_writer
        return writer.manifest(document.in_table[0].id)


Part = Callable[[Manifest], object]
_PARTS: dict[str, Part] = {
    "documents, chunking or embedding model of the collection": lambda each: each.collection and each.collection.digest,
    "rules by which words and sentences are cut": lambda each: each.collection and each.collection.text_rules,
    "model": lambda each: each.model and (each.model.name, each.model.digest),
    "prompt template": lambda each: each.prompt_template.digest,
    "scorer": lambda each: each.scored_by,
}


def _differing(published: Manifest, here: Manifest) -> tuple[str, ...]:
    return tuple(name for name, part in _PARTS.items() if part(published) != part(here))
