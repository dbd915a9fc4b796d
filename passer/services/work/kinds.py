"""Kinds of work: one frozen value for each, enough for another process to do it after a restart."""

from __future__ import annotations

from secrets import token_hex
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.assessment import Assessment
from passer.domain.models.model import ModelInfo
from passer.domain.retrieval.passages import Chunking
from passer.ports import DatasetSummary, Work, WorkKind
from passer.services.judging.runner import AssessmentReport
from passer.services.judging.tuning import TuningReport
from passer.services.library.answers_import import AnswersSummary
from passer.services.library.column_mapping import ColumnMapping
from passer.services.library.examples import Example
from passer.services.library.ingest_report import IngestReport
from passer.services.library.ragelo_files import RageloPart
from passer.services.library.ragelo_import import RageloSummary
from passer.services.sheets.sheet_library import ImportDetail
from passer.services.work.sources import PastedText, Source, UploadedFiles

R = TypeVar("R", bound=Frozen)
LONGEST_SUBJECT = 300
"""Characters that the table of work keeps of a subject."""


class WorkSpec(Frozen, Generic[R]):
    """Specification of work with a result R. Uploaded files are named here and stored in the home folder."""

    kind: ClassVar[WorkKind]
    """Key of the handler."""

    @property
    def subject(self) -> str | None:
        """Return the name of the collection, dataset, model or sweep in which the result appears."""
        return None

    @property
    def uploads(self) -> int:
        """Return the number of uploaded files."""
        return 0

    @property
    def work_id(self) -> str | None:
        """Return the id of its row; None lets the queue choose one."""
        return None


class IngestSpec(WorkSpec[IngestReport]):
    """Add documents to a collection."""

    kind = "ingest"
    collection: str
    """Its name; created with its first document."""
    source: Source
    """Source of the documents."""
    embedding: str | None = None
    """Embedding model; None is the collection's own, or the one of the settings."""
    chunking: Chunking | None = None
    """Chunking; None is the collection's own, or the default."""

    @property
    def subject(self) -> str:
        return self.collection

    @property
    def uploads(self) -> int:
        """Return the number of uploaded files; the pasted text counts as one."""
        if isinstance(self.source, UploadedFiles):
            return len(self.source.names)
        return int(isinstance(self.source, PastedText))


class DatasetSpec(WorkSpec[DatasetSummary]):
    """Import a file of questions, which is the one uploaded file."""

    kind = "dataset"
    name: str
    """Name of the dataset."""
    file: str
    """Name of the file."""
    language: str | None = None
    """BCP 47 tag; None finds out."""
    mapping: ColumnMapping = ColumnMapping()
    """Mapping of the file's columns, where their names do not show it."""
    skip_bad_rows: bool = False
    """True if rows with a problem are skipped; else one of them refuses the whole file."""
    base: str | None = None
    """Digest of the version that the questions are added to; None makes a version of them alone."""

    @property
    def subject(self) -> str:
        return self.name

    @property
    def uploads(self) -> int:
        return 1


class ImportSpec(WorkSpec[ImportDetail]):
    """Import result sheets: uploaded ones, or those of a folder of this machine."""

    kind = "import"
    files: tuple[str, ...] = ()
    """Names of uploaded sheets and archives."""
    folder: str | None = None
    """Absolute; the command line alone names one."""
    references: str | None = None
    """Name of an uploaded question file that contains the references; it comes after `files`."""
    name: str | None = None
    """Name of the import; None is that of the archive or folder."""
    dataset: str | None = None
    """Name of a dataset that contains the references."""

    @property
    def subject(self) -> str | None:
        """Return its name, if given."""
        return self.name

    @property
    def uploads(self) -> int:
        """Return the number of sheets, archives and question files."""
        return len(self.files) + int(self.references is not None)


class RageloSpec(WorkSpec[RageloSummary]):
    """Import an experiment of RAGElo: its uploaded files, in the order of `files`."""

    kind = "ragelo"
    name: str
    """Name of all that is imported."""
    files: tuple[tuple[RageloPart, str], ...]
    """Content and name of each file."""
    key: str = Field(default_factory=lambda: token_hex(8))
    """Finds the sweep of its answers again where another process continues."""

    @property
    def subject(self) -> str:
        return self.name

    @property
    def uploads(self) -> int:
        return len(self.files)


