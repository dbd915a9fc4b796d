"""Handlers of imports. A handler that is repeated after a failure adds nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from passer.domain.dataset import Dataset
from passer.domain.models.model import ModelInfo
from passer.ports import DatasetStore, DatasetSummary, Progress, WorkKind
from passer.services.arena.additions import AnyAssessmentRunner
from passer.services.drafting.runner import DraftRunner
from passer.services.judging.runner import AssessmentReport
from passer.services.judging.tuning import Tuner, TuningReport
from passer.services.library.answers_import import AnswersImport, AnswersSummary
from passer.services.library.dataset_import import DatasetImport
from passer.services.library.document_ingest import DocumentIngest
from passer.services.library.examples import Example, Examples
from passer.services.library.ingest_report import IngestReport
from passer.services.library.model_servers import ModelPull
from passer.services.library.ragelo_files import RageloFiles
from passer.services.library.ragelo_import import RageloImport, RageloSummary
from passer.services.sheets.sheet_library import ImportDetail, SheetLibrary
from passer.services.work.kinds import (
    AnswersSpec,
    AssessSpec,
    DatasetSpec,
    DraftSpec,
    ExampleSpec,
    ImportSpec,
    IngestSpec,
    PullSpec,
    RageloSpec,
    TuneSpec,
)
from passer.services.work.queue import Handler, Reporter
from passer.services.work.sources import Address, OwnPassages, PastedText, Paths


@dataclass(frozen=True)
class Handlers:
    """Handlers by kind; the services behind them are built on first use, so that listing jobs loads no encoder."""

    document_ingest: Callable[[], DocumentIngest]
    dataset_import: Callable[[], DatasetImport]
    datasets: Callable[[], DatasetStore]
    examples: Callable[[], Examples]
    model_pull: Callable[[], ModelPull]
    sheet_library: Callable[[], SheetLibrary]
    ragelo_import: Callable[[], RageloImport]
    answers_import: Callable[[], AnswersImport]
    assessments: Callable[[], AnyAssessmentRunner]
    drafting: Callable[[], DraftRunner]
    tuner: Callable[[], Tuner]

    @property
    def by_kind(self) -> dict[WorkKind, Handler]:
        return {
            "ingest": self.ingest,
            "dataset": self.dataset,
            "import": self.sheets,
            "ragelo": self.ragelo,
            "answers": self.answers,
            "example": self.example,
            "pull": self.pull,
            "assess": self.assess,
            "draft": self.draft,
            "tune": self.tune,
        }

    def ingest(self, spec: IngestSpec, files: Sequence[Path], progress: Progress) -> IngestReport:
        """Add documents; those that are whole in the collection are not embedded again."""
        service, name, source = self.document_ingest(), spec.collection, spec.source
        if isinstance(source, OwnPassages):
            return service.reindex(name, embedding=spec.embedding, progress=progress)
        bound: dict[str, Any] = {"embedding": spec.embedding, "chunking": spec.chunking, "progress": progress}
        match source:
            case Paths():
                return service.ingest_files(name, [Path(path) for path in source.paths], **bound)
            case Address():
                return service.ingest_address(name, url=source.url, **bound)
            case PastedText():
                return service.ingest_text(name, title=source.title, text=_text(files[0]), **bound)
        return service.ingest_sources(name, list(zip(source.names, files, strict=True)), **bound)

    def dataset(self, spec: DatasetSpec, files: Sequence[Path], progress: Progress) -> DatasetSummary:
        """Import questions; the same file again is the same version."""
        stored = self.datasets()
        base = None if spec.base is None else stored.load_dataset(spec.name.strip(), spec.base)
        dataset = self.dataset_import().load(
            files[0],
            spec.file,
            name=spec.name,
            language=spec.language,
            mapping=spec.mapping,
            skip_bad_rows=spec.skip_bad_rows,
            base=base,
        )
        count = len(dataset.questions)
        progress("Saving questions", count, count)
        stored.save_dataset(dataset, base=spec.base)
        return next(each for each in stored.list_datasets() if each.name == dataset.name)

    def sheets(self, spec: ImportSpec, files: Sequence[Path], progress: Progress) -> ImportDetail:
        """Import result sheets; the same sheets again are the same import."""
        library, given = self.sheet_library(), list(files)
        references: Dataset | str | None = spec.dataset
        if spec.references is not None:
            name = Path(spec.references)
            references = self.dataset_import().load(given.pop(), name.name, name=name.stem)
        if spec.folder is not None:
            imported = library.import_folder(Path(spec.folder), name=spec.name, dataset=references, progress=progress)
        else:
            uploaded = list(zip(spec.files, given, strict=True))
            imported = library.import_uploads(uploaded, name=spec.name, dataset=references, progress=progress)
        return ImportDetail.of(imported)

    def ragelo(self, spec: RageloSpec, files: Sequence[Path], progress: Progress) -> RageloSummary:
        """Import an experiment of RAGElo; begun again, it continues the sweep of its answers."""
        progress("Importing files", 0, len(files))
        given = {part: (name, path) for (part, name), path in zip(spec.files, files, strict=True)}
        imported = self.ragelo_import().import_files(RageloFiles(**given), spec.name, key=spec.key)
        progress("Importing files", len(files), len(files))
        return imported

    def answers(self, spec: AnswersSpec, files: Sequence[Path], progress: Progress) -> AnswersSummary:
        """Import answers of other tools; begun again, it continues their sweep."""
        progress("Importing files", 0, len(files))
        given = [(name, file, path) for (name, file), path in zip(spec.files, files, strict=True)]
        imported = self.answers_import().import_files(
            given, spec.dataset, questions=spec.questions, title=spec.title, key=spec.key, columns=spec.columns
        )
        progress("Importing files", len(files), len(files))
        return imported

    def example(self, spec: ExampleSpec, files: Sequence[Path], progress: Progress) -> Example:
        """Load an example corpus."""
        return self.examples().load(spec.name, progress=progress)

    def pull(self, spec: PullSpec, files: Sequence[Path], progress: Progress) -> ModelInfo:
        """Download a model; Ollama continues partial layers."""
        return self.model_pull().pull(spec.name, progress=progress)

    def assess(self, spec: AssessSpec, files: Sequence[Path], progress: Reporter) -> AssessmentReport:
        """Ask a judge what it was not asked before; WorkPaused where the budget is used up."""
        return self.assessments().run(spec.assessment, progress)

    def draft(self, spec: DraftSpec, files: Sequence[Path], progress: Reporter) -> AssessmentReport:
        """Draft questions that are missing to the target; WorkPaused where the budget is used up."""
        return self.drafting().run(spec.assessment, progress)

    def tune(self, spec: TuneSpec, files: Sequence[Path], progress: Reporter) -> TuningReport:
        """Choose a judge's task by labels; WorkPaused where the budget is used up."""
        return self.tuner().run(spec.assessment, progress)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