class AnswersSpec(WorkSpec[AnswersSummary]):
    """Import answers of other tools as configurations of a sweep: uploaded files, in the order of `files`."""

    kind = "answers"
    dataset: str
    """Name of the dataset that the answers belong to."""
    files: tuple[tuple[str, str], ...] = Field(min_length=1)
    """Name of the configuration of each file, and that of the file; the first is the baseline."""
    questions: int | None = Field(default=None, ge=1)
    """Only the first questions of the dataset."""
    title: str | None = None
    """Name of the sweep."""
    columns: dict[str, str] = Field(default_factory=dict)
    """Columns of the files by the names under which they are read; the others are found by their names."""
    key: str = Field(default_factory=lambda: token_hex(8))
    """Finds the sweep again where another process continues."""

    @property
    def subject(self) -> str:
        return self.dataset

    @property
    def uploads(self) -> int:
        return len(self.files)


class ExampleSpec(WorkSpec[Example]):
    """Load an example corpus with its questions."""

    kind = "example"
    name: str
    """Name of the example, and of the collection and dataset that it becomes."""

    @property
    def subject(self) -> str:
        """Return the name of the example, which collection and dataset share."""
        return self.name


class PullSpec(WorkSpec[ModelInfo]):
    """Have the model server download a model."""

    kind = "pull"
    name: str
    """Tag in Ollama's registry."""

    @property
    def subject(self) -> str:
        return self.name


class AssessSpec(WorkSpec[AssessmentReport]):
    """Run an assessment, which is stored in a table of its own, to its end."""

    kind = "assess"
    assessment: str
    """Its id, which is also that of the row."""
    sweep: str | None = None
    """Id of the sweep that is judged; None if datasets are."""
    datasets: tuple[str, ...] = ()
    """Names of the datasets that are judged."""

    @classmethod
    def of(cls, assessment: Assessment) -> AssessSpec:
        """Return the work of an assessment."""
        names = tuple(each.name for each in assessment.spec.datasets)
        return cls(assessment=assessment.id, sweep=assessment.sweep_id, datasets=names)

    @property
    def subject(self) -> str:
        return self.sweep or ", ".join(self.datasets)[:LONGEST_SUBJECT]

    @property
    def work_id(self) -> str:
        return self.assessment


class DraftSpec(WorkSpec[AssessmentReport]):
    """Draft questions until the target of a drafting is reached."""

    kind = "draft"
    assessment: str
    """Id of the drafting, which is also that of the row."""
    collection: str
    """Name of the collection whose documents are read."""

    @property
    def subject(self) -> str:
        return self.collection

    @property
    def work_id(self) -> str:
        return self.assessment


class TuneSpec(WorkSpec[TuningReport]):
    """Tune the task of a judge by the ratings by people."""

    kind = "tune"
    assessment: str
    """Id of the tuning, which is also that of the row."""
    tuned: str
    """Id of the assessment whose answers people rated."""

    @classmethod
    def of(cls, assessment: Assessment) -> TuneSpec:
        """Return the work of a tuning."""
        assert assessment.spec.tuning is not None, "only tunings are tuned"
        return cls(assessment=assessment.id, tuned=assessment.spec.tuning.assessment)

    @property
    def subject(self) -> str:
        return self.tuned

    @property
    def work_id(self) -> str:
        return self.assessment


_MATERIAL: tuple[type[WorkSpec[Any]], ...] = (
    *(IngestSpec, DatasetSpec, ImportSpec, RageloSpec, AnswersSpec, ExampleSpec, PullSpec),
)
_JUDGING: tuple[type[WorkSpec[Any]], ...] = (AssessSpec, DraftSpec, TuneSpec)
SPECS: dict[WorkKind, type[WorkSpec[Any]]] = {each.kind: each for each in (*_MATERIAL, *_JUDGING)}
"""Kinds that anyone may ask for; sweeps and posting have tables of their own."""


def spec_of(work: Work) -> WorkSpec[Any]:
    """Return the specification of a row."""
    return SPECS[work.kind].model_validate(work.spec)
